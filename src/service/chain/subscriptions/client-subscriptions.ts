import { randomBytes } from 'node:crypto';

import type { Share } from '../../admission/share';
import { LIMIT_EXCEEDED, RpcError, unavailable } from '../errors';
import type { Feed } from './feed';
import type { Subscription, SubscriptionKind } from './subscription';

/** What a subscription takes besides its filter. */
const SUBSCRIPTION_BYTES = 512;

export type ClientOptions = {
  /** Maximum number of subscriptions. */
  limit: number;
  /** Charged for each subscription as long as it lasts, and for notifications that wait. */
  memory: Share;
  /** Maximum length of all waiting notifications together, in characters. */
  maxWaiting: number;
  /** Charges one notification; rejects if it may not be sent. */
  charge: (subscription: Subscription) => Promise<void>;
  /** Sends a frame; resolves once the client's connection has taken it. */
  send: (text: string) => Promise<void>;
  /** Called at most once, if the subscriptions cannot continue. */
  failed: (why: RpcError) => void;
  /** Called instead if the client reads too slowly: it may not read anything else either. */
  tooSlow: () => void;
  /** Called with 1 and -1 as subscriptions begin and end. */
  counted: (kind: SubscriptionKind, change: 1 | -1) => void;
};

/** The subscriptions that one request can begin or end. */
export type RequestSubscriptions = {
  /**
   * @param deadline - When to give up, in milliseconds of `performance.now`.
   * @returns The subscription's ID.
   * @throws {RpcError} -32005 at the limit, otherwise as {@link Feed.subscribe}.
   */
  subscribe(feed: Feed, subscription: Subscription, deadline: number): Promise<string>;
  /** @returns Whether there was one of this ID. */
  unsubscribe(id: string): boolean;
  /** The response is on its way: notifications may follow. */
  answered(): void;
};

type Active = {
  id: string;
  subscription: Subscription;
  cancel: () => void;
  /** Bytes that it is charged for. */
  weight: number;
  /** Notifications that came before the response with the ID; undefined once it has been sent. */
  early: string[] | undefined;
};

type Waiting = { active: Active; result: string };

/** @returns Whether a log is of an earlier block. */
function isBefore(from: bigint | undefined, log: string): boolean {
  if (from === undefined) return false;
  const { blockNumber } = (JSON.parse(log) ?? {}) as { blockNumber?: unknown };
  return typeof blockNumber === 'string' && Number(blockNumber) < from;
}

/**
 * The subscriptions of one WebSocket. Notifications are charged and sent one after the other. Those that wait while the
 * client does not read are limited: a client that falls behind is disconnected, not sent a part.
 */
export class ClientSubscriptions {
  readonly #options: ClientOptions;
  readonly #active = new Map<string, Active>();
  readonly #queue: Waiting[] = [];
  /** Characters in the queue and in early notifications. */
  #waiting = 0;
  /** Subscriptions that have begun or are about to. */
  #count = 0;
  #isSending = false;
  #closed = false;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  forRequest(): RequestSubscriptions {
    const begun: Active[] = [];
    return {
      subscribe: async (feed, subscription, deadline) => {
        const active = await this.#subscribe(feed, subscription, deadline);
        begun.push(active);
        return active.id;
      },
      unsubscribe: (id) => this.#unsubscribe(id),
      answered: () => {
        for (const active of begun) this.#release(active);
      },
    };
  }

  async #subscribe(feed: Feed, subscription: Subscription, deadline: number): Promise<Active> {
    const { limit, memory, counted } = this.#options;
    if (this.#count >= limit)
      throw new RpcError(LIMIT_EXCEEDED, `too many subscriptions on this WebSocket, at most ${limit}: end one first`);
    const { kind, params } = subscription;
    const weight = SUBSCRIPTION_BYTES + 2 * params.length;
    memory.charge(weight);
    this.#count += 1;
    const id = `0x${randomBytes(16).toString('hex')}`;
    const active: Active = { id, subscription, cancel: () => undefined, weight, early: [] };
    try {
      const subscriber = {
        notify: (result: string) => {
          if (!isBefore(subscription.from, result)) this.#add(active, result);
        },
        ended: () => {
          this.#fail(unavailable("the network's nodes send no notifications", undefined));
        },
      };
      active.cancel = await feed.subscribe(subscription, subscriber, deadline);
    } catch (error) {
      this.#count -= 1;
      memory.give(weight);
      throw error;
    }
    counted(kind, 1);
    this.#active.set(active.id, active);
    if (this.#closed) this.#end(active);
    return active;
  }

  #unsubscribe(id: string): boolean {
    const active = this.#active.get(id);
    if (active) this.#end(active);
    return active !== undefined;
  }

  #end(active: Active): void {
    this.#active.delete(active.id);
    this.#count -= 1;
    this.#options.memory.give(active.weight);
    this.#options.counted(active.subscription.kind, -1);
    active.cancel();
  }

  #add(active: Active, result: string): void {
    if (this.#closed) return;
    // A single one may be longer than the limit.
    if (this.#waiting > 0 && !this.#hasRoom(result.length)) {
      this.close();
      this.#options.tooSlow();
      return;
    }
    this.#waiting += result.length;
    this.#options.memory.count(result.length);
    if (active.early) active.early.push(result);
    else this.#enqueue(active, result);
  }

  #hasRoom(length: number): boolean {
    return this.#waiting + length <= this.#options.maxWaiting && this.#options.memory.hasRoom(length);
  }

  #sent({ length }: string): void {
    this.#waiting -= length;
    if (!this.#closed) this.#options.memory.give(length);
  }

  #release(active: Active): void {
    const { early = [] } = active;
    active.early = undefined;
    for (const result of early) this.#enqueue(active, result);
  }

  #enqueue(active: Active, result: string): void {
    this.#queue.push({ active, result });
    if (!this.#isSending) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    const { charge, send } = this.#options;
    this.#isSending = true;
    try {
      for (let next = this.#queue.shift(); next && !this.#closed; next = this.#queue.shift()) {
        const { active, result } = next;
        if (this.#active.get(active.id) === active) {
          await charge(active.subscription);
          await send(
            `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${active.id}","result":${result}}}`,
          );
        }
        this.#sent(result);
      }
    } catch (error) {
      this.#fail(error instanceof RpcError ? error : unavailable('notifications cannot be sent', error));
    } finally {
      this.#isSending = false;
    }
  }

  #fail(why: RpcError): void {
    if (this.#closed) return;
    this.close();
    this.#options.failed(why);
  }

  /** Ends all subscriptions; waiting notifications are neither sent nor charged. */
  close(): void {
    if (!this.#closed) this.#options.memory.give(this.#waiting);
    this.#closed = true;
    this.#queue.length = 0;
    for (const active of [...this.#active.values()]) this.#end(active);
  }
}
