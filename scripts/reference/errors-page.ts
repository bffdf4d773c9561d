import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '../../src/core/errors.ts');

/** A class of errors with a number: its docstring, its code and its number. */
const CLASS =
  /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*export class \w+ extends KeysteadError \{\s*readonly code = '([^']+)';\s*readonly rpcCode(?:: number;| = (-?\d+))/gu;
/** A number of a standard: its code, the number, and the comment behind it. */
const STANDARD = /^ {2}(?:'([^']+)'|(\w+)): (-?\d+), \/\/ (.+)$/gmu;

type Row = { readonly code: string; readonly number: string; readonly when: string };

/** @returns The first paragraph of a docstring, on one line. */
const summaryOf = (docstring: string): string =>
  docstring
    .split(/\n\s*\*\s*(?:\n|@)/u)[0]!
    .replace(/\n\s*\* ?/gu, ' ')
    .replace(/^[\s*]+/u, '')
    .trim();

/** @returns The errors of the snap, as `src/core/errors.ts` declares them. */
export function errorsIn(source: string): Row[] {
  const classes = [...source.matchAll(CLASS)].map(([, doc = '', code = '', number]) => ({
    code,
    number: number ?? "the node's",
    when: summaryOf(doc),
  }));
  const [, table = ''] = /const PROVIDER_CODES = \{\n([^]*?)\} as const/u.exec(source) ?? [];
  const standards = [...table.matchAll(STANDARD)].map(([, quoted, plain, number = '', when = '']) => ({
    code: quoted ?? plain ?? '',
    number,
    when,
  }));
  return [...classes, ...standards];
}

const sorted = (rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => (Number(b.number) || -Infinity) - (Number(a.number) || -Infinity));

/** @returns The page of docs/reference/errors.md. */
export const errorsPage = (): string => `# Errors

Written by \`npm run reference\` from \`src/core/errors.ts\`. \`data.code\` is stable, so programs may rely on it; the number is that of the
JSON-RPC response. A message names the field and the rule, never the value. Anything else is \`internal\`, without its text.

| Number | \`data.code\` | When |
| --- | --- | --- |
${sorted(errorsIn(readFileSync(FILE, 'utf8')))
  .map(({ code, number, when }) => `| ${number} | \`${code}\` | ${when} |`)
  .join('\n')}

\`data\` has more where it helps: \`field\` and \`rule\` (\`invalid-params\`), \`serviceCode\` (\`service-refused\`: the number of the service's error),
\`fault\` (\`backup-unreadable\`), and \`data\` (\`node-refused\`: the bytes of a revert). The methods of EIP-5792 say
[which of their numbers means what](../methods/wallet_sendCalls.md).
`;
