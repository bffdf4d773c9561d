import { type EntryPointVersion } from './entry-points';
import { splitPaymasterAndData } from './packed-fields';
import { type UserOperation } from './user-operation';

/**
 * Entry point 0.6 reserves verification gas three times: for the account, the paymaster's validation and its postOp.
 */
const VERIFICATIONS_WITH_PAYMASTER_06 = 3n;

function reservedGas(op: UserOperation, version: EntryPointVersion): bigint {
  const own = op.callGasLimit + op.verificationGasLimit + op.preVerificationGas;
  const paymaster = splitPaymasterAndData(op.paymasterAndData, version);
  if (paymaster === undefined) return own;
  if (version === '0.6') return own + (VERIFICATIONS_WITH_PAYMASTER_06 - 1n) * op.verificationGasLimit;
  return own + paymaster.paymasterVerificationGasLimit + paymaster.paymasterPostOpGasLimit;
}

/**
 * The maximum cost of an operation for its payer, without the value it sends: the prefund that the entry point reserves
 * (`_getRequiredPrefund`, EntryPoint.sol).
 *
 * @returns wei.
 * @throws {InvalidParamsError} If `paymasterAndData` is too short for the version.
 *
 * @example
 * ```ts
 * const op = { sender: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', nonce: 0n, initCode: '0x', callData: '0x',
 *   callGasLimit: 50_000n, verificationGasLimit: 100_000n, preVerificationGas: 50_000n, maxFeePerGas: 10n ** 9n,
 *   maxPriorityFeePerGas: 10n ** 9n, paymasterAndData: '0x', signature: '0x' } as const;
 * mostItCosts(op, '0.7'); // => 200_000n * 10n ** 9n
 * mostItCosts({ ...op, paymasterAndData: op.sender }, '0.6'); // => 400_000n * 10n ** 9n
 * ```
 */
export const mostItCosts = (op: UserOperation, version: EntryPointVersion): bigint =>
  reservedGas(op, version) * op.maxFeePerGas;
