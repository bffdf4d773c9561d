import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { writeFloor } from './floor';
import { FLOOR, FLOOR_ENTROPY, FLOOR_STATE, OURS, pathOf } from './names';

const root = resolve(import.meta.dirname, '../..');

/** The minimum cost of a request if the snap must ask the wallet for a key that it does not hold. */
const oneCall = (call: object): string =>
  `const f=async()=>{await snap.request(${JSON.stringify(call)});return []};module.exports.onKeyringRequest=module.exports.onRpcRequest=f`;

/** The sources of the empty snaps. */
const FLOORS: Readonly<Record<string, string>> = {
  [FLOOR]: 'module.exports.onKeyringRequest=module.exports.onRpcRequest=async()=>[]',
  [FLOOR_STATE]: oneCall({ method: 'snap_getState', params: { key: 'a', encrypted: true } }),
  [FLOOR_ENTROPY]: oneCall({ method: 'snap_getEntropy', params: { version: 1, salt: 'a' } }),
};

/**
 * @param given - The folders of snaps given by the user, by name.
 * @returns The folders of all snaps, by name.
 */
export async function snapFolders(given: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const ours = join(root, 'dist');
  if (!existsSync(join(ours, 'bundle.js'))) throw new Error('dist/: the built snap is missing; run npm run build');
  const floors: Record<string, string> = {};
  for (const [name, source] of Object.entries(FLOORS)) {
    const folder = join(tmpdir(), `keystead-bench-${pathOf(name)}`);
    await writeFloor(folder, ours, source);
    floors[name] = folder;
  }
  return { ...floors, [OURS]: ours, ...given };
}
