import { type Json } from '@metamask/snaps-sdk';

import { RpcError, type SerializedError, serializeError } from '../rpc-error';
import { PausableTimer } from './pausable-timer';
import { openWindowChannel, type WindowChannel } from './window-channel';

/** Answers the requests of the snap to its wallet: `snap.request` and `ethereum.request`. */
export type OutboundHandler = (request: { readonly method: string; readonly params?: Json }) => Promise<Json>;

type Options = {
  /** The URL of MetaMask's iframe execution environment (`index.html`), on another origin than the page. */
  readonly url: string;
  readonly snapId: string;
  readonly sourceCode: string;
  readonly endowments: readonly string[];
  readonly onRequest: OutboundHandler;
  /** Called when the snap throws outside a request. The caller must stop it, as MetaMask does. */
  readonly onCrash: () => void;
};

type Answer = { readonly id: string; readonly result?: Json; readonly error?: SerializedError };
type PendingCall = { readonly resolve: (result: Json) => void; readonly reject: (error: Error) => void };

const START_TIMEOUT = 60_000;
/**
 * The default of MetaMask's SnapController. Time in which the snap waits for the wallet or the person does not count.
 */
const REQUEST_TIMEOUT = 60_000;

/** A request to one of the snap's exported handlers. */
export type SnapCall = {
  readonly handler: string;
  readonly origin: string;
  readonly request: { readonly method: string; readonly params?: Json };
};

/** One running snap, in MetaMask's iframe execution environment (`@metamask/snaps-execution-environments`). */
export class Executor {
  readonly #frame: HTMLIFrameElement;
  readonly #channel: WindowChannel;
  readonly #options: Options;
  readonly #calls = new Map<string, PendingCall>();
  readonly #timers = new Set<PausableTimer>();
  /** The number of requests of the snap that the wallet has not answered yet. */
  #outbound = 0;

  private constructor(frame: HTMLIFrameElement, window: Window, options: Options) {
    this.#frame = frame;
    this.#options = options;
    this.#channel = openWindowChannel({
      name: 'parent',
      peer: 'child',
      window,
      onMessage: (message) => {
        this.#receive(message as { name: string; data: unknown });
      },
    });
  }

  /**
   * Loads the environment and runs the snap in it.
   *
   * @throws {RpcError} If the environment cannot be loaded, or the snap throws while it starts.
   */
  static async start(options: Options): Promise<Executor> {
    const frame = document.createElement('iframe');
    frame.sandbox.add('allow-scripts');
    frame.title = 'Snap execution environment';
    frame.hidden = true;
    frame.src = options.url;
    document.body.append(frame);
    await new Promise<void>((resolve) => frame.addEventListener('load', () => resolve()));
    if (frame.contentWindow === null) throw new RpcError(-32603, 'The execution environment could not be loaded.');
    const executor = new Executor(frame, frame.contentWindow, options);
    try {
      await executor.#command('ping', undefined, 10_000);
      const { snapId, sourceCode, endowments } = options;
      await executor.#command('executeSnap', { snapId, sourceCode, endowments: [...endowments] }, START_TIMEOUT);
      return executor;
    } catch (error) {
      executor.stop();
      throw error;
    }
  }

  /** @throws {RpcError} The snap's error, or -32603 if it does not answer within 60 s. */
  async call({ handler, origin, request }: SnapCall): Promise<Json> {
    const params = { snapId: this.#options.snapId, handler, origin, request: { jsonrpc: '2.0', id: 1, ...request } };
    return this.#command('snapRpc', params as Json, REQUEST_TIMEOUT);
  }

  stop(): void {
    this.#channel.close();
    this.#frame.remove();
    for (const timer of this.#timers) timer.cancel();
    for (const { reject } of this.#calls.values()) reject(new RpcError(-32603, 'The snap was stopped.'));
    this.#calls.clear();
  }

  async #command(method: string, params: Json | undefined, timeout: number): Promise<Json> {
    const id = crypto.randomUUID();
    const timer = new PausableTimer(timeout, () =>
      this.#calls.get(id)?.reject(new RpcError(-32603, `The snap did not answer within ${timeout / 1000} s.`)),
    );
    if (this.#outbound > 0) timer.pause();
    this.#timers.add(timer);
    try {
      return await new Promise<Json>((resolve, reject) => {
        this.#calls.set(id, { resolve, reject });
        this.#send('command', { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) });
      });
    } finally {
      timer.cancel();
      this.#timers.delete(timer);
      this.#calls.delete(id);
    }
  }

  #send(stream: 'command' | 'jsonRpc', data: unknown): void {
    this.#channel.send({ name: stream, data });
  }

  #receive({ name, data }: { readonly name: string; readonly data: unknown }): void {
    if (name === 'jsonRpc')
      void this.#answerOutbound((data as { data: Parameters<OutboundHandler>[0] & { id: Json } }).data);
    else if (typeof data === 'object' && data !== null && 'id' in data) this.#settle(data as Answer);
    else if ((data as { method?: string }).method === 'UnhandledError') this.#options.onCrash();
  }

  #settle({ id, result, error }: Answer): void {
    const call = this.#calls.get(id);
    if (error === undefined) call?.resolve(result ?? null);
    else call?.reject(new RpcError(error.code, error.message, error.data));
  }

  async #answerOutbound({ id, method, params }: Parameters<OutboundHandler>[0] & { readonly id: Json }): Promise<void> {
    this.#pauseTimers();
    let answer;
    try {
      answer = { result: await this.#options.onRequest({ method, ...(params !== undefined && { params }) }) };
    } catch (error) {
      answer = { error: serializeError(error) };
    }
    this.#resumeTimers();
    this.#send('jsonRpc', { name: 'metamask-provider', data: { jsonrpc: '2.0', id, ...answer } });
  }

  #pauseTimers(): void {
    this.#outbound += 1;
    for (const timer of this.#timers) timer.pause();
  }

  #resumeTimers(): void {
    this.#outbound -= 1;
    if (this.#outbound > 0) return;
    for (const timer of this.#timers) timer.resume();
  }
}
