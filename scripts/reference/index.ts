import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { costsPage } from './costs-page';
import { errorsPage } from './errors-page';
import { methodsPage } from './methods-page';

/** The pages of docs/reference that are made from the code alone, by file name. */
export const REFERENCE: Readonly<Record<string, () => string>> = {
  'costs.md': costsPage,
  'errors.md': errorsPage,
  'methods.md': methodsPage,
};

const FOLDER = join(import.meta.dirname, '../../docs/reference');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, page] of Object.entries(REFERENCE)) writeFileSync(join(FOLDER, name), page());
}
