import fc from 'fast-check';

import { NodeClient } from '../../src/clients/node';
import { type Hex } from '../../src/core/eth/bytes';
import { type Transaction } from '../../src/core/eth/transaction';
import { explainTransaction } from '../../src/core/decode/explain/transaction';
import { simulate } from '../../src/simulation/simulate';
import { NodeRefusal, type SimulatedNode, startSimulatedNode } from '../support/simulated-node';

const SIGNER: Hex = `0x${'a1'.repeat(20)}`;
const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((list): Hex => `0x${Buffer.from(list).toString('hex')}`);
const amount = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n });
const call = {
  chainId: fc.constant(31_337n),
  nonce: amount(64),
  gasLimit: amount(40),
  value: amount(80),
  data: fc.oneof(fc.constant('0x' as Hex), hex(4), hex(68)),
};
const to = hex(20);
const toOrCreation = fc.oneof(to, fc.constant(null));
const accessList = fc.array(fc.record({ address: hex(20), storageKeys: fc.array(hex(32), { maxLength: 3 }) }), {
  maxLength: 3,
});
const dynamic = { maxPriorityFeePerGas: amount(40), maxFeePerGas: amount(40), accessList };
const authorization = fc.record({
  chainId: amount(32),
  address: hex(20),
  nonce: amount(64),
  yParity: fc.constantFrom(0 as const, 1 as const),
  r: amount(256),
  s: amount(256),
});

/** Every type of transaction with every member: a member that is added to a type does not compile until it is here. */
const TYPES: { readonly [Type in Transaction['type']]: fc.Arbitrary<Extract<Transaction, { readonly type: Type }>> } = {
  legacy: fc.record({ type: fc.constant('legacy' as const), ...call, to: toOrCreation, gasPrice: amount(40) }),
  eip2930: fc.record({
    type: fc.constant('eip2930' as const),
    ...call,
    to: toOrCreation,
    gasPrice: amount(40),
    accessList,
  }),
  eip1559: fc.record({ type: fc.constant('eip1559' as const), ...call, to: toOrCreation, ...dynamic }),
  eip7702: fc.record({
    type: fc.constant('eip7702' as const),
    ...call,
    to,
    ...dynamic,
    authorizationList: fc.array(authorization, { minLength: 1, maxLength: 3 }),
  }),
};

/** A value as JSON-RPC has it, whatever its member is called. */
function inJson(value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'number') return `0x${value.toString(16)}`;
  if (Array.isArray(value)) return value.map(inJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inJson(member)]));
}

/** A transaction as the request for its signature has it: all members but the type, which follows from the others. */
function signed({ type: _type, chainId: _ofTheNode, ...members }: Transaction): Record<string, unknown> {
  const { gasLimit, to: recipient, ...others } = members;
  return {
    from: SIGNER,
    ...(recipient !== null && { to: recipient }),
    gas: inJson(gasLimit),
    ...(inJson(others) as object),
  };
}

/** Nodes by the methods that they lack, and where each has the call. */
const NODES = [
  ['eth_simulateV1', [] as string[], (params: readonly unknown[]) => simulatedCall(params)],
  ['debug_traceCall', ['eth_simulateV1'], (params: readonly unknown[]) => params[0]],
  ['eth_call', ['eth_simulateV1', 'debug_traceCall'], (params: readonly unknown[]) => params[0]],
] as const;

const simulatedCall = ([options]: readonly unknown[]): unknown =>
  (options as { blockStateCalls: [{ calls: readonly { from: Hex }[] }] }).blockStateCalls[0].calls.find(
    ({ from }) => from === SIGNER,
  );

describe('the preview is the request', () => {
  let server: SimulatedNode;
  beforeEach(async () => {
    server = await startSimulatedNode();
  });
  afterEach(() => server.stop());

  for (const type of Object.keys(TYPES) as Transaction['type'][])
    it.each(NODES)(`${type}, member by member, by %s`, async (method, lacks, callIn) => {
      let found: unknown;
      const refuse = (words: string, code: number) => () => {
        throw new NodeRefusal(words, code);
      };
      for (const missing of lacks) server.answers[missing] = refuse('the method does not exist', -32601);
      server.answers[method] = (params) => {
        found ??= callIn(params);
        return refuse('execution reverted', 3)();
      };
      let run = 0;
      await fc.assert(
        fc.asyncProperty<[Transaction]>(TYPES[type], async (tx) => {
          found = undefined;
          const { unresolved } = explainTransaction(tx, { signer: SIGNER, now: 1_700_000_000n });
          const node = new NodeClient({ url: `${server.url}/${method}/${type}/${run++}` });
          await simulate(unresolved!.simulation!, node);
          expect(found).toEqual(signed(tx));
        }),
        { numRuns: 40 },
      );
    });
});
