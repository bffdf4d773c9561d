import { ENTRY_POINTS, type EntryPointVersion } from '../../src/core/erc4337/entry-points';
import { type UserOperation } from '../../src/core/erc4337/user-operation';

/** An operation of a deployed account that pays its own fees. */
export const OPERATION: UserOperation = {
  sender: `0x${'ab'.repeat(20)}`,
  nonce: 5n,
  initCode: '0x',
  callData: '0x1234',
  callGasLimit: 1n,
  verificationGasLimit: 2n,
  preVerificationGas: 3n,
  maxFeePerGas: 4n,
  maxPriorityFeePerGas: 1n,
  paymasterAndData: '0x',
  signature: '0x1234',
};

/** The place of the operation: the canonical entry point of a version, on the devnet's chain. */
export const placeOf = (version: EntryPointVersion) => ({
  version,
  entryPoint: ENTRY_POINTS[version],
  chainId: 31337n,
});
