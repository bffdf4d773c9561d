type Shape = { readonly code?: unknown; readonly message?: unknown; readonly data?: { readonly message?: unknown } };

/** Whether the person said no: that is an answer, not a failure. */
export const isRefusal = (error: unknown): boolean => (error as Shape | null)?.code === 4001;

/** @returns A sentence for people, of whatever was thrown. */
export function sentenceOf(error: unknown): string {
  if (isRefusal(error)) return 'You refused it in the wallet, so it was not done.';
  const { message } = (error ?? {}) as Shape;
  return typeof message === 'string' && message !== '' ? message : 'That failed, and nothing says why.';
}
