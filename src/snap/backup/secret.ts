import { type Entropy } from '../platform/entropy';
import { FORMAT_VERSION } from './seal';

/** Of `snap_getEntropy`. It can never change: backups could not be opened any more. */
const SALT = `keystead/backup/${FORMAT_VERSION}`;

/** Lends the secret that backups are encrypted from, and wipes it afterwards. */
export async function withBackupSecret<T>(entropy: Entropy, use: (secret: Uint8Array) => Promise<T>): Promise<T> {
  const secret = await entropy(SALT);
  try {
    return await use(secret);
  } finally {
    secret.fill(0);
  }
}
