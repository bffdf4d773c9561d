import type { Logger } from 'pino';

import type { NetworkConfig, NodeConfig } from '../config';
import { RpcError } from '../errors';
import { untilDeadline } from '../deadline';
import { UpstreamFailure } from '../upstream-failure';
import type { ChainNode } from '../upstreams/chain-node';
import { NodeSocket } from './node-socket';
import type { Subscription } from './subscription';

/** Where the notifications of one client's subscription go. */
export type Subscriber = {
  /** @param result - JSON of the notification's result. */
  notify(result: string): void;
  /** Called if no node sends notifications any more. */
  ended(): void;
};

/** A subscription at the node, and the clients that share it. */
type Topic = {
  subscription: Subscription;
  subscribers: Set<Subscriber>;
  /** The node's number for it; undefined while it is not subscribed. */
  id: string | undefined;
  started: Promise<void> | undefined;
};

/** The nodes to connect to, best first. */
export type NodeSource = { ranked(): readonly ChainNode[]; onChecked: () => void };

/** The first attempt to reconnect comes at once, the next ones after this time, doubled each time. */
const RETRY_MS = 500;
const MAX_RETRY_MS = 30_000;
/** After so many failed connections in a row, the clients are told. */
const GIVE_UP = 8;

/** A connection that lasted so long did not fail, even if it brought no notification. */
const SOUND_MS = 60_000;

const WHAT = 'node';
const hasSocket = ({ config }: ChainNode) => config.wsUrl !== undefined;

/**
 * The subscriptions of a network, over one WebSocket to one of its nodes. When it ends, another is opened, to another
 * node if there is one, and everything is subscribed again; notifications in between are lost.
 */
export class Feed {
  readonly #nodes: NodeSource;
  readonly #chainId: number;
  readonly #log: Logger;
  readonly #retryMs: number;
  readonly #topics = new Map<string, Topic>();
  readonly #byId = new Map<string, Topic>();
  #socket: NodeSocket | undefined;
  #node: ChainNode | undefined;
  #connecting: Promise<NodeSocket> | undefined;
  /** The connection that is being made. */
  #opening: NodeSocket | undefined;
  /** The node whose connection ended last: the others are tried before it. */
  #lost: ChainNode | undefined;
  #failures = 0;
  #openedAt = 0;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  /**
   * @param network - The network's configuration.
   * @param nodes - Its nodes.
   * @param log - Where lost connections are logged.
   * @param retryMs - Time before the second attempt to reconnect.
   */
  constructor(
    { chainId, name }: Pick<NetworkConfig, 'chainId' | 'name'>,
    nodes: NodeSource,
    log: Logger,
    retryMs = RETRY_MS,
  ) {
    this.#nodes = nodes;
    this.#chainId = chainId;
    this.#log = log.child({ network: name });
    this.#retryMs = retryMs;
    nodes.onChecked = () => {
      this.#checked();
    };
  }

  /**
   * Subscribes.
   *
   * @param subscription - What to.
   * @param subscriber - Receives the notifications, perhaps before this resolves.
   * @param deadline - When to give up, in milliseconds of `performance.now`.
   * @returns A function that ends it.
   * @throws {RpcError} The node's own error; 502 or 504 if no node can be subscribed to.
   */
  async subscribe(subscription: Subscription, subscriber: Subscriber, deadline = Infinity): Promise<() => void> {
    const { params } = subscription;
    let topic = this.#topics.get(params);
    if (!topic) {
      topic = { subscription, subscribers: new Set(), id: undefined, started: undefined };
      this.#topics.set(params, topic);
    }
    const joined = topic;
    joined.subscribers.add(subscriber);
    const cancel = () => {
      joined.subscribers.delete(subscriber);
      if (joined.subscribers.size === 0) this.#drop(joined);
    };
    try {
      await untilDeadline(this.#start(joined), deadline);
    } catch (error) {
      cancel();
      throw error instanceof UpstreamFailure ? error.toRpcError(WHAT) : error;
    }
    return cancel;
  }

  /** Subscribes at the node, once for all clients. */
  #start(topic: Topic): Promise<void> {
    topic.started ??= this.#startNow(topic).catch((error: unknown) => {
      topic.started = undefined;
      throw error;
    });
    return topic.started;
  }

  async #startNow(topic: Topic): Promise<void> {
    const socket = await this.#connected();
    await socket.request('eth_subscribe', topic.subscription.params, (id) => {
      if (typeof id !== 'string') throw new UpstreamFailure('unreachable', 'sent an invalid response to eth_subscribe');
      // All clients may have left meanwhile.
      if (this.#topics.get(topic.subscription.params) !== topic) {
        this.#unsubscribe(id);
        if (this.#topics.size === 0) this.#disconnect();
      } else {
        topic.id = id;
        this.#byId.set(id, topic);
      }
    });
  }

  #drop(topic: Topic): void {
    const { params } = topic.subscription;
    if (this.#topics.get(params) === topic) this.#topics.delete(params);
    if (topic.id !== undefined) {
      this.#byId.delete(topic.id);
      this.#unsubscribe(topic.id);
      topic.id = undefined;
    }
    if (this.#topics.size === 0) this.#disconnect();
  }

  #unsubscribe(id: string): void {
    // If this fails, the node ends the subscription with the connection.
    void this.#socket?.request('eth_unsubscribe', JSON.stringify([id]), () => undefined).catch(() => undefined);
  }

  #connected(): Promise<NodeSocket> {
    if (this.#socket) return Promise.resolve(this.#socket);
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** @throws {UpstreamFailure} If no node can be connected to. */
  async #connect(): Promise<NodeSocket> {
    let failure: unknown = new UpstreamFailure('unreachable', 'cannot be reached');
    const nodes = this.#nodes.ranked().filter(hasSocket);
    const last = nodes.filter((node) => node === this.#lost);
    for (const node of [...nodes.filter((other) => other !== this.#lost), ...last]) {
      if (this.#closed) break;
      try {
        return await this.#open(node, node.config);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  async #open(node: ChainNode, config: NodeConfig): Promise<NodeSocket> {
    const socket: NodeSocket = new NodeSocket({
      config,
      url: config.wsUrl ?? '',
      onNotification: (id, result) => {
        const topic = this.#byId.get(id);
        if (!topic || this.#socket !== socket) return;
        this.#failures = 0;
        for (const subscriber of [...topic.subscribers]) subscriber.notify(result);
      },
      onClosed: () => {
        if (this.#socket === socket) this.#ended(node);
      },
    });
    this.#opening = socket;
    try {
      // The address may be another server's than that of requests.
      await socket.request('eth_chainId', '[]', (chain) => {
        if (typeof chain !== 'string' || Number(chain) !== this.#chainId)
          throw new UpstreamFailure('unreachable', 'serves another chain');
        if (this.#closed) throw new UpstreamFailure('unreachable', 'cannot be reached');
        this.#socket = socket;
        this.#node = node;
        this.#openedAt = Date.now();
      });
    } catch (error) {
      socket.close();
      throw error instanceof RpcError
        ? new UpstreamFailure('unreachable', 'refused eth_chainId', { cause: error })
        : error;
    } finally {
      this.#opening = undefined;
    }
    this.#log.info({ node: node.label }, 'subscribing at the node');
    return socket;
  }

  #forget(): void {
    this.#socket = undefined;
    this.#node = undefined;
    this.#byId.clear();
    for (const topic of this.#topics.values()) {
      topic.id = undefined;
      topic.started = undefined;
    }
  }

  #disconnect(): void {
    const socket = this.#socket;
    this.#forget();
    socket?.close();
  }

  /** The connection ended without our doing. */
  #ended(node: ChainNode): void {
    this.#log.warn({ node: node.label }, "the node's WebSocket closed");
    this.#forget();
    this.#lost = node;
    if (Date.now() - this.#openedAt > SOUND_MS) this.#failures = 0;
    this.#reconnect();
  }

  #reconnect(): void {
    if (this.#closed || this.#topics.size === 0 || this.#retry) return;
    this.#failures += 1;
    if (this.#failures > GIVE_UP) {
      this.#giveUp();
      return;
    }
    const wait = this.#failures === 1 ? 0 : Math.min(this.#retryMs * 2 ** (this.#failures - 2), MAX_RETRY_MS);
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      void this.#resubscribe();
    }, wait);
  }

  async #resubscribe(): Promise<void> {
    try {
      await this.#connected();
    } catch {
      this.#reconnect();
      return;
    }
    const socket = this.#socket;
    await Promise.all(
      [...this.#topics.values()].map(async (topic) => {
        try {
          await this.#start(topic);
        } catch {
          // If the connection ended again, the next attempt follows; else this node does not offer the subscription.
          if (socket && this.#socket === socket) this.#end(topic);
        }
      }),
    );
  }

  #end(topic: Topic): void {
    for (const subscriber of [...topic.subscribers]) subscriber.ended();
  }

  #giveUp(): void {
    this.#log.error('no node sends notifications: the clients are disconnected');
    this.#failures = 0;
    for (const topic of [...this.#topics.values()]) this.#end(topic);
  }

  /** Called after each check of the nodes: leaves a node that does not answer, or is worse than another. */
  #checked(): void {
    this.#socket?.heartbeat();
    if (!this.#socket || !this.#node || this.#node.state === 'up') return;
    const [best] = this.#nodes.ranked().filter(hasSocket);
    if (best?.state === 'up') this.#socket.close();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#topics.clear();
    this.#disconnect();
    this.#opening?.close();
  }
}
