import { type EntryPointVersion } from './entry-points';
import { splitPaymasterAndData } from './packed-fields';
import { type UserOperation } from './user-operation';

/** Entry point 0.6 sets verification gas aside for the account, for the paymaster's check, and for its postOp. */
const VERIFICATIONS_WITH_PAYMASTER_06 = 3n;

function gasSetAside(op: UserOperation, version: EntryPointVersion): bigint {
  const own = op.callGasLimit + op.verificationGasLimit + op.preVerificationGas;
  const paymaster = splitPaymasterAndData(op.paymasterAndData, version);
  if (paymaster === undefined) return own;
  if (version === '0.6') return own + (VERIFICATIONS_WITH_PAYMASTER_06 - 1n) * op.verificationGasLimit;
  return own + paymaster.paymasterVerificationGasLimit + paymaster.paymasterPostOpGasLimit;
}

/**
 * The most that an operation can cost who pays for it, without the value it sends: what the entry point sets
 * aside beforehand (`_getRequiredPrefund`, EntryPoint.sol).
 *
 * @returns wei.
 * @throws {InvalidParamsError} If `paymasterAndData` is too short for the version.
 */
export const mostItCosts = (op: UserOperation, version: EntryPointVersion): bigint =>
  gasSetAside(op, version) * op.maxFeePerGas;
