import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { WebSocketServer, type WebSocket } from 'ws';

import { OWN_ADDRESS } from './own-address';

type Request = { id: unknown; method: string; params: unknown[] };

const running: LiveNode[] = [];

afterEach(async () => {
  for (const node of running.splice(0)) await node.stop();
});

export const hex = (value: number): string => `0x${value.toString(16)}`;

/** A node with a WebSocket, both on one port, that can stop and start again, and whose state a test changes. */
export class LiveNode {
  chainId = 1;
  head = 100;
  /** Answers other methods, or throws `{code, message}`; returns undefined if it writes the response itself or none. */
  answer: (request: Request, response: ServerResponse | undefined) => unknown = ({ method }) =>
    `${this.name} ${method}`;
  /** Requests other than checks and subscriptions. */
  readonly asked: string[] = [];
  /** Times that a check asked for the chain. */
  checks = 0;
  /** Parameters of all `eth_subscribe` requests. */
  readonly subscribed: string[] = [];
  readonly unsubscribed: string[] = [];
  /** Whether it answers nothing at all, not even checks. */
  isSilent = false;
  /** Whether new WebSocket connections answer pings. */
  autoPong = true;
  /** WebSocket connections made. */
  connections = 0;
  #port = 0;
  #server: Server | undefined;
  #webSockets: WebSocketServer | undefined;
  readonly #tcp = new Set<Socket>();
  /** Live subscriptions: JSON of the parameters and the connection, by ID. */
  readonly #live = new Map<string, { params: string; socket: WebSocket }>();
  #next = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(readonly name: string) {
    running.push(this);
  }

  get url(): string {
    return `http://${OWN_ADDRESS}:${this.#port}`;
  }

  get wsUrl(): string {
    return `ws://${OWN_ADDRESS}:${this.#port}`;
  }

  get host(): string {
    return `${OWN_ADDRESS}:${this.#port}`;
  }

  async start(): Promise<this> {
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const answer = this.#respond(JSON.parse(body) as Request, response);
        if (answer !== undefined) response.setHeader('content-type', 'application/json').end(answer);
      });
    });
    server.on('connection', (socket) => {
      this.#tcp.add(socket);
      socket.once('close', () => this.#tcp.delete(socket));
    });
    server.listen(this.#port, OWN_ADDRESS);
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
    this.#webSockets = new WebSocketServer({ server, autoPong: this.autoPong });
    this.#webSockets.on('connection', (socket) => {
      this.connections += 1;
      socket.on('message', (data) => {
        const answer = this.#respond(JSON.parse(String(data as Buffer)) as Request, undefined, socket);
        if (answer !== undefined) socket.send(answer);
        this.#changed();
      });
      socket.once('close', () => {
        for (const [id, live] of this.#live) if (live.socket === socket) this.#live.delete(id);
        this.#changed();
      });
      this.#changed();
    });
    return this;
  }

  /** Ends all connections; requests fail until it is started again. */
  async stop(): Promise<void> {
    if (!this.#server) return;
    const closed = once(this.#server, 'close');
    this.#webSockets?.close();
    this.#server.close();
    for (const socket of this.#tcp) socket.destroy();
    this.#server = undefined;
    await closed;
  }

  #respond(request: Request, response: ServerResponse | undefined, socket?: WebSocket): string | undefined {
    const { id, method, params } = request;
    if (this.isSilent) return undefined;
    try {
      const result = this.#resultOf(request, response, socket);
      return result === undefined ? undefined : JSON.stringify({ jsonrpc: '2.0', id, result });
    } catch (error) {
      return JSON.stringify({ jsonrpc: '2.0', id, error });
    } finally {
      if (method === 'eth_subscribe') this.subscribed.push(JSON.stringify(params));
    }
  }

  #resultOf(request: Request, response: ServerResponse | undefined, socket?: WebSocket): unknown {
    const { method, params } = request;
    if (method === 'eth_chainId') {
      if (response) this.checks += 1;
      return hex(this.chainId);
    }
    if (method === 'eth_blockNumber' && response) return hex(this.head);
    if (socket && method === 'eth_subscribe') {
      const own = this.answer(request, undefined);
      if (own === undefined) return undefined;
      const id = hex((this.#next += 1));
      this.#live.set(id, { params: JSON.stringify(params), socket });
      return id;
    }
    if (socket && method === 'eth_unsubscribe') {
      this.unsubscribed.push(String(params[0]));
      return this.#live.delete(String(params[0]));
    }
    this.asked.push(method);
    return this.answer(request, response);
  }

  /** JSON of the parameters of each live subscription. */
  get live(): string[] {
    return [...this.#live.values()].map(({ params }) => params);
  }

  /** Sends a notification to the live subscriptions with these parameters. `result` is JSON. */
  notify(params: readonly unknown[], result: string): void {
    for (const [subscription, live] of this.#live)
      if (live.params === JSON.stringify(params))
        live.socket.send(
          `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${subscription}","result":${result}}}`,
        );
  }

  /** Sends a text to every WebSocket. */
  broadcast(text: string): void {
    for (const socket of this.#webSockets?.clients ?? []) socket.send(text);
  }

  /** Ends the WebSockets only. */
  drop(): void {
    for (const socket of this.#webSockets?.clients ?? []) socket.terminate();
  }

  /** Resolves once the condition holds; it is tested whenever something happens on a WebSocket. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #changed(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** Starts a node of this name. */
export const liveNode = (name: string): Promise<LiveNode> => new LiveNode(name).start();
