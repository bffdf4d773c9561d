import { INTERNAL_ERROR, RpcError } from './errors';

export type FailureOptions = ErrorOptions & {
  /** The JSON-RPC error that came with the failure; it is what the caller gets if no other server can be asked. */
  answer?: RpcError;
  /** Whether the request was certainly not executed. */
  isUnexecuted?: boolean;
  /** Whether another server would fail in the same way: it does not speak against this one. */
  isFinal?: boolean;
};

/** Why a request to the other server failed. Never contains the address, which may include a key. */
export class UpstreamFailure extends Error {
  readonly outcome: 'timeout' | 'unreachable';
  readonly answer: RpcError | undefined;
  readonly isUnexecuted: boolean;
  readonly isFinal: boolean;

  constructor(
    outcome: 'timeout' | 'unreachable',
    message: string,
    { answer, isUnexecuted = false, isFinal = false, ...options }: FailureOptions = {},
  ) {
    super(message, options);
    this.outcome = outcome;
    this.answer = answer;
    this.isUnexecuted = isUnexecuted;
    this.isFinal = isFinal;
  }

  /**
   * @param what - `node` or `bundler`.
   * @returns The error for the caller: 504 if it took too long, else 502.
   */
  toRpcError(what: string): RpcError {
    const status = this.outcome === 'timeout' ? 504 : 502;
    return (
      this.answer ?? new RpcError(INTERNAL_ERROR, `the network's ${what} ${this.message}`, { status, cause: this })
    );
  }
}
