import { type Entropy } from '../../wallet/client';
import { FORMAT_VERSION } from './seal';

/** The salt for `snap_getEntropy`. It must never change, or existing backups could not be decrypted. */
const SALT = `keystead/backup/${FORMAT_VERSION}`;

/** Passes the secret from which backup keys are derived to `use`, and wipes it afterwards. */
export async function withBackupSecret<T>(entropy: Entropy, use: (secret: Uint8Array) => Promise<T>): Promise<T> {
  const secret = await entropy(SALT);
  try {
    return await use(secret);
  } finally {
    secret.fill(0);
  }
}
