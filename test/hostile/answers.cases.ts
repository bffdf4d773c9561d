import { LibraryBundlerClient } from '../../src/clients/library-bundler';
import { nextNonce } from '../../src/clients/entry-point';
import { JsonRpcClient } from '../../src/clients/json-rpc';
import { NodeClient } from '../../src/clients/node';
import { PaymasterClient } from '../../src/clients/paymaster';
import { estimateGas, sendTransaction, suggestedFees, transactionReceipt } from '../../src/clients/transactions';
import { ENTRY_POINTS } from '../../src/core/erc4337/entry-points';
import { userOperationHash } from '../../src/core/erc4337/hash';
import { ServiceFailedError, ServiceRefusedError } from '../../src/core/errors';
import { toHex } from '../../src/core/eth/bytes';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { type LocalServer, reply, serveJsonRpc } from '../support/json-rpc-server';
import { OPERATION, placeOf } from '../support/user-operation';
import { unknown } from '../../src/core/structs/struct';

/*
 * Hostile and unusual responses of nodes, bundlers and paymaster services, with the expected error message or parsed
 * result.
 */

const ADDRESS = `0x${'ab'.repeat(20)}` as const;
const HASH = `0x${'cd'.repeat(32)}` as const;
const NOBODY = `0x${'00'.repeat(20)}` as const;
const WORD = `0x${'00'.repeat(31)}07` as const;
const TOO_LONG = `0x${'f'.repeat(65)}`;
const TWO_120 = `0x1${'0'.repeat(30)}`;

const HASH_OF_OPERATION = toHex(userOperationHash(OPERATION, placeOf('0.7')));
const RAW = '0x010203';
const RAW_HASH = toHex(keccak256(Uint8Array.of(1, 2, 3)));

const LOG = { address: ADDRESS, data: '0x', topics: [HASH] };
const RECEIPT = {
  transactionHash: HASH,
  blockHash: HASH,
  blockNumber: '0x10',
  gasUsed: '0x5208',
  status: '0x1',
  logs: [LOG],
};
const OPERATION_RECEIPT = {
  userOpHash: HASH,
  sender: ADDRESS,
  nonce: '0x0',
  success: true,
  actualGasUsed: '0x1',
  actualGasCost: '0x2',
  logs: [LOG],
  receipt: RECEIPT,
};
const ESTIMATE = { callGasLimit: '0x1', verificationGasLimit: '0x2', preVerificationGas: '0x3' };
const RPC_OPERATION = {
  sender: ADDRESS,
  nonce: '0x5',
  callData: '0x1234',
  callGasLimit: '0x1',
  verificationGasLimit: '0x2',
  preVerificationGas: '0x3',
  maxFeePerGas: '0x4',
  maxPriorityFeePerGas: '0x1',
  signature: '0x1234',
};
const KNOWN = { userOperation: RPC_OPERATION, entryPoint: ENTRY_POINTS['0.7'], transactionHash: null };
const STUB = { paymaster: ADDRESS, paymasterData: '0x', paymasterPostOpGasLimit: '0x1' };

const node = (url: string) => new NodeClient({ url });
const bundler = (url: string) => new LibraryBundlerClient({ url });
const paymaster = (url: string) => new PaymasterClient({ url });

/** The requests to a service. */
const ASKS = {
  'the chain of the node': (url) => node(url).chainId(),
  'that the node serves chain 31337': (url) => node(url).assertChain(31337n),
  'a balance': (url) => node(url).balance(ADDRESS),
  'the code of an account': (url) => node(url).code(ADDRESS),
  'a word of storage': (url) => node(url).storageAt(ADDRESS, HASH),
  'the nonce of an account': (url) => node(url).callForWord(ADDRESS, '0x', 'the nonce'),
  'the next nonce of an account': (url) => nextNonce(node(url), ENTRY_POINTS['0.7'], ADDRESS),
  'the fees of a block': (url) => suggestedFees(node(url)),
  'the gas of a transaction': (url) => estimateGas(node(url), { from: ADDRESS, to: ADDRESS, value: '0x0', data: '0x' }),
  'the receipt of a transaction': (url) => transactionReceipt(node(url), HASH),
  'the entry points of the bundler': (url) => bundler(url).supportedEntryPoints(),
  'the gas of an operation': (url) => bundler(url).estimateGas(OPERATION, placeOf('0.7')),
  'the fees of an operation': (url) => bundler(url).gasPrice(),
  'to send an operation': (url) => bundler(url).sendUserOperation(OPERATION, placeOf('0.7')),
  'the receipt of an operation': (url) => bundler(url).getUserOperationReceipt(HASH),
  'an operation by its hash': (url) => bundler(url).getUserOperationByHash(HASH),
  'a sponsor for 0.6': (url) => paymaster(url).stubData(OPERATION, placeOf('0.6')),
  'a sponsor for 0.7': (url) => paymaster(url).stubData(OPERATION, placeOf('0.7')),
  'the data of a sponsor for 0.7': (url) => paymaster(url).data(OPERATION, placeOf('0.7')),
} satisfies Record<string, (url: string) => Promise<unknown>>;
type Ask = keyof typeof ASKS;

const but = (whole: object, change: object) => ({ ...whole, ...change });
const without = (whole: object, name: string) =>
  Object.fromEntries(Object.entries(whole).filter(([member]) => member !== name));

const FEES = { maxFeePerGas: '0x5', maxPriorityFeePerGas: '0x2' };

/** Values that are wrong for every request. A null may mean that there is nothing. */
const NO_ANSWERS: readonly (readonly [what: string, result: unknown])[] = [
  ['truth', true],
  ['a text', 'yes'],
  ['an empty text', ''],
  ['a number with a fraction', 1.5],
  ['a negative number', -1],
  ['a number beyond what JSON keeps exactly', 2 ** 60],
  ['a list', ['0x1', '0x2']],
  ['an object that looks like a text', { length: 3, toString: null, 0: '0', 1: 'x', 2: '1' }],
  ['a quantity with a sign', '-0x1'],
  ['a quantity with a space', ' 0x1'],
  ['a quantity with a capital X', '0X1'],
  ['digits that are not hex', '0xzz'],
];

/** Values that are wrong for one request. */
const WRONG: readonly (readonly [ask: Ask, what: string, result: unknown])[] = [
  ['the chain of the node', 'null', null],
  ['the chain of the node', 'nothing behind 0x', '0x'],
  ['the chain of the node', 'more than a word', TOO_LONG],
  ['a balance', 'null', null],
  ['a balance', 'more than a word', TOO_LONG],
  ['the code of an account', 'null', null],
  ['the code of an account', 'an odd number of digits', '0x123'],
  ['the code of an account', 'zero as a number', 0],
  ['a word of storage', 'null', null],
  ['the nonce of an account', 'no bytes', '0x'],
  ['the nonce of an account', '31 bytes', `0x${'00'.repeat(31)}`],
  ['the nonce of an account', '33 bytes', `0x${'00'.repeat(33)}`],
  ['the next nonce of an account', 'one of another key', `0x${'00'.repeat(23)}01${'00'.repeat(8)}`],
  ['the next nonce of an account', 'the highest of all', `0x${'ff'.repeat(32)}`],
  ['the fees of a block', 'null', null],
  ['the fees of a block', 'a base fee of words', { baseFeePerGas: 'low' }],
  ['the fees of a block', 'a negative base fee', { baseFeePerGas: '-0x1' }],
  ['the gas of a transaction', 'null', null],
  ['the receipt of a transaction', 'another transaction', but(RECEIPT, { transactionHash: `0x${'ee'.repeat(32)}` })],
  ['the receipt of a transaction', 'no hash', without(RECEIPT, 'transactionHash')],
  ['the receipt of a transaction', 'no block', but(RECEIPT, { blockHash: null })],
  ['the receipt of a transaction', 'logs that are none', but(RECEIPT, { logs: [{ address: ADDRESS }] })],
  ['the receipt of a transaction', 'a status of words', but(RECEIPT, { status: 'success' })],
  ['the entry points of the bundler', 'null', null],
  ['the entry points of the bundler', 'an invalid address', [ADDRESS, '0x1234']],
  ['the entry points of the bundler', 'names', ['v0.7']],
  ['the gas of an operation', 'null', null],
  ['the gas of an operation', 'no callGasLimit', without(ESTIMATE, 'callGasLimit')],
  ['the gas of an operation', 'no verificationGasLimit', without(ESTIMATE, 'verificationGasLimit')],
  ['the gas of an operation', 'no preVerificationGas', without(ESTIMATE, 'preVerificationGas')],
  ['the gas of an operation', 'gas that an entry point refuses', but(ESTIMATE, { callGasLimit: TWO_120 })],
  // With a fifth added, this exceeds 2^120-1 (AA94).
  ['the gas of an operation', 'gas that leaves no room', but(ESTIMATE, { preVerificationGas: `0x${'f'.repeat(30)}` })],
  ['the gas of an operation', 'no gas for the call', but(ESTIMATE, { callGasLimit: '0x0' })],
  ['the gas of an operation', 'no gas for the check', but(ESTIMATE, { verificationGasLimit: 0 })],
  ['the gas of an operation', 'negative gas', but(ESTIMATE, { preVerificationGas: '-0x1' })],
  ['the gas of an operation', 'gas of words', but(ESTIMATE, { verificationGasLimit: 'much' })],
  [
    'the gas of an operation',
    'gas of a paymaster beyond reason',
    but(ESTIMATE, { paymasterVerificationGasLimit: TWO_120 }),
  ],
  ['the fees of an operation', 'null', null],
  ['the fees of an operation', 'no standard', { fast: FEES }],
  ['the fees of an operation', 'no tip', { standard: without(FEES, 'maxPriorityFeePerGas') }],
  ['the fees of an operation', 'a fee that an entry point refuses', { standard: but(FEES, { maxFeePerGas: TWO_120 }) }],
  ['the fees of an operation', 'a fee of words', { standard: but(FEES, { maxFeePerGas: 'low' }) }],
  ['to send an operation', 'null', null],
  ['to send an operation', 'the hash of another one', HASH],
  ['to send an operation', 'a hash of 33 bytes', `0x${'cd'.repeat(33)}`],
  ['the receipt of an operation', 'another operation', but(OPERATION_RECEIPT, { userOpHash: `0x${'ee'.repeat(32)}` })],
  ['the receipt of an operation', 'a success of words', but(OPERATION_RECEIPT, { success: 'true' })],
  ['the receipt of an operation', 'no transaction', without(OPERATION_RECEIPT, 'receipt')],
  [
    'the receipt of an operation',
    'a transaction without hash',
    but(OPERATION_RECEIPT, { receipt: without(RECEIPT, 'transactionHash') }),
  ],
  ['an operation by its hash', 'no entry point', without(KNOWN, 'entryPoint')],
  [
    'an operation by its hash',
    'an operation without sender',
    but(KNOWN, { userOperation: without(RPC_OPERATION, 'sender') }),
  ],
  [
    'an operation by its hash',
    'a paymaster gas of 2^128',
    but(KNOWN, { userOperation: but(RPC_OPERATION, { paymasterPostOpGasLimit: `0x1${'0'.repeat(32)}` }) }),
  ],
  ['a sponsor for 0.6', 'null', null],
  ['a sponsor for 0.6', 'no paymaster at all', { paymasterAndData: '0x' }],
  ['a sponsor for 0.6', 'the zero address as paymaster', { paymasterAndData: `0x${'00'.repeat(60)}` }],
  ['a sponsor for 0.7', 'the zero address as paymaster', but(STUB, { paymaster: NOBODY })],
  ['the data of a sponsor for 0.7', 'the zero address as paymaster', but(STUB, { paymaster: NOBODY })],
  ['a sponsor for 0.6', 'half an address', { paymasterAndData: '0xabcdef' }],
  ['a sponsor for 0.6', 'what is for 0.7', STUB],
  ['a sponsor for 0.6', 'more bytes than are stored', { paymasterAndData: `0x${'ab'.repeat(9000)}` }],
  ['a sponsor for 0.7', 'null', null],
  ['a sponsor for 0.7', 'no paymaster', without(STUB, 'paymaster')],
  ['a sponsor for 0.7', 'a paymaster by name', but(STUB, { paymaster: 'paymaster.eth' })],
  ['a sponsor for 0.7', 'no gas for postOp', without(STUB, 'paymasterPostOpGasLimit')],
  ['a sponsor for 0.7', 'gas that an entry point refuses', but(STUB, { paymasterPostOpGasLimit: TWO_120 })],
  ['a sponsor for 0.7', 'a final that is neither', but(STUB, { isFinal: 'yes' })],
  ['a sponsor for 0.7', 'more bytes than are stored', but(STUB, { paymasterData: `0x${'ab'.repeat(9000)}` })],
  ['the data of a sponsor for 0.7', 'no data', without(STUB, 'paymasterData')],
];

/** Values that are unusual but valid. */
const RIGHT: readonly (readonly [ask: Ask, what: string, result: unknown, made: unknown])[] = [
  ['the chain of the node', 'leading zeros', '0x0007a69', 31337n],
  ['the chain of the node', 'a plain number', 31337, 31337n],
  ['a balance', 'the largest word', `0x${'f'.repeat(64)}`, (1n << 256n) - 1n],
  ['the code of an account', 'none', '0x', '0x'],
  ['a word of storage', 'none', '0x', 0n],
  ['the nonce of an account', 'a word', WORD, 7n],
  ['the next nonce of an account', 'the last of key 0', `0x${'00'.repeat(24)}${'ff'.repeat(8)}`, (1n << 64n) - 1n],
  ['the receipt of a transaction', 'not yet', null, undefined],
  [
    'the receipt of a transaction',
    'members of a rollup',
    but(RECEIPT, { l1Fee: '0x1', status: null }),
    but(RECEIPT, { l1Fee: '0x1', status: null }),
  ],
  ['the receipt of an operation', 'not yet', null, undefined],
  ['an operation by its hash', 'none', null, undefined],
  ['the entry points of the bundler', 'none', [], []],
  [
    'the fees of an operation',
    'a fee that is a number, and more members',
    { slow: null, standard: but(FEES, { maxPriorityFeePerGas: 1, more: true }) },
    { maxFeePerGas: 5n, maxPriorityFeePerGas: 1n },
  ],
  ['to send an operation', 'its hash', HASH_OF_OPERATION, HASH_OF_OPERATION],
  [
    'the gas of an operation',
    'the name of old bundlers, and nulls',
    { callGasLimit: 1, preVerificationGas: '0x03', verificationGas: '0x2', paymasterVerificationGasLimit: null },
    { callGasLimit: 1n, preVerificationGas: 3n, verificationGasLimit: 2n },
  ],
  [
    'a sponsor for 0.6',
    'one',
    { paymasterAndData: ADDRESS },
    { paymasterAndData: ADDRESS, isFinal: false, verificationGasOpen: false },
  ],
];

describe('hostile answers', () => {
  let server: LocalServer;
  let result: unknown;
  let error: unknown;
  beforeAll(async () => {
    server = await serveJsonRpc(({ id }, response) => {
      reply(response, { id, ...(error === undefined ? { result } : { error }) });
    });
  });
  afterAll(async () => {
    await server.stop();
  });
  beforeEach(() => {
    result = undefined;
    error = undefined;
  });

  const failureOf = async (ask: Ask): Promise<Error> => {
    const thrown: unknown = await ASKS[ask](server.url).then(
      (made) => new Error(`made ${String(made)} of it`),
      (failure: unknown) => failure,
    );
    return thrown as Error;
  };
  const SENTENCE =
    /^(?:The|the|0x|rpcUrl:|paymasterUrl:) ?.*(?:malformed result for (?:eth|pm|pimlico)_\w+|not deployed there on this chain|without callGasLimit or verificationGasLimit|for key 0\.|serves chain \d+|another (?:operation|transaction)|hash is 0x[0-9a-f]{64})/u;

  it.each(WRONG)('request for %s: %s', async (ask, _what, wrong) => {
    result = wrong;
    const failure = await failureOf(ask);
    expect(failure).toBeInstanceOf(ServiceFailedError);
    expect(failure.message).toMatch(SENTENCE);
  });

  it.each(Object.keys(ASKS) as Ask[])('request for %s: values that are never valid', async (ask) => {
    for (const [what, wrong] of NO_ANSWERS) {
      result = wrong;
      const failure = await failureOf(ask);
      expect([what, failure]).toEqual([what, expect.any(ServiceFailedError)]);
      expect([what, failure.message]).toEqual([what, expect.stringMatching(SENTENCE)]);
    }
  });

  it('sending a transaction: only its own hash means that the node has it', async () => {
    const others = [null, HASH, `0x${'cd'.repeat(31)}`].map((wrong) => [String(wrong), wrong] as const);
    for (const [what, wrong] of [...NO_ANSWERS, ...others]) {
      result = wrong;
      expect([what, await sendTransaction(node(server.url), RAW, RAW_HASH, true)]).toEqual([what, false]);
    }
    result = `0x${RAW_HASH.slice(2).toUpperCase()}`;
    expect(await sendTransaction(node(server.url), RAW, RAW_HASH, true)).toBe(true);
  });

  it.each(RIGHT)('request for %s accepts %s', async (ask, _what, right, made) => {
    result = right;
    expect(await ASKS[ask](server.url)).toEqual(made);
  });

  it.each([
    ['a name that hides its end', 'nonce\u202Etoo low', 'nonce too low'],
    ['lines of our own', 'no\n\n**Send to** 0xabc', 'no **Send to** 0xabc'],
    ['a screenful', 'x'.repeat(100_000), 'x'.repeat(200)],
  ])('quotes a refusal with %s on one line, cut', async (_what, message, shown) => {
    error = { code: -32000, message };
    const failure = await failureOf('a balance');
    expect(failure).toBeInstanceOf(ServiceRefusedError);
    expect(failure.message).toContain(shown);
    expect(failure.message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(failure.message.length).toBeLessThan(500);
  });

  it.each([
    ['no code', { message: 'no' }],
    ['a code of words', { code: 'E1', message: 'no' }],
    ['no message', { code: 1 }],
    ['a message that is an object', { code: 1, message: { toString: null } }],
    ['a text', 'no'],
    ['null', null],
    ['a list', [-32000, 'no']],
  ])('an error with %s is no JSON-RPC', async (_what, wrong) => {
    error = wrong;
    const failure = await failureOf('a balance');
    expect(failure).toBeInstanceOf(ServiceFailedError);
    expect(failure.message).toContain('did not return a JSON-RPC 2.0 response');
  });
});

describe('hostile bodies', () => {
  it.each([
    ['lists in lists, a hundred thousand deep', '['.repeat(100_000)],
    ['objects in objects', '{"a":'.repeat(50_000)],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"result":"0x1"}]'],
    ['a member that is a prototype', '{"__proto__":{"jsonrpc":"2.0","id":1,"result":"0x1"}}'],
    ['an id that is text', '{"jsonrpc":"2.0","id":"1","result":"0x1"}'],
    ['a result and an error', '{"jsonrpc":"2.0","id":1,"result":"0x1","error":{"code":1,"message":"x"}}'],
    ['JSON with something behind it', '{"jsonrpc":"2.0","id":1,"result":"0x1"}x'],
    ['a comment', '/**/{"jsonrpc":"2.0","id":1,"result":"0x1"}'],
    ['two answers', '{"jsonrpc":"2.0","id":1,"result":"0x1"}\n{"jsonrpc":"2.0","id":1,"result":"0x2"}'],
    ['null', 'null'],
    ['a text', '"0x1"'],
  ])('%s', async (_what, body) => {
    const server = await serveJsonRpc((_request, response) => {
      response.end(body);
    });
    try {
      const asked = new JsonRpcClient('node', { url: server.url }).request('eth_chainId', [], unknown());
      await expect(asked).rejects.toThrow(
        /did not return (?:JSON|a JSON-RPC 2\.0 response)|^the node at .* rejected eth_chainId: x \(1\)$/iu,
      );
    } finally {
      await server.stop();
    }
  });
});
