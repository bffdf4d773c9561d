import { maxUint256 } from 'viem';

import { type Effect } from '../../../../src/core/decode/effects/effect';
import { Findings } from '../../../../src/core/decode/effects/findings';
import { type Asset } from '../../../../src/core/decode/effects/outcome';
import {
  beneficiariesIn,
  beneficiaryLines,
  isSumOf,
  newRecipientLines,
} from '../../../../src/core/decode/effects/recipients';
import { type Viewpoint } from '../../../../src/core/decode/explanation';
import { type Hex } from '../../../../src/core/eth/bytes';
import { ALICE, BOB, ME, USDC, VIEW, written } from '../../../support/explaining';

const CAROL: Hex = '0x66666666666666666666666666666666DEaDbeef';
const PERMIT2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const DEAD: Hex = '0x000000000000000000000000000000000000dEaD';
const UNKNOWN: Hex = '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984';
const COINS: Asset = { kind: 'native' };
const DOLLARS: Asset = { kind: 'erc20', token: USDC };
const OTHERS: Asset = { kind: 'erc20', token: UNKNOWN };
const itemOf = (id: bigint): Asset => ({ kind: 'erc721', token: USDC, id });

const sceneOf = (effects: readonly Effect[], view: Partial<Viewpoint> = {}) => {
  const scene = { view: { ...VIEW, ...view }, chainId: 1n, findings: new Findings() };
  scene.findings.add(effects);
  return scene;
};
const send = (to: Hex, asset: Asset = COINS, amount = 1n, from = ME): Effect => ({
  ...{ kind: 'move', from, to, asset, amount },
});
/** Nobody knows whose it was. */
const sendFromNobody = (to: Hex, asset: Asset = COINS, amount = 1n): Effect => ({
  ...{ kind: 'move', from: undefined, to, asset, amount },
});
const allow = (spender: Hex, more: object = {}): Effect => ({
  ...{ kind: 'allow', of: 'amount', owner: ME, spender, token: USDC, amount: 5_000_000n },
  ...more,
});
const control = (by: Hex | undefined): Effect => ({ kind: 'control', by, does: () => 'does something' });

const found = (effects: readonly Effect[], view?: Partial<Viewpoint>) => beneficiariesIn(sceneOf(effects, view));
const whom = (effects: readonly Effect[], view?: Partial<Viewpoint>): string[] =>
  found(effects, view).map(({ role, address }) => `${role}: ${address}`);
const rows = (effects: readonly Effect[], sends: Parameters<typeof beneficiaryLines>[1] = []): string[] => {
  const scene = sceneOf(effects);
  return beneficiaryLines(beneficiariesIn(scene), sends, scene).map(written);
};

describe('somebody gains by', () => {
  it.each<[string, Effect, string[]]>([
    ['being sent something', send(ALICE), [`To: ${ALICE}`]],
    ['what another account sends', send(ALICE, COINS, 1n, BOB), [`To: ${ALICE}`]],
    ['nothing that is sent', send(ALICE, COINS, 0n), []],
    ['what comes from nobody knows whom', sendFromNobody(ALICE), [`To: ${ALICE}`]],
    ['no transfer to itself', send(ALICE, COINS, 1n, ALICE.toLowerCase() as Hex), []],
    ['nothing that goes to nobody', { kind: 'move', from: ME, to: undefined, asset: COINS, amount: 1n }, []],
    ['a permission', allow(ALICE), [`Spender: ${ALICE}`]],
    ['no permission that is taken back', allow(ALICE, { amount: 0n }), []],
    ['control', control(ALICE), [`Gets control: ${ALICE}`]],
    ['no control that nobody gets', control(undefined), []],
    ['a withdrawal', { kind: 'withdrawal', contract: BOB, to: ALICE, wei: 1n }, [`To: ${ALICE}`]],
    ['a delegation', { kind: 'delegation', delegate: ALICE }, [`Gets control: ${ALICE}`]],
    ['no delegation that Keystead itself asks for', { kind: 'delegation', delegate: ALICE, isOwn: true }, []],
    ['no delegation to an address that nobody controls', { kind: 'delegation', delegate: DEAD }, []],
    ['limits that nobody can read', { kind: 'limits-unread', by: ALICE, of: ME, count: 1 }, [`Gets control: ${ALICE}`]],
    ['being an agent', { kind: 'permission', what: 'agent', to: ALICE }, [`Gets control: ${ALICE}`]],
    ['a permission of another kind', { kind: 'permission', what: 'amount', to: ALICE }, [`Spender: ${ALICE}`]],
    ['code that runs', { kind: 'foreign-code', code: ALICE }, [`Code to run: ${ALICE}`]],
    ['being named as the recipient', { kind: 'named', address: ALICE, isRecipient: true }, [`To: ${ALICE}`]],
    ['being named otherwise not', { kind: 'named', address: ALICE, isRecipient: false }, []],
    ['data that nobody can read', { kind: 'call', from: ME, to: ALICE, isUnread: true }, [`Contract: ${ALICE}`]],
    ['data for a known contract not', { kind: 'call', from: ME, to: PERMIT2, isUnread: true }, []],
    ['data that is read not', { kind: 'call', from: ME, to: ALICE }, []],
  ])('%s', (_what, effect, expected) => {
    expect(whom([effect])).toEqual(expected);
  });

  it('what a contract claims to send, without the amount', () => {
    const scene = sceneOf([]);
    scene.findings.add([send(ALICE)], 'claimed');
    expect(beneficiariesIn(scene)).toEqual([{ address: ALICE, role: 'Claimed recipient', sent: [], allowed: [] }]);
  });

  it('a call only if it is nothing else', () => {
    const call: Effect = { kind: 'call', from: ME, to: ALICE, isUnread: true };
    expect(whom([call, send(ALICE)])).toEqual([`To: ${ALICE}`]);
    expect(whom([call, send(BOB)])).toEqual([`To: ${BOB}`, `Contract: ${ALICE}`]);
  });

  it.each([send(ME, COINS, 1n, BOB), allow(ME), control(ME)])('what the account that signs does not', (effect) => {
    expect(whom([effect])).toEqual([]);
  });
});

describe('what somebody may use of another account', () => {
  it.each<[string, object, string]>([
    ['an amount', { owner: ALICE }, '5 USDC of 0xd8dA…6045'],
    ['more than there is', { owner: ALICE, amount: maxUint256 }, 'an unlimited amount of 0xd8dA…6045'],
    ['an item', { owner: ALICE, of: 'nft', amount: 1n, id: 7n }, 'NFTs or everything of 0xd8dA…6045'],
    ['everything', { owner: ALICE, of: 'everything', amount: 1n }, 'NFTs or everything of 0xd8dA…6045'],
    [
      'an amount of a contract that is not named',
      { owner: ALICE, token: undefined },
      'NFTs or everything of 0xd8dA…6045',
    ],
    ['an amount of the calling account', { owner: undefined }, '5 USDC'],
  ])('is said: %s', (_what, more, words) => {
    expect(rows([allow(BOB, more)])).toEqual([`Spender: ${BOB}`, `May use: ${words}`]);
  });

  it('is said once, and five things at most', () => {
    const all = Array.from({ length: 6 }, (_, at) => allow(BOB, { owner: ALICE, amount: BigInt(at + 1) * 1_000_000n }));
    expect(rows([...all, ...all]).slice(1)).toEqual(
      [1, 2, 3, 4, 5].map((dollars) => `May use: ${dollars} USDC of 0xd8dA…6045`),
    );
  });

  it('is not said of the own account, whose permissions have rows of their own', () => {
    expect(rows([allow(BOB)])).toEqual([`Spender: ${BOB}`]);
  });
});

describe('whoever gains comes in the order', () => {
  it('of the ways to gain', () => {
    const scene = sceneOf([
      { kind: 'call', from: ME, to: ALICE, isUnread: true },
      { kind: 'foreign-code', code: BOB },
      control(BOB),
      allow(BOB),
      send(BOB),
    ]);
    scene.findings.add([send(CAROL)], 'claimed');
    expect(beneficiariesIn(scene).map(({ role }) => role)).toEqual([
      ...['To', 'Spender', 'Gets control', 'Code to run', 'Claimed recipient', 'Contract'],
    ]);
  });

  it('of strangers before those whom the account knows', () => {
    const recipients = { used: [ALICE.toLowerCase() as Hex], own: {}, hasCode: {} };
    const all = [send(ALICE), send(PERMIT2), send(BOB)];
    expect(whom(all, { recipients })).toEqual([`To: ${BOB}`, `To: ${ALICE}`, `To: ${PERMIT2}`]);
    expect(whom(all)).toEqual([`To: ${ALICE}`, `To: ${BOB}`, `To: ${PERMIT2}`]);
  });

  it('of known assets before others', () => {
    expect(whom([send(ALICE, OTHERS), send(BOB, DOLLARS), send(CAROL)])).toEqual([
      ...[`To: ${BOB}`, `To: ${CAROL}`, `To: ${ALICE}`],
    ]);
    expect(whom([send(ALICE, OTHERS), send(ALICE, DOLLARS), send(BOB, DOLLARS)])).toEqual([
      ...[`To: ${ALICE}`, `To: ${BOB}`],
    ]);
  });

  it.each([
    ['a hundredth is more than dust', 99n, [ALICE, BOB]],
    ['less is dust', 100n, [BOB, ALICE]],
  ])('of amounts: %s', (_what, amount, order) => {
    expect(found([send(ALICE), send(BOB, COINS, amount)]).map(({ address }) => address)).toEqual(order);
  });

  it('of amounts: dust of one asset beside all of another is none', () => {
    expect(whom([send(ALICE), send(ALICE, DOLLARS), send(BOB, COINS, 1_000n)])).toEqual([
      ...[`To: ${ALICE}`, `To: ${BOB}`],
    ]);
  });

  it('of the request, if one gets something else than an asset', () => {
    const withdrawal: Effect = { kind: 'withdrawal', contract: PERMIT2, to: ALICE, wei: 1n };
    expect(whom([send(BOB, OTHERS), withdrawal])).toEqual([`To: ${ALICE}`, `To: ${BOB}`]);
    expect(whom([withdrawal, send(BOB)])).toEqual([`To: ${ALICE}`, `To: ${BOB}`]);
  });

  it('of how they gain first, then of who they are, then of what they get', () => {
    const names = { [ALICE.toLowerCase()]: 'Savings' };
    const dustOfOthers = [send(ALICE, OTHERS), send(ME, OTHERS, 1_000n, BOB)];
    // Somebody known who gets dust of an unknown token is before a stranger who may spend something.
    expect(whom([allow(BOB), ...dustOfOthers], { names })).toEqual([`To: ${ALICE}`, `Spender: ${BOB}`]);
    // A stranger who gets dust of an unknown token is before somebody known who gets coins.
    expect(whom([send(ALICE), send(BOB, OTHERS), send(PERMIT2, OTHERS, 1_000n)], { names })).toEqual([
      ...[`To: ${BOB}`, `To: ${ALICE}`, `To: ${PERMIT2}`],
    ]);
    // Dust of coins is before an unknown token.
    expect(whom([send(ALICE, OTHERS), send(BOB), send(CAROL, COINS, 1_000n)])).toEqual([
      ...[`To: ${CAROL}`, `To: ${BOB}`, `To: ${ALICE}`],
    ]);
  });
});

describe('the amounts of somebody who is sent several assets', () => {
  const items = (count: number) => Array.from({ length: count }, (_, at) => send(ALICE, itemOf(BigInt(at))));
  const amounts = (count: number): string[] =>
    rows([...items(count), send(BOB)]).filter((row) => row.startsWith('Amount: ') && !row.includes('ETH'));

  it('are in one row up to five, and in rows of their own from there on', () => {
    expect(amounts(2)).toEqual(['Amount: 1 NFT #0 of 0xA0b8…eB48 and 1 NFT #1 of 0xA0b8…eB48']);
    expect(amounts(5)).toHaveLength(1);
    expect(amounts(6)).toEqual([
      ...Array.from({ length: 5 }, (_, at) => `Amount: 1 NFT #${at} of 0xA0b8…eB48`),
      'Amount: 1 more asset',
    ]);
    expect(amounts(7).at(-1)).toBe('Amount: 2 more assets');
  });

  it('of other accounts are in rows of their own, up to five', () => {
    const ofAlice = (count: number): string[] =>
      rows(Array.from({ length: count }, (_, at) => send(BOB, itemOf(BigInt(at)), 1n, ALICE))).slice(1);
    expect(ofAlice(5)).toEqual(
      Array.from({ length: 5 }, (_, at) => `Amount: 1 NFT #${at} of 0xA0b8…eB48, from 0xd8dA…6045`),
    );
    expect(ofAlice(6).slice(5)).toEqual(['Amount: 1 more asset']);
  });

  it('of other accounts name whose they are', () => {
    expect(rows([send(BOB, COINS, 5n, ALICE)])).toEqual([
      ...[`To: ${BOB}`, 'Amount: 0.000000000000000005 ETH, from 0xd8dA…6045'],
    ]);
    expect(rows([sendFromNobody(BOB, DOLLARS, 5_000_000n)])).toEqual([
      ...[`To: ${BOB}`, 'Amount: 5 USDC, from another account'],
    ]);
    // The same asset from two accounts is not added up.
    expect(rows([send(BOB, DOLLARS, 5_000_000n, ALICE), sendFromNobody(BOB, DOLLARS, 6_000_000n)])).toHaveLength(3);
  });
});

describe('more than the recipients are sent', () => {
  const dollars = (amount: bigint) => [{ asset: DOLLARS, amount }];

  it('goes to others, unless the numbers are the same or may be IDs', () => {
    const one = [send(ALICE, DOLLARS, 5_000_000n)];
    expect(rows(one, dollars(5_000_000n))).toEqual([`To: ${ALICE}`]);
    expect(rows(one, dollars(5_000_001n))).toEqual([
      ...[`To: ${ALICE}`, 'Amount: 5 USDC', 'To others, by the contracts: 0.000001 USDC'],
    ]);
    expect(rows([send(ALICE, OTHERS, 5n)], [{ asset: OTHERS, amount: 6n }])).toEqual([`To: ${ALICE}`]);
  });

  it('comes after those who are sent something, and before the others', () => {
    expect(rows([allow(BOB), send(ALICE, DOLLARS, 5_000_000n)], dollars(6_000_000n))).toEqual([
      ...[`To: ${ALICE}`, 'Amount: 5 USDC', 'To others, by the contracts: 1 USDC', `Spender: ${BOB}`],
    ]);
  });

  it('is a sum', () => {
    const isSum = (effects: readonly Effect[], amount: bigint, asset: Asset = DOLLARS): boolean => {
      const scene = sceneOf(effects);
      return isSumOf(beneficiariesIn(scene), scene)({ asset, amount });
    };
    expect(isSum([send(ALICE, DOLLARS, 5n)], 5n)).toBe(false);
    expect(isSum([send(ALICE, DOLLARS, 5n)], 6n)).toBe(true);
    expect(isSum([send(ALICE, DOLLARS, 5n), send(BOB, DOLLARS, 5n)], 5n)).toBe(true);
    expect(isSum([send(ALICE, OTHERS, 5n), send(BOB, OTHERS, 5n)], 10n, OTHERS)).toBe(false);
    expect(isSum([send(ALICE, COINS, 5n)], 6n)).toBe(false);
    // What comes from another account is no part of it.
    expect(isSum([send(ALICE, DOLLARS, 5n, BOB)], 6n)).toBe(false);
    expect(isSum([sendFromNobody(ALICE, DOLLARS, 5n)], 6n)).toBe(false);
  });
});

describe('very many addresses', () => {
  const many = (count: number): string[] =>
    rows(Array.from({ length: count }, (_, at) => control(`0x${(at + 0x1001).toString(16).padStart(40, '0')}`)));

  it('are shown up to two hundred', () => {
    expect(many(200)).toHaveLength(200);
    expect(many(200).at(-1)).toContain('Gets control: 0x');
    expect(many(201)).toHaveLength(201);
    expect(many(201).at(-1)).toBe('Not shown: 1 more address');
    expect(many(202).at(-1)).toBe('Not shown: 2 more addresses');
  });
});

describe('new recipients', () => {
  const notice = (count: number): string[] =>
    newRecipientLines(
      Array.from({ length: count }, (_, at): Hex => `0x${(at + 0x1001).toString(16).padStart(40, '0')}`),
    ).map(written);

  it('are named up to five, and counted', () => {
    expect(notice(0)).toEqual([]);
    expect(notice(1)).toEqual(['New recipient: First time you send to 0x0000…1001.']);
    expect(notice(2)).toEqual(['New recipients: First time you send to 0x0000…1001 and 0x0000…1002.']);
    expect(notice(5)[0]).toMatch(/0x0000…1004 and 0x0000…1005\.$/u);
    expect(notice(6)[0]).toMatch(/0x0000…1005 and 1 more\.$/u);
    expect(notice(7)[0]).toMatch(/0x0000…1005 and 2 more\.$/u);
  });
});
