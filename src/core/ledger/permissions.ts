import { isSameAddress } from '../eth/address';
import { delegateIn } from '../eth/authorization';
import { type Hex, lowerCase } from '../eth/bytes';
import { BEACON_SLOT, IMPLEMENTATION_SLOT } from '../eth/proxy-slots';
import { isUnlimited } from '../decode/words/amounts';
import { PERMIT2 } from '../simulation/asset-logs';
import { type Candidate, lastSpent } from './candidates';
import { type ChainState } from './chain-state';
import { type Held, heldBy, isUnread, readsOf } from './decide';
import { type PlacedLog } from './placed-log';
import { revokeCall } from './revoke';

/**
 * What speaks against a permission.
 *
 * - `account`: the spender is a person's account (no code, or code by EIP-7702), and not a contract.
 * - `unused-account`: it has never sent a transaction.
 * - `unchecked`: the node did not say what the spender is.
 * - `token`: the spender is the token itself.
 * - `proxy`: somebody can replace the spender's code.
 * - `unused`: nothing of it was taken so far.
 * - `unlimited`: there is no limit.
 * - `old`: it is older than a year.
 */
export type PermissionWarning =
  | 'account'
  | 'unused-account'
  | 'unchecked'
  | 'token'
  | 'proxy'
  | 'unused'
  | 'unlimited'
  | 'old';

/** A permission that holds at the block that was looked at: who may take what. */
export type Permission = Held & {
  /** The block of the newest log that gives it, and its Unix time in seconds if the node says it. */
  readonly since: { readonly block: bigint; readonly time?: bigint };
  /** The token refuses to set an allowance to 0. */
  readonly refusesZero?: true;
  /** The contract refuses to take it back. Together with others in one operation, it would make all of them fail. */
  readonly isStuck?: true;
  readonly warnings: readonly PermissionWarning[];
};

const YEAR = 365n * 86_400n;
/** What is known of a spender. */
async function spenderWarnings(spender: Hex, state: ChainState): Promise<readonly PermissionWarning[]> {
  const code = await state.code(spender);
  if (code === '0x') return (await state.nonce(spender)) === 0n ? ['account', 'unused-account'] : ['account'];
  if (delegateIn(code) !== undefined) return ['account'];
  const slots = await Promise.all([IMPLEMENTATION_SLOT, BEACON_SLOT].map((slot) => state.storage(spender, slot)));
  return slots.some((slot) => slot !== 0n) ? ['proxy'] : [];
}

/** So many contracts and blocks are asked for at the same time. */
const AT_ONCE = 20;

/**
 * Looks each of several things up once. A node that answers none of those that are asked at the same time is not asked
 * for the rest.
 *
 * @returns What was found, by its name.
 */
async function lookedUp<Key, Value>(
  keys: readonly Key[],
  lookUp: (key: Key) => Promise<Value | undefined>,
): Promise<ReadonlyMap<Key, Value>> {
  const found = new Map<Key, Value>();
  const all = [...new Set(keys)];
  for (let start = 0; start < all.length; start += AT_ONCE) {
    const part = all.slice(start, start + AT_ONCE);
    const values = await Promise.all(part.map(async (key) => lookUp(key).catch(() => undefined)));
    for (const [at, key] of part.entries()) {
      const value = values[at];
      if (value !== undefined) found.set(key, value);
    }
    if (values.every((value) => value === undefined)) break;
  }
  return found;
}

type Refusal = Pick<Permission, 'refusesZero' | 'isStuck'>;

/**
 * Some tokens refuse to set an allowance to 0, and take it back in another way. Others refuse both.
 *
 * @returns What those of the permissions refuse that refuse something.
 */
async function refusalsOf(
  all: readonly Held[],
  owner: Hex,
  { reverts }: ChainState,
): Promise<ReadonlyMap<Held, Refusal>> {
  const kept = all.filter(({ kind }) => kind !== 'permit2');
  const refused = await lookedUp(kept, async (held) => reverts(owner, revokeCall(held)));
  const refusing = kept.filter((held) => refused.get(held) === true);
  return lookedUp(refusing, async (held): Promise<Refusal> => {
    if (held.kind !== 'amount') return { isStuck: true };
    const decrease = { ...held, refusesZero: true } as const;
    return (await reverts(owner, revokeCall(decrease))) === false ? { refusesZero: true } : { isStuck: true };
  });
}

/** What is to be warned of in a permission, besides its spender. */
function ownWarnings(
  { kind, token, spender, amount }: Held,
  given: Candidate,
  age: bigint | undefined,
  spentAt: bigint | undefined,
): readonly PermissionWarning[] {
  const isWithoutLimit = amount === undefined ? kind !== 'nft' : isUnlimited(amount);
  // What is taken of one without a limit shows in the transfers of tokens only.
  const isTold = kind === 'amount' || kind === 'permit2' || !isWithoutLimit;
  const isUnused = isTold && amount !== undefined && amount === given.amount && (spentAt ?? -1n) < given.since;
  return [
    ...(isSameAddress(token, spender) ? ['token' as const] : []),
    ...(isWithoutLimit ? ['unlimited' as const] : []),
    ...(isUnused ? ['unused' as const] : []),
    ...(age !== undefined && age > YEAR ? ['old' as const] : []),
  ];
}

/**
 * Decides at one block which candidates are permissions.
 *
 * @param logs - Of the account, in order. They tell since when a permission holds, and whether it was used.
 * @returns The permissions, those that put most at risk first; and the candidates whose contract did not answer.
 */
export async function permissionsAt(
  candidates: readonly Candidate[],
  logs: Iterable<PlacedLog>,
  account: Hex,
  state: ChainState,
): Promise<{ readonly permissions: readonly Permission[]; readonly unread: readonly Candidate[] }> {
  const owner = lowerCase(account);
  const reads = candidates.map((candidate) => readsOf(candidate, owner));
  const answers = [...(await state.calls(reads.flat()))];
  const asked = candidates.map((candidate, at) => ({ candidate, own: answers.splice(0, reads[at]?.length) }));
  const held = asked.flatMap(({ candidate, own }) => {
    const found = heldBy(candidate, owner, own, state.time);
    return found === undefined ? [] : [{ candidate, found }];
  });
  const all = held.map(({ found }) => found);
  const refusals = await refusalsOf(all, owner, state);
  // What Permit2 may do is listed one by one.
  const spenders = all.map(({ spender }) => spender).filter((spender) => !isSameAddress(spender, PERMIT2));
  const spenderFaults = await lookedUp(spenders, (spender) => spenderWarnings(spender, state));
  const times = await lookedUp(
    held.map(({ candidate }) => candidate.since),
    state.timeOf,
  );
  const spent = lastSpent(logs, owner);
  return {
    unread: asked.filter(({ candidate, own }) => isUnread(candidate, own)).map(({ candidate }) => candidate),
    permissions: held
      .map(({ candidate, found }) => {
        const time = times.get(candidate.since);
        const isListed = isSameAddress(found.spender, PERMIT2);
        return {
          ...found,
          since: { block: candidate.since, ...(time !== undefined && { time }) },
          ...refusals.get(found),
          warnings: [
            ...(spenderFaults.get(found.spender) ?? (isListed ? [] : (['unchecked'] as const))),
            ...ownWarnings(found, candidate, time && state.time - time, spent.get(found.token)),
          ],
        };
      })
      .sort(byRisk),
  };
}

/** Graver warnings weigh more than all that are less grave. */
const WEIGHTS: Readonly<Record<PermissionWarning, number>> = {
  'unused-account': 128,
  token: 64,
  account: 32,
  unchecked: 16,
  unlimited: 8,
  proxy: 4,
  unused: 2,
  old: 1,
};
const riskOf = ({ warnings }: Permission): number => warnings.reduce((sum, warning) => sum + WEIGHTS[warning], 0);
const isEmpty = ({ takeable }: Permission): number => (takeable === 0n ? 1 : 0);

/** What could be taken today comes before what is there only for later. */
const byRisk = (a: Permission, b: Permission): number => isEmpty(a) - isEmpty(b) || riskOf(b) - riskOf(a);
