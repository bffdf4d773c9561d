import { concat, encodeFunctionData, encodePacked, type Hex, numberToHex, pad, parseAbi, size, slice } from 'viem';

import { abiTypes } from '../../../../src/core/decode/metadata/abi-json';
import { leavesOf } from '../../../../src/core/decode/rules/messages/leaves';
import { toTransaction } from '../../../../src/core/schemas/transaction';
import { explainTransaction } from '../../../../src/core/decode/explain/transaction';
import { ALICE, BOB, codesOf, explainCall, saying, transaction, USDC, VIEW } from '../../../support/explaining';

const NOBODY = `0x${'00'.repeat(20)}` as const;
const explained = (fields: Parameters<typeof transaction>[0]) =>
  explainTransaction(toTransaction(transaction(fields) as never), VIEW);

describe('a transaction without data', () => {
  it.each([
    ['value to the zero address', { to: NOBODY, value: '0x1' }, true],
    ['nothing to the zero address', { to: NOBODY, value: '0x0' }, false],
    ['value to another account', { to: BOB, value: '0x1' }, false],
  ])('that sends %s', (_what, fields, isLost) => {
    expect(codesOf(explained(fields))).toEqual(isLost ? ['burn-address'] : []);
  });
});

describe('a number that is an address', () => {
  it.each([
    [(1n << 128n) - 1n, undefined],
    [1n << 128n, `0x${'0'.repeat(7)}1${'0'.repeat(32)}`],
    [(1n << 160n) - 1n, `0x${'f'.repeat(40)}`],
    [1n << 160n, undefined],
  ])('has 17 to 20 bytes: %d', (number, address) => {
    const types = { Order: [{ name: 'recipient', type: 'uint256' }] };
    const [leaf] = leavesOf(types, 'Order', { recipient: number.toString() });
    expect(leaf?.address).toBe(address);
  });
});

describe('a type of an ABI', () => {
  it.each([
    ['uint8[10000]', true],
    ['uint8[10001]', false],
    [`uint8${'[]'.repeat(12)}`, true],
    [`uint8${'[]'.repeat(13)}`, false],
  ])('is read up to 10,000 items and 12 levels: %s', (type, isRead) => {
    expect(abiTypes([{ type }]) !== undefined).toBe(isRead);
  });
});

describe('a number type of an ABI', () => {
  it.each([
    ['uint', true],
    ['uint0', false],
    ['uint4', false],
    ['uint7', false],
    ['uint8', true],
    ['uint9', false],
    ['uint248', true],
    ['uint255', false],
    ['uint256', true],
    ['uint257', false],
    ['uint264', false],
    ['int', true],
    ['int0', false],
    ['int8', true],
    ['int12', false],
    ['int256', true],
    ['int264', false],
    ['bytes0', false],
    ['bytes1', true],
    ['bytes32', true],
    ['bytes33', false],
  ])('has whole bytes, from one to 32: %s', (type, isRead) => {
    expect(abiTypes([{ type }]) !== undefined).toBe(isRead);
  });
});

describe('an access list', () => {
  const listed = (count: number): string => {
    const accessList = Array.from({ length: count }, (_, index) => ({
      address: pad(numberToHex(index + 1), { size: 20 }),
      storageKeys: [],
    }));
    return saying(explained({ accessList }));
  };

  it('shows up to twenty addresses', () => {
    const said = listed(20);
    expect(said).toContain('Access list: 20 addresses');
    expect(said.match(/Access \d+ \(/gu)).toHaveLength(20);
    expect(said).toContain(`Access 20 (0 storage keys): 0x${'00'.repeat(19)}14`);
  });

  it('shows the first twenty of more addresses, and their count', () => {
    const said = listed(21);
    expect(said).toContain('Access list: 21 addresses');
    expect(said.match(/Access \d+ \(/gu)).toHaveLength(20);
    expect(said).not.toContain('Access 21');
  });
});

describe('a transfer of several kinds of tokens', () => {
  const moved = (ids: number, amounts = ids) =>
    explainCall(
      USDC,
      encodeFunctionData({
        abi: parseAbi(['function safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)']),
        args: [
          ALICE,
          BOB,
          Array.from({ length: ids }, (_, index) => BigInt(index)),
          Array.from({ length: amounts }, (_, index) => BigInt(100 + index)),
          '0x',
        ],
      }),
    );

  it.each([
    [1, 'Transfer 1 kind of tokens', 1, undefined],
    [20, 'Transfer 20 kinds of tokens', 20, undefined],
    [21, 'Transfer 21 kinds of tokens', 20, '1 more kind'],
    [22, 'Transfer 22 kinds of tokens', 20, '2 more kinds'],
  ])('%d kinds', (kinds, title, shown, more) => {
    const said = saying(moved(kinds)).split('\n');
    expect(said).toContain(title);
    expect(said.filter((line) => line.startsWith('Amount of token'))).toHaveLength(shown);
    expect(said).toContain(`Amount of token ${shown - 1}: ${99 + shown}`);
    expect(said.filter((line) => line.startsWith('Not shown'))).toEqual(
      more === undefined ? [] : [`Not shown: ${more}`],
    );
  });

  it.each([
    [2, 1],
    [1, 2],
  ])('%d kinds with %d amounts are malformed', (ids, amounts) => {
    expect(codesOf(moved(ids, amounts))).toEqual(['malformed-call']);
  });
});

describe('a call from an account is decoded at its minimum length, but not one byte below it', () => {
  const executed = (first: string, content: Hex): Hex =>
    encodeFunctionData({
      abi: parseAbi(['function execute(bytes32,bytes)']),
      args: [`0x${first.padEnd(64, '0')}`, content],
    });
  const single = encodePacked(['address', 'uint256'], [BOB, 7n]);

  it.each<[string, Hex, Hex, string, string[]]>([
    ['one call (ERC-7579)', executed('00', single), executed('00', slice(single, 0, -1)), `To: ${BOB}`, []],
    [
      'a delegatecall (ERC-7579)',
      executed('ff', BOB),
      executed('ff', slice(BOB, 0, -1)),
      `Code to run: ${BOB}`,
      ['delegatecall'],
    ],
  ])('%s', (_what, shortest, shorter, says, dangers) => {
    expect(saying(explainCall(ALICE, shortest))).toContain(says);
    expect(codesOf(explainCall(ALICE, shortest))).toEqual(dangers);
    expect(codesOf(explainCall(ALICE, shorter))).toEqual(['malformed-call']);
    expect(saying(explainCall(ALICE, shorter))).not.toContain(says);
  });
});

describe('the transactions of MultiSend', () => {
  /** @param length - The length that the transaction declares. */
  const packed = (data: Hex, length = BigInt(size(data))): Hex =>
    encodePacked(['uint8', 'address', 'uint256', 'uint256', 'bytes'], [0, BOB, 5n, length, data]);
  const sent = (bytes: Hex) =>
    explainCall(ALICE, encodeFunctionData({ abi: parseAbi(['function multiSend(bytes)']), args: [bytes] }));

  it.each<[string, Hex, string]>([
    ['none', '0x', '0 calls from a Safe'],
    ['one without data', packed('0x'), '1 call from a Safe'],
    ['one with data', packed('0x12345678'), '1 call from a Safe'],
    ['two', concat([packed('0x12345678'), packed('0x')]), '2 calls from a Safe'],
  ])('are decoded: %s', (_what, bytes, title) => {
    const explanation = sent(bytes);
    expect(saying(explanation)).toContain(title);
    expect(codesOf(explanation)).toEqual([]);
  });

  it.each<[string, Hex]>([
    ['one whose header is a byte short', slice(packed('0x'), 0, -1)],
    ['an extra byte at the end', concat([packed('0x'), '0x00'])],
    ['data that is a byte short', packed('0x123456', 4n)],
    ['data of the largest possible length', packed('0x12345678', 2n ** 256n - 1n)],
    ['an unknown operation', concat(['0x02', slice(packed('0x'), 1)])],
  ])('are malformed: %s', (_what, bytes) => {
    expect(codesOf(sent(bytes))).toEqual(['malformed-call']);
  });
});
