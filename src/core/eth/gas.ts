/** The most gas that a transaction may execute with (EIP-7825). What state costs (EIP-8037) is not part of it. */
export const MAX_EXECUTION_GAS = 16_777_216n;

/**
 * The words of nodes for a transaction above {@link MAX_EXECUTION_GAS}: geth `transaction gas limit too high (cap:
 * 16777216, tx: 20000000)`, and for an estimate `gas required exceeds allowance (16777216)`; Reth `transaction gas
 * limit (20000000) is greater than the cap (16777216)`; Nethermind `TxGasLimitCapExceeded: Gas limit 20000000 exceeded
 * cap of 16777216.`
 */
const OVER_CAP = /gas limit too high|TxGasLimitCapExceeded|greater than the cap|\b16,?777,?216\b/iu;

/**
 * @returns Whether a node's message says that a transaction needs more gas than one may have (EIP-7825). The reason of
 *   a revert is a contract's.
 */
export const saysOverCap = (message: string): boolean => OVER_CAP.test(message) && !/revert/iu.test(message);

/** What to do about it. */
export const OVER_CAP_REMEDY =
  'It needs more gas than one transaction may use on this network (16,777,216, EIP-7825). Send fewer calls at once.';
