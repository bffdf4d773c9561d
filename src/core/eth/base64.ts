/** Bytes that are converted at once: more would be too many arguments of a call. */
const CHUNK = 8192;

/** @returns The bytes in base64 (RFC 4648, with padding). */
export function base64OfBytes(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

/** @param text - Valid base64. @returns Its bytes. */
export const bytesOfBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

/** @returns The bytes in base64url (RFC 4648, without padding), as WebAuthn and links have it. */
export const base64UrlOfBytes = (bytes: Uint8Array): string =>
  base64OfBytes(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/u, '');

/** @returns The bytes of base64url without padding. @throws {DOMException} If it is not. */
export const bytesOfBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  bytesOfBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
