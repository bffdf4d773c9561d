import { encodeFunctionData, parseAbi } from 'viem';

import { type Hex } from '../../../../src/core/eth/bytes';
import { callsIn, operationCallsIn } from '../../../../src/core/ledger/operation-calls';

const ACCOUNT: Hex = `0x${'a1'.repeat(20)}`;
const OTHER: Hex = `0x${'b2'.repeat(20)}`;
const PAYEE: Hex = `0x${'c3'.repeat(20)}`;
const NONE: Hex = '0x';
const WORD: Hex = `0x${'00'.repeat(32)}`;

const ABI = parseAbi(['function execute(address dest, uint256 value, bytes func)']);
const paying = (value: bigint): Hex =>
  encodeFunctionData({ abi: ABI, functionName: 'execute', args: [PAYEE, value, '0x'] });

type Operation = readonly [sender: Hex, nonce: bigint, callData: Hex];

const handleOps06 = (operations: readonly Operation[]): Hex =>
  encodeFunctionData({
    abi: parseAbi([
      'struct Op { address sender; uint256 nonce; bytes initCode; bytes callData; uint256 callGasLimit; uint256 verificationGasLimit; uint256 preVerificationGas; uint256 maxFeePerGas; uint256 maxPriorityFeePerGas; bytes paymasterAndData; bytes signature; }',
      'function handleOps(Op[] ops, address beneficiary)',
    ]),
    args: [
      operations.map(([sender, nonce, callData]) => ({
        ...{ sender, nonce, callData, initCode: NONE, callGasLimit: 1n, verificationGasLimit: 1n },
        ...{ preVerificationGas: 1n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
        ...{ paymasterAndData: NONE, signature: NONE },
      })),
      PAYEE,
    ],
  });
const handleOps07 = (operations: readonly Operation[]): Hex =>
  encodeFunctionData({
    abi: parseAbi([
      'struct Op { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }',
      'function handleOps(Op[] ops, address beneficiary)',
    ]),
    args: [
      operations.map(([sender, nonce, callData]) => ({
        ...{ sender, nonce, callData, initCode: NONE, accountGasLimits: WORD, preVerificationGas: 1n },
        ...{ gasFees: WORD, paymasterAndData: NONE, signature: NONE },
      })),
      PAYEE,
    ],
  });

describe('the calls that the operations of an account made', () => {
  const operations: readonly Operation[] = [
    [ACCOUNT, 1n, paying(10n)],
    [OTHER, 2n, paying(20n)],
    [ACCOUNT, 3n, paying(30n)],
    [ACCOUNT, 4n, '0x12345678'],
  ];

  it.each([
    ['0.6', handleOps06],
    ['a later one', handleOps07],
  ])('are those with its nonces, in the form of entry point %s', (_version, handleOps) => {
    const made = (...nonces: bigint[]) =>
      operationCallsIn(handleOps(operations), ACCOUNT, nonces).map(({ value }) => value);
    expect(made(1n, 2n, 3n, 4n)).toEqual([10n, 30n]);
    expect(made(3n)).toEqual([30n]);
    expect(made(2n)).toEqual([]);
    expect(made()).toEqual([]);
  });

  it('are none in other calls, and in data that is cut off', () => {
    const input = handleOps07(operations);
    expect(operationCallsIn(`0x12345678${input.slice(10)}`, ACCOUNT, [1n])).toEqual([]);
    expect(operationCallsIn(input.slice(0, 200) as Hex, ACCOUNT, [1n])).toEqual([]);
  });

  it('are known for the kinds of accounts that Keystead makes, and for no others', () => {
    expect(callsIn(paying(5n))).toMatchObject([{ to: PAYEE, value: 5n }]);
    expect(callsIn('0x12345678')).toEqual([]);
    expect(callsIn('0x')).toEqual([]);
  });
});
