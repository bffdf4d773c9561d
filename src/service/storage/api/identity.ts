import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { base58btc } from 'multiformats/bases/base58';
import { replaceFile } from '../../runtime/replace-file';

/**
 * The name of this store in the form of a libp2p peer ID. The service does not speak libp2p, so the key signs nothing.
 */
export type Identity = { readonly id: string; readonly publicKey: string };

/** Protobuf of a libp2p Ed25519 public key: type 1, 32 bytes. */
const KEY_HEADER = Uint8Array.from([0x08, 0x01, 0x12, 0x20]);
const IDENTITY_36 = Uint8Array.from([0x00, 0x24]);

/** The identity stored in `directory`, created on first use. */
export async function loadIdentity(directory: string): Promise<Identity> {
  const path = join(directory, 'identity');
  let publicKey = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (publicKey === '') {
    const raw = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    publicKey = Buffer.concat([KEY_HEADER, raw]).toString('base64');
    await replaceFile(path, publicKey);
  }
  const peerId = Buffer.concat([IDENTITY_36, Buffer.from(publicKey, 'base64')]);
  return { id: base58btc.encode(peerId).slice(1), publicKey };
}
