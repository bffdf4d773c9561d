import { type Hex } from '../../eth/bytes';

/**
 * Safe 1.4.1 and its module for ERC-4337, version 0.3.0, at their canonical addresses (safe-deployments,
 * safe-modules-deployments). A test deploys the published bytecode and finds it there.
 */
export const SINGLETON: Hex = '0x41675C099F32341bf84BFc5382aF534df5C7461a';
export const PROXY_FACTORY: Hex = '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67';
export const MULTI_SEND_CALL_ONLY: Hex = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2';
/** It is bound to the canonical entry point 0.7. */
export const MODULE_4337: Hex = '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226';
export const MODULE_SETUP: Hex = '0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47';

/** keccak256(creation code of SafeProxy ‖ singleton): CREATE2 hashes no more of the code than this. */
export const PROXY_INIT_CODE_HASH: Hex = '0x76733d705f71b79841c0ee960a0ca880f779cde7ef446c989e6d23efc0a4adfb';
