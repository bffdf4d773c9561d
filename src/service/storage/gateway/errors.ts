/** A request that is not answered with content: the status, and why, as plain text. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly status: 400 | 404 | 406 | 412 | 429 | 500 | 501 | 503;
  /** After how many seconds the request may be sent again. */
  readonly seconds: number | undefined;

  constructor(
    status: GatewayError['status'],
    message: string,
    { seconds, ...options }: ErrorOptions & { seconds?: number } = {},
  ) {
    super(message, options);
    this.seconds = seconds;
    this.status = status;
  }
}
