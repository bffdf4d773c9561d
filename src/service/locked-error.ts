/** Another process holds what only one may have. The message names it. */
export class LockedError extends Error {
  override name = 'LockedError';
}
