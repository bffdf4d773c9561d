import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { writeFloor } from './floor';
import { FLOOR, FLOOR_ONE_CALL, OURS, PEERS } from './names';

const root = resolve(import.meta.dirname, '../..');
const peers = join(root, 'bench/node_modules/@metamask');

/** What a request costs at least if the snap must ask the wallet for something, as for a key it does not hold. */
const ONE_CALL =
  'const f=async()=>{await snap.request({method:"snap_getState",params:{key:"a",encrypted:true}});return []};module.exports.onKeyringRequest=module.exports.onRpcRequest=f';

/** @returns The folders of all snaps, by name. @param others - Snaps that were given by hand. @param alone - Without the production snaps. */
export async function snapFolders(
  others: Readonly<Record<string, string>>,
  alone = false,
): Promise<Record<string, string>> {
  const ours = join(root, 'dist');
  if (!existsSync(join(ours, 'bundle.js'))) throw new Error('dist/: must hold the built snap; run npm run build');
  const [floor, oneCall] = [join(tmpdir(), 'keystead-bench-floor'), join(tmpdir(), 'keystead-bench-one-call')];
  await writeFloor(floor, ours);
  await writeFloor(oneCall, ours, ONE_CALL);
  return {
    [FLOOR]: floor,
    [FLOOR_ONE_CALL]: oneCall,
    [OURS]: ours,
    ...Object.fromEntries(
      (alone ? [] : PEERS).map((name) => [
        name,
        join(peers, `${name}-wallet-snap`.replace('message-signing-wallet', 'message-signing')),
      ]),
    ),
    ...others,
  };
}
