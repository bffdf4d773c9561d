import { type Effect } from './effect';

/** Effects of a signature that take nothing from an account and let nobody act for it. Any other may. */
const NOTHING: readonly Effect['kind'][] = [
  'cancel',
  'failure',
  'fee',
  'foreign-code',
  'network',
  'note',
  'overhead',
  'passkey',
  'paymaster',
];

/** Whether an effect of a signature takes something from an account, or lets others act for it, now or later. */
export function gives(effect: Effect): boolean {
  // Whoever has a sign-in for elsewhere can act there.
  if (effect.kind === 'sign-in') return effect.is !== 'expired' && effect.is !== 'early';
  if (effect.kind === 'named') return effect.isRecipient;
  return 'amount' in effect ? effect.amount > 0n : !NOTHING.includes(effect.kind);
}
