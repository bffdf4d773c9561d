import { type Effect } from './effect';

/** Effects of a signature that take nothing from an account and let nobody act for it. Any other may. */
const NOTHING: readonly Effect['kind'][] = [
  'cancel',
  'failure',
  'fee',
  'foreign-code',
  'named',
  'network',
  'note',
  'overhead',
  'passkey',
  'paymaster',
];

/** Whether an effect of a signature takes something from an account, or lets others act for it, now or later. */
export function gives(effect: Effect): boolean {
  if (effect.kind === 'sign-in') return effect.is === 'capability';
  return 'amount' in effect ? effect.amount > 0n : !NOTHING.includes(effect.kind);
}
