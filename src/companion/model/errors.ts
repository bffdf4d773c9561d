type Shape = { readonly code?: unknown; readonly message?: unknown; readonly data?: { readonly message?: unknown } };

/** Whether the person rejected the request (EIP-1193, code 4001). That is an answer, not a failure. */
export const isRejection = (error: unknown): boolean => (error as Shape | null)?.code === 4001;

/** @returns A message for people, from whatever was thrown. */
export function messageOf(error: unknown): string {
  if (isRejection(error)) return 'You rejected the request.';
  const { message } = (error ?? {}) as Shape;
  return typeof message === 'string' && message !== ''
    ? message
    : 'Something went wrong, and no reason was given. Try again.';
}
