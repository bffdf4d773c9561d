import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { FILE_OF_TOKENS, fileOfShard } from '../../src/snap/explain/metadata/library';
import { type Compiled, compileDescriptors } from './descriptors';
import { REGISTRY } from './registry';
import { compileTokens } from './tokens';

/** The snap's auxiliary files by path, and what they were compiled from. */
export function compileContractMetadata(): { files: Readonly<Record<string, unknown>>; compiled: Compiled } {
  const compiled = compileDescriptors(REGISTRY);
  const shards = Object.entries(compiled.shards).map(([digit, shard]) => [fileOfShard(digit), shard]);
  return {
    files: { ...Object.fromEntries(shards), [FILE_OF_TOKENS]: compileTokens() },
    compiled,
  };
}

/** Writes the auxiliary files into the folder of a build. @returns Their paths, as listed in the manifest. */
export function writeContractMetadata(folder: string): string[] {
  const { files } = compileContractMetadata();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(content));
  }
  return Object.keys(files).sort();
}
