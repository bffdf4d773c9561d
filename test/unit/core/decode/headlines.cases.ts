import { maxUint256 } from 'viem';

import { type Effect } from '../../../../src/core/decode/effects/effect';
import { Findings } from '../../../../src/core/decode/effects/findings';
import { type Asset, type AssetAmount, type Changes } from '../../../../src/core/decode/effects/outcome';
import {
  gravest,
  type Headline,
  headlineOf,
  headlineOfEffects,
  titleOf,
} from '../../../../src/core/decode/effects/title';
import { type Viewpoint } from '../../../../src/core/decode/explanation';
import { type Hex } from '../../../../src/core/eth/bytes';
import { ALICE, BOB, ME, USDC, VIEW } from '../../../support/explaining';

const WETH: Hex = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const TOKEN: Hex = '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984';
const PERMIT2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const COINS: Asset = { kind: 'native' };
const DOLLARS: Asset = { kind: 'erc20', token: USDC };
const OTHERS: Asset = { kind: 'erc20', token: TOKEN };
const ITEM: Asset = { kind: 'erc721', token: TOKEN, id: 7n };
const KIND: Asset = { kind: 'erc1155', token: TOKEN, id: 7n };
const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;

const sceneOf = (effects: readonly Effect[] = [], view: Partial<Viewpoint> = {}) => {
  const scene = { view: { ...VIEW, ...view }, chainId: 1n, findings: new Findings() };
  scene.findings.add(effects);
  return scene;
};
const move = (asset: Asset, amount: bigint, more: object = {}): Effect => ({
  ...{ kind: 'move', from: ME, to: BOB, asset, amount },
  ...more,
});
const allow = (more: object = {}): Effect => ({
  ...{ kind: 'allow', of: 'amount', owner: ME, spender: BOB, token: USDC, amount: 5n * DOLLAR },
  ...more,
});
const control: Effect = { kind: 'control', by: BOB, does: () => 'does something' };

const line = (effects: readonly Effect[], value?: bigint): Headline | undefined =>
  headlineOfEffects(effects, value, sceneOf());

describe('the sentence on a transfer, and how grave it is', () => {
  it.each<[string, Effect, string, number]>([
    ['of coins to a stranger', move(COINS, ETHER), 'Send 1 ETH to 0x742d…f44e', 26],
    ['of coins to somebody known', move(COINS, ETHER, { to: PERMIT2 }), 'Send 1 ETH to Permit2', 22],
    ['of coins to the account itself', move(COINS, ETHER, { to: ME }), 'Send 1 ETH to your account', 22],
    ['of coins to nobody', move(COINS, ETHER, { to: undefined }), 'Send 1 ETH', 22],
    ['of a little more than dust', move(COINS, 10n ** 12n), 'Send 0.000001 ETH to 0x742d…f44e', 26],
    ['of dust', move(COINS, 10n ** 12n - 1n), 'Send 0.000000999999999999 ETH to 0x742d…f44e', 24],
    ['of a known token', move(DOLLARS, 5n), 'Send 0.000005 USDC to 0x742d…f44e', 26],
    ['of all of a token', move(DOLLARS, maxUint256), 'Send all of your USDC to 0x742d…f44e', 26],
    ['of an unknown token', move(OTHERS, 5n), 'Send tokens of 0x1f98…F984 to 0x742d…f44e', 24],
    ['of what may be an item', move(OTHERS, 5n, { mayBeId: true }), 'Send tokens of 0x1f98…F984 to 0x742d…f44e', 25],
    ['of a known token, which is none', move(DOLLARS, 5n, { mayBeId: true }), 'Send 0.000005 USDC to 0x742d…f44e', 26],
    ['of an item', move(ITEM, 1n), 'Send NFT #7 of 0x1f98…F984 to 0x742d…f44e', 25],
    ['of some of a kind', move(KIND, 3n), 'Send 3 of NFT #7 of 0x1f98…F984 to 0x742d…f44e', 25],
    ['from another account', move(COINS, ETHER, { from: ALICE }), 'Move 1 ETH from 0xd8dA…6045 to 0x742d…f44e', 26],
    ['from nobody knows whom', move(COINS, ETHER, { from: undefined }), 'Send 1 ETH to 0x742d…f44e', 26],
  ])('%s', (_what, effect, text, weight) => {
    expect(line([effect])).toMatchObject({ text, weight });
  });

  it('says nothing of a refund, or of a gift that a token only claims', () => {
    expect(line([move(COINS, ETHER, { isRefund: true })])).toBeUndefined();
    const gift = { from: ALICE, to: ME };
    expect(line([move(OTHERS, 5n, gift)])).toBeUndefined();
    expect(line([move(DOLLARS, DOLLAR, gift)])?.text).toBe('Move 1 USDC from 0xd8dA…6045 to your account');
    expect(line([move(COINS, ETHER, gift)])?.text).toBe('Move 1 ETH from 0xd8dA…6045 to your account');
    expect(line([move(OTHERS, 5n, { from: ME, to: ME })])?.text).toBe('Send tokens of 0x1f98…F984 to your account');
    expect(line([move(OTHERS, 5n, { from: undefined, to: ME })])?.text).toBe(
      'Send tokens of 0x1f98…F984 to your account',
    );
    expect(line([move(OTHERS, 5n, { from: ALICE, to: BOB })])?.text).toBe(
      'Move tokens of 0x1f98…F984 from 0xd8dA…6045 to 0x742d…f44e',
    );
  });
});

describe('the sentence on a permission, and how grave it is', () => {
  it.each<[string, object, string, number]>([
    ['an amount', {}, 'Let 0x742d…f44e spend 5 USDC', 36],
    ['an amount for somebody known', { spender: PERMIT2 }, 'Let Permit2 spend 5 USDC', 32],
    ['an unknown amount', { token: TOKEN, amount: 5n }, 'Let 0x742d…f44e spend tokens of 0x1f98…F984', 34],
    ['all', { amount: maxUint256 }, 'Let 0x742d…f44e spend all of your USDC', 46],
    [
      'all of another account',
      { amount: maxUint256, owner: ALICE },
      'Let 0x742d…f44e spend all USDC that account 0xd8dA…6045 holds',
      46,
    ],
    ['what is not named', { token: undefined }, 'Let 0x742d…f44e spend all of your tokens', 34],
    ['nothing any more', { amount: 0n }, 'Take back the permission of 0x742d…f44e to spend USDC', 8],
    ['no debt any more', { amount: 0n, isDebt: true }, 'Take back the permission of 0x742d…f44e to borrow USDC', 8],
    ['a debt', { isDebt: true }, 'Let 0x742d…f44e borrow 5 USDC in your name', 36],
    ['any debt', { isDebt: true, amount: maxUint256 }, 'Let 0x742d…f44e borrow any amount of USDC in your name', 46],
    [
      'a debt that is not named',
      { isDebt: true, token: undefined },
      'Let 0x742d…f44e borrow any amount of tokens in your name',
      34,
    ],
    [
      'everything',
      { of: 'everything', amount: 1n, token: TOKEN },
      'Let 0x742d…f44e move everything in 0x1f98…F984',
      54,
    ],
    [
      'everything that is not named',
      { of: 'everything', amount: 1n, token: undefined },
      'Let 0x742d…f44e move everything in a contract',
      54,
    ],
    [
      'everything no more',
      { of: 'everything', amount: 0n, token: TOKEN },
      'Take back the access of 0x742d…f44e to 0x1f98…F984',
      8,
    ],
    ['an item', { of: 'nft', amount: 1n, token: TOKEN, id: 7n }, 'Let 0x742d…f44e move NFT #7 of 0x1f98…F984', 34],
    [
      'two of a kind',
      { of: 'nft', amount: 2n, token: TOKEN, id: 7n },
      'Let 0x742d…f44e move 2 of NFT #7 of 0x1f98…F984',
      34,
    ],
    [
      'any of a kind',
      { of: 'nft', amount: maxUint256, token: TOKEN, id: 7n },
      'Let 0x742d…f44e move any amount of NFT #7 of 0x1f98…F984',
      34,
    ],
    [
      'an item that is not named',
      { of: 'nft', amount: 1n, token: undefined, id: 7n },
      'Let 0x742d…f44e move NFT #7',
      34,
    ],
  ])('%s', (_what, more, text, weight) => {
    expect(line([allow(more)])).toMatchObject({ text, weight });
  });

  it('names the item that a preview finds', () => {
    const allows = [{ kind: 'nft', token: TOKEN, spender: BOB, id: 7n }] as const;
    const scene = sceneOf([], {
      outcome: { kind: 'changes', changes: { sends: [], receives: [], allows, creates: [] } },
    });
    const approval = (more: object) =>
      headlineOfEffects([allow({ token: TOKEN, amount: 7n, ...more })], 0n, scene)?.text;
    expect(approval({ mayBeId: true })).toBe('Let 0x742d…f44e move NFT #7 of 0x1f98…F984');
    expect(approval({ mayBeId: true, amount: 8n })).toBe('Let 0x742d…f44e spend tokens of 0x1f98…F984');
    expect(approval({})).toBe('Let 0x742d…f44e spend tokens of 0x1f98…F984');
  });
});

describe('the sentence on other effects', () => {
  it.each<[string, Effect, string, number]>([
    [
      'a withdrawal',
      { kind: 'withdrawal', contract: PERMIT2, to: BOB, wei: ETHER },
      'Withdraw a deposit of 1 ETH to 0x742d…f44e',
      60,
    ],
    ['wrapping', { kind: 'wrap', token: WETH, amount: 1n, isWrapping: true, isKnown: true }, 'Wrap 2 ETH', 10],
    [
      'what may be wrapping',
      { kind: 'wrap', token: TOKEN, amount: 1n, isWrapping: true, isKnown: false },
      'Deposit 2 ETH in 0x1f98…F984',
      10,
    ],
    ['unwrapping', { kind: 'wrap', token: WETH, amount: ETHER, isWrapping: false, isKnown: true }, 'Unwrap 1 WETH', 10],
    [
      'what may be unwrapping',
      { kind: 'wrap', token: TOKEN, amount: ETHER, isWrapping: false, isKnown: false },
      'Withdraw tokens of 0x1f98…F984 from 0x1f98…F984',
      10,
    ],
  ])('%s', (_what, effect, text, weight) => {
    expect(line([effect], 2n * ETHER)).toMatchObject({ text, weight });
  });

  it('is that of the wrapper, though the assets move', () => {
    const unwrap: Effect = { kind: 'wrap', token: WETH, amount: ETHER, isWrapping: false, isKnown: true };
    expect(line([unwrap, move({ kind: 'erc20', token: WETH }, ETHER, { to: undefined })])?.text).toBe('Unwrap 1 WETH');
    expect(line([control])).toBeUndefined();
  });

  it('counts the others', () => {
    expect(line([move(COINS, ETHER), move(DOLLARS, DOLLAR)])?.text).toBe('Send 1 ETH to 0x742d…f44e, and 1 more kind');
    expect(line([allow(), move(DOLLARS, DOLLAR)])?.text).toBe('Let 0x742d…f44e spend 5 USDC, and 1 more token');
  });
});

describe('the gravest of several sentences', () => {
  const one = (text: string, weight: number, more: Partial<Headline> = {}): Headline => ({ text, weight, ...more });
  const textOf = (all: readonly Headline[], more = 0): string => gravest(all, more, 'call').text;

  it.each<[string, readonly Headline[], string]>([
    ['of none', [], 'Do nothing'],
    ['of one', [one('A', 5)], 'A'],
    ['is the heaviest', [one('A', 5), one('B', 6), one('C', 5)], 'B, and 2 more calls'],
    ['is the first of those that are as heavy', [one('A', 5), one('B', 5)], 'A, and 1 more call'],
    [
      'is the larger one of the same asset',
      [one('A', 5, { of: 'x', amount: 1n }), one('B', 5, { of: 'x', amount: 2n })],
      'B, and 1 more call',
    ],
    [
      'is the first one of as much of the same asset',
      [one('A', 5, { of: 'x', amount: 1n }), one('B', 5, { of: 'x', amount: 1n })],
      'A, and 1 more call',
    ],
    [
      'is not the larger one of another asset',
      [one('A', 5, { of: 'x', amount: 1n }), one('B', 5, { of: 'y', amount: 2n })],
      'A, and 1 more call',
    ],
    [
      'is not the larger one of no asset',
      [one('A', 5, { amount: 1n }), one('B', 5, { amount: 2n })],
      'A, and 1 more call',
    ],
    [
      'is not the larger one that weighs less',
      [one('A', 5, { of: 'x', amount: 1n }), one('B', 4, { of: 'x', amount: 2n })],
      'A, and 1 more call',
    ],
  ])('%s', (_what, all, text) => {
    expect(textOf(all)).toBe(text);
  });

  it('counts those that were left out', () => {
    expect(textOf([one('A', 5)], 2)).toBe('A, and 2 more calls');
    expect(textOf([], 1)).toBe('Make 1 call that Keystead does not read');
    expect(textOf([], 2)).toBe('Make 2 calls that Keystead does not read');
  });
});

describe('the sentence on a call', () => {
  type Called = Parameters<typeof headlineOf>[0];
  type Read = Partial<Parameters<typeof headlineOf>[1]>;
  const of = (call: Partial<Called>, read: Read = {}, isVouched = true): Headline =>
    headlineOf({ to: ALICE, data: '12345678', ...call }, { title: 'Do it', ...read }, isVouched, sceneOf());

  it.each<[string, Partial<Called>, Read, boolean, string, number]>([
    ['without an effect', {}, {}, true, 'Do it: 0xd8dA…6045', 5],
    ['about another', {}, { about: BOB }, true, 'Do it: 0x742d…f44e', 5],
    ['for which nobody vouches', {}, {}, false, 'Call 0xd8dA…6045', 5],
    ['that nobody knows', {}, { isUnknown: true }, true, 'Call 0xd8dA…6045', 0],
    ['that makes others', {}, { calls: [1] }, true, 'Call 0xd8dA…6045', 5],
    ['in the words of others', {}, { quotedAs: '“Play”' }, true, '“Play”', 5],
    ['in the words of others, for which nobody vouches', {}, { quotedAs: '“Play”' }, false, 'Call 0xd8dA…6045', 5],
    ['with coins', { value: ETHER }, {}, true, 'Do it: 0xd8dA…6045 and send it 1 ETH', 26],
    [
      'with coins, to a known contract',
      { to: PERMIT2, value: ETHER },
      {},
      true,
      'Do it: Permit2 and send it 1 ETH',
      22,
    ],
    [
      'with coins, that nobody knows',
      { value: ETHER },
      { isUnknown: true },
      true,
      'Call 0xd8dA…6045 and send it 1 ETH',
      26,
    ],
    ['that runs code', { delegate: true, value: ETHER }, {}, true, 'Run the code at 0xd8dA…6045 as the account', 60],
    ['that only sends coins', { data: '', value: ETHER }, {}, true, 'Send 1 ETH to 0xd8dA…6045', 26],
    ['that gives control', {}, { effects: [control] }, true, 'Do it: 0xd8dA…6045', 60],
    ['that gives control, for which nobody vouches', {}, { effects: [control] }, false, 'Do it: 0xd8dA…6045', 60],
    [
      'that gives control, with coins',
      { value: ETHER },
      { effects: [control] },
      true,
      'Do it: 0xd8dA…6045 and send it 1 ETH',
      60,
    ],
    ['that sends', {}, { effects: [move(DOLLARS, DOLLAR)] }, true, 'Send 1 USDC to 0x742d…f44e', 26],
    [
      'that sends, for which nobody vouches',
      {},
      { effects: [move(DOLLARS, DOLLAR)] },
      false,
      'Send 1 USDC to 0x742d…f44e',
      26,
    ],
    [
      'that sends nothing, for which nobody vouches',
      {},
      { effects: [move(DOLLARS, 0n)] },
      false,
      'Call 0xd8dA…6045',
      5,
    ],
    [
      'that sends what is of others, for which nobody vouches',
      {},
      { effects: [move(DOLLARS, DOLLAR, { from: BOB })] },
      false,
      'Call 0xd8dA…6045',
      5,
    ],
    [
      'that sends from nobody, for which nobody vouches',
      {},
      { effects: [move(DOLLARS, DOLLAR, { from: undefined })] },
      false,
      'Call 0xd8dA…6045',
      5,
    ],
    ['that allows, for which nobody vouches', {}, { effects: [allow()] }, false, 'Let 0x742d…f44e spend 5 USDC', 36],
    [
      'that takes back, for which nobody vouches',
      {},
      { effects: [allow({ amount: 0n })] },
      false,
      'Call 0xd8dA…6045',
      5,
    ],
    [
      'that sends and has coins',
      { value: ETHER },
      { effects: [move(DOLLARS, DOLLAR)] },
      true,
      'Send 1 USDC to 0x742d…f44e, and send 0xd8dA…6045 1 ETH',
      26,
    ],
    [
      'that moves between others and has coins',
      { value: ETHER },
      { effects: [move(DOLLARS, DOLLAR, { from: BOB })] },
      true,
      'Call 0xd8dA…6045 and send it 1 ETH',
      26,
    ],
    [
      'that moves between others',
      {},
      { effects: [move(DOLLARS, DOLLAR, { from: BOB })] },
      true,
      'Move 1 USDC from 0x742d…f44e to 0x742d…f44e',
      26,
    ],
    [
      'that wraps',
      { value: ETHER },
      { effects: [{ kind: 'wrap', token: WETH, amount: ETHER, isWrapping: true, isKnown: true }] },
      true,
      'Wrap 1 ETH',
      10,
    ],
  ])('%s', (_what, call, read, isVouched, text, weight) => {
    expect(of(call, read, isVouched)).toMatchObject({ text, weight });
  });

  it('is of the coins that it sends, so that the largest of several comes first', () => {
    expect(of({ value: ETHER })).toMatchObject({ of: 'native', amount: ETHER });
    expect(of({})).not.toHaveProperty('of');
  });
});

describe('the title of a request that a preview explains', () => {
  const got = (asset: Asset, amount = 1n, isNew?: boolean): AssetAmount => ({
    ...{ asset, amount, ...(isNew !== undefined && { isNew }) },
  });
  const COIN = got(COINS, ETHER);
  const PRICE = got(DOLLARS, 5n * DOLLAR);
  const changes = (more: Partial<Changes>): Changes => ({ sends: [], receives: [], allows: [], creates: [], ...more });
  const titled = (
    found: Changes,
    {
      effects = [],
      weight = 0,
      isExplained = false,
      isVouched = false,
      ...view
    }: Partial<Viewpoint> & {
      readonly effects?: readonly Effect[];
      readonly weight?: number;
      readonly isExplained?: boolean;
      readonly isVouched?: boolean;
    } = {},
  ): string =>
    titleOf(
      { text: 'Otherwise', weight },
      isExplained,
      isVouched,
      sceneOf(effects, { outcome: { kind: 'changes', changes: found }, ...view }),
    );

  it.each<[string, Changes, string]>([
    ['a swap', changes({ sends: [COIN], receives: [PRICE] }), 'Swap 1 ETH for 5 USDC'],
    [
      'a swap for several',
      changes({ sends: [COIN], receives: [PRICE, got(OTHERS)] }),
      'Swap 1 ETH for 5 USDC, and 1 more item',
    ],
    ['a sale', changes({ sends: [got(ITEM)], receives: [PRICE] }), 'Sell NFT #7 of 0x1f98…F984 for 5 USDC'],
    [
      'a sale of some of a kind',
      changes({ sends: [got(KIND, 3n)], receives: [COIN] }),
      'Sell 3 of NFT #7 of 0x1f98…F984 for 1 ETH',
    ],
    ['a purchase', changes({ sends: [COIN], receives: [got(ITEM)] }), 'Buy NFT #7 of 0x1f98…F984 for 1 ETH'],
    [
      'a purchase of some of a kind',
      changes({ sends: [PRICE], receives: [got(KIND, 3n)] }),
      'Buy 3 of NFT #7 of 0x1f98…F984 for 5 USDC',
    ],
    ['a mint', changes({ receives: [got(ITEM, 1n, true)] }), 'Mint NFT #7 of 0x1f98…F984'],
    [
      'a mint for coins',
      changes({ sends: [COIN], receives: [got(ITEM, 1n, true)] }),
      'Mint NFT #7 of 0x1f98…F984 for 1 ETH',
    ],
    [
      'a mint for a token',
      changes({ sends: [PRICE], receives: [got(ITEM, 1n, true)] }),
      'Mint NFT #7 of 0x1f98…F984 for 5 USDC',
    ],
    [
      'an item for an item is no mint',
      changes({ sends: [got(KIND)], receives: [got(ITEM, 1n, true)] }),
      'Buy NFT #7 of 0x1f98…F984 for 1 of NFT #7 of 0x1f98…F984',
    ],
    ['one of two that is not new', changes({ receives: [got(ITEM, 1n, true), got(KIND, 1n, false)] }), 'Otherwise'],
    [
      'an item and a token is no purchase of items',
      changes({ sends: [COIN], receives: [got(ITEM, 1n, true), PRICE] }),
      'Swap 1 ETH for NFT #7 of 0x1f98…F984, and 1 more item',
    ],
    ['a gift', changes({ receives: [PRICE] }), 'Otherwise'],
    ['a new token is no mint', changes({ receives: [got(DOLLARS, DOLLAR, true)] }), 'Otherwise'],
    ['a loss', changes({ sends: [COIN] }), 'Send 1 ETH'],
    ['several losses', changes({ sends: [COIN, PRICE], receives: [got(ITEM)] }), 'Send 1 ETH, and 1 more asset'],
    ['several losses, a known asset first', changes({ sends: [got(OTHERS), PRICE] }), 'Send 5 USDC, and 1 more asset'],
    ['a loss of what nobody knows', changes({ sends: [got(OTHERS)] }), 'Send tokens of 0x1f98…F984'],
    [
      'a permission beside a swap',
      changes({
        sends: [COIN],
        receives: [PRICE],
        allows: [{ kind: 'amount', token: USDC, spender: BOB, amount: 1n }],
      }),
      'Send 1 ETH',
    ],
    ['a new contract beside a swap', changes({ sends: [COIN], receives: [PRICE], creates: [BOB] }), 'Send 1 ETH'],
  ])('%s', (_what, found, title) => {
    expect(titled(found)).toBe(title);
  });

  it('is not what a node says that a site added, except for what is lost', () => {
    const node = { name: 'node.example', addedBy: 'https://dapp.example' };
    expect(titled(changes({ sends: [COIN], receives: [PRICE] }), { node })).toBe('Send 1 ETH');
    expect(titled(changes({ receives: [got(ITEM, 1n, true)] }), { node })).toBe('Otherwise');
    expect(titled(changes({ sends: [COIN], receives: [PRICE] }), { node: { name: 'node.example' } })).toBe(
      'Swap 1 ETH for 5 USDC',
    );
  });

  it('is what the calls do if a rule explains them, unless more is lost', () => {
    const found = changes({ sends: [COIN], receives: [PRICE] });
    const explained = { isExplained: true };
    expect(titled(found, explained)).toBe('Send 1 ETH');
    expect(titled(found, { ...explained, effects: [move(COINS, ETHER)] })).toBe('Otherwise');
    expect(titled(found, { ...explained, effects: [move(COINS, ETHER - 1n)] })).toBe('Send 1 ETH');
    expect(titled(found, { ...explained, effects: [move(DOLLARS, ETHER)] })).toBe('Send 1 ETH');
    // A permission of a contract that somebody vouches for is graver than a loss.
    expect(titled(found, { ...explained, isVouched: true, weight: 30 })).toBe('Otherwise');
    expect(titled(found, { ...explained, isVouched: true, weight: 29 })).toBe('Send 1 ETH');
    expect(titled(found, { ...explained, isVouched: false, weight: 30 })).toBe('Send 1 ETH');
  });
});

describe('the title of several transfers to one recipient', () => {
  const titled = (...effects: readonly Effect[]): string =>
    titleOf({ text: 'Otherwise', weight: 0 }, true, true, sceneOf(effects));
  const two = [move(COINS, ETHER), move(DOLLARS, DOLLAR)] as const;
  const SUM = 'Send 1 ETH and 1 USDC to 0x742d…f44e';

  it.each<[string, readonly Effect[], string]>([
    ['adds them up', [...two, move(COINS, ETHER)], 'Send 2 ETH and 1 USDC to 0x742d…f44e'],
    ['is none of one', [two[0]], 'Otherwise'],
    ['is none to two', [two[0], move(DOLLARS, DOLLAR, { to: ALICE })], 'Otherwise'],
    ['is none to nobody', [two[0], move(DOLLARS, DOLLAR, { to: undefined })], 'Otherwise'],
    ['is none of nobody first', [move(DOLLARS, DOLLAR, { to: undefined }), two[0]], 'Otherwise'],
    ['is none beside those of others', [...two, move(COINS, ETHER, { from: ALICE })], 'Otherwise'],
    ['is none of three assets', [...two, move({ kind: 'erc20', token: WETH }, ETHER)], 'Otherwise'],
    ['is none of items', [two[0], move(ITEM, 1n)], 'Otherwise'],
    ['is none of what may be items', [two[0], move(OTHERS, 5n)], 'Otherwise'],
    ['is none beside a permission', [...two, allow()], 'Otherwise'],
    ['stays beside a note', [...two, { kind: 'note', text: 'x' }], SUM],
    ['stays beside a call that is read', [...two, { kind: 'call', from: ME, to: USDC }], SUM],
    ['is none beside a call that is not', [...two, { kind: 'call', from: ME, to: USDC, isUnread: true }], 'Otherwise'],
  ])('%s', (_what, effects, title) => {
    expect(titled(...effects)).toBe(title);
  });

  it('is none of what a contract only claims', () => {
    const scene = sceneOf(two);
    scene.findings.add([{ kind: 'note', text: 'x' }], 'claimed');
    expect(titleOf({ text: 'Otherwise', weight: 0 }, true, true, scene)).toBe('Otherwise');
  });
});
