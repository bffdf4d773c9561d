import { maxUint256 } from 'viem';

import { knownChanges } from '../../../../src/core/decode/effects/changes';
import { type Effect, type Order, type Term } from '../../../../src/core/decode/effects/effect';
import { Findings } from '../../../../src/core/decode/effects/findings';
import { judge } from '../../../../src/core/decode/effects/judge';
import { amountAt, isDust } from '../../../../src/core/decode/effects/orders';
import {
  type Allowance,
  type Asset,
  type AssetAmount,
  type Changes,
} from '../../../../src/core/decode/effects/outcome';
import { withoutAdvice } from '../../../../src/core/decode/effects/verdict';
import { type RecipientFacts, type Viewpoint } from '../../../../src/core/decode/explanation';
import { NO_METADATA } from '../../../../src/core/decode/metadata/contract-metadata';
import { isUnlimited } from '../../../../src/core/decode/words/amounts';
import { type Hex } from '../../../../src/core/eth/bytes';
import { ALICE, BOB, ME, NOW, USDC, VIEW } from '../../../support/explaining';

const WETH: Hex = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const TOKEN: Hex = '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984';
const APES: Hex = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D';
const MULTICALL: Hex = '0xcA11bde05977b3631167028862bE2a173976CA11';
const PERMIT2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const ROUTER: Hex = '0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45';
const COINS: Asset = { kind: 'native' };
const DOLLARS: Asset = { kind: 'erc20', token: USDC };
const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;
const NOTHING: Changes = { sends: [], receives: [], allows: [], creates: [] };

const sceneOf = (effects: readonly Effect[], view: Partial<Viewpoint> = {}, chainId: bigint | undefined = 1n) => {
  const scene = { view: { ...VIEW, ...view }, chainId, findings: new Findings() };
  scene.findings.add(effects);
  return scene;
};
/** What a person is told, without the advice. */
function told(effects: readonly Effect[], view: Partial<Viewpoint> = {}, counts = { beneficiaries: 0, named: 0 }) {
  const scene = sceneOf(effects, view);
  const { dangers, warnings } = judge(scene, { ...counts, changes: knownChanges(scene) });
  return [...dangers.map((danger) => `! ${withoutAdvice(danger)}`), ...warnings];
}
const codes = (effects: readonly Effect[], view: Partial<Viewpoint> = {}): string[] => {
  const scene = sceneOf(effects, view);
  return judge(scene, { beneficiaries: 0, named: 0, changes: knownChanges(scene) }).dangers.map(({ code }) => code);
};
const simulating = (changes: Partial<Changes>): Partial<Viewpoint> => ({
  outcome: { kind: 'changes', changes: { ...NOTHING, ...changes } },
});
const move = (asset: Asset, amount: bigint, more: object = {}): Effect => ({
  ...{ kind: 'move', from: ME, to: BOB, asset, amount },
  ...more,
});
const allow = (more: object = {}): Effect => ({
  ...{ kind: 'allow', of: 'amount', owner: ME, spender: BOB, token: USDC, amount: maxUint256 },
  ...more,
});
const call = (to: Hex, more: object = {}): Effect => ({ kind: 'call', from: ME, to, ...more });

describe('an amount of a token', () => {
  it.each([
    [(1n << 112n) - 2n, undefined, false],
    [(1n << 112n) - 1n, undefined, true],
    [(1n << 96n) - 1n, undefined, true],
    [1n << 96n, undefined, false],
    [5n, 5n, false],
    [6n, 5n, true],
    [6n, 0n, false],
    [6n, undefined, false],
  ])('%s of a supply of %s is more than can exist: %s', (amount, supply, isMore) => {
    expect(isUnlimited(amount, supply)).toBe(isMore);
  });

  it('is compared with the supply that a preview found, of that token only', () => {
    const supply = (of: Asset): Partial<Viewpoint> => simulating({ receives: [{ asset: of, amount: 1n }] });
    const declared = { symbol: 'COIN', decimals: 0, supply: 5n };
    expect(codes([move(DOLLARS, 6n)], supply({ kind: 'erc20', token: WETH, declared }))).toEqual([]);
    expect(codes([move(DOLLARS, 6n)], supply({ kind: 'erc20', token: USDC, declared }))).toContain('everything');
    expect(codes([move(DOLLARS, 5n)], supply({ kind: 'erc20', token: USDC, declared }))).not.toContain('everything');
  });
});

describe('what is sent', () => {
  it('is everything if it is the largest number, or more than there is of a known token', () => {
    const all = '! This sends all of your USDC to 0x742d…f44e.';
    expect(told([move(DOLLARS, maxUint256)])).toEqual([all]);
    expect(told([move(DOLLARS, 1n << 112n)])).toEqual([all]);
    expect(told([move(DOLLARS, DOLLAR)])).toEqual([]);
    // Of a contract that nobody knows, it may be the ID of an item.
    expect(told([move({ kind: 'erc20', token: TOKEN }, 1n << 112n)])).toEqual([]);
    expect(codes([move({ kind: 'erc20', token: TOKEN }, maxUint256)])).toEqual(['everything']);
    expect(told([move(DOLLARS, maxUint256, { to: undefined })])).toEqual([]);
    expect(told([move({ kind: 'erc1155', token: TOKEN, id: 7n }, maxUint256)])).toEqual([]);
    expect(told([move(DOLLARS, 0n)])).toEqual([]);
  });

  it('for gas is a refund', () => {
    const refund = (to: Hex | undefined) => told([move(COINS, ETHER, { to, isRefund: true })]);
    expect(refund(BOB)).toEqual([
      '! This pays 1 ETH or more for gas to 0x742d…f44e. It could take everything that the Safe holds.',
    ]);
    expect(refund(undefined)[0]).toContain('for gas to whoever submits it.');
  });

  it('to a contract that anybody can use can be taken by anybody', () => {
    expect(told([move(DOLLARS, DOLLAR, { to: ROUTER })])).toEqual([
      '! This sends 1 USDC to 0x68b3…Fc45. Anybody can take it from there.',
    ]);
    expect(told([move(COINS, ETHER, { to: ROUTER })])).toEqual([]);
    expect(told([move(DOLLARS, DOLLAR, { to: undefined })])).toEqual([]);
  });

  it('to a contract for all calls is taken from there only if it stays', () => {
    const into = move(COINS, 2n, { to: MULTICALL });
    const out = (amount: bigint) => move(COINS, amount, { from: MULTICALL });
    const left = (wei: string) => [`! This leaves ${wei} ETH in Multicall3. Anybody can take it from there.`];
    expect(told([into])).toEqual(left('0.000000000000000002'));
    expect(told([into, out(1n)])).toEqual(left('0.000000000000000001'));
    expect(told([into, out(2n)])).toEqual([]);
    expect(told([into, out(3n)])).toEqual([]);
    expect(told([into, move(COINS, 2n, { from: MULTICALL.toLowerCase() })])).toEqual([]);
    expect(told([move(COINS, 2n, { from: undefined, to: undefined })])).toEqual([]);
  });
});

describe('a contract that is created', () => {
  it('may get coins, or have no code', () => {
    const created = (value: bigint, isEmpty: boolean) => told([{ kind: 'creation', value, isEmpty }]);
    expect(created(0n, false)).toEqual([]);
    expect(created(1n, false)).toEqual([expect.stringContaining('to a contract that does not exist yet')]);
    expect(created(0n, true)).toEqual([expect.stringContaining('without any code')]);
  });
});

describe('all that a preview says is taken of a token', () => {
  const all: AssetAmount = { asset: DOLLARS, amount: 5n * DOLLAR, isAll: true };
  const unread = [call(BOB, { isUnread: true })];
  const taken = (receives: readonly AssetAmount[], effects: readonly Effect[] = unread, sends = [all]): string[] =>
    told(effects, simulating({ sends, receives })).filter((line) => line.startsWith('! This takes'));
  const WORTHLESS = '! This takes all of your USDC. What you receive for it may be worth nothing.';

  it('is a danger if nothing comes back', () => {
    expect(taken([])).toEqual(['! This takes all of your USDC.']);
    expect(taken([], [call(PERMIT2, { isUnread: true })])).toEqual(['! This takes all of your USDC.']);
    expect(taken([], unread, [{ ...all, isAll: false }])).toEqual([]);
    expect(taken([], unread, [{ asset: COINS, amount: 1n, isAll: true }])).toEqual([]);
  });

  it.each<[string, AssetAmount, boolean]>([
    ['coins', { asset: COINS, amount: 10n ** 14n }, true],
    ['dust of coins', { asset: COINS, amount: 10n ** 14n - 1n }, false],
    ['a known token', { asset: DOLLARS, amount: 100n }, true],
    ['dust of a known token', { asset: DOLLARS, amount: 99n }, false],
    ['a token that nobody knows', { asset: { kind: 'erc20', token: TOKEN }, amount: ETHER }, false],
    ['an item of a known collection', { asset: { kind: 'erc721', token: APES, id: 1n }, amount: 1n }, true],
    ['an item of an unknown collection', { asset: { kind: 'erc721', token: TOKEN, id: 1n }, amount: 1n }, false],
    ['one of a kind of an unknown collection', { asset: { kind: 'erc1155', token: TOKEN, id: 1n }, amount: 1n }, false],
  ])('is paid for by a contract that nobody knows with %s', (_what, received, isPaid) => {
    expect(taken([received])).toEqual(isPaid ? [] : [WORTHLESS]);
    // A contract that is known may pay with anything.
    for (const known of [call(PERMIT2, { isUnread: true }), call(USDC, { isUnread: true }), call(BOB)])
      expect(taken([received], [known])).toEqual([]);
  });
});

describe('what a preview does not show', () => {
  it.each([
    ['losses' as const, '! This changes more than a preview can show.'],
    ['receipts' as const, 'You may receive more than this shows.'],
  ])('%s', (unread, words) => {
    expect(told([], simulating({ unread }))).toEqual([expect.stringContaining(words)]);
  });
});

describe('a permission that a preview finds', () => {
  const found = (allows: readonly Allowance[], effects: readonly Effect[] = []) =>
    told(effects, simulating({ allows }));
  const unlimited: Allowance = { kind: 'amount', token: USDC, spender: BOB, amount: maxUint256 };
  const FOREVER = '! This lets 0x742d…f44e spend all of your USDC, now and in the future.';

  it('is a danger that no call names', () => {
    expect(found([unlimited])).toEqual([FOREVER]);
    expect(found([{ kind: 'everything', token: APES, spender: BOB }])).toEqual([
      '! This lets 0x742d…f44e move everything you hold in contract 0xBC4C…f13D, now and in the future.',
    ]);
    expect(found([{ kind: 'nft', token: APES, spender: BOB, id: 7n }])).toEqual([]);
    expect(found([{ ...unlimited, isDebt: true }])).toEqual([
      '! This lets 0x742d…f44e borrow an unlimited amount that your account has to repay, now and in the future.',
    ]);
  });

  it('is said once if a call gives it, as the call gives it', () => {
    const until = allow({ end: NOW + 3_600n });
    expect(found([unlimited], [until])).toEqual([
      '! This lets 0x742d…f44e spend all of your USDC until 2026-01-01 01:00:00 UTC.',
    ]);
    expect(found([unlimited], [allow({ amount: 5n })])).toEqual([FOREVER]);
    expect(found([unlimited], [allow({ end: NOW + 3_600n, spender: ALICE })]).join()).toContain(FOREVER.slice(2));
    expect(found([unlimited], [allow({ end: NOW + 3_600n, token: WETH })]).join()).toContain(FOREVER.slice(2));
    expect(found([unlimited], [allow({ end: NOW + 3_600n, token: undefined })]).join()).toContain(FOREVER.slice(2));
    expect(found([unlimited], [allow({ of: 'everything', amount: maxUint256 })]).join()).toContain(FOREVER.slice(2));
  });
});

describe('a permission', () => {
  it.each<[string, object, string]>([
    ['without an end', {}, ', now and in the future'],
    ['that ends', { end: NOW + 1n }, ' until 2026-01-01 00:00:01 UTC'],
    ['that ends now', { end: NOW }, ''],
    ['that has ended', { end: NOW - 1n }, ''],
    ['that ends after ten years', { end: NOW + 3_654n * 86_400n }, ', now and in the future'],
  ])('%s', (_what, more, duration) => {
    expect(told([allow(more)])).toContain(`! This lets 0x742d…f44e spend all of your USDC${duration}.`);
  });

  it('of one spender over one token is added up, and lasts as long as the longest', () => {
    const half = { amount: 1n << 111n };
    expect(told([allow(half)])).toEqual([]);
    expect(told([allow({ ...half, end: NOW + 5n }), allow({ ...half, end: NOW + 9n })])).toEqual([
      '! This lets 0x742d…f44e spend all of your USDC until 2026-01-01 00:00:09 UTC.',
    ]);
    expect(told([allow({ ...half, end: NOW + 9n }), allow({ ...half, end: NOW + 5n })])).toEqual([
      '! This lets 0x742d…f44e spend all of your USDC until 2026-01-01 00:00:09 UTC.',
    ]);
    for (const both of [
      [allow({ ...half, end: NOW + 5n }), allow(half)],
      [allow(half), allow({ ...half, end: NOW + 5n })],
    ])
      expect(told(both)).toEqual(['! This lets 0x742d…f44e spend all of your USDC, now and in the future.']);
    expect(told([allow(half), allow({ ...half, spender: ALICE })])).toEqual([]);
    expect(told([allow(half), allow({ ...half, owner: ALICE })])).toEqual([]);
    expect(told([allow(half), allow({ ...half, token: WETH })])).toEqual([]);
    expect(told([allow({ amount: 0n })])).toEqual([]);
  });

  it('for everything names whose it is', () => {
    const all = (more: object) => told([allow({ of: 'everything', amount: 1n, ...more })])[0];
    expect(all({})).toBe(
      '! This lets 0x742d…f44e move everything you hold in contract 0xA0b8…eB48, now and in the future.',
    );
    expect(all({ owner: ALICE })).toContain('move everything account 0xd8dA…6045 holds in');
    expect(all({ owner: undefined })).toContain('move everything the calling account holds in');
    expect(all({ token: undefined })).toContain('move everything you hold in a contract, now');
    // It is said once, as what it is.
    expect(codes([allow({ of: 'everything', amount: maxUint256 })])).toEqual(['approval-for-all']);
  });

  it('to borrow, or for one use', () => {
    expect(told([allow({ isDebt: true, owner: ALICE })])[0]).toContain('that 0xd8dA…6045 has to repay');
    expect(told([allow({ isDebt: true, owner: undefined })])[0]).toContain('that the calling account has to repay');
    expect(told([allow({ once: true })])).toEqual(['! This lets 0x742d…f44e take all of your USDC, once.']);
  });

  it('of a contract that anybody can use', () => {
    expect(told([allow({ spender: MULTICALL, amount: 5n })])).toEqual([
      '! This lets Multicall3 spend USDC. Anybody can use that.',
    ]);
  });

  it('that lasts for more than ten years, or whose signature does', () => {
    const last = NOW + 3_653n * 86_400n;
    const ends = (more: object) => codes([allow({ amount: 5n, ...more })]);
    expect([ends({ end: last }), ends({ deadline: last })]).toEqual([[], []]);
    expect([ends({ end: last + 1n }), ends({ deadline: last + 1n })]).toEqual([['never-expires'], ['never-expires']]);
    expect(ends({ end: last + 1n, amount: 0n })).toEqual([]);
    expect(codes([{ kind: 'signature', end: last }])).toEqual([]);
    expect(codes([{ kind: 'signature', end: last + 1n }])).toEqual(['never-expires']);
  });
});

describe('an address that a request names', () => {
  const facts = (more: Partial<RecipientFacts>): Partial<Viewpoint> => ({
    recipients: { used: [], own: {}, hasCode: {}, ...more },
  });

  it('and that may spend something should be a contract', () => {
    const spender = (hasCode: Record<Hex, boolean>, own = {}) => told([allow({ amount: 5n })], facts({ hasCode, own }));
    expect(spender({ [BOB]: false })).toEqual([
      `${BOB}, which may spend your tokens, is no contract on this network. Whoever has the key of that address can take them.`,
    ]);
    expect(spender({ [BOB]: true })).toEqual([]);
    expect(spender({})).toEqual([]);
    expect(spender({ [BOB]: false }, { [BOB]: 'Savings' })).toEqual([]);
    expect(told([allow({ amount: 0n })], facts({ hasCode: { [BOB]: false } }))).toEqual([]);
    expect(told([move(DOLLARS, DOLLAR)], facts({ hasCode: { [BOB]: false } }))).toEqual([]);
  });

  it.each<[string, Effect, string[]]>([
    ['a recipient', move(COINS, 1n, { to: ALICE }), ['address-poisoning']],
    ['nothing that is sent', move(COINS, 0n, { to: ALICE }), []],
    ['what another account keeps', move(COINS, 1n, { from: ALICE, to: ALICE }), []],
    ['what is called', call(ALICE), ['address-poisoning']],
    ['a spender', allow({ spender: ALICE, amount: 5n }), ['address-poisoning']],
    ['a permission that is taken back', allow({ spender: ALICE, amount: 0n }), []],
    ['somebody', { kind: 'named', address: ALICE, isRecipient: false }, ['address-poisoning']],
    [
      'whoever gets control',
      { kind: 'control', by: ALICE, does: () => 'x' },
      ['account-administration', 'address-poisoning'],
    ],
    ['a delegate', { kind: 'delegation', delegate: ALICE }, ['account-delegation', 'address-poisoning']],
    ['a delegate of our own', { kind: 'delegation', delegate: ALICE, isOwn: true }, []],
    ['an account', { kind: 'operation', sender: ALICE }, ['foreign-operation', 'address-poisoning']],
  ])('is compared with those that are familiar: %s', (_what, effect, expected) => {
    const twin = `${ALICE.slice(0, 6)}${'1'.repeat(32)}${ALICE.slice(-4)}` as Hex;
    expect(codes([effect], facts({ used: [twin] }))).toEqual(expected);
  });

  it('may imitate a known contract, or one that the account has sent to', () => {
    const twin = `${PERMIT2.slice(0, 6)}${'1'.repeat(32)}${PERMIT2.slice(-4)}` as Hex;
    const sentence = (used: readonly Hex[]) => told([move(COINS, 1n, { to: twin })], facts({ used }))[0];
    expect(sentence([])).toContain(`imitates ${PERMIT2}, which is Permit2.`);
    expect(sentence([PERMIT2])).toContain(`imitates ${PERMIT2}, which you have sent to before.`);
  });

  it('is the token itself', () => {
    expect(codes([move(DOLLARS, DOLLAR, { to: USDC.toLowerCase() })])).toEqual(['sent-to-token-contract']);
    expect(codes([move(COINS, ETHER, { to: USDC })])).toEqual([]);
  });

  it('and that is called has code, as far as the account itself calls it', () => {
    const hasCode = { [BOB]: false };
    expect(codes([call(BOB)], facts({ hasCode }))).toEqual(['call-without-code']);
    expect(codes([call(BOB, { from: ALICE })], facts({ hasCode }))).toEqual([]);
    expect(codes([call(BOB, { from: undefined })], facts({ hasCode }))).toEqual([]);
  });

  it('is among too many', () => {
    const count = (beneficiaries: number, named: number) => told([], {}, { beneficiaries, named });
    expect(count(20, 20)).toEqual([]);
    expect(count(21, 21)).toEqual(['! This gives something to 21 addresses, more than anybody compares one by one.']);
    expect(count(20, 21)).toEqual(['! This names 21 addresses, more than anybody compares one by one.']);
  });
});

describe('assets for an own smart account on another network', () => {
  const smartOn = { [ALICE.toLowerCase()]: ['8453'] };
  const names = { [ALICE.toLowerCase()]: 'Savings' };
  const warned = (effect: Effect) => told([effect], { smartOn, names });

  it('are a warning if something arrives there', () => {
    expect(warned(move(COINS, 1n, { to: ALICE }))).toEqual([
      'Your Savings is set up on Base only, not on Ethereum. You may not be able to use it there.',
    ]);
    expect(warned(move(COINS, 0n, { to: ALICE }))).toEqual([]);
    expect(warned(move(COINS, 1n, { to: undefined }))).toEqual([]);
    expect(warned(move(COINS, 1n))).toEqual([]);
  });
});

describe('code that an account runs', () => {
  const delegated = (more: object) => told([{ kind: 'delegation', delegate: ALICE, ...more }]);
  const ZERO: Hex = `0x${'0'.repeat(40)}`;

  it('by our own request is said with the network', () => {
    expect(delegated({ isOwn: true })[0]).toMatch(
      /^This upgrades your account on Ethereum \(chain 1\) only: it runs the code of 0xd8dA…6045 from now on/u,
    );
    const back = 'This takes back the upgrade (EIP-7702) of';
    expect(delegated({ isOwn: true, delegate: ZERO })).toEqual([
      `${back} your account on Ethereum (chain 1). It is then a standard account again.`,
    ]);
    expect(delegated({ isOwn: true, delegate: ZERO, authority: ME.toLowerCase() })[0]).toContain('of your account on');
    expect(delegated({ isOwn: true, delegate: ZERO, authority: BOB })[0]).toContain('of 0x742d…f44e on');
  });

  it('by an authorization that is not signed yet', () => {
    expect(delegated({ delegate: ZERO })).toEqual(['This takes back the upgrade (EIP-7702) of an account.']);
    expect(delegated({})).toEqual([
      '! This makes an account run the code of 0xd8dA…6045, which decides over everything that the account holds.',
    ]);
  });

  it('by a signed authorization', () => {
    expect(delegated({ authority: BOB })).toEqual([
      '! This makes 0x742d…f44e run the code of 0xd8dA…6045 on Ethereum. That code decides over everything that the account holds there, until the upgrade is taken back.',
    ]);
    expect(delegated({ authority: BOB, delegate: ZERO, idleNonce: 0n })).toEqual([
      'The authorization of 0x742d…f44e with nonce 0 has no effect here. It may take effect later.',
      'This takes back the upgrade (EIP-7702) of 0x742d…f44e on Ethereum. It is then a standard account again.',
    ]);
  });
});

describe('limits that nobody can read', () => {
  it.each([
    [0, 'without limits'],
    [1, 'within a limit that Keystead cannot read'],
    [2, 'within limits that Keystead cannot read'],
  ])('%d', (count, words) => {
    expect(told([{ kind: 'limits-unread', by: BOB, of: ME, count }])).toEqual([
      `! This lets 0x742d…f44e do anything with your account, ${words}.`,
    ]);
  });
});

describe('an order', () => {
  const term = (asset: Asset | undefined, least: bigint, more: Partial<Term> = {}): Term => ({
    ...{ asset, least, most: least },
    ...more,
  });
  const ITEM: Asset = { kind: 'erc721', token: APES, id: 7n };
  const order = (gets: readonly Term[], more: Partial<Order> = {}): Order => ({
    ...{ kind: 'order', maker: ME, gives: [term(ITEM, 1n)], gets },
    ...more,
  });
  const ofOrder = (gets: readonly Term[], more: Partial<Order> = {}, view: Partial<Viewpoint> = {}) =>
    told([order(gets, more)], view);
  const price = (least: bigint, more: Partial<Term> = {}) => term(COINS, least, more);

  it.each([
    ['fifteen percent of the price are a fee', 85n, 15n, []],
    ['more of the price is paid to another', 84n, 16n, ['paid-to-another']],
  ])('%s', (_what, own, others, expected) => {
    expect(codes([order([price(own * ETHER), price(others * ETHER, { to: BOB })])])).toEqual(expected);
    // On top of what is given, too.
    const given = [term(DOLLARS, own * DOLLAR), term(DOLLARS, others * DOLLAR, { to: BOB })];
    expect(codes([order([term(ITEM, 1n)], { gives: given })])).toEqual(expected);
  });

  it('is judged at both ends of an auction', () => {
    const own = price(10n * ETHER, { most: 100n * ETHER });
    expect(codes([order([own, price(10n * ETHER, { to: BOB })])])).toEqual(['paid-to-another']);
    expect(codes([order([own, price(ETHER, { to: BOB, most: 10n * ETHER })])])).toEqual([]);
    expect(codes([order([{ ...own, isRising: true }, price(ETHER, { to: BOB, most: 10n * ETHER })])])).toEqual([
      'paid-to-another',
    ]);
  });

  it('begins an auction with the least if it rises, else with the most', () => {
    const at = (isRising?: boolean) =>
      [false, true].map((isEnd) =>
        amountAt({ ...price(1n, { most: 2n }), ...(isRising !== undefined && { isRising }) }, isEnd),
      );
    expect([at(true), at(false), at()]).toEqual([
      [1n, 2n],
      [2n, 1n],
      [2n, 1n],
    ]);
  });

  it('may pay the person, by another name', () => {
    const paid = [price(ETHER), price(9n * ETHER, { to: ALICE })];
    expect(codes([order(paid)])).toEqual(['paid-to-another']);
    expect(codes([order(paid)], { names: { [ALICE.toLowerCase()]: 'Savings' } })).toEqual([]);
    expect(codes([order([price(ETHER), price(9n * ETHER, { to: ME })])])).toEqual([]);
    expect(codes([order([price(ETHER), price(0n, { to: ALICE })])])).toEqual([]);
  });

  it('names the largest payment to another, and who is not paid', () => {
    const paid = [price(ETHER), price(2n * ETHER, { to: ALICE }), price(3n * ETHER, { to: BOB, most: 5n * ETHER })];
    expect(ofOrder(paid)).toEqual(['! This order pays up to 5 ETH to 0x742d…f44e, not to you.']);
    expect(ofOrder(paid, { maker: '0x6666666666666666666666666666666666666666' })).toContain(
      '! This order pays up to 5 ETH to 0x742d…f44e, not to 0x6666…6666.',
    );
    const unnamed = [price(ETHER), term(undefined, 5n, { to: BOB })];
    expect(ofOrder(unnamed)).toEqual(['! This order pays what is paid for it to 0x742d…f44e, not to you.']);
  });

  it('gives away what nothing, or next to nothing, comes back for', () => {
    const AWAY = '! This order gives your items away. You receive nothing in return.';
    expect(ofOrder([])).toEqual([AWAY]);
    expect(ofOrder([price(0n)])).toEqual([AWAY]);
    expect(ofOrder([price(0n, { most: ETHER })])).toEqual([AWAY]);
    expect(ofOrder([term(undefined, 0n, { most: 1n })])).toEqual([]);
    expect(ofOrder([term(undefined, 0n)])).toEqual([AWAY]);
    expect(ofOrder([], { gives: [term(ITEM, 0n)] })).toEqual([]);
    expect(ofOrder([price(1n)])).toEqual([
      '! This order gives your items away for as little as 0.000000000000000001 ETH.',
    ]);
    // Dust for dust is a fair exchange.
    expect(ofOrder([price(1n)], { gives: [term(DOLLARS, 1n)] })).toEqual([]);
    expect(ofOrder([price(1n), term(DOLLARS, DOLLAR)])).toEqual([]);
    expect(ofOrder([price(5n * 10n ** 12n), price(5n * 10n ** 12n)])).toEqual([]);
    const ofBob = { maker: BOB };
    expect(ofOrder([], ofBob)).toContain(
      '! This order gives items of 0x742d…f44e away. That account receives nothing in return.',
    );
    expect(ofOrder([price(1n)], ofBob)).toContain(
      '! This order gives items of 0x742d…f44e away for as little as 0.000000000000000001 ETH.',
    );
  });

  it('pays in a token that nobody knows', () => {
    const unknown = term({ kind: 'erc20', token: TOKEN }, ETHER);
    const WORDS = 'paid in tokens in contract 0x1f98…F984, which Keystead does not know. It may be worth nothing.';
    expect(ofOrder([unknown])).toEqual([`! You are ${WORDS}`]);
    expect(ofOrder([unknown], { maker: BOB })).toContain(`! 0x742d…f44e is ${WORDS}`);
    expect(ofOrder([unknown, price(ETHER)])).toEqual([]);
    expect(ofOrder([unknown, term(DOLLARS, DOLLAR)])).toEqual([]);
    expect(ofOrder([unknown, term(ITEM, 1n)])).toEqual([]);
    expect(ofOrder([term({ kind: 'erc20', token: USDC }, DOLLAR, { chainId: 5n })])).toEqual([
      expect.stringContaining('which Keystead does not know'),
    ]);
  });

  it('asks for the list of tokens before it calls one unknown', () => {
    const lookups = (view: Partial<Viewpoint>) => {
      const scene = sceneOf([order([term({ kind: 'erc20', token: TOKEN }, ETHER)])], view);
      judge(scene, { beneficiaries: 0, named: 0, changes: NOTHING });
      return scene.findings.lookups;
    };
    expect(lookups({})).toContainEqual({ kind: 'tokens', decides: true });
    expect(lookups({ contractMetadata: { ...NO_METADATA, tokens: {} } })).not.toContainEqual(
      expect.objectContaining({ decides: true }),
    );
  });

  it('can take everything', () => {
    expect(ofOrder([price(ETHER)], { gives: [term(DOLLARS, maxUint256)] })).toEqual([
      '! This order can take all of your USDC.',
    ]);
    expect(ofOrder([price(ETHER)], { gives: [term(COINS, maxUint256)] })).toEqual([]);
  });

  it('of which nobody knows the direction may be one-sided', () => {
    const sides = (a: readonly Term[], b: readonly Term[]) => ofOrder(b, { maker: undefined, gives: a });
    expect(sides([price(ETHER)], [term(DOLLARS, DOLLAR)])).toEqual([]);
    expect(sides([price(1n)], [term(DOLLARS, 1n)])).toEqual([]);
    for (const [a, b] of [
      [[price(1n)], [term(DOLLARS, DOLLAR)]],
      [[price(ETHER)], [term(DOLLARS, 1n)]],
    ] as const)
      expect(sides(a, b)).toEqual([expect.stringContaining('One side of this order gets next to nothing.')]);
  });

  it('of another account is a warning, unless it is a guess', () => {
    const OFFERED = 'An order is offered by another account, not by the one you are signing with.';
    expect(ofOrder([price(ETHER)], { maker: BOB })).toEqual([OFFERED]);
    expect(ofOrder([price(ETHER)], { maker: BOB, isGuess: true })).toEqual([]);
    expect(ofOrder([price(ETHER)])).toEqual([]);
    // Whoever takes it has its other side.
    expect(ofOrder([price(ETHER)], { maker: BOB, taker: ME })).toEqual([]);
  });

  it('is read among ten, and a danger among more', () => {
    const many = (count: number) => codes(Array.from({ length: count }, () => order([price(ETHER)])));
    expect(many(10)).toEqual([]);
    expect(many(11)).toEqual(['not-fully-read']);
  });

  it.each<[string, Asset | undefined, most: bigint]>([
    ['coins', COINS, 10n ** 13n - 1n],
    ['a token with many decimals', { kind: 'erc20', token: WETH }, 10n ** 13n - 1n],
    ['a token with few decimals', DOLLARS, 999n],
    ['a token that nobody knows', { kind: 'erc20', token: TOKEN }, 0n],
    ['an item', ITEM, 0n],
    ['something that is not named', undefined, 0n],
  ])('is of dust up to a bound: %s', (_what, asset, most) => {
    const isIt = (amount: bigint): boolean => isDust(amount, term(asset, amount), sceneOf([]));
    expect([isIt(most), isIt(most + 1n)]).toEqual([true, false]);
  });
});
