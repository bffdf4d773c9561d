import { decodeVarint } from './varint';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const BASE58 = /[^1-9A-HJ-NP-Za-km-z]/;
const MALFORMED_VARINT = 'varints malformed, could not reach the end';

/** Decodes base 32 as Go does: trailing digits that do not fill a byte are dropped. */
function base32Bytes(text: string): Uint8Array {
  const bytes: number[] = [];
  let bits = 0;
  let have = 0;
  const over = text.length % 8;
  for (const digit of text.slice(0, text.length - ([1, 3, 6].includes(over) ? over : 0))) {
    bits = ((bits << 5) | BASE32.indexOf(digit)) & 0xfff;
    have += 5;
    if (have >= 8) bytes.push((bits >> (have -= 8)) & 0xff);
  }
  return Uint8Array.from(bytes);
}

/** The message of Go's libraries for bytes that are not a CID. */
function faultInBytes(bytes: Uint8Array): string {
  try {
    return faultInFields(bytes);
  } catch {
    return 'invalid cid: varints larger than uint63 not supported';
  }
}

/** @throws RangeError if a varint is too long. */
function faultInFields(bytes: Uint8Array): string {
  const trailing = 'trailing bytes in data buffer passed to cid Cast';
  if (bytes.length > 2 && bytes[0] === 0x12 && bytes[1] === 0x20) {
    return bytes.length < 34 ? 'invalid cid: not enough bytes for cid v0' : trailing;
  }
  const version = decodeVarint(bytes, 0);
  if (version === undefined) return `invalid cid: ${MALFORMED_VARINT}`;
  if (version.value !== 1) return `invalid cid: expected 1 as the cid version number, got: ${version.value}`;
  const codec = decodeVarint(bytes, version.end);
  if (codec === undefined) return `invalid cid: ${MALFORMED_VARINT}`;
  if (bytes.length - codec.end < 2) return 'invalid cid: multihash too short. must be >= 2 bytes';
  const code = decodeVarint(bytes, codec.end);
  const length = code && decodeVarint(bytes, code.end);
  if (length === undefined) return 'invalid cid: uvarint: buffer too small';
  return bytes.length - length.end < length.value
    ? 'invalid cid: length greater than remaining number of bytes in buffer'
    : trailing;
}

/**
 * Explains why a text is not a CID, with the message of Kubo and thus of Go's libraries.
 *
 * @param decoded the decoded text, if this service can read its base.
 * @param otherwise the message for any other base.
 */
export function cidFault(text: string, decoded: Uint8Array | undefined, otherwise: string): string {
  if (text.length === 46 && text.startsWith('Qm')) return "input isn't valid multihash";
  const digits = text.slice(1);
  if (text.startsWith('b')) {
    const wrong = [...digits].findIndex((digit) => !BASE32.includes(digit));
    return wrong < 0 ? faultInBytes(base32Bytes(digits)) : `illegal base32 data at input byte ${wrong}`;
  }
  const [wrong] = text.startsWith('z') ? (BASE58.exec(digits) ?? []) : [];
  if (wrong !== undefined) return `invalid base58 digit ('${wrong}')`;
  return decoded === undefined ? otherwise : faultInBytes(decoded);
}
