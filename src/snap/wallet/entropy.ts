import { WalletRefusedError } from '../../core/errors';
import { fromHex } from '../../core/eth/bytes';

/**
 * Secret bytes that only this snap can derive, always the same for the same recovery phrase (SIP-6).
 *
 * @param salt - Selects the secret. Different salts give unrelated secrets.
 * @returns 32 bytes.
 */
export type Entropy = (salt: string) => Promise<Uint8Array>;

export const snapEntropy: Entropy = async (salt) => {
  try {
    return fromHex(await snap.request({ method: 'snap_getEntropy', params: { version: 1, salt } }));
  } catch {
    throw new WalletRefusedError('The wallet could not derive the key. Nothing was signed.');
  }
};
