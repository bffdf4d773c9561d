import { hmac } from '@noble/hashes/hmac.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';

/** SIP-6: the index of the entropy of snaps, without the hardened bit. */
const MAGIC = 0xd36e6170 - 0x80000000;
const HARDENED = 0x80000000;

/** The order of secp256k1 (SEC 2, 2.4.1). */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

type Node = { readonly key: Uint8Array; readonly chainCode: Uint8Array };

const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${bytesToHex(bytes)}`);

const toBytes32 = (value: bigint): Uint8Array =>
  Uint8Array.from({ length: 32 }, (_, index) => Number((value >> BigInt(8 * (31 - index))) & 0xffn));

const uint32 = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
};

const split = (bytes: Uint8Array): Node => ({ key: bytes.slice(0, 32), chainCode: bytes.slice(32) });

/**
 * Derives a hardened private child (BIP-32).
 *
 * @throws For the rare invalid indexes (1 in 2^127), which are not skipped.
 */
function hardenedChild({ key, chainCode }: Node, index: number): Node {
  const child = split(hmac(sha512, chainCode, concatBytes(Uint8Array.of(0), key, uint32(index + HARDENED))));
  const tweak = toNumber(child.key);
  const value = (tweak + toNumber(key)) % ORDER;
  if (tweak >= ORDER || value === 0n) throw new Error('The recovery phrase has no key at this derivation path.');
  return { key: toBytes32(value), chainCode: child.chainCode };
}

/**
 * Computes `snap_getEntropy` (SIP-6, version 1) as MetaMask does: the BIP-32 key at `m/0xd36e6170'/…`, with eight more
 * indexes from keccak256(snap id ‖ keccak256(salt)).
 *
 * @param seed - The BIP-39 seed, 64 bytes.
 * @returns 32 bytes as hex with 0x.
 */
export function snapEntropy(seed: Uint8Array, snapId: string, salt = ''): `0x${string}` {
  const hash = keccak256(concatBytes(utf8ToBytes(snapId), keccak256(utf8ToBytes(salt))));
  const view = new DataView(hash.buffer, hash.byteOffset, 32);
  const path = [MAGIC, ...Array.from({ length: 8 }, (_, index) => view.getUint32(index * 4) & 0x7fffffff)];
  const root = split(hmac(sha512, utf8ToBytes('Bitcoin seed'), seed));
  return `0x${bytesToHex(path.reduce(hardenedChild, root).key)}`;
}
