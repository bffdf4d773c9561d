import type { Client } from '../admission/admission';
import type { Held } from '../admission/held';
import type { KeyIdentity } from '../keys';
import type { Json } from './json-text';
import type { Network } from './network';
import type { RequestSubscriptions } from './subscriptions/client-subscriptions';
import type { Trace } from './trace';

export type Transport = 'http' | 'ws';

/** The source of a request, and the network it is for. */
export type Caller = {
  network: Network;
  identity: KeyIdentity;
  /** What the key holds and does. */
  client: Client;
  transport: Transport;
  trace: Trace;
  /** The `Origin` header. */
  origin: string | undefined;
  /** What the request can subscribe to; undefined over HTTP. */
  subscriptions?: RequestSubscriptions;
  /** When the request must be answered, in milliseconds of `performance.now`. */
  deadline: number;
  /** The memory of the response; of a batch, of all its responses. */
  memory: Held;
  /** The batch that the request is an item of. */
  batch?: BatchSize;
};

/** The responses of a batch so far. */
export type BatchSize = {
  /** Bytes of those that are complete. */
  bytes: number;
  /** Whether one did not fit. */
  isFull: boolean;
};

/** A parsed HTTP body. */
export type ParsedBody = {
  value: unknown;
  text: string;
  /** Bytes of each request in it, by position. A short body has none: its requests are short, too. */
  lengths: readonly number[];
};

/** The response. */
export type Answer = {
  /** JSON; undefined for a notification, which has no response. */
  body: Json | undefined;
  /** HTTP status. */
  status: number;
  /** Whether the daily credits were insufficient. */
  spent: boolean;
  /** Seconds after which the request may be sent again. */
  retryAfter?: number | undefined;
};

/** Called once with the response. It must not throw: other callers' responses wait for it. */
export type Done = (answer: Answer) => void;
