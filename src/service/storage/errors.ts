/** Codes of the `{"Message","Code","Type"}` error object, as in go-ipfs-cmds. */
export const ErrorCode = { Normal: 0, Client: 1 } as const;

/** The request itself is invalid or not allowed: answered with this status and the message as plain text. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: 400 | 403 | 404 | 405 | 429;

  constructor(status: RequestError['status'], message: string) {
    super(message);
    this.status = status;
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

/** The client sent unacceptable content: 400. */
export const clientFault = (message: string): CommandError => new CommandError(message, ErrorCode.Client);

/** Text of any thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
