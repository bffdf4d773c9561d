import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { costsPage } from './costs-page';

writeFileSync(join(dirname(fileURLToPath(import.meta.url)), '../docs/costs.md'), costsPage());
