import { startService } from '../../support/service/service';

const NUMBER = 'eth_getUncleByBlockNumberAndIndex';
const HASH = 'eth_getUncleByBlockHashAndIndex';
const hash = `0x${'ab'.repeat(32)}`;
const intoHash = 'into Go value of type common.Hash';
const intoUint = 'into Go value of type hexutil.Uint';

/** The texts of go-ethereum, case by case. */
const CASES: [string, string, unknown, string][] = [
  ['nothing', NUMBER, [], 'missing value for required argument 0'],
  ['null for all', NUMBER, null, 'missing value for required argument 0'],
  ['no index', NUMBER, ['0x29c'], 'missing value for required argument 1'],
  ['three values', NUMBER, ['0x29c', '0x0', '0x0'], 'too many arguments, want at most 2'],
  ['an object', NUMBER, { block: '0x29c' }, 'non-array args'],
  ['a block without 0x', NUMBER, ['29c', '0x0'], 'invalid argument 0: hex string without 0x prefix'],
  ['a block that is a JSON number', NUMBER, [668, '0x0'], 'invalid argument 0: hex string without 0x prefix'],
  ['a block that is null', NUMBER, [null, '0x0'], 'invalid argument 0: hex string without 0x prefix'],
  [
    'a block that is an object',
    NUMBER,
    [{ blockNumber: '0x29c' }, '0x0'],
    'invalid argument 0: hex string without 0x prefix',
  ],
  ['a block in a list', NUMBER, [['0x29c'], '0x0'], 'invalid argument 0: hex string without 0x prefix'],
  ['an empty block', NUMBER, ['', '0x0'], 'invalid argument 0: empty hex string'],
  ['a bare 0x', NUMBER, ['0x', '0x0'], 'invalid argument 0: hex string "0x"'],
  ['a leading zero', NUMBER, ['0x029c', '0x0'], 'invalid argument 0: hex number with leading zero digits'],
  ['no hex digits', NUMBER, ['0xzz', '0x0'], 'invalid argument 0: invalid hex string'],
  ['65 bits', NUMBER, ['0x10000000000000000', '0x0'], 'invalid argument 0: hex number > 64 bits'],
  ['64 bits', NUMBER, ['0xffffffffffffffff', '0x0'], 'invalid argument 0: block number larger than int64'],
  ['a tag in capitals', NUMBER, ['LATEST', '0x0'], 'invalid argument 0: hex string without 0x prefix'],
  ['an unknown tag', NUMBER, ['newest', '0x0'], 'invalid argument 0: hex string without 0x prefix'],
  ['a tag with a space', NUMBER, [' latest', '0x0'], 'invalid argument 0: hex string without 0x prefix'],
  ['a wrong block before a missing index', NUMBER, ['29c'], 'invalid argument 0: hex string without 0x prefix'],
  [
    'an index that is a number',
    NUMBER,
    ['0x29c', 0],
    `invalid argument 1: json: cannot unmarshal non-string ${intoUint}`,
  ],
  [
    'an index that is null',
    NUMBER,
    ['0x29c', null],
    `invalid argument 1: json: cannot unmarshal non-string ${intoUint}`,
  ],
  [
    'an index without 0x',
    NUMBER,
    ['0x29c', '0'],
    `invalid argument 1: json: cannot unmarshal hex string without 0x prefix ${intoUint}`,
  ],
  [
    'an index with a leading zero',
    NUMBER,
    ['0x29c', '0x00'],
    `invalid argument 1: json: cannot unmarshal hex number with leading zero digits ${intoUint}`,
  ],
  [
    'an index of 65 bits',
    NUMBER,
    ['0x29c', '0x10000000000000000'],
    `invalid argument 1: json: cannot unmarshal hex number > 64 bits ${intoUint}`,
  ],
  [
    'a negative index',
    NUMBER,
    ['0x29c', '-0x1'],
    `invalid argument 1: json: cannot unmarshal hex string without 0x prefix ${intoUint}`,
  ],
  ['a short hash', HASH, ['0x12', '0x0'], 'invalid argument 0: hex string has length 2, want 64 for common.Hash'],
  ['an empty hash', HASH, ['', '0x0'], 'invalid argument 0: hex string has length 0, want 64 for common.Hash'],
  ['a long hash', HASH, [`${hash}00`, '0x0'], 'invalid argument 0: hex string has length 66, want 64 for common.Hash'],
  [
    'a hash of odd length',
    HASH,
    [hash.slice(0, -1), '0x0'],
    `invalid argument 0: json: cannot unmarshal hex string of odd length ${intoHash}`,
  ],
  [
    'a hash without 0x',
    HASH,
    ['ab'.repeat(32), '0x0'],
    `invalid argument 0: json: cannot unmarshal hex string without 0x prefix ${intoHash}`,
  ],
  [
    'a hash with other letters',
    HASH,
    [`0x${'zz'.repeat(32)}`, '0x0'],
    `invalid argument 0: json: cannot unmarshal invalid hex string ${intoHash}`,
  ],
  [
    'a number for a hash',
    HASH,
    ['0x29c', '0x0'],
    `invalid argument 0: json: cannot unmarshal hex string of odd length ${intoHash}`,
  ],
  ['a JSON number for a hash', HASH, [12, '0x0'], `invalid argument 0: json: cannot unmarshal non-string ${intoHash}`],
  [
    'a tag for a hash',
    HASH,
    ['latest', '0x0'],
    `invalid argument 0: json: cannot unmarshal hex string without 0x prefix ${intoHash}`,
  ],
  ['no index to a hash', HASH, [hash], 'missing value for required argument 1'],
  ['a count with an index', 'eth_getUncleCountByBlockNumber', ['0x1', '0x0'], 'too many arguments, want at most 1'],
  [
    'a count of a short hash',
    'eth_getUncleCountByBlockHash',
    ['0x1234'],
    'invalid argument 0: hex string has length 4, want 64 for common.Hash',
  ],
];

test.each(CASES)('%s', async (_, method, params, message) => {
  const { post, used } = await startService();
  const { status, body } = await post({ jsonrpc: '2.0', id: 9, method, params });
  expect({ status, body }).toEqual({ status: 200, body: { jsonrpc: '2.0', id: 9, error: { code: -32602, message } } });
  expect(await used()).toBe(5);
});

test('what go-ethereum accepts is accepted', async () => {
  const { call } = await startService();
  for (const block of ['earliest', 'latest', 'pending', 'safe', 'finalized', '0x0', '0X0', '0x7fffffffffffffff'])
    expect(await call(NUMBER, block, '0x0')).toEqual({ jsonrpc: '2.0', id: 1, result: null });
  expect(await call(NUMBER, '0x0', '0xffffffffffffffff')).toEqual({ jsonrpc: '2.0', id: 1, result: null });
});
