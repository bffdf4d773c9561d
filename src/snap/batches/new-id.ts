import { toHex } from '../../core/eth/bytes';

/** @returns An unguessable batch id (EIP-5792): 32 random bytes in hex. */
export const newBatchId = (): string => toHex(crypto.getRandomValues(new Uint8Array(32)));
