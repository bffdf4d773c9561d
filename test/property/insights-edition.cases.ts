import { type Json } from '@metamask/snaps-sdk';
import fc from 'fast-check';
import { encodeFunctionData, maxUint256, parseAbi } from 'viem';

import { answerBackgroundEvent, insightIntoTransaction, showHome } from '../../src/snap/insights/wire';
import { ShownTransactionStruct } from '../../src/snap/explain/recipients/shown-transactions';
import { ALICE, BOB, ME, USDC } from '../support/explaining';
import { flat } from '../support/screen-text';

/** What a node may answer: anything, and what has the right form more often than by chance. */
const hex = fc.oneof(
  fc.constantFrom('0x', '0x0', '0x1', '0x5'),
  fc.bigInt({ min: 0n, max: maxUint256 }).map((n) => `0x${n.toString(16)}`),
  fc.bigInt({ min: 0n, max: maxUint256 }).map((n) => `0x${n.toString(16).padStart(64, '0')}`),
);
const block = fc.record({
  transactions: fc.array(
    fc.oneof(
      fc.jsonValue(),
      fc.record({ from: fc.constant(ME), to: fc.constantFrom(ALICE, null), value: hex, input: hex }),
    ),
  ),
});
const result = fc.record({
  status: fc.constantFrom('0x0', '0x1'),
  returnData: hex,
  logs: fc.array(fc.record({ address: fc.constantFrom(USDC, BOB), topics: fc.array(hex), data: hex })),
});
const answer = fc.oneof(
  fc.jsonValue().map((value) => ({ value })),
  hex.map((value) => ({ value })),
  block.map((value) => ({ value })),
  fc.array(result, { maxLength: 12 }).map((calls) => ({ value: [{ calls }] })),
  fc.anything().map((thrown) => ({ thrown })),
  fc.record({ code: fc.integer(), message: fc.string(), data: fc.jsonValue() }).map((thrown) => ({ thrown })),
);
type Answer = { readonly value: unknown } | { readonly thrown: unknown };

/** The wallet keeps the state; its node answers as it is told, in turn. */
function startWallet(answers: readonly Answer[], sameChain: boolean): Record<string, Json> {
  const state: Record<string, Json> = {};
  const requests: Record<string, (params: Record<string, Json>) => unknown> = {
    snap_getState: ({ key }) => state[key as string] ?? null,
    snap_setState: ({ key, value }) => {
      state[key as string] = value ?? null;
    },
    snap_getFile: () => null,
    snap_getClientStatus: () => ({ locked: false }),
    snap_getBackgroundEvents: () => [],
  };
  let asked = 0;
  Object.assign(globalThis, {
    snap: {
      request: ({ method, params = {} }: { method: string; params?: Record<string, Json> }) =>
        Promise.resolve(requests[method]?.(params)),
    },
    ethereum: {
      request: async ({ method }: { method: string }) => {
        await Promise.resolve();
        if (method === 'eth_chainId' && sameChain) return '0x1';
        const next = answers[asked++ % Math.max(answers.length, 1)];
        if (next !== undefined && 'thrown' in next) throw next.thrown;
        return next?.value;
      },
    },
  });
  return state;
}

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'snap');
  Reflect.deleteProperty(globalThis, 'ethereum');
});

const insight = async (transaction: object) => {
  const { content, severity } = await insightIntoTransaction({
    transaction: { from: ME, value: '0x0', data: '0x', ...transaction },
    chainId: 'eip155:1',
    transactionOrigin: 'https://example.com',
  });
  return { text: flat(content), severity };
};

const APPROVE = encodeFunctionData({ abi: parseAbi(['function approve(address,uint256)']), args: [BOB, maxUint256] });

describe('Keystead Insights, whatever the node of the wallet answers', () => {
  it('shows what was decoded and its dangers, and remembers nobody whom the chain does not name', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { maxLength: 12 }), fc.boolean(), async (answers, sameChain) => {
        const state = startWallet(answers, sameChain);
        const approval = await insight({ to: USDC, data: APPROVE });
        expect(approval.text).toContain('This lets 0x742d…f44e spend all of your USDC');
        expect(approval.severity).toBe('critical');
        // Not a value that a random block has.
        const sending = await insight({ to: ALICE, value: '0xde0b6b3a7640001' });
        expect(sending.text).toContain('1.000000000000000001 ETH');
        expect(sending.text).toContain('First time you send to 0xd8dA…6045.');
        await answerBackgroundEvent({ jsonrpc: '2.0', id: 1, method: 'lookUpSent' });
        for (const shown of (state.shown ?? []) as Json[]) expect(ShownTransactionStruct.is(shown)).toBe(true);
        expect(state.histories ?? {}).toEqual({});
        expect(flat(await showHome())).toContain('It cannot sign or send anything');
      }),
      { numRuns: 150 },
    );
  });
});
