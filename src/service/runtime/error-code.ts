/**
 * @param error - Anything that was thrown.
 * @returns Its `code`, as on Node's own errors (`ENOENT`, `ECONNRESET`, `Z_DATA_ERROR`); undefined if it has none.
 */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' && error.code !== '' ? error.code : undefined;
}
