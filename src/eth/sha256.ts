import { concatBytes } from './bytes';

/**
 * The first 32 bits of the fractions of the roots of the first primes (FIPS 180-4, 4.2.2 and 5.3.3). What a power of
 * floating point gives is only where the search among whole numbers begins.
 */
function rootsOfPrimes(count: number, degree: number): Int32Array {
  const primes: number[] = [];
  for (let next = 2; primes.length < count; next++) if (primes.every((prime) => next % prime > 0)) primes.push(next);
  return Int32Array.from(primes, (prime) => {
    let root = BigInt(Math.ceil(prime ** (1 / degree) * 2 ** 32)) + 1n;
    while (root ** BigInt(degree) > BigInt(prime) << BigInt(32 * degree)) root--;
    return Number(BigInt.asIntN(32, root));
  });
}

const ROUND_CONSTANTS = rootsOfPrimes(64, 3);
const START = rootsOfPrimes(8, 2);

const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

const BLOCK_BYTES = 64;

/** What each block is spread over (FIPS 180-4, 6.2.2); wiped after each message. */
const schedule = new Int32Array(64);

/** Mixes the block that the schedule begins with into the state. */
function absorb(state: Int32Array): void {
  for (let index = 16; index < 64; index++) {
    const late = schedule[index - 2] ?? 0;
    const early = schedule[index - 15] ?? 0;
    schedule[index] =
      ((rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10)) +
        (schedule[index - 7] ?? 0) +
        (rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3)) +
        (schedule[index - 16] ?? 0)) |
      0;
  }
  const before = state.slice();
  let a = before[0] ?? 0;
  let b = before[1] ?? 0;
  let c = before[2] ?? 0;
  let d = before[3] ?? 0;
  let e = before[4] ?? 0;
  let f = before[5] ?? 0;
  let g = before[6] ?? 0;
  let h = before[7] ?? 0;
  for (let round = 0; round < 64; round++) {
    const mixed =
      (h +
        (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) +
        ((e & f) ^ (~e & g)) +
        (ROUND_CONSTANTS[round] ?? 0) +
        (schedule[round] ?? 0)) |
      0;
    const majority = ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + mixed) | 0;
    d = c;
    c = b;
    b = a;
    a = (mixed + majority) | 0;
  }
  state.set([a, b, c, d, e, f, g, h]);
  for (let word = 0; word < 8; word++) state[word] = ((state[word] ?? 0) + (before[word] ?? 0)) | 0;
  before.fill(0);
}

/**
 * SHA-256 (FIPS 180-4). Wipes what it works in, so that it is fit for secrets.
 *
 * @returns 32 bytes.
 */
export function sha256(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / BLOCK_BYTES) * BLOCK_BYTES);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  const state = START.slice();
  for (let start = 0; start < padded.length; start += BLOCK_BYTES) {
    for (let word = 0; word < 16; word++) schedule[word] = view.getInt32(start + 4 * word);
    absorb(state);
  }
  const hash = new DataView(new ArrayBuffer(32));
  for (let word = 0; word < 8; word++) hash.setInt32(4 * word, state[word] ?? 0);
  padded.fill(0);
  schedule.fill(0);
  state.fill(0);
  return new Uint8Array(hash.buffer);
}

/**
 * HMAC-SHA-256 (RFC 2104). Wipes what it works in.
 *
 * @param key - At most 64 bytes.
 * @returns 32 bytes.
 */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array<ArrayBuffer> {
  /** The hash of the key's block, masked, and a message. */
  const keyed = (mask: number, content: Uint8Array): Uint8Array<ArrayBuffer> => {
    const block = new Uint8Array(BLOCK_BYTES);
    block.set(key);
    for (let at = 0; at < BLOCK_BYTES; at++) block[at] = (block[at] ?? 0) ^ mask;
    const whole = concatBytes(block, content);
    const hash = sha256(whole);
    block.fill(0);
    whole.fill(0);
    return hash;
  };
  const inner = keyed(0x36, message);
  const code = keyed(0x5c, inner);
  inner.fill(0);
  return code;
}
