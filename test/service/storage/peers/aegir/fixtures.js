import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The fixture files, which scripts/install-storage-peers.sh puts beside this package. */
export default function loadFixture(path) {
  return new Uint8Array(readFileSync(join(ROOT, path.replace(/^test\//, ''))));
}
