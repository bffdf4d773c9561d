import { concatBytes, joinBytes, quantityToBytes } from './bytes';

/** What RLP can encode: bytes, or a list of such. */
export type RlpItem = Uint8Array | readonly RlpItem[];

function withLength(offset: number, payload: Uint8Array): Uint8Array {
  if (payload.length < 56) return concatBytes(Uint8Array.of(offset + payload.length), payload);
  const length = quantityToBytes(BigInt(payload.length));
  return concatBytes(Uint8Array.of(offset + 55 + length.length), length, payload);
}

/** Recursive length prefix encoding (Yellow Paper, appendix B). */
export function encodeRlp(item: RlpItem): Uint8Array {
  if (item instanceof Uint8Array) {
    const [first] = item;
    return item.length === 1 && first !== undefined && first < 0x80 ? item : withLength(0x80, item);
  }
  return withLength(0xc0, joinBytes(item.map(encodeRlp)));
}
