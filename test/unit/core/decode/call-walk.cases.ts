import { encodeAbiParameters, encodeFunctionData, parseAbi } from 'viem';

import { describe as describeFields } from '../../../../src/core/decode/descriptors/describe';
import { readDescribedCall } from '../../../../src/core/decode/descriptors/calls';
import { type CallDescriptor, type Field, type Shard } from '../../../../src/core/decode/descriptors/descriptor';
import { Findings } from '../../../../src/core/decode/effects/findings';
import { type Changes } from '../../../../src/core/decode/effects/outcome';
import { explainAction } from '../../../../src/core/decode/explain/transaction';
import { type Explanation, type Viewpoint } from '../../../../src/core/decode/explanation';
import {
  type ContractFacts,
  contractKey,
  type ContractMetadata,
  NO_METADATA,
} from '../../../../src/core/decode/metadata/contract-metadata';
import { missingMetadata, readPublishedCall } from '../../../../src/core/decode/metadata/published';
import { declaredTokenAt, isCollection, isCopiedSymbol, tokenAt } from '../../../../src/core/decode/metadata/tokens';
import { freshBudget, readCall } from '../../../../src/core/decode/rules/calls';
import { type Hex } from '../../../../src/core/eth/bytes';
import { ALICE, BOB, explainCall, ME, saying, USDC, VIEW, written } from '../../../support/explaining';

const TOKEN: Hex = '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984';
const CONTRACT: Hex = '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D';
const NOTHING: Changes = { sends: [], receives: [], allows: [], creates: [] };
const NO_SHARDS = Object.fromEntries([...'0123456789abcdef'].map((digit) => [digit, null]));

const encode = (signature: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as string[]), args } as never);
const transfer = encode('transfer(address,uint256)', [BOB, 500n]);
const viewOf = (metadata: Partial<ContractMetadata>, more: Partial<Viewpoint> = {}): Viewpoint => ({
  ...{ ...VIEW, ...more },
  contractMetadata: { ...NO_METADATA, ...metadata },
});
const sceneOf = (metadata: Partial<ContractMetadata> = {}) => ({
  view: viewOf(metadata),
  chainId: 1n,
  findings: new Findings(),
  budget: freshBudget(),
});
/** The same for a message that names no network. */
const withoutChain = (metadata: Partial<ContractMetadata>) => ({ ...sceneOf(metadata), chainId: undefined });

describe('whether a selector means what a rule says', () => {
  const titleAt = (to: Hex, view: Partial<Viewpoint> = {}): string =>
    explainCall(to, encode('execute(address,uint256,bytes)', [USDC, 0n, transfer]), { view: { ...VIEW, ...view } })
      .title;

  it('is vouched for by the account itself, by its own accounts and by known contracts', () => {
    const SENT = 'Send 0.0005 USDC to 0x742d…f44e';
    expect(titleAt(ME)).toBe(SENT);
    expect(titleAt(ALICE)).toBe('Call 0xd8dA…6045');
    expect(titleAt(ALICE, { names: { [ALICE.toLowerCase()]: 'Savings' } })).toBe(
      'Move 0.0005 USDC from your Savings to 0x742d…f44e',
    );
    expect(titleAt(ALICE, { vouchedFor: [ALICE.toLowerCase() as Hex] })).toMatch(/^Move 0\.0005 USDC from/u);
    // Anybody can make Multicall3 do anything.
    expect(titleAt('0xcA11bde05977b3631167028862bE2a173976CA11')).toBe('Call Multicall3');
  });

  it('is vouched for by whoever makes the call, and by the account that signs', () => {
    const data = encode('execute(address,uint256,bytes)', [USDC, 0n, transfer]).slice(2);
    const isVouched = (to: Hex, from?: Hex): boolean =>
      readCall({ to, data, ...(from !== undefined && { from }) }, sceneOf()).isVouched;
    expect([isVouched(ALICE, ALICE), isVouched(ME), isVouched(ME, ALICE)]).toEqual([true, true, true]);
    expect([isVouched(ALICE, ME), isVouched(ALICE)]).toEqual([false, false]);
  });

  const declared = { [contractKey(1n, TOKEN)]: { symbol: 'COIN', decimals: 2 } };
  const titleOf = (found: Partial<Changes> | undefined, more: Partial<Viewpoint> = {}, data = transfer): string =>
    explainCall(TOKEN, data, {
      view: viewOf(
        { tokens: {}, declared },
        { ...(found && { outcome: { kind: 'changes', changes: { ...NOTHING, ...found } } }), ...more },
      ),
    }).title;

  it('is vouched for by a preview in which a token does nothing else', () => {
    const coins = { asset: { kind: 'erc20', token: TOKEN } as const, amount: 500n };
    const SENT = 'Send 5 COIN to 0x742d…f44e';
    const mint = encode('deposit()', []);
    expect(titleOf({ sends: [coins] })).toBe(SENT);
    expect(titleOf({})).toBe(SENT);
    // It is the same sentence otherwise, since the account would lose it: but not that of a gift.
    const gift = encode('transferFrom(address,address,uint256)', [ALICE, BOB, 500n]);
    const MOVED = 'Move 5 COIN from 0xd8dA…6045 to 0x742d…f44e';
    const UNSAID = 'Call 0x1f98…F984';
    expect(titleOf({}, {}, gift)).toBe(MOVED);
    expect(titleOf({ allows: [{ kind: 'everything', token: TOKEN, spender: BOB }] }, {}, gift)).toBe(MOVED);
    expect(titleOf(undefined, {}, gift)).toBe(UNSAID);
    expect(titleOf({}, { node: { name: 'node.example', addedBy: 'https://dapp.example' } }, gift)).toBe(UNSAID);
    expect(titleOf({}, { node: { name: 'node.example' } }, gift)).toBe(MOVED);
    expect(titleOf({ sends: [{ asset: { kind: 'native' }, amount: 1n }] }, {}, gift)).toMatch(/^Send 0\.0+1 ETH/u);
    expect(titleOf({ allows: [{ kind: 'everything', token: USDC, spender: BOB }] }, {}, gift)).toBe(UNSAID);
    expect(titleOf({}, {}, mint)).toBe(UNSAID);
    const unknown = explainCall(TOKEN, gift, {
      view: viewOf({ tokens: {} }, { outcome: { kind: 'changes', changes: NOTHING } }),
    });
    expect(unknown.title).toBe(UNSAID);
  });
});

describe('a call whose function has a possible name', () => {
  const guesses = (guess: string): Record<string, Shard> => ({
    '1': { contracts: [], calls: {}, messages: {}, guesses: { '12345678': guess } },
  });
  const called = (guess: string, types: readonly { type: string }[], values: readonly unknown[]): Explanation =>
    explainAction(
      {
        ...{ to: CONTRACT, value: 0n, chainId: 1n },
        data: `0x12345678${encodeAbiParameters(types, values as never).slice(2)}`,
      },
      viewOf({ shards: guesses(guess), tokens: {} }),
    );
  const open = ({ main }: Explanation): string => main.map(written).join('\n');

  it('has the texts of its arguments on the open part, and its words all the same', () => {
    const said = called('say(string,address)', [{ type: 'string' }, { type: 'address' }], ['hello there', BOB]);
    expect(open(said)).toContain('hello there');
    expect(open(said)).toContain(BOB);
    expect(saying(said)).toContain('Possible function: say(string,address)');
    expect(said.title).toBe('Call 0x7a25…488D');
  });

  it('has words that only may be addresses, as nothing proves the name', () => {
    expect(open(called('say(uint256)', [{ type: 'uint256' }], [BigInt(BOB)]))).toContain(BOB);
    const more = called('say(uint256)', [{ type: 'uint256' }, { type: 'address' }], [5n, BOB]);
    expect(open(more)).toContain(BOB);
    expect(open(called('not a signature', [{ type: 'address' }], [BOB]))).toContain(BOB);
  });
});

describe('the metadata that a developer published', () => {
  const facts = (more: object = {}): ContractFacts => ({
    functions: { '12345678': { name: 'play', inputs: [{ name: 'ids', type: 'uint256[]' }], ...more } },
  });
  const data = (count: number): string =>
    `12345678${encodeAbiParameters([{ type: 'uint256[]' }], [Array.from({ length: count }, (_, at) => BigInt(at))]).slice(2)}`;
  const contracts = (of: ContractFacts) => ({ [contractKey(1n, CONTRACT)]: of });
  const read = (count: number, of: ContractFacts = facts()) =>
    readPublishedCall({ to: CONTRACT, data: data(count) }, sceneOf({ contracts: contracts(of) }));
  const linesOf = (count: number): string[] => (read(count)?.lines ?? []).map(written);

  it('has the values of lists, up to forty rows', () => {
    expect(linesOf(0)).toEqual(['Function: play', '“ids”: (empty list)']);
    expect(linesOf(1)).toEqual(['Function: play', '“ids[0]”: 0']);
    expect(linesOf(40)).toHaveLength(41);
    expect(linesOf(41).at(-1)).toBe('Not shown: 1 more value');
    expect(linesOf(42).at(-1)).toBe('Not shown: 2 more values');
  });

  it('is not used for another function, for other data, or without a network', () => {
    expect(read(1)?.quotedAs).toBe('Call “play” of 0x7a25…488D');
    expect(read(1, facts({ inputs: [{ name: 'flag', type: 'bool' }] }))).toBeUndefined();
    expect(read(1, { functions: {} })).toBeUndefined();
    expect(read(1, { failure: 'no' })).toBeUndefined();
    const metadata = { contracts: contracts(facts()) };
    const call = { to: CONTRACT, data: data(1) };
    expect(readPublishedCall(call, withoutChain(metadata))).toBeUndefined();
    expect(readPublishedCall({ ...call, delegate: true }, sceneOf(metadata))).toBeUndefined();
  });

  it('is asked for after the descriptions, once', () => {
    const asked = (metadata: Partial<ContractMetadata>): readonly unknown[] => {
      const scene = sceneOf(metadata);
      readPublishedCall({ to: CONTRACT, data: data(1) }, scene);
      return scene.findings.lookups;
    };
    expect(asked({})).toEqual([]);
    expect(asked({ shards: NO_SHARDS })).toEqual([{ kind: 'contract', chainId: '1', address: CONTRACT }]);
    expect(asked({ shards: NO_SHARDS, contracts: contracts(facts()) })).toEqual([]);
  });

  it('may be missing for a reason', () => {
    const missing = (of: ContractFacts) =>
      missingMetadata({ to: CONTRACT, data: data(1) }, sceneOf({ contracts: contracts(of) })).map(written);
    expect(missing({ failure: 'no answer' })).toEqual(['Contract metadata: not available: no answer']);
    expect(missing({})).toEqual([]);
    expect(missing(facts())).toEqual([]);
  });
});

describe('a description of a call', () => {
  const field = (path: Field['path'], more: object = {}): Field => ({ label: 'It', path: path!, as: 'raw', ...more });
  const descriptor = (fields: readonly Field[], more: Partial<CallDescriptor> = {}): CallDescriptor => ({
    ...{ at: 0, owner: 'Somebody', intent: 'Play', inputs: [{ name: 'ids', type: 'uint256[]' }], fields, hidden: 0 },
    ...more,
  });
  const data = `12345678${encodeAbiParameters([{ type: 'uint256[]' }], [[5n]]).slice(2)}`;
  const shardsOf = (call: CallDescriptor) => ({
    '1': { contracts: [[contractKey(1n, CONTRACT)]], calls: { '12345678': [call] }, messages: {}, guesses: {} },
  });
  const read = (call: CallDescriptor, more: object = {}, chainId: bigint | undefined = 1n) =>
    readDescribedCall({ to: CONTRACT, from: ME, data, ...more }, { ...sceneOf({ shards: shardsOf(call) }), chainId });

  it('is for the contract on its network, and not for code that runs as the account', () => {
    const usual = descriptor([field(['ids', []])]);
    expect(read(usual)?.quotedAs).toBe('“Play” with 0x7a25…488D');
    expect(read(usual, { delegate: true })).toBeUndefined();
    expect(read(usual, {}, 5n)).toBeUndefined();
    const scene = withoutChain({ shards: shardsOf(usual) });
    expect(readDescribedCall({ to: CONTRACT, data }, scene)).toBeUndefined();
  });

  it('may show who calls and the coins, where they are known', () => {
    const value = descriptor([field(['@', 'value'], { as: 'amount' })]);
    expect((read(value, { value: 10n ** 18n })?.lines ?? []).map(written)).toContain('“It”: 1 ETH');
    expect(read(value)).toBeUndefined();
    const from = descriptor([field(['@', 'from'], { as: 'address' })]);
    expect((read(from)?.lines ?? []).map(written)).toContain(`“It”: ${ME}`);
    // Who calls is left out if nobody knows.
    const unknown = readDescribedCall({ to: CONTRACT, data }, sceneOf({ shards: shardsOf(from) }));
    expect((unknown?.lines ?? []).map(written)).toEqual(['Intent: Play', 'Author: Somebody']);
    const to = descriptor([field(['@', 'to'], { as: 'address' })]);
    const known = readDescribedCall({ to: CONTRACT, data }, sceneOf({ shards: shardsOf(to) }));
    expect((known?.lines ?? []).map(written)).toContain(`“It”: ${CONTRACT}`);
  });

  const described = (
    fields: readonly Field[],
    values: Record<string, readonly bigint[]>,
    more: Partial<CallDescriptor> = {},
  ) =>
    describeFields(
      descriptor(fields, more),
      { roots: { data: values, container: {} }, to: CONTRACT, scene: sceneOf() },
      true,
    );
  const numbers = (count: number): bigint[] => Array.from({ length: count }, (_, at) => BigInt(at));
  const linesOf = (...args: Parameters<typeof described>): string[] =>
    (described(...args)?.lines ?? []).slice(2).map(written);

  it('has twenty values of one field, and sixty rows', () => {
    const one = [field(['a', []])];
    expect(linesOf(one, { a: numbers(20) })).toHaveLength(20);
    expect(linesOf(one, { a: numbers(21) }).at(-1)).toBe('Not shown: 1 more value');
    const many = ['a', 'b', 'c', 'd'].map((name) => field([name, []]));
    const all = (last: number) => ({ a: numbers(20), b: numbers(20), c: numbers(20), d: numbers(last) });
    expect(linesOf(many, all(0))).toHaveLength(60);
    expect(linesOf(many, all(1)).slice(60)).toEqual(['Not shown: 1 more line']);
  });

  it('has lists entry by entry where they belong together', () => {
    const together = [field(['a', []]), field(['b', []], { joined: true })];
    expect(linesOf(together, { a: [1n, 2n], b: [3n] })).toEqual(['“It”: 1', '“It”: 3', '“It”: 2']);
    const apart = [field(['a', []]), field(['b', []])];
    expect(linesOf(apart, { a: [1n, 2n], b: [3n] })).toEqual(['“It”: 1', '“It”: 2', '“It”: 3']);
  });

  it('counts what it hides, and what its conditions hide', () => {
    const only = [field(['a', []], { unless: ['1', '2'] }), field(['b', []], { unless: ['3'] })];
    const values = { a: [1n, 2n, 5n], b: [3n] };
    expect(linesOf(only, values).at(-1)).toBe('Not described: 3 values');
    expect(linesOf(only, values, { hidden: 2 }).at(-1)).toBe('Not described: 5 values');
    expect(linesOf([field(['a', []])], values).join()).not.toContain('Not described');
    expect(linesOf([field(['a', []])], values, { hidden: 1 }).at(-1)).toBe('Not described: 1 value');
    // A value that another field shows is not hidden.
    expect(linesOf([...only, field(['a', []])], values).at(-1)).toBe('Not described: 1 value');
  });

  it('has a sentence of at most eighty characters in its title', () => {
    const intent = (length: number) => described([], {}, { sentence: ['x'.repeat(length)] })?.intent;
    expect(intent(80)).toBe(`“${'x'.repeat(80)}”`);
    expect(intent(81)).toBe('“Play”');
  });
});

describe('what is asked about tokens', () => {
  it('is the list first, then their contracts', () => {
    const asked = (metadata: Partial<ContractMetadata>, at = TOKEN): readonly unknown[] => {
      const scene = sceneOf(metadata);
      tokenAt(at, scene);
      tokenAt(at, scene);
      declaredTokenAt(at, scene);
      return scene.findings.lookups;
    };
    const token = { kind: 'token', chainId: '1', address: TOKEN };
    expect(asked({})).toEqual([{ kind: 'tokens' }]);
    expect(asked({}, USDC)).toEqual([]);
    expect(asked({ tokens: {} })).toEqual([token]);
    expect(asked({ tokens: null })).toEqual([token]);
    const key = contractKey(1n, TOKEN);
    expect(asked({ tokens: {}, declared: { [key]: null } })).toEqual([]);
    expect(asked({ tokens: {}, declared: { [key]: 'erc721' } })).toEqual([]);
  });

  it('is nothing without a network', () => {
    const scene = withoutChain({ tokens: {} });
    expect([tokenAt(USDC, scene), declaredTokenAt(TOKEN, scene)]).toEqual([undefined, undefined]);
    expect(scene.findings.lookups).toEqual([]);
  });

  it('makes a collection only of a token that nobody knows', () => {
    const of = (at: Hex, said: 'erc721' | { symbol: string; decimals: number }): boolean =>
      isCollection(at, sceneOf({ tokens: {}, declared: { [contractKey(1n, at)]: said } }));
    expect([of(TOKEN, 'erc721'), of(USDC, 'erc721'), of(TOKEN, { symbol: 'COIN', decimals: 2 })]).toEqual([
      ...[true, false, false],
    ]);
  });

  it('tells a copied symbol', () => {
    const copied = (symbol: string, at: Hex): boolean => isCopiedSymbol(symbol, at, { chainId: 1n, coin: 'ETH' }, {});
    expect([copied('USDC', TOKEN), copied('USDC', USDC), copied('ETH', TOKEN), copied('COIN', TOKEN)]).toEqual([
      ...[true, false, true, false],
    ]);
  });
});

test('a call that only sends coins needs nobody who vouches for the contract', () => {
  const scene = sceneOf();
  const { section, isVouched } = readCall({ to: BOB, from: ME, value: 1n, data: '' }, scene);
  expect([section.title, isVouched]).toEqual(['Send funds', true]);
  expect(readCall({ to: BOB, from: ME, value: 1n, data: '12345678' }, scene).isVouched).toBe(false);
});
