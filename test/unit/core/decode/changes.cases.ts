import { maxUint256 } from 'viem';

import { allowanceOf, assetOf, decodedChanges, knownChanges } from '../../../../src/core/decode/effects/changes';
import { effectLines } from '../../../../src/core/decode/effects/details';
import { type Allow, type Effect, type Move } from '../../../../src/core/decode/effects/effect';
import { Findings } from '../../../../src/core/decode/effects/findings';
import {
  type Allowance,
  type Asset,
  type AssetAmount,
  type Changes,
} from '../../../../src/core/decode/effects/outcome';
import { changeLines, expectedLines } from '../../../../src/core/decode/effects/rows';
import { type Viewpoint } from '../../../../src/core/decode/explanation';
import { isPublicContract, isPublicHolder, isPublicSpender } from '../../../../src/core/decode/words/known-contracts';
import { type Hex } from '../../../../src/core/eth/bytes';
import { ALICE, BOB, ME, NOW, USDC, VIEW, written } from '../../../support/explaining';

const TOKEN: Hex = '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984';
const PERMIT2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const COINS: Asset = { kind: 'native' };
const DOLLARS: Asset = { kind: 'erc20', token: USDC };
const OTHERS: Asset = { kind: 'erc20', token: TOKEN };
const itemOf = (id: bigint, token = TOKEN): Asset => ({ kind: 'erc721', token, id });

const sceneOf = (effects: readonly Effect[], found?: Partial<Changes>, more: Partial<Viewpoint> = {}) => {
  const changes = { sends: [], receives: [], allows: [], creates: [], ...found };
  const view = { ...VIEW, ...more, ...(found && { outcome: { kind: 'changes', changes } as const }) };
  const scene = { view, chainId: 1n, findings: new Findings() };
  scene.findings.add(effects);
  return scene;
};
const move = (asset: Asset, amount: bigint, more: Partial<Move> = {}): Move => ({
  ...{ kind: 'move', from: ME, to: BOB, asset, amount },
  ...more,
});
const allow = (more: Partial<Allow> = {}): Allow => ({
  ...{ kind: 'allow', of: 'amount', owner: ME, spender: BOB, token: USDC, amount: 5n },
  ...more,
});

/** The rows of what a request changes. */
const rows = (effects: readonly Effect[], found?: Partial<Changes>): string[] => {
  const scene = sceneOf(effects, found);
  return changeLines(knownChanges(scene), scene).map(written);
};

describe('an asset that moves', () => {
  const named = (move: Move, found: Partial<Changes>) => assetOf(move, sceneOf([], found));
  const sent = (asset: Asset): Partial<Changes> => ({ sends: [{ asset, amount: 1n }] });

  it('is an item, if a preview finds the one of that number', () => {
    const item = itemOf(7n);
    expect(named(move(OTHERS, 7n, { mayBeId: true }), sent(item))).toEqual({ asset: item, amount: 1n });
    expect(named(move(OTHERS, 7n, { mayBeId: true }), { receives: [{ asset: item, amount: 1n }] }).asset).toEqual(item);
    expect(named(move(OTHERS, 8n, { mayBeId: true }), sent(item))).toEqual({ asset: OTHERS, amount: 8n });
    expect(named(move(OTHERS, 7n), sent(item))).toEqual({ asset: OTHERS, amount: 7n });
    expect(named(move(OTHERS, 7n, { mayBeId: true }), sent(itemOf(7n, BOB)))).toEqual({ asset: OTHERS, amount: 7n });
    const kind: Asset = { kind: 'erc1155', token: TOKEN, id: 7n };
    expect(named(move(OTHERS, 7n, { mayBeId: true }), sent(kind))).toEqual({ asset: OTHERS, amount: 7n });
    // A token that is known has no items.
    expect(named(move(DOLLARS, 7n, { mayBeId: true }), sent(itemOf(7n, USDC)))).toEqual({ asset: DOLLARS, amount: 7n });
  });

  it('has the name that its contract gave itself in a preview', () => {
    const apes = { ...itemOf(7n), declared: { name: 'Apes' } } as Asset;
    expect(named(move(itemOf(7n), 1n), sent(apes)).asset).toEqual(apes);
    expect(named(move(itemOf(8n), 1n), sent(apes)).asset).toEqual({ ...itemOf(8n), declared: { name: 'Apes' } });
    expect(named(move(itemOf(8n, BOB), 1n), sent(apes)).asset).toEqual(itemOf(8n, BOB));
    expect(named(move(OTHERS, 8n), sent(apes)).asset).toEqual(OTHERS);
    const coin = { ...OTHERS, declared: { symbol: 'COIN', decimals: 2 } } as Asset;
    expect(named(move(OTHERS, 8n), sent(coin)).asset).toEqual(coin);
    expect(named(move(itemOf(8n), 1n), sent(coin)).asset).toEqual(itemOf(8n));
    expect(named(move(COINS, 8n), sent(coin)).asset).toEqual(COINS);
  });
});

describe('a permission', () => {
  const given = (more: Partial<Allow>, found?: Partial<Changes>) => allowanceOf(allow(more), sceneOf([], found));
  const base = { token: USDC, spender: BOB };

  it.each<[string, Partial<Allow>, Allowance | undefined]>([
    ['to spend an amount', {}, { kind: 'amount', ...base, amount: 5n }],
    ['to borrow', { isDebt: true }, { kind: 'amount', ...base, amount: 5n, isDebt: true }],
    ['to spend nothing', { amount: 0n }, undefined],
    ['that names no contract', { token: undefined }, undefined],
    ['for everything', { of: 'everything', amount: 1n }, { kind: 'everything', ...base }],
    ['for one item', { of: 'nft', amount: 1n, id: 7n }, { kind: 'nft', ...base, id: 7n }],
    ['for two of a kind', { of: 'nft', amount: 2n, id: 7n }, { kind: 'nft', ...base, id: 7n, amount: 2n }],
    ['for an item without a number', { of: 'nft', amount: 1n }, { kind: 'nft', ...base, id: 0n }],
  ])('%s', (_what, more, allowance) => {
    expect(given(more)).toEqual(allowance);
  });

  it('is for an item, if a preview finds the one of that number', () => {
    const nft = (token: Hex, id: bigint): Partial<Changes> => ({ allows: [{ kind: 'nft', token, spender: BOB, id }] });
    const either = { token: TOKEN, amount: 7n, mayBeId: true } as const;
    expect(given(either, nft(TOKEN, 7n))).toEqual({ kind: 'nft', token: TOKEN, spender: BOB, id: 7n });
    for (const [more, found] of [
      [either, nft(TOKEN, 8n)],
      [either, nft(BOB, 7n)],
      [{ token: TOKEN, amount: 7n }, nft(TOKEN, 7n)],
      [{ ...either, token: USDC }, nft(USDC, 7n)],
      [either, { allows: [{ kind: 'amount', token: TOKEN, spender: BOB, amount: 7n }] }],
    ] as const)
      expect(given(more, found as Partial<Changes>)).toMatchObject({ kind: 'amount', amount: 7n });
  });
});

describe('what decoding finds', () => {
  const found = (...effects: readonly Effect[]) => decodedChanges(sceneOf(effects));

  it('is sent by the account, to others, and is more than nothing', () => {
    const { sends } = found(
      move(COINS, 5n),
      move(COINS, 7n),
      move(COINS, 0n, { asset: DOLLARS }),
      move(DOLLARS, 1n, { from: ALICE }),
      move(DOLLARS, 1n, { from: undefined }),
      move(DOLLARS, 1n, { to: ME }),
      move(OTHERS, 1n, { to: undefined }),
      allow(),
    );
    expect(sends).toMatchObject([
      { asset: COINS, amount: 12n },
      { asset: OTHERS, amount: 1n },
    ]);
  });

  it('is received by the account, and is more than nothing', () => {
    const { receives } = found(
      move(COINS, 5n, { from: ALICE, to: ME }),
      move(DOLLARS, 0n, { from: ALICE, to: ME }),
      move(OTHERS, 5n, { from: ALICE, to: BOB }),
      move(OTHERS, 5n, { from: ALICE, to: undefined }),
      allow({ spender: ME }),
    );
    expect(receives).toEqual([{ asset: COINS, amount: 5n }]);
  });

  it('is allowed by the account', () => {
    const { allows } = found(allow(), allow({ owner: ALICE }), allow({ owner: undefined }), allow({ amount: 0n }));
    expect(allows).toEqual([{ kind: 'amount', token: USDC, spender: BOB, amount: 5n }]);
  });

  it('is added up, but never what may be the number of an item', () => {
    expect(found(move(OTHERS, 5n), move(OTHERS, 5n)).sends).toHaveLength(2);
    expect(found(move(itemOf(1n), 1n), move(itemOf(2n), 1n)).sends).toHaveLength(2);
    expect(found(allow(), allow({ spender: BOB.toLowerCase() as Hex })).allows).toMatchObject([{ amount: 10n }]);
    expect(found(allow(), allow({ spender: ALICE })).allows).toHaveLength(2);
    expect(found(allow(), allow({ isDebt: true })).allows).toHaveLength(2);
    expect(found(allow({ token: TOKEN }), allow({ token: TOKEN })).allows).toHaveLength(2);
    // More than there can be is no number of an item.
    expect(
      found(allow({ token: TOKEN, amount: maxUint256 }), allow({ token: TOKEN, amount: maxUint256 })).allows,
    ).toEqual([{ kind: 'amount', token: TOKEN, spender: BOB, amount: maxUint256 }]);
    const items = [allow({ of: 'nft', amount: 1n, id: 1n }), allow({ of: 'nft', amount: 1n, id: 2n })];
    expect(found(...items, ...items).allows).toHaveLength(2);
  });
});

describe('what decoding and a preview find together', () => {
  const dollars = (amount: bigint): AssetAmount => ({ asset: DOLLARS, amount });

  it('is the larger of the two', () => {
    const sent = (decoded: bigint, simulated: bigint) =>
      rows([move(DOLLARS, decoded * 10n ** 6n)], { sends: [dollars(simulated * 10n ** 6n)] });
    expect(sent(5n, 3n)).toEqual(['You send: 5 USDC']);
    expect(sent(3n, 5n)).toEqual(['You send: 5 USDC']);
    expect(rows([move(DOLLARS, 10n ** 6n)], { sends: [{ asset: COINS, amount: 10n ** 18n }] })).toEqual([
      ...['You send: 1 USDC', 'You send: 1 ETH'],
    ]);
    const spender = { kind: 'amount', token: USDC, spender: BOB } as const;
    const allowed = (amount: bigint) => rows([allow({ amount: 5n * 10n ** 6n })], { allows: [{ ...spender, amount }] });
    expect(allowed(3n)).toEqual(['You allow: 5 USDC, to be spent by 0x742d…f44e']);
    expect(allowed(7n * 10n ** 6n)).toEqual(['You allow: 7 USDC, to be spent by 0x742d…f44e']);
  });

  it('is received according to a preview only', () => {
    const gift = move(DOLLARS, 5n * 10n ** 6n, { from: ALICE, to: ME });
    expect(rows([gift])).toEqual([]);
    expect(rows([gift], {})).toEqual([]);
    expect(rows([gift], { receives: [dollars(10n ** 6n)] })).toEqual(['You receive: 1 USDC']);
  });
});

describe('the rows of changes', () => {
  it('begin with known assets', () => {
    const all = [OTHERS, DOLLARS, COINS].map((asset) => ({ asset, amount: 1n }));
    expect(rows([], { sends: all, receives: all }).map((row) => row.replace(/^(You \w+: \S+ \w+).*/u, '$1'))).toEqual([
      ...['You send: 0.000001 USDC', 'You send: 0.000000000000000001 ETH', 'You send: 1 units'],
      ...['You receive: 0.000001 USDC', 'You receive: 0.000000000000000001 ETH', 'You receive: 1 units'],
    ]);
  });

  it('begin with strangers who may spend a known token', () => {
    const to = (spender: Hex, token: Hex): Allowance => ({ kind: 'everything', spender, token });
    const all = [to(PERMIT2, TOKEN), to(ME, USDC), to(PERMIT2, USDC), to(BOB, TOKEN), to(ALICE, USDC)];
    expect(rows([], { allows: all })).toEqual([
      'You allow: everything in 0xA0b8…eB48, to be moved by 0xd8dA…6045',
      'You allow: everything in 0x1f98…F984, to be moved by 0x742d…f44e',
      'You allow: everything in 0xA0b8…eB48, to be moved by your account',
      'You allow: everything in 0xA0b8…eB48, to be moved by Permit2',
      'You allow: everything in 0x1f98…F984, to be moved by Permit2',
    ]);
  });

  it.each<[string, Allowance, string]>([
    [
      'an item',
      { kind: 'nft', token: TOKEN, spender: BOB, id: 7n },
      '1 NFT #7 of 0x1f98…F984, to be moved by 0x742d…f44e',
    ],
    [
      'some of a kind',
      { kind: 'nft', token: TOKEN, spender: BOB, id: 7n, amount: 3n },
      '3 NFT #7 of 0x1f98…F984, to be moved by 0x742d…f44e',
    ],
    [
      'all of a kind',
      { kind: 'nft', token: TOKEN, spender: BOB, id: 7n, amount: maxUint256 },
      'unlimited NFT #7 of 0x1f98…F984, to be moved by 0x742d…f44e',
    ],
    ['a token', { kind: 'amount', token: USDC, spender: BOB, amount: 5n }, '0.000005 USDC, to be spent by 0x742d…f44e'],
    [
      'all of a token',
      { kind: 'amount', token: USDC, spender: BOB, amount: maxUint256 },
      'unlimited USDC, to be spent by 0x742d…f44e',
    ],
    [
      'a debt',
      { kind: 'amount', token: USDC, spender: BOB, amount: 5n, isDebt: true },
      '0.000005 USDC, to be borrowed in your name by 0x742d…f44e',
    ],
  ])('say what is allowed: %s', (_what, allowance, words) => {
    expect(rows([], { allows: [allowance] })).toEqual([`You allow: ${words}`]);
  });

  it('of what is expected are twenty at most', () => {
    const many = Array.from({ length: 21 }, (_, at) => ({ asset: itemOf(BigInt(at)), amount: 1n }));
    expect(expectedLines(many, sceneOf([]))).toHaveLength(20);
  });
});

describe('the details of what moves and is allowed', () => {
  const lines = (...effects: readonly Effect[]): string[] => effectLines(effects, sceneOf([])).map(written);

  it.each<[string, Move, string[]]>([
    ['coins', move(COINS, 5n), []],
    ['what goes to nobody', move(DOLLARS, 5n, { to: undefined }), []],
    ['a token', move(DOLLARS, 5n), [`Token: ${USDC}`, `Recipient: ${BOB}`, 'Amount: 0.000005 USDC']],
    ['all of it', move(DOLLARS, maxUint256), [`Token: ${USDC}`, `Recipient: ${BOB}`, 'Amount: all']],
    [
      'what may be an item',
      move(DOLLARS, 5n, { mayBeId: true }),
      [`Token: ${USDC}`, `Recipient: ${BOB}`, 'Amount or token ID: 0.000005 USDC'],
    ],
    [
      'of an owner',
      move(DOLLARS, 5n, { namesOwner: true }),
      [`Token: ${USDC}`, `From: ${ME}`, `Recipient: ${BOB}`, 'Amount: 0.000005 USDC'],
    ],
    [
      'of an owner who is not named',
      move(DOLLARS, 5n, { namesOwner: true, from: undefined }),
      [`Token: ${USDC}`, `Recipient: ${BOB}`, 'Amount: 0.000005 USDC'],
    ],
    ['an item', move(itemOf(7n), 1n), [`Collection: ${TOKEN}`, `Recipient: ${BOB}`, 'Token ID: 7']],
    [
      'some of a kind',
      move({ kind: 'erc1155', token: TOKEN, id: 7n }, 3n),
      [`Collection: ${TOKEN}`, `Recipient: ${BOB}`, 'Token ID: 7', 'Amount: 3'],
    ],
  ])('are those of a transfer: %s', (_what, effect, expected) => {
    expect(lines(effect)).toEqual(expected);
  });

  it.each<[string, Partial<Allow>, string[]]>([
    ['an amount', {}, [`Token: ${USDC}`, `Spender: ${BOB}`, 'Amount: 0.000005 USDC']],
    ['nothing', { amount: 0n }, [`Token: ${USDC}`, `Spender: ${BOB}`, 'Amount: nothing']],
    [
      'nothing, or an item',
      { amount: 0n, mayBeId: true },
      [`Token: ${USDC}`, `Spender: ${BOB}`, 'Amount or token ID: 0'],
    ],
    ['everything of a token', { amount: maxUint256 }, [`Token: ${USDC}`, `Spender: ${BOB}`, 'Amount: unlimited']],
    [
      'at most something, once',
      { once: true, mayBeId: true },
      [`Token: ${USDC}`, `Spender: ${BOB}`, 'Maximum amount: 0.000005 USDC'],
    ],
    ['of what is not named', { token: undefined }, ['Token: not named', `Spender: ${BOB}`, 'Amount: 5']],
    [
      'of an owner',
      { namesOwner: true },
      [`Token: ${USDC}`, `Spender: ${BOB}`, `Owner: ${ME}`, 'Amount: 0.000005 USDC'],
    ],
    [
      'of nobody',
      { namesOwner: true, owner: undefined },
      [`Token: ${USDC}`, `Spender: ${BOB}`, 'Amount: 0.000005 USDC'],
    ],
    ['everything', { of: 'everything', amount: 1n }, [`Contract: ${USDC}`, `Operator: ${BOB}`]],
    [
      'everything, to a manager',
      { of: 'everything', amount: 1n, role: 'Manager' },
      [`Contract: ${USDC}`, `Manager: ${BOB}`],
    ],
    ['an item', { of: 'nft', amount: 1n, id: 7n }, [`Collection: ${USDC}`, `Spender: ${BOB}`, 'Token ID: 7']],
    [
      'two of a kind',
      { of: 'nft', amount: 2n, id: 7n },
      [`Collection: ${USDC}`, `Spender: ${BOB}`, 'Token ID: 7', 'Amount: 2'],
    ],
    [
      'any of a kind',
      { of: 'nft', amount: maxUint256, id: 7n },
      [`Collection: ${USDC}`, `Spender: ${BOB}`, 'Token ID: 7', 'Amount: unlimited'],
    ],
    [
      'until then',
      { end: NOW, deadline: NOW + 1n },
      [
        `Token: ${USDC}`,
        `Spender: ${BOB}`,
        'Amount: 0.000005 USDC',
        'Approval expires: 2026-01-01 00:00:00 UTC',
        'Signature expires: 2026-01-01 00:00:01 UTC',
      ],
    ],
  ])('are those of a permission: %s', (_what, more, expected) => {
    expect(lines(allow(more))).toEqual(expected);
  });

  it('name a spender once, and twenty items', () => {
    expect(lines(allow(), allow({ token: TOKEN }))).toEqual([
      ...[`Token: ${USDC}`, `Spender: ${BOB}`, 'Amount: 0.000005 USDC'],
      ...[`Token: ${TOKEN}`, "Amount: 5 (in the token's smallest unit)"],
    ]);
    const many = (count: number) => lines(...Array.from({ length: count }, (_, at) => move(itemOf(BigInt(at)), 1n)));
    expect([many(20), many(21), many(22)].map((all) => [all.length, all.at(-1)])).toEqual([
      [60, 'Token ID: 19'],
      [61, 'Not shown: 1 more item'],
      [61, 'Not shown: 2 more items'],
    ]);
  });
});

describe('a contract that anybody can use', () => {
  const MULTICALL: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11';
  const BATCHES: Hex = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2';
  const ROUTER: Hex = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45';
  const PROCESSOR: Hex = '0x044b75f554b886A065b9567891e45c79542d7357';

  it.each([
    ['makes any calls', MULTICALL, true, true, true],
    ['makes the calls of a batch', BATCHES, true, true, true],
    ['lets anybody take what it holds', ROUTER, false, true, false],
    ['lets anybody take what it may spend', PROCESSOR, false, true, true],
    ['is none', PERMIT2, false, false, false],
  ])('%s', (_what, at, isContract, isHolder, isSpender) => {
    for (const one of [at, at.toLowerCase() as Hex])
      expect([isPublicContract(one), isPublicHolder(one, 1n), isPublicSpender(one, 1n)]).toEqual([
        ...[isContract, isHolder, isSpender],
      ]);
    expect([isPublicHolder(at, 5n), isPublicSpender(at, undefined)]).toEqual([isContract, isContract]);
  });
});
