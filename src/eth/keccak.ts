/* eslint-disable @typescript-eslint/no-non-null-assertion -- the loops stay within the buffers, and are what takes the time */
import { keccakF1600 } from './keccak-permutation';

/** Bytes of a message that each permutation takes in: 1600 bits less twice the length of the hash. */
const RATE = 136;

/** A name of our own: under the snap's runtime each look at a global is a search through scopes. */
const Bytes = Uint8Array;

const state = new Int32Array(50);
const lastBlock = new Bytes(RATE);

/** Mixes one block into the state, little-endian. */
function absorb(bytes: Uint8Array, start: number): void {
  for (let half = 0, at = start; half < RATE / 4; half++, at += 4) {
    state[half]! ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  }
  keccakF1600(state);
}

/**
 * Keccak-256 as Ethereum uses it (Yellow Paper; FIPS 202 with the padding of the original submission): bytes
 * in, 32 bytes out. Not SHA3-256.
 *
 * Our own, since hashing is most of what a long typed message costs, and this takes a third of the time of the
 * library's under the snap's runtime (docs/performance.md). It works in one buffer, so it is not for secrets.
 *
 * @param start - The state after whole blocks of 136 bytes that come before the message: 50 words, little-endian.
 */
export function keccak256(message: Uint8Array, start?: Int32Array): Uint8Array {
  if (start === undefined) state.fill(0);
  else state.set(start);
  const whole = message.length - (message.length % RATE);
  for (let start = 0; start < whole; start += RATE) absorb(message, start);
  lastBlock.fill(0);
  lastBlock.set(message.subarray(whole));
  lastBlock[message.length - whole]! ^= 0x01;
  lastBlock[RATE - 1]! ^= 0x80;
  absorb(lastBlock, 0);
  const hash = new Bytes(32);
  for (let index = 0; index < 32; index++) hash[index] = state[index >> 2]! >>> (8 * (index & 3));
  return hash;
}
