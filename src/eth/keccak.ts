/** Keccak-256 as Ethereum uses it (Yellow Paper): bytes in, 32 bytes out. Not SHA3-256. */
export { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
