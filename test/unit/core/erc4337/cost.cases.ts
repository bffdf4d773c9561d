import { mostItCosts } from '../../../../src/core/erc4337/cost';
import { type EntryPointVersion } from '../../../../src/core/erc4337/entry-points';
import { InvalidParamsError } from '../../../../src/core/errors';
import { OPERATION } from '../../../support/user-operation';

const GAS = { callGasLimit: 1000n, verificationGasLimit: 200n, preVerificationGas: 30n, maxFeePerGas: 7n };
const PAYMASTER = `0x${'ee'.repeat(20)}` as const;
const bytes16 = (gas: number): string => gas.toString(16).padStart(32, '0');

const VERSIONS = ['0.6', '0.7', '0.8', '0.9'] as const satisfies readonly EntryPointVersion[];

/** The expected sums follow `_getRequiredPrefund` in EntryPoint.sol of each version. */
describe('the maximum cost of an operation', () => {
  it.each(VERSIONS)('is all its gas at the maximum fee if the account pays, at %s', (version) => {
    expect(mostItCosts({ ...OPERATION, ...GAS }, version)).toBe((1000n + 200n + 30n) * 7n);
  });

  it('counts the verification gas three times with a paymaster of 0.6', () => {
    expect(mostItCosts({ ...OPERATION, ...GAS, paymasterAndData: PAYMASTER }, '0.6')).toBe(
      (1000n + 3n * 200n + 30n) * 7n,
    );
  });

  it.each(['0.7', '0.8', '0.9'] as const)("counts the paymaster's own two limits at %s", (version) => {
    const paymasterAndData = `${PAYMASTER}${bytes16(50_000)}${bytes16(600_000)}beef` as const;
    expect(mostItCosts({ ...OPERATION, ...GAS, paymasterAndData }, version)).toBe(
      (1000n + 200n + 30n + 50_000n + 600_000n) * 7n,
    );
  });

  it('cannot be computed for malformed paymasterAndData', () => {
    expect(() => mostItCosts({ ...OPERATION, paymasterAndData: PAYMASTER }, '0.7')).toThrow(InvalidParamsError);
  });
});
