import { type Hex, hexToBigInt, parseEther, toEventSelector } from 'viem';

import { type Call } from '../../../src/core/erc4337/user-operation';
import { MAX_UINT256 } from '../../../src/core/eth/units';
import { type Log } from '../../../src/core/schemas/receipt';
import { type Holder, PERSON, type PreviewWorld, UNIT } from './preview-world';

/** Calls that mean harm, and whom they benefit. */
export type HostileRequest = {
  readonly calls: readonly Call[];
  /** Who gets an asset or a permission from a call of the account itself. Nobody of the dust is among them. */
  readonly beneficiaries: readonly Hex[];
  /** Recipients that imitate somebody whom the account has sent to. */
  readonly twins: readonly Hex[];
  /** Whether a contract that tells a preview from the chain takes part. */
  readonly isBait: boolean;
};

/** @returns A generator of numbers below a limit: the same ones for the same seed (mulberry32). */
export function random(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

type Next = ReturnType<typeof random>;
type Part = Omit<HostileRequest, 'isBait'>;
type Trick = (next: Next, cast: Cast) => Part;

/** What the tricks are made of: an account, the contracts of the world, and how the account calls itself. */
type Cast = {
  readonly world: PreviewWorld;
  readonly holder: Holder;
  readonly encodeCalls: (calls: readonly Call[]) => Hex;
};

const digits = (next: Next, count: number): string =>
  Array.from({ length: count }, () => next(16).toString(16)).join('');
const stranger = (next: Next): Hex => `0x${digits(next, 40)}`;
const twinOf = (friend: Hex, next: Next): Hex => `0x${friend.slice(2, 6)}${digits(next, 32)}${friend.slice(-4)}`;
const oneOf = <Item>(next: Next, items: readonly Item[]): Item => items[next(items.length)]!;

const ONLY_DUST = { beneficiaries: [], twins: [] };
/** Contracts that many people use: permissions for them look familiar. */
const FAMILIAR: readonly Hex[] = [
  '0x000000000022D473030F116dDEE9F6B43aC78BA3',
  '0x0000000000000068F116a894984e2DB1123eB395',
  '0x1111111254EEB25477B68fb85Ed929f73A960582',
  '0x111111125421cA6dc452d289314280a0f8842A65',
  '0xC92E8bdf79f0507f65a392b0ab4667716BFE0110',
];
const TOKENS = ['gold', 'usd', 'noReturn', 'weth'] as const;
const AMOUNTS = [
  1n,
  1_000n,
  UNIT,
  90_000n * UNIT,
  2n ** 96n - 1n,
  2n ** 112n,
  2n ** 127n,
  2n ** 160n - 1n,
  MAX_UINT256,
];
const TRANSFERABLE = [1n, 999n, UNIT, 7n * UNIT];
const LATEST = 2 ** 48 - 1;

const dustApproval: Trick = (next) => {
  const data = `0x095ea7b3${oneOf(next, FAMILIAR).slice(2).padStart(64, '0')}${'3e8'.padStart(64, '0')}` as const;
  return { calls: [{ to: stranger(next), value: 0n, data }], ...ONLY_DUST };
};
const unknownCall: Trick = (next) => ({
  calls: [{ to: stranger(next), value: 0n, data: `0x${digits(next, 8 + 2 * next(40))}` }],
  ...ONLY_DUST,
});
const dustApprovalOfReal: Trick = (next, { world }) => ({
  calls: [world.call(oneOf(next, TOKENS), 'approve', [oneOf(next, FAMILIAR), BigInt(next(5))])],
  ...ONLY_DUST,
});

const to = (beneficiary: Hex, ...calls: readonly Call[]): Part => ({ calls, beneficiaries: [beneficiary], twins: [] });

const approve: Trick = (next, { world }) => {
  const spender = stranger(next);
  return to(spender, world.call(oneOf(next, TOKENS), 'approve', [spender, oneOf(next, AMOUNTS)]));
};
/** A second approval of another size: the last one counts on the chain. */
const overwrite: Trick = (next, { world }) => {
  const [spender, token] = [stranger(next), oneOf(next, TOKENS)];
  const amounts = next(2) === 0 ? [MAX_UINT256, 1n] : [1n, oneOf(next, AMOUNTS)];
  return to(spender, ...amounts.map((amount) => world.call(token, 'approve', [spender, amount])));
};
const approveByPermit2: Trick = (next, { world }) => {
  const [spender, gold] = [stranger(next), world.contracts.gold.address];
  return to(
    spender,
    world.call('gold', 'approve', [world.contracts.permit2.address, MAX_UINT256]),
    ...[5n * UNIT, 1n]
      .slice(0, 1 + next(2))
      .map((amount) => world.call('permit2', 'approve', [gold, spender, amount, LATEST])),
  );
};
const transfer: Trick = (next, { world }) => {
  const receiver = stranger(next);
  return to(receiver, world.call(oneOf(next, TOKENS), 'transfer', [receiver, oneOf(next, TRANSFERABLE)]));
};
const coins: Trick = (next) => {
  const receiver = stranger(next);
  return to(receiver, { to: receiver, value: oneOf(next, [1n, UNIT, parseEther('0.5')]), data: '0x' });
};
const toTwin: Trick = (next, { world }) => {
  const twin = twinOf(PERSON, next);
  const call =
    next(2) === 0
      ? { to: twin, value: UNIT, data: '0x' as const }
      : world.call(oneOf(next, TOKENS), 'transfer', [twin, oneOf(next, TRANSFERABLE)]);
  return { calls: [call], beneficiaries: [twin], twins: [twin] };
};
const nft: Trick = (next, { world, holder: { address, firstNft } }) => {
  const thief = stranger(next);
  const id = firstNft + BigInt(next(3));
  return oneOf(next, [
    to(thief, world.call('nft', 'transferFrom', [address, thief, id])),
    to(thief, world.call('nft', 'approve', [thief, id])),
    to(thief, world.call('nft', 'setApprovalForAll', [thief, true])),
  ]);
};
const items: Trick = (next, { world, holder: { address } }) => {
  const thief = stranger(next);
  return oneOf(next, [
    to(thief, world.call('items', 'safeTransferFrom', [address, thief, 1n, 5n, '0x'])),
    to(thief, world.call('items', 'safeBatchTransferFrom', [address, thief, [1n, 2n, 1n], [3n, 4n, 5n], '0x'])),
    to(thief, world.call('items', 'setApprovalForAll', [thief, true])),
  ]);
};
const wrapAndSend: Trick = (next, { world }) => {
  const receiver = stranger(next);
  return to(receiver, world.call('weth', 'deposit', [], UNIT), world.call('weth', 'transfer', [receiver, UNIT]));
};
/** Takes what it was allowed to in the same request. */
const drain: Trick = (next, { world, holder: { address } }) => {
  const { drainer, gold } = world.contracts;
  return to(
    drainer.address,
    world.call('gold', 'approve', [drainer.address, oneOf(next, [3n * UNIT, MAX_UINT256])]),
    world.call('drainer', 'claim', [gold.address, address, 2n * UNIT]),
  );
};
const HARM: readonly Trick[] = [
  ...[approve, overwrite, approveByPermit2, transfer, coins, toTwin, nft, items, wrapAndSend, drain],
  ...[approve, overwrite, transfer, toTwin],
];
const DUST: readonly Trick[] = [dustApproval, unknownCall, dustApprovalOfReal];

/** The sign by which a contract recognised previews once. */
const SIGNS = 17;

const joined = (parts: readonly Part[]): Part => ({
  calls: parts.flatMap(({ calls }) => calls),
  beneficiaries: parts.flatMap(({ beneficiaries }) => beneficiaries),
  twins: parts.flatMap(({ twins }) => twins),
});

function shuffled<Item>(items: readonly Item[], next: Next): Item[] {
  const rest = [...items];
  return items.map(() => rest.splice(next(rest.length), 1)[0]!);
}

/** The same calls, made by the account's own batch function inside its batch. */
function nested(part: Part, depth: number, { holder, encodeCalls }: Cast): Part {
  if (depth === 0) return part;
  const call = { to: holder.address, value: 0n, data: encodeCalls(part.calls) };
  return nested({ ...part, calls: [call] }, depth - 1, { holder, encodeCalls } as Cast);
}

/**
 * @param next - Decides everything.
 * @returns Calls of the account: up to three that do harm, among up to thirty that look harmless, in any order, and
 * nested.
 */
export function hostileRequest(next: Next, cast: Cast): HostileRequest {
  const harm = Array.from({ length: 1 + next(3) }, () => oneOf(next, HARM)(next, cast));
  const inner = harm.map((part) => (next(4) === 0 ? nested(part, 1 + next(3), cast) : part));
  const count = oneOf(next, [0, 0, 0, 1, 2, 4, 8, 30]);
  const dust = Array.from({ length: count }, () => oneOf(next, DUST)(next, cast));
  const parts = next(2) === 0 ? [...dust, ...inner] : shuffled([...inner, ...dust], next);
  const isBait = next(16) === 0;
  if (!isBait) return { ...joined(parts), isBait };
  const { bait } = cast.world.contracts;
  const claim = cast.world.call('bait', 'claim', [BigInt(next(SIGNS))], oneOf(next, [1n, UNIT]));
  return { ...joined([to(bait.address, claim), ...parts]), isBait };
}

/**
 * What an account lost and allowed, under the names of what it holds: `erc20 0x…`, and `amount 0x… 0x…` with the
 * spender.
 */
export type Changed = { readonly lost: ReadonlyMap<string, bigint>; readonly allowed: ReadonlyMap<string, bigint> };

const EVENTS = {
  transfer: toEventSelector('Transfer(address,address,uint256)'),
  approval: toEventSelector('Approval(address,address,uint256)'),
  approvalForAll: toEventSelector('ApprovalForAll(address,address,bool)'),
  single: toEventSelector('TransferSingle(address,address,address,uint256,uint256)'),
  batch: toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])'),
  permit2: toEventSelector('Approval(address,address,address,uint160,uint48)'),
  deposit: toEventSelector('Deposit(address,uint256)'),
};

/**
 * What the honest tokens of the test log about an account. The contracts that lie, and those of strangers, are left
 * out.
 *
 * @param coins - How many wei the account lost.
 */
export function changedBy(logs: readonly Log[], coins: bigint, { holder, world: { contracts } }: Cast): Changed {
  const honest = new Set(
    (['gold', 'usd', 'noReturn', 'weth', 'nft', 'items', 'permit2'] as const).map((name) =>
      contracts[name].address.toLowerCase(),
    ),
  );
  const own = holder.address.toLowerCase();
  const [lost, allowed] = [new Map<string, bigint>([['native', coins]]), new Map<string, bigint>()];
  const lose = (name: string, amount: bigint): void => void lost.set(name, (lost.get(name) ?? 0n) + amount);
  for (const { address, topics, data } of logs) {
    if (!honest.has(address.toLowerCase())) continue;
    const [event, ...indexed] = topics;
    const party = (at: number): string => `0x${indexed[at]!.slice(26)}`.toLowerCase();
    const word = (at: number): bigint => hexToBigInt(`0x${data.slice(2 + 64 * at, 66 + 64 * at)}`);
    const sign = (from: string, to: string): bigint => (from === own ? 1n : 0n) - (to === own ? 1n : 0n);
    if (event === EVENTS.transfer)
      if (indexed.length === 3) lose(`erc721 ${address}/${BigInt(indexed[2]!)}`, sign(party(0), party(1)));
      else lose(`erc20 ${address}`, sign(party(0), party(1)) * word(0));
    else if (event === EVENTS.deposit && party(0) === own) lose(`erc20 ${address}`, -word(0));
    else if (event === EVENTS.single) lose(`erc1155 ${address}/${word(0)}`, sign(party(1), party(2)) * word(1));
    else if (event === EVENTS.batch) {
      const count = Number(word(2));
      for (let at = 0; at < count; at++)
        lose(`erc1155 ${address}/${word(3 + at)}`, sign(party(1), party(2)) * word(4 + count + at));
    } else if (event === EVENTS.approval && party(0) === own)
      if (indexed.length === 3) allowed.set(`nft ${address}/${BigInt(indexed[2]!)} ${party(1)}`, 1n);
      else allowed.set(`amount ${address} ${party(1)}`, word(0));
    else if (event === EVENTS.approvalForAll && party(0) === own)
      allowed.set(`everything ${address} ${party(1)}`, word(0));
    else if (event === EVENTS.permit2 && party(0) === own) allowed.set(`permit2 ${party(1)} ${party(2)}`, word(0));
  }
  return { lost, allowed };
}
