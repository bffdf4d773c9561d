/** A request that is not answered with content: the status, and why, as plain text. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly status: 400 | 404 | 406 | 412 | 500 | 501 | 503;

  constructor(status: GatewayError['status'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}
