import { toHex } from '../../core/eth/bytes';

/** @returns An id of a batch that nobody can guess (EIP-5792): 32 random bytes in hex. */
export const newBatchId = (): string => toHex(crypto.getRandomValues(new Uint8Array(32)));
