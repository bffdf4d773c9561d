import { type Hex } from '../eth/bytes';
import { AddressStruct } from '../schemas/address';
import { Uint256Struct } from '../structs/hex';
import { enums, exactOptional, type Infer, integer, nullable, object } from '../structs/struct';
import { type BegunRecovery, BegunRecoveryStruct, type SafeState, type WatchedState } from './state';

/** How many of the owners must sign. */
const SignersStruct = object({ needed: Uint256Struct, owners: integer(0) });

const CONTRACTS = ['guard', 'moduleGuard', 'handler', 'implementation'] as const;
const KINDS = [
  'recovery',
  'recovery-ended',
  ...CONTRACTS,
  'delegate',
  'contract',
  'module-added',
  'module-removed',
  'owner-added',
  'owner-removed',
  'signers',
] as const;

/** What changed in who controls an account. */
export const ChangeStruct = object({
  kind: enums(KINDS),
  /** The owner, module or contract that it is about; null if there is none any more. */
  address: exactOptional(nullable(AddressStruct)),
  recovery: exactOptional(BegunRecoveryStruct),
  before: exactOptional(SignersStruct),
  after: exactOptional(SignersStruct),
});
export type Change = Infer<typeof ChangeStruct>;

/** The addresses of a list that are not in another one, in lower case both. */
const notIn = (list: readonly Hex[], other: readonly Hex[]): readonly Hex[] =>
  list.filter((one) => !other.includes(one));

/** @returns Whether another recovery is the same in every respect. */
export const isSameRecovery =
  (one: BegunRecovery) =>
  (other: BegunRecovery): boolean =>
    JSON.stringify(one) === JSON.stringify(other);

const signersOf = ({ threshold, owners }: SafeState) => ({ needed: threshold, owners: owners.length });

function changesOfSafe(before: SafeState, after: SafeState): Change[] {
  const about = (kind: Change['kind'], addresses: readonly (Hex | null)[]): Change[] =>
    addresses.map((address) => ({ kind, address }));
  const ended = before.recoveries.filter(({ module }) => !after.recoveries.some((one) => one.module === module));
  const [was, is] = [signersOf(before), signersOf(after)];
  return [
    ...after.recoveries
      .filter((recovery) => !before.recoveries.some(isSameRecovery(recovery)))
      .map((recovery) => ({ kind: 'recovery' as const, recovery })),
    ...CONTRACTS.flatMap((kind) => (before[kind] === after[kind] ? [] : about(kind, [after[kind]]))),
    ...about('module-added', notIn(after.modules, before.modules)),
    ...about('owner-added', notIn(after.owners, before.owners)),
    ...about('owner-removed', notIn(before.owners, after.owners)),
    ...(was.needed === is.needed && was.owners === is.owners
      ? []
      : [{ kind: 'signers' as const, before: was, after: is }]),
    ...about('module-removed', notIn(before.modules, after.modules)),
    ...about(
      'recovery-ended',
      ended.map(({ module }) => module),
    ),
  ];
}

/** @returns What changed in who controls an account, the gravest first. */
export function changesBetween(before: WatchedState, after: WatchedState): readonly Change[] {
  if (before.kind === 'safe' && after.kind === 'safe') return changesOfSafe(before, after);
  if (before.kind === 'key' && after.kind === 'key')
    return before.delegate === after.delegate ? [] : [{ kind: 'delegate', address: after.delegate }];
  return [{ kind: 'contract' }];
}
