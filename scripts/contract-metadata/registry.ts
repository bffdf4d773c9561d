import { readFileSync } from 'node:fs';

import { ARCHIVE, openArchive, PIN } from './archive';
import { type Source } from './source';

/** The only major version of the schema that is read. */
const MAJOR = '2';

/**
 * The descriptors among the registry's files.
 *
 * @returns `refused` says of each of the others why it cannot be read.
 */
export function descriptorsIn(texts: Readonly<Record<string, string>>): {
  readonly files: Readonly<Record<string, Source>>;
  readonly refused: readonly string[];
} {
  const files: Record<string, Source> = {};
  const refused: string[] = [];
  for (const [path, text] of Object.entries(texts)) {
    if (!/^(?:registry\/[^/]+|ercs)\/[^/]+\.json$/u.test(path)) continue;
    const source = JSON.parse(text) as Source & { readonly $schema?: unknown };
    // The version is the schema's own: its file's name is only a convention (ERC-7730, Versioning).
    const schema = /[^/]+$/u.exec(String(source.$schema))?.[0] ?? '';
    const { version } = JSON.parse(texts[`specs/${schema}`] ?? '{}') as { version?: string };
    if (version?.split('.')[0] === MAJOR) files[path] = source;
    else refused.push(`${path}: $schema ${schema} is of version ${version ?? 'unknown'}, only ${MAJOR} is read`);
  }
  return { files, refused };
}

/** The registry's files: their texts by path. */
export const ARCHIVED = openArchive(readFileSync(ARCHIVE), PIN.sha256);

/** The descriptors of the registry by path, with the interfaces that they include. */
export const { files: REGISTRY, refused: REFUSED } = descriptorsIn(ARCHIVED);
