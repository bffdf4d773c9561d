import { NotificationType, type NotifyParams } from '@metamask/snaps-sdk';

import { WalletRefusedError } from '../../core/errors';
import { fromHex } from '../../core/eth/bytes';

/** @returns Whether the wallet is locked; false if it does not say. */
export async function isWalletLocked(): Promise<boolean> {
  try {
    return (await snap.request({ method: 'snap_getClientStatus' })).locked;
  } catch {
    return false;
  }
}

/**
 * Schedules a single background event. If an event of the same name is already scheduled, an earlier one is kept and a
 * later one is cancelled. Does nothing in wallets without background events.
 *
 * @param method - The method name of the event.
 * @param seconds - The delay from now.
 */
export async function scheduleEvent(method: string, seconds: number): Promise<void> {
  const latest = Date.now() + seconds * 1000;
  try {
    const events = await snap.request({ method: 'snap_getBackgroundEvents' });
    const coming = events.filter(({ request }) => request.method === method);
    if (coming.some(({ date }) => Date.parse(date) <= latest)) return;
    const duration = `PT${seconds}S`;
    await snap.request({ method: 'snap_scheduleBackgroundEvent', params: { duration, request: { method } } });
    for (const { id } of coming) await snap.request({ method: 'snap_cancelBackgroundEvent', params: { id } });
  } catch {
    // Nothing depends on the event: the status of batches is also looked up on request.
  }
}

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

/**
 * Reads a file that is part of the snap (`source.files` in the manifest). MetaMask has verified it with the snap's
 * checksum.
 *
 * @param path - The path relative to the snap's folder.
 * @returns The text, or undefined if MetaMask does not return it.
 */
export type ReadFile = (path: string) => Promise<string | undefined>;

export const snapFile: ReadFile = async (path) => {
  try {
    return (await snap.request({ method: 'snap_getFile', params: { path, encoding: 'utf8' } })) ?? undefined;
  } catch {
    return undefined;
  }
};

/** Characters of a notification of the browser, which cuts longer ones. */
const MAX_NATIVE = 50;

/**
 * Notifies the person, also while the wallet is locked: among the notifications in MetaMask, and through the browser.
 * MetaMask limits how often a snap may do so, and a browser may have no notifications, so it may fail in silence: what
 * was to be said must be on a page, too.
 *
 * @param title - Said by the browser: at most 50 characters.
 * @param message - Said in MetaMask: at most 500 characters.
 */
export async function notify(title: string, message: string): Promise<void> {
  const inMetaMask: NotifyParams = { type: NotificationType.InApp, message };
  const inBrowser: NotifyParams = { type: NotificationType.Native, message: title.slice(0, MAX_NATIVE) };
  for (const params of [inMetaMask, inBrowser])
    // The home page says it, too.
    await snap.request({ method: 'snap_notify', params }).catch(() => undefined);
}
