import { type Hex } from '../../../../src/core/eth/bytes';
import { ENTRY_POINTS } from '../../../../src/core/erc4337/entry-points';
import { operationCalls, senderCreatorOf } from '../../../../src/core/erc4337/operation-calls';
import { OPERATION, placeOf } from '../../../support/user-operation';

describe('the calls of a user operation', () => {
  /** `senderCreator()` of the deployed entry points. */
  it.each([
    ['0.6', '0x7fc98430eAEdbb6070B35B39D798725049088348'],
    ['0.7', '0xEFC2c1444eBCC4Db75e7613d20C6a62fF67A167C'],
    ['0.8', '0x449ED7C3e6Fee6a97311d4b55475DF59C44AdD33'],
  ] as const)('of entry point %s deploy accounts through its SenderCreator', (version, creator) => {
    expect(senderCreatorOf(ENTRY_POINTS[version])).toBe(creator);
  });

  it('are one call of a deployed account, with the gas that leaves the account what the operation gives it', () => {
    const { sender, callData, callGasLimit, maxFeePerGas, maxPriorityFeePerGas } = OPERATION;
    const [call, ...others] = operationCalls(OPERATION, placeOf('0.7'));
    expect(call).toMatchObject({ from: ENTRY_POINTS['0.7'], to: sender, value: 0n, data: callData });
    expect(call?.gas).toMatchObject({ maxFeePerGas, maxPriorityFeePerGas });
    expect(call!.gas!.limit).toBeGreaterThanOrEqual(callGasLimit + 21_000n);
    expect(others).toEqual([]);
    expect(operationCalls({ sender, callData, initCode: '0x' }, placeOf('0.7'))).toEqual([
      { from: ENTRY_POINTS['0.7'], to: sender, value: 0n, data: callData },
    ]);
  });

  it('have the gas of their data as it is charged, and no more than that for zeros', () => {
    const limitOf = (callData: Hex, callGasLimit: bigint) =>
      operationCalls({ ...OPERATION, initCode: '0x', callData, callGasLimit }, placeOf('0.7'))[0]!.gas!.limit;
    const none = limitOf('0x', 1_000_000n);
    expect(limitOf('0x00ff00', 1_000_000n) - none).toBe(4n + 16n + 4n);
    expect(limitOf(`0x${'00'.repeat(5000)}`, 1_000_000n) - none).toBe(20_000n);
    // What a transaction with so much data must have at least (EIP-7623).
    expect(limitOf(`0x${'00'.repeat(5000)}`, 1n)).toBe(21_000n + 50_000n);
    expect(limitOf(`0x${'ff'.repeat(5000)}`, 1n)).toBe(21_000n + 200_000n);
  });

  it('have what validation saves a Safe, by either function of its module and in either case of letters', () => {
    const savedBy = (selector: string) => {
      const callData = `0x${selector}` as const;
      const [call] = operationCalls({ ...OPERATION, initCode: '0x', callData }, placeOf('0.7'));
      return call!.gas!.limit - OPERATION.callGasLimit - 21_000n - 4n * 16n;
    };
    const [account, safe] = [6600n, 11_300n];
    // executeUserOp and executeUserOpWithErrorString of Safe4337Module, and execute of SimpleAccount.
    expect(['7bb37428', '7BB37428', '541d63c8', '541D63C8'].map(savedBy)).toEqual([safe, safe, safe, safe]);
    expect(savedBy('b61d27f6')).toBe(account);
  });

  it('begin with the deployment', () => {
    const factory = `0x${'fa'.repeat(20)}` as const;
    const [deployment, execution] = operationCalls({ ...OPERATION, initCode: `${factory}cafe` }, placeOf('0.8'));
    expect(deployment).toEqual({ from: senderCreatorOf(ENTRY_POINTS['0.8']), to: factory, value: 0n, data: '0xcafe' });
    expect(execution).toMatchObject({ from: ENTRY_POINTS['0.8'], to: OPERATION.sender });
  });

  it('are none if initCode cannot be split', () => {
    expect(() => operationCalls({ ...OPERATION, initCode: '0x1234' }, placeOf('0.7'))).toThrow('initCode');
  });
});

test('a Safe that is deployed and changed at once has what that saves, and one that is only either of both has not', () => {
  const factory = `0x${'fa'.repeat(20)}` as const;
  const limitOf = (initCode: Hex, callData: Hex) =>
    operationCalls({ ...OPERATION, initCode, callData }, placeOf('0.7')).at(-1)!.gas!.limit;
  const named: Hex = `0x7bb37428${OPERATION.sender.slice(2).toUpperCase()}`;
  const other: Hex = `0x7bb37428${'cd'.repeat(20)}`;
  const usual = limitOf('0x', other);
  expect(limitOf('0x', named)).toBe(usual);
  expect(limitOf(factory, other)).toBe(usual);
  expect(limitOf(factory, named)).toBe(usual + 31_000n - 11_300n);
});
