/** What is written badly, as in a link of somebody else, is read as it stands. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** @returns The parts of an address's hash, `#/` in front and slashes between them. */
export const partsOf = (hash: string): readonly string[] =>
  hash.replace(/^#\/?/u, '').split('/').filter(Boolean).map(decoded);
