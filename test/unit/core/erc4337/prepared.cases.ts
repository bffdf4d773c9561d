import { assertAsPrepared, isOfPrepared, preparedOperation } from '../../../../src/core/erc4337/prepared';
import { OPERATION } from '../../../support/user-operation';

const limits = { callGasLimit: 1n, verificationGasLimit: 2n, preVerificationGas: 3n };

/** The record of an operation prepared on chain 1, without gas limits. */
const remembered = (draft: typeof OPERATION, more: { gasLimits?: typeof limits; paymasterIsFinal?: boolean } = {}) =>
  preparedOperation({ draft, gasLimits: undefined, paymasterIsFinal: false, ...more }, 1n);
const entry = remembered(OPERATION, { gasLimits: limits });

describe('an operation compared with the prepared ones', () => {
  it('may differ in fees and signature', () => {
    expect(assertAsPrepared({ ...OPERATION, maxFeePerGas: 99n, signature: '0x12' }, [entry])).toBe(true);
  });

  it('may use another letter case', () => {
    const paymasterAndData = `0x${'ee'.repeat(52)}` as const;
    const before = remembered({ ...OPERATION, paymasterAndData }, { paymasterIsFinal: true });
    const upper = { ...OPERATION, paymasterAndData: `0x${'EE'.repeat(52)}` } as const;
    expect(assertAsPrepared(upper, [before])).toBe(true);
    expect(assertAsPrepared({ ...OPERATION, paymasterAndData }, [remembered(upper, { paymasterIsFinal: true })])).toBe(
      true,
    );
  });

  it('may match any of several prepared ones', () => {
    const other = remembered({ ...OPERATION, callData: '0x5678' }, { gasLimits: limits });
    expect(assertAsPrepared(OPERATION, [entry, other])).toBe(true);
    expect(assertAsPrepared({ ...OPERATION, callData: '0x5678' }, [entry, other])).toBe(true);
  });

  it('may have been created elsewhere', () => {
    expect(assertAsPrepared(OPERATION, [])).toBe(false);
    expect(assertAsPrepared({ ...OPERATION, nonce: 6n, callData: '0x' }, [entry])).toBe(false);
  });

  it('may have any gas limits if none were prepared', () => {
    expect(assertAsPrepared({ ...OPERATION, callGasLimit: 7n }, [remembered(OPERATION)])).toBe(true);
  });

  it.each([
    ['nonce', { nonce: 6n }],
    ['initCode', { initCode: `0x${'fa'.repeat(20)}` }],
    ['callData', { callData: '0x123456' }],
    ['callGasLimit', { callGasLimit: 2n }],
    ['verificationGasLimit', { verificationGasLimit: 3n }],
    ['preVerificationGas', { preVerificationGas: 4n }],
    ['paymasterAndData', { paymasterAndData: `0x${'ee'.repeat(52)}` }],
  ] as const)('is rejected with another %s', (field, change) => {
    expect(() => assertAsPrepared({ ...OPERATION, ...change }, [entry])).toThrow(
      expect.objectContaining({ field: `userOperation.${field}` }) as Error,
    );
  });

  it('is rejected for the changed field, whatever else was prepared with the same nonce', () => {
    const other = remembered({ ...OPERATION, callData: '0x5678' }, { gasLimits: limits });
    for (const entries of [
      [entry, other],
      [other, entry],
    ])
      expect(() => assertAsPrepared({ ...OPERATION, callGasLimit: 9n }, entries)).toThrow(
        expect.objectContaining({ field: 'userOperation.callGasLimit' }) as Error,
      );
  });
});

describe('an operation that matches a prepared one', () => {
  it('may differ in fees, gas limits, paymaster data, signature and the case of its sender', () => {
    const sender = `0x${'AB'.repeat(20)}` as const;
    const odd = { ...OPERATION, sender, maxFeePerGas: 99n, callGasLimit: 7n, paymasterAndData: '0x12' } as const;
    expect(isOfPrepared(odd, 1n, entry)).toBe(true);
    expect(isOfPrepared(OPERATION, 1n, remembered(odd))).toBe(true);
  });

  it.each([
    ['sender', { sender: `0x${'ba'.repeat(20)}` }],
    ['nonce', { nonce: 6n }],
    ['initCode', { initCode: `0x${'fa'.repeat(20)}` }],
    ['callData', { callData: '0x123456' }],
  ] as const)('has no other %s', (_field, change) => {
    expect(isOfPrepared({ ...OPERATION, ...change }, 1n, entry)).toBe(false);
  });

  it('has the same chain', () => {
    expect(isOfPrepared(OPERATION, 2n, entry)).toBe(false);
  });
});
