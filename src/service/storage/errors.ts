/** Codes of the `{"Message","Code","Type"}` error object, as in go-ipfs-cmds. */
export const ErrorCode = { Normal: 0, Client: 1 } as const;

/** The request itself is invalid or not allowed: answered with this status and the message as plain text. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: 400 | 403 | 404 | 405 | 429 | 503;

  /** After how many seconds it may be sent again. */
  readonly retryAfter: number | undefined;

  constructor(status: RequestError['status'], message: string, retryAfter = status === 503 ? 1 : undefined) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** The command failed: 500, or 400 if the client's data is at fault (`ErrorCode.Client`). */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: (typeof ErrorCode)[keyof typeof ErrorCode];

  constructor(message: string, code: CommandError['code'] = ErrorCode.Normal) {
    super(message);
    this.code = code;
  }
}

/** The request was cancelled or timed out, so a partial response must not pass for a complete one. */
export class GivenUpError extends CommandError {}

/** The object store is unreachable or refused the request. As far as can be known, nothing was changed. */
export class ObjectStoreError extends Error {
  override readonly name = 'ObjectStoreError';
  /** Whether it may soon be available: nothing has answered, or the service itself has failed. */
  readonly isPassing: boolean;

  constructor(message: string, { isPassing = false, ...options }: ErrorOptions & { isPassing?: boolean } = {}) {
    super(message, options);
    this.isPassing = isPassing;
  }
}

/** Whether the same request may soon succeed, because only the object store has failed. */
export const isPassing = (error: unknown): boolean => error instanceof ObjectStoreError && error.isPassing;

/** After how many seconds such a request may be sent again. */
export const RETRY_AFTER_SECONDS = 2;

/** The client sent unacceptable content: 400. */
export const clientFault = (message: string): CommandError => new CommandError(message, ErrorCode.Client);

/** Text of any thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The same for clients, without the path of a file, which is private to the server. */
export function messageForClients(error: unknown): string {
  const { path } = error as { path?: unknown };
  return typeof path === 'string' ? messageOf(error).replace(/ '[^]*$/u, '') : messageOf(error);
}
