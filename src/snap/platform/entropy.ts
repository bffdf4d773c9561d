import { WalletRefusedError } from '../../core/errors';
import { fromHex } from '../../core/eth/bytes';

/**
 * Secret bytes that only this snap gets, and gets again from the same recovery phrase (SIP-6).
 *
 * @param salt - Which secret; different salts give unrelated ones.
 * @returns 32 bytes.
 */
export type Entropy = (salt: string) => Promise<Uint8Array>;

export const snapEntropy: Entropy = async (salt) => {
  try {
    return fromHex(await snap.request({ method: 'snap_getEntropy', params: { version: 1, salt } }));
  } catch {
    throw new WalletRefusedError('The wallet did not derive the key. Nothing was signed.');
  }
};
