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
