import { NotificationType, type NotifyParams } from '@metamask/snaps-sdk';

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
