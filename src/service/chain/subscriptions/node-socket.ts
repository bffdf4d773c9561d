import { WebSocket } from 'ws';

import type { NodeConfig } from '../config';
import { RpcError } from '../errors';
import { membersOf } from '../json-text';
import { MAX_LEVELS } from '../node-answer';
import { UpstreamFailure } from '../upstream-failure';

/** Called with a notification's subscription, as the node numbers it, and its result as JSON. */
type OnNotification = (id: string, result: string) => void;

export type NodeSocketOptions = {
  config: NodeConfig;
  url: string;
  onNotification: OnNotification;
  /** Called once, when the connection has ended or could not be made. */
  onClosed: () => void;
};

/** A request that waits for its response. */
type Pending = { accept: (result: unknown) => void; fail: (error: Error) => void; timer: NodeJS.Timeout };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const unreachable = () => new UpstreamFailure('unreachable', 'cannot be reached');

/** A JSON-RPC connection to a node's WebSocket. */
export class NodeSocket {
  readonly #config: NodeConfig;
  readonly #onNotification: OnNotification;
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, Pending>();
  readonly #opened: Promise<void>;
  #id = 0;
  /** Whether anything has arrived since the last {@link heartbeat}. */
  #alive = true;

  /** Starts to connect; requests wait for it. */
  constructor({ config, url, onNotification, onClosed }: NodeSocketOptions) {
    this.#config = config;
    this.#onNotification = onNotification;
    const { headers, timeoutMs, answerBytes } = config;
    const socket = new WebSocket(url, {
      headers,
      handshakeTimeout: timeoutMs,
      maxPayload: answerBytes,
      perMessageDeflate: false,
    });
    this.#socket = socket;
    socket.on('pong', () => (this.#alive = true));
    socket.on('message', (data) => {
      this.#alive = true;
      this.#receive(String(data));
    });
    socket.on('error', () => undefined);
    this.#opened = new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('close', () => {
        reject(unreachable());
        for (const { fail } of [...this.#pending.values()]) fail(unreachable());
        onClosed();
      });
    });
    // Also if no request waits for it.
    this.#opened.catch(() => undefined);
  }

  /**
   * Sends a request.
   *
   * @param method - Name of the method.
   * @param params - JSON of an array.
   * @param accept - Called with the result before anything that follows it is read, such as the first notification.
   * @throws {RpcError} The node's own error.
   * @throws {UpstreamFailure} If the connection ends, or the response does not come in time or is not valid.
   */
  async request(method: string, params: string, accept: (result: unknown) => void): Promise<void> {
    await this.#opened;
    const id = ++this.#id;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        fail(new UpstreamFailure('timeout', 'took too long to answer'));
      }, this.#config.timeoutMs);
      const end = () => {
        clearTimeout(timer);
        this.#pending.delete(id);
      };
      const fail = (error: Error) => {
        end();
        reject(error);
      };
      this.#pending.set(id, {
        timer,
        fail,
        accept: (result) => {
          end();
          try {
            accept(result);
            resolve();
          } catch (error) {
            reject(error as Error);
          }
        },
      });
      this.#socket.send(`{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`);
    });
  }

  #receive(text: string): void {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      // Nothing after it can be trusted to be whole either.
      this.close();
      return;
    }
    if (!isRecord(message)) return;
    const { id, method, params, result, error } = message;
    if (method === 'eth_subscription' && isRecord(params) && typeof params['subscription'] === 'string') {
      const sent = membersOf(membersOf(text).get('params')?.text ?? '{}').get('result');
      if (sent && sent.levels <= MAX_LEVELS) this.#onNotification(params['subscription'], sent.text);
      return;
    }
    const pending = typeof id === 'number' ? this.#pending.get(id) : undefined;
    if (!pending) return;
    if (isRecord(error) && Number.isSafeInteger(error['code']) && typeof error['message'] === 'string')
      pending.fail(new RpcError(error['code'] as number, error['message']));
    else if (result === undefined)
      pending.fail(new UpstreamFailure('unreachable', 'sent a response that is not JSON-RPC'));
    else pending.accept(result);
  }

  /** Ends the connection if nothing has arrived since the last call, and asks for a sign of life. */
  heartbeat(): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    if (!this.#alive) this.#socket.terminate();
    this.#alive = false;
    this.#socket.ping();
  }

  close(): void {
    this.#socket.terminate();
  }
}
