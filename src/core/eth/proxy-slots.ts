import { type Hex } from './bytes';

/** Where proxies keep the address of their code (EIP-1967): keccak256("eip1967.proxy.implementation") - 1. */
export const IMPLEMENTATION_SLOT: Hex = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
/** Where they keep the address of a contract that names their code: keccak256("eip1967.proxy.beacon") - 1. */
export const BEACON_SLOT: Hex = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
