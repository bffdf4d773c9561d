import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Where a fixture file lies. */
export default function resolve(path) {
  return join(ROOT, path.replace(/^test\//, ''));
}
