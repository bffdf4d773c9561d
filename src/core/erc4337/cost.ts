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
 */
export const mostItCosts = (op: UserOperation, version: EntryPointVersion): bigint =>
  reservedGas(op, version) * op.maxFeePerGas;
