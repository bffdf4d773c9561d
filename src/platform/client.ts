/** @returns Whether the wallet is locked; if it does not tell, not. */
export async function isWalletLocked(): Promise<boolean> {
  try {
    return (await snap.request({ method: 'snap_getClientStatus' })).locked;
  } catch {
    return false;
  }
}

/**
 * Has the wallet send us a background event once, unless one of that name is on its way already. A wallet
 * that has no such events sends none.
 *
 * @param method - What the event's request is called.
 * @param duration - ISO 8601, such as `PT30S`.
 */
export async function scheduleEvent(method: string, duration: string): Promise<void> {
  try {
    const events = await snap.request({ method: 'snap_getBackgroundEvents' });
    if (events.some(({ request }) => request.method === method)) return;
    await snap.request({ method: 'snap_scheduleBackgroundEvent', params: { duration, request: { method } } });
  } catch {
    // Nothing depends on it: what became of the batches is looked up on request, too.
  }
}
