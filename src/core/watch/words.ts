import { contractName } from '../decode/words/known-contracts';
import { utcTime } from '../decode/words/time';
import { type Hex } from '../eth/bytes';
import { counted } from '../eth/units';
import { type Change } from './changes';

/** A change in words. Addresses are in rows of their own, in full. */
export type ChangeWords = {
  readonly title: string;
  readonly text: string;
  readonly rows: readonly { readonly label: string; readonly address: Hex }[];
};

type Signers = NonNullable<Change['before']>;

const signers = ({ needed, owners }: Signers): string => `${BigInt(needed)} of ${counted(owners, 'owner')}`;

/** What the contracts of a Safe are for: if one is set, and if none is. */
const CONTRACTS: Readonly<
  Record<'guard' | 'moduleGuard' | 'handler' | 'implementation' | 'delegate', readonly [set: string, unset: string]>
> = {
  guard: ['It has another guard, which can refuse every transaction of its owners.', 'Its guard was removed.'],
  moduleGuard: [
    'It has another guard of modules, which can refuse every transaction of its modules.',
    'Its guard of modules was removed.',
  ],
  handler: [
    'Another contract now answers for it. That contract can accept signatures in its name.',
    'No contract answers for it any more, so it cannot sign in to sites.',
  ],
  implementation: [
    'Its code was replaced. Whoever wrote the new code may control it.',
    'Its code was removed. Nobody may be able to use it.',
  ],
  delegate: [
    'It was delegated by EIP-7702: it now runs the code of another contract, which can move everything that it holds.',
    'Its delegation was taken back.',
  ],
};

const named = (label: string, address: Hex): string => {
  const name = contractName(address);
  return name === undefined ? label : `${label}: ${name}`;
};

const rowOf = (label: string, address: Hex | null | undefined): ChangeWords['rows'] =>
  address === null || address === undefined ? [] : [{ label: named(label, address), address }];

function recoveryWords({ module, newOwners, more, newThreshold, executeAfter }: NonNullable<Change['recovery']>) {
  const count = newOwners.length + more;
  const rest = more === 0 ? '' : ` ${counted(more, 'new owner')} more ${more === 1 ? 'is' : 'are'} not listed.`;
  return {
    title: 'A recovery has begun',
    text: `Guardians are replacing its owners. From ${utcTime(BigInt(executeAfter))} on, anyone can finish this, and ${signers({ needed: newThreshold, owners: count })} must sign then.${rest} If you did not ask for it, cancel it before that, with the keys that own the account now.`,
    rows: [
      ...newOwners.map((address) => ({ label: 'New owner', address })),
      { label: named('Through', module), address: module },
    ],
  };
}

/** @returns A change of who controls an account, in words. */
export function changeWords({ kind, address, recovery, before, after }: Change): ChangeWords {
  const title = 'Who controls it has changed';
  const about = (text: string, label: string): ChangeWords => ({ title, text, rows: rowOf(label, address) });
  switch (kind) {
    case 'recovery':
      return recovery === undefined ? about('A recovery has begun.', 'Through') : recoveryWords(recovery);
    case 'recovery-ended':
      return { ...about('A recovery is not pending any more.', 'Through'), title: 'A recovery has ended' };
    case 'owner-added':
      return about('It has a new owner.', 'New owner');
    case 'owner-removed':
      return about('An owner was removed.', 'Removed owner');
    case 'module-added':
      return about('A module was switched on. It can move everything without the owners.', 'Module');
    case 'module-removed':
      return about('A module was switched off.', 'Module');
    case 'signers':
      return before === undefined || after === undefined
        ? about('Other signatures are required.', '')
        : about(`${signers(after)} must sign now. Before, it was ${signers(before)}.`, '');
    case 'contract':
      return about('There is a contract at its address now.', '');
    default: {
      const [set, unset] = CONTRACTS[kind];
      return about(address === null ? unset : set, 'Contract');
    }
  }
}
