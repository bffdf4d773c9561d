/** @returns Whether the wallet is locked; if it does not tell, not. */
export async function isWalletLocked(): Promise<boolean> {
  try {
    return (await snap.request({ method: 'snap_getClientStatus' })).locked;
  } catch {
    return false;
  }
}

/**
 * Has the wallet send us a background event once. One of that name that is on its way already stands for it if it
 * comes no later, and is taken back if it comes later. A wallet that has no such events sends none.
 *
 * @param method - What the event's request is called.
 * @param seconds - From now.
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
    // Nothing depends on it: what became of the batches is looked up on request, too.
  }
}
