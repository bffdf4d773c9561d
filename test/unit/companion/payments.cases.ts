import { encodeFunctionData, type Hex, pad } from 'viem';
import { entryPoint06Abi, entryPoint07Abi } from 'viem/account-abstraction';

import { paymentsIn } from '../../../src/companion/model/payments';
import { KINDS } from '../../../src/core/kinds';
import { type Intent } from '../../../src/core/erc4337/user-operation';
import { ALICE, BOB } from '../../support/companion/samples';

const CAROL: Hex = `0x${'c4'.repeat(20)}`;
const intents: readonly Intent[] = [
  { to: CAROL, value: 7n, data: '0x' },
  { to: BOB, value: 0n, data: '0x12345678' },
];
const PAID = [
  { to: CAROL, value: 7n },
  { to: BOB.toLowerCase(), value: 0n },
];

type Operation = { readonly sender: Hex; readonly nonce: bigint; readonly callData: Hex };
const REST = { initCode: '0x', preVerificationGas: 3n, paymasterAndData: '0x', signature: '0x1234' } as const;
const GAS = { callGasLimit: 1n, verificationGasLimit: 2n, maxFeePerGas: 4n, maxPriorityFeePerGas: 5n };
const bundles = {
  '0.6': (operations: readonly Operation[]) =>
    encodeFunctionData({
      abi: entryPoint06Abi,
      functionName: 'handleOps',
      args: [operations.map((one) => ({ ...one, ...GAS, ...REST })), BOB],
    }),
  '0.7': (operations: readonly Operation[]) =>
    encodeFunctionData({
      abi: entryPoint07Abi,
      functionName: 'handleOps',
      args: [operations.map((one) => ({ ...one, ...REST, accountGasLimits: pad('0x1'), gasFees: pad('0x2') })), BOB],
    }),
} as const;

const included = (nonce: bigint, hasSucceeded = true) => ({
  hash: pad('0x1'),
  sender: ALICE,
  cost: 1n,
  nonce,
  hasSucceeded,
});
const callData = KINDS['safe-0.7'].encodeCalls(intents);
const bundle = (input: Hex) => ({ from: BOB, to: CAROL, value: 0n, input }) as const;

describe('what an account sent in a transaction', () => {
  it('is nothing by operations of others, or that failed, or whose calls are not known', () => {
    const other = { sender: BOB, nonce: 1n, callData } as const;
    const unknown = { sender: ALICE, nonce: 2n, callData: '0x12345678' } as const;
    const input = bundles['0.7']([other, unknown, { ...unknown, callData }]);
    expect(paymentsIn(bundle(input), ALICE, [included(1n)])).toEqual([]);
    expect(paymentsIn(bundle(input), ALICE, [included(2n, false)])).toEqual([]);
    expect(paymentsIn(bundle(bundles['0.7']([unknown])), ALICE, [included(2n)])).toEqual([]);
    expect(paymentsIn(bundle(input.slice(0, 400) as Hex), ALICE, [included(2n)])).toEqual([]);
    expect(paymentsIn(bundle('0x'), ALICE, [included(2n)])).toEqual([]);
  });

  it('is what its operations sent, whatever the entry point and the kind', () => {
    const operation = { sender: ALICE, nonce: 2n, callData } as const;
    const simple = KINDS['simple-account-0.6'].encodeCalls(intents.slice(0, 1));
    const input = bundles['0.6']([{ ...operation, callData: simple }]);
    expect(paymentsIn(bundle(input), ALICE, [included(2n)])).toEqual(PAID.slice(0, 1));
    const two = bundles['0.7']([operation, { ...operation, sender: BOB }, { ...operation, nonce: 5n }]);
    expect(paymentsIn(bundle(two), ALICE, [included(2n), included(5n)])).toEqual([...PAID, ...PAID]);
    expect(paymentsIn(bundle(two), ALICE, [included(2n), included(5n, false)])).toEqual(PAID);
  });

  it('is what its own transaction sent, or the batch in one to itself, and nothing with a new contract', () => {
    const own = { from: ALICE, to: BOB, value: 9n, input: '0x' } as const;
    expect(paymentsIn(own, ALICE, [])).toEqual([{ to: BOB, value: 9n }]);
    expect(paymentsIn({ ...own, to: null }, ALICE, [])).toEqual([]);
    const batch = KINDS['simple-account-0.8'].encodeCalls(intents);
    expect(paymentsIn({ ...own, to: ALICE, input: batch }, ALICE, [])).toEqual(PAID);
    expect(paymentsIn({ ...own, from: CAROL }, ALICE, [])).toEqual([]);
  });
});
