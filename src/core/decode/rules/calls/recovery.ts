import { type AbiType, address, array, bool, bytes, tuple, uint256, type ValuesOf } from '../../../eth/abi';
import { type Hex } from '../../../eth/bytes';
import { type Control, type NameOf } from '../../effects/effect';
import { type Line } from '../../explanation';
import { address as addressLine, leftOut, text } from '../../words/lines';
import { type CallRule, rule } from './rule';

/** More new owners are counted. */
const MAX_OWNERS = 20;

/** Rows for the account and the owners that it gets. */
export const recoveryLines = (safe: Hex, newOwners: readonly Hex[], threshold: bigint): Line[] => [
  addressLine('Account', safe),
  ...newOwners.slice(0, MAX_OWNERS).map((owner) => addressLine('New owner', owner)),
  ...leftOut(newOwners.length - MAX_OWNERS, 'owner'),
  text('Required signatures', threshold.toString()),
];

/** A guardian's part in replacing the owners of an account. */
export const recoveryControl = (safe: Hex, newOwners: readonly Hex[]): Control => ({
  kind: 'control',
  by: newOwners[0],
  isRecovery: true,
  does: (name) =>
    `helps to take ${name(safe)} from its present owners and give it to ${newOwners.slice(0, 3).map(name).join(', ')}${newOwners.length > 3 ? ' and others' : ''}`,
});

/** A function with which guardians replace the owners of an account. */
const replacing = <const Types extends readonly AbiType<unknown>[]>(
  selector: string,
  name: string,
  types: Types,
  title: string,
): CallRule =>
  rule(selector, name, [address, array(address), uint256, ...types], (args) => {
    const [safe, newOwners, threshold] = args as readonly unknown[] as ValuesOf<
      [typeof address, AbiType<readonly Hex[]>, typeof uint256]
    >;
    const begins = args.at(-1) === true;
    return {
      title,
      about: safe,
      effects: [recoveryControl(safe, newOwners)],
      lines: [...recoveryLines(safe, newOwners, threshold), ...(begins ? [text('Delay', 'begins with this')] : [])],
    };
  });

const forAccount = (name: NameOf, from: Hex | undefined): string => (from === undefined ? 'the account' : name(from));

/** Candide's recovery module: guardians of a Safe, and the recoveries that they begin. */
export const RECOVERY_RULES: readonly CallRule[] = [
  rule('be0e54d7', 'addGuardianWithThreshold', [address, uint256], ([guardian, threshold], { to, from }) => ({
    title: 'Add a guardian',
    effects: [
      {
        kind: 'control',
        by: guardian,
        does: (name) =>
          `makes ${name(guardian)} a guardian of ${forAccount(name, from)}. ${threshold} of its guardians can replace its owners, after a delay`,
        ...(from && { change: { of: from, module: to, added: guardian, threshold } }),
      },
    ],
    lines: [addressLine('Module', to), addressLine('Guardian', guardian), text('Guardians needed', `${threshold}`)],
  })),
  rule(
    '936f7d86',
    'revokeGuardianWithThreshold',
    [address, address, uint256],
    ([, guardian, threshold], { to, from }) => ({
      title: 'Remove a guardian',
      effects: [
        {
          kind: 'control',
          does: (name) =>
            `removes ${name(guardian)} from the guardians of ${forAccount(name, from)}. A recovery that has begun goes on`,
          ...(from && { change: { of: from, module: to, removed: guardian, threshold } }),
        },
      ],
      lines: [addressLine('Module', to), addressLine('Guardian', guardian), text('Guardians needed', `${threshold}`)],
    }),
  ),
  replacing('064e2d0e', 'confirmRecovery', [bool], 'Confirm a recovery'),
  replacing('0728e1e7', 'multiConfirmRecovery', [array(tuple(address, bytes)), bool], 'Confirm a recovery'),
  replacing('b1f85f69', 'executeRecovery', [], 'Begin a recovery'),
  rule('315a7af3', 'finalizeRecovery', [address], ([safe], { to }) => ({
    title: 'Finish a recovery',
    about: safe,
    effects: [
      {
        kind: 'control',
        isRecovery: true,
        does: (name) => `replaces the owners of ${name(safe)} with those of its recovery`,
      },
    ],
    lines: [addressLine('Module', to), addressLine('Account', safe)],
  })),
  rule('0ba234d6', 'cancelRecovery', [], (_none, { to, from }) => ({
    title: 'Cancel a recovery',
    ...(from && { effects: [{ kind: 'cancel', of: from, module: to }] }),
    lines: [addressLine('Module', to)],
  })),
  rule('5a57b46f', 'invalidateNonce', [], (_none, { to }) => ({
    title: 'Void the confirmations of guardians',
    effects: [{ kind: 'note', text: 'A recovery that has begun goes on. Only cancelling stops it.' }],
    lines: [addressLine('Module', to)],
  })),
];
