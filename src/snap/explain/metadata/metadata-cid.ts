import { Reader } from '../../../clients/storage/bytes';
import { readCid } from '../../../clients/storage/cid';
import { fromHex, type Hex } from '../../../core/eth/bytes';

/** Reads the IPFS hash from a CBOR map (RFC 8949). Supports only what the Solidity compiler writes. */
function ipfsHash(cbor: string): Hex | undefined {
  // A map of up to 23 entries.
  const entries = Number.parseInt(cbor.slice(0, 2), 16) - 0xa0;
  let at = 2;
  const byte = (): number => Number.parseInt(cbor.slice(at, (at += 2)), 16);
  for (let entry = 0; entry < entries && entries < 24; entry++) {
    const keyLength = 2 * (byte() - 0x60);
    const key = cbor.slice(at, at + keyLength);
    at += keyLength;
    const head = byte();
    if (head === 0xf4 || head === 0xf5) continue;
    const isBytes = head >= 0x40 && head <= 0x58;
    const isText = head >= 0x60 && head <= 0x78;
    if (!isBytes && !isText) return undefined;
    const low = head & 0x1f;
    const length = 2 * (low === 24 ? byte() : low);
    const value = cbor.slice(at, at + length);
    at += length;
    // "ipfs", and a SHA2-256 multihash.
    if (key === '69706673' && isBytes && /^1220[0-9a-f]{64}$/u.test(value)) return `0x${value}`;
  }
  return undefined;
}

/**
 * Reads the CID of a contract's metadata from the end of its code (Solidity, "Contract Metadata"): a CBOR map, followed
 * by its length in two bytes.
 *
 * @param code - The runtime code.
 * @returns A version 0 CID, or undefined if the code does not end with metadata.
 */
export function metadataCid(code: Hex): string | undefined {
  const digits = code.slice(2).toLowerCase();
  const length = 2 * Number.parseInt(digits.slice(-4), 16);
  if (!(length > 0 && length + 4 <= digits.length)) return undefined;
  const hash = ipfsHash(digits.slice(-4 - length, -4));
  return hash && readCid(new Reader(fromHex(hash))).text;
}
