/** Malformed percent-encoding, as in someone else's link, is kept as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @returns The decoded parts of a URL hash such as `#/explorer/block/1`. */
export const partsOf = (hash: string): readonly string[] =>
  hash.replace(/^#\/?/u, '').split('/').filter(Boolean).map(decoded);
