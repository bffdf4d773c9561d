import { parseAbi } from 'viem/utils';

/** `execute` of the account, the same in every version. */
export const EXECUTE_ABI = parseAbi(['function execute(address dest, uint256 value, bytes func)']);

/** `executeBatch` of SimpleAccount 0.6. */
export const EXECUTE_BATCH_06_ABI = parseAbi(['function executeBatch(address[] dest, bytes[] func)']);

/** `executeBatch` of SimpleAccount 0.7. */
export const EXECUTE_BATCH_07_ABI = parseAbi(['function executeBatch(address[] dest, uint256[] value, bytes[] func)']);

/** `executeBatch` of SimpleAccount 0.8. */
export const EXECUTE_BATCH_08_ABI = parseAbi([
  'function executeBatch((address target, uint256 value, bytes data)[] calls)',
]);

/** `initialize` of the implementation, called through the proxy. */
export const INITIALIZE_ABI = parseAbi(['function initialize(address anOwner)']);

/** `createAccount` of SimpleAccountFactory. */
export const CREATE_ACCOUNT_ABI = parseAbi(['function createAccount(address owner, uint256 salt)']);

/** The constructor parameters of ERC1967Proxy: the implementation and its initialization call. */
export const PROXY_CONSTRUCTOR = [{ type: 'address' }, { type: 'bytes' }] as const;
