import { encodeAbiParameters, pad, toHex } from 'viem';

import { lastSpent } from '../../../../src/core/ledger/candidates';
import { type HoldingCandidate, holdingCandidates, holdingsAt, usedTokens } from '../../../../src/core/ledger/holdings';
import { newestGap } from '../../../../src/core/ledger/searched';
import { type PlacedLog } from '../../../../src/core/ledger/placed-log';
import { type Hex } from '../../../../src/core/eth/bytes';
import {
  APPROVAL,
  DEPOSIT,
  NATIVE_TRANSFERS,
  SYSTEM_TRANSFERS,
  TRANSFER_BATCH,
  TRANSFER_SINGLE,
  TRANSFER_TOPIC,
} from '../../../../src/core/simulation/asset-logs';
import { ALICE, BOB, ME, USDC } from '../../../support/explaining';

const word = (value: bigint): Hex => toHex(value, { size: 32 });

describe('the last transfer of a token out of an account', () => {
  const log = (topics: readonly Hex[], blockNumber = 7n): PlacedLog => ({
    ...{ address: USDC, topics: [...topics], data: word(1n), blockNumber, logIndex: 0, transactionHash: word(2n) },
  });
  const spent = (...logs: PlacedLog[]) => [...lastSpent(logs, ME)];

  it('is the newest of ERC-20', () => {
    const one = [TRANSFER_TOPIC, pad(ME), pad(BOB)];
    expect(spent(log(one), log(one, 9n))).toEqual([[USDC.toLowerCase(), 9n]]);
  });

  it.each<[string, readonly Hex[]]>([
    ['a permission', [APPROVAL, pad(ME), pad(BOB)]],
    ['a transfer of an NFT', [TRANSFER_TOPIC, pad(ME), pad(BOB), word(1n)]],
    ['a transfer of somebody else', [TRANSFER_TOPIC, pad(ALICE), pad(BOB)]],
    ['a transfer from no address', [TRANSFER_TOPIC, word((1n << 255n) + 1n), pad(BOB)]],
    ['a log without topics', []],
  ])('is not %s', (_what, topics) => {
    expect(spent(log(topics))).toEqual([]);
  });
});

describe('what logs say that an account got', () => {
  const got = (topics: readonly Hex[]) =>
    holdingCandidates(
      [
        {
          ...{
            address: USDC,
            topics: [...topics],
            data: word(1n),
            blockNumber: 7n,
            logIndex: 0,
            transactionHash: word(2n),
          },
        },
      ],
      ME,
    ).map(({ kind, id }) => [kind, id]);

  it.each<[string, readonly Hex[], readonly unknown[]]>([
    ['a token', [TRANSFER_TOPIC, pad(BOB), pad(ME)], [['erc20', undefined]]],
    ['an NFT', [TRANSFER_TOPIC, pad(BOB), pad(ME), word(5n)], [['erc721', 5n]]],
    ['wrapped coins', [DEPOSIT, pad(ME)], [['erc20', undefined]]],
    ['nothing of what others wrap', [DEPOSIT, pad(BOB)], []],
    ['nothing of what leaves', [TRANSFER_TOPIC, pad(ME), pad(BOB)], []],
    ['nothing of other events', [APPROVAL, pad(ME), pad(ME)], []],
    ['nothing of a deposit for others, though it is named', [DEPOSIT, pad(BOB), pad(ME)], []],
  ])('is %s', (_what, topics, candidates) => {
    expect(got(topics)).toEqual(candidates);
  });
});

describe('what an account holds of candidates', () => {
  const token: HoldingCandidate = { kind: 'erc20', token: USDC, isUsed: false };
  const nft: HoldingCandidate = { kind: 'erc721', token: BOB, id: 3n, isUsed: false };
  const held = async (...answers: (Hex | undefined)[]) => {
    const candidates = [token, nft].slice(0, answers.length);
    const found = await holdingsAt(candidates, ME, { calls: () => Promise.resolve(answers) } as never);
    return found.map(({ token: at, amount }) => [at, amount]);
  };

  it('is the balance, and one NFT whose owner it is', async () => {
    expect(await held(word(5n), pad(ME))).toEqual([
      [USDC, 5n],
      [BOB, 1n],
    ]);
    expect(await held(word(0n), pad(ALICE))).toEqual([]);
  });

  it('is nothing of contracts that do not answer, or with less than a word', async () => {
    expect(await held(undefined, '0x')).toEqual([]);
    expect(await held('0x01', '0x')).toEqual([]);
  });
});

describe('the newest blocks that were not searched', () => {
  const range = (from: bigint, to: bigint) => ({ from, to });

  it('end with the last block, and are at most so many', () => {
    expect(newestGap([], 20n, 3n)).toEqual(range(18n, 20n));
    expect(newestGap([range(0n, 10n)], 20n, 3n)).toEqual(range(18n, 20n));
    expect(newestGap([], 1n, 3n)).toEqual(range(0n, 1n));
  });

  it('begin after the blocks that were searched', () => {
    expect(newestGap([range(0n, 10n)], 20n, 100n)).toEqual(range(11n, 20n));
    expect(newestGap([range(0n, 10n)], 12n, 2n)).toEqual(range(11n, 12n));
  });

  it('are before what was searched last, if that reaches the last block', () => {
    expect(newestGap([range(3n, 5n), range(15n, 20n)], 20n, 4n)).toEqual(range(11n, 14n));
    expect(newestGap([range(15n, 30n)], 20n, 100n)).toEqual(range(0n, 14n));
    expect(newestGap([range(21n, 30n)], 20n, 1n)).toEqual(range(20n, 20n));
    expect(newestGap([range(0n, 20n)], 20n, 4n)).toBeUndefined();
    expect(newestGap([range(1n, 20n)], 20n, 4n)).toEqual(range(0n, 0n));
  });
});

describe('the items (ERC-1155) and tokens of logs', () => {
  const logged = (topics: readonly Hex[], data: Hex = word(1n), address: Hex = USDC): PlacedLog => ({
    ...{ address, topics: [...topics], data, blockNumber: 7n, logIndex: 0, transactionHash: word(2n) },
  });
  const lists = (ids: bigint[], amounts: bigint[]): Hex =>
    encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [ids, amounts]);
  const single: Hex = `${word(5n)}${word(2n).slice(2)}`;
  const ids = (log: PlacedLog) => holdingCandidates([log], ME).map(({ kind, id }) => [kind, id]);
  const moves = (event: Hex, operator: Hex, from: Hex, to: Hex): readonly Hex[] => [
    event,
    ...[operator, from, to].map((one) => pad(one)),
  ];

  it('are each item that came, one by one or many at once', () => {
    expect(ids(logged(moves(TRANSFER_SINGLE, BOB, BOB, ME), single))).toEqual([['erc1155', 5n]]);
    expect(ids(logged(moves(TRANSFER_BATCH, BOB, BOB, ME), lists([5n, 6n], [1n, 1n])))).toEqual([
      ['erc1155', 5n],
      ['erc1155', 6n],
    ]);
  });

  it('are none of what others got, of other events, and of data that cannot be read', () => {
    for (const event of [TRANSFER_SINGLE, TRANSFER_BATCH]) {
      const data = event === TRANSFER_SINGLE ? single : lists([5n], [1n]);
      expect(ids(logged(moves(event, ME, ME, BOB), data))).toEqual([]);
      expect(ids(logged(moves(event, BOB, BOB, ME), word(5n)))).toEqual([]);
    }
    expect(ids(logged(moves(APPROVAL, BOB, BOB, ME), single))).toEqual([]);
  });

  it('are none of coins that a network logs as transfers', () => {
    for (const place of [NATIVE_TRANSFERS, SYSTEM_TRANSFERS])
      expect(ids(logged([TRANSFER_TOPIC, pad(BOB), pad(ME)], word(1n), place))).toEqual([]);
  });

  it('are used if the account sent them, not if it only got them or moved those of others', () => {
    const isUsed = (topics: readonly Hex[]) => usedTokens([logged(topics)], ME).has(USDC.toLowerCase() as Hex);
    for (const event of [TRANSFER_SINGLE, TRANSFER_BATCH]) {
      expect(isUsed(moves(event, BOB, ME, BOB))).toBe(true);
      expect(isUsed(moves(event, ME, BOB, BOB))).toBe(false);
      expect(isUsed(moves(event, BOB, BOB, ME))).toBe(false);
    }
    expect(isUsed([TRANSFER_TOPIC, pad(ME), pad(BOB)])).toBe(true);
    expect(isUsed([TRANSFER_TOPIC, pad(BOB), pad(ME)])).toBe(false);
  });
});
