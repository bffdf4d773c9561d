import { constants } from 'node:buffer';
import { validateHeaderName, validateHeaderValue } from 'node:http';

import {
  array,
  assign,
  boolean,
  coerce,
  defaulted,
  dynamic,
  enums,
  integer,
  nonempty,
  object,
  optional,
  pattern,
  record,
  refine,
  string,
  type Infer,
  type Struct,
} from '@metamask/superstruct';

import { type CommonConfig, whole } from '../runtime/config';
import { DEFAULT_NOTIFICATION_PRICES, DEFAULT_PRICES } from './credits/prices';

const count = () => whole(1);
const price = () => whole(0);
/** The maximum delay of a timer; a longer one would fire at once. */
const milliseconds = () => whole(1, 2 ** 31 - 1);
/** Limited to the length of a JavaScript string. */
const bytes = () => whole(1, constants.MAX_STRING_LENGTH);
const port = () => refine(integer(), 'port', (value) => (value >= 0 && value <= 65535) || 'Expected a port (0-65535)');

/** @param scheme - That of plain text; the same with an s is TLS. */
const url = (scheme: 'http' | 'ws') =>
  refine(
    string(),
    'URL',
    (value) =>
      (URL.canParse(value) && [`${scheme}:`, `${scheme}s:`].includes(new URL(value).protocol)) ||
      `Expected ${scheme === 'ws' ? 'a' : 'an'} ${scheme}:// or ${scheme}s:// address`,
  );

/** Must have the form of a `Host` header, which it is compared with. */
const hostName = () =>
  refine(
    string(),
    'host name',
    (value) =>
      /^(?:\[[\da-f:.]+\]|[\w-]+(?:\.[\w-]+)*)$/iu.test(value) ||
      'Expected a host name, without scheme, port, path or wildcard',
  );

function isField([name, value]: [string, string]): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

const headers = () =>
  refine(record(string(), string()), 'headers', (fields) => {
    const [name] = Object.entries(fields).find((field) => !isField(field)) ?? [];
    return name === undefined || `Expected valid HTTP headers: the name or value of ${JSON.stringify(name)} is invalid`;
  });

const lowerCase = (text: string) => text.toLowerCase();
const repeated = (values: readonly string[]) => values.find((value, i) => values.indexOf(value) !== i);

const Endpoint = object({
  url: url('http'),
  /** Sent with every request, for example an authorization header. */
  headers: defaulted(headers(), {}),
  /** A request that takes longer fails with 504 and is free. */
  timeoutMs: defaulted(milliseconds(), 15_000),
  /** Maximum number of open connections to this address. */
  connections: defaulted(count(), 64),
  /** A larger response is rejected (502). */
  answerBytes: defaulted(bytes(), 32 * 1024 * 1024),
  /** The methods to forward; a built-in list by default. */
  methods: optional(array(nonempty(string()))),
});

const Node = assign(
  Endpoint,
  object({
    /** Its WebSocket, for subscriptions. */
    wsUrl: optional(url('ws')),
  }),
);

/** A node, or its address alone. */
const NodeOrUrl = coerce(Node, string(), (url) => ({ url }));

const NodeList = refine(nonempty(array(NodeOrUrl)), 'upstream', (nodes) => {
  const urls = nodes.map(({ url }) => new URL(url).href);
  const i = urls.findIndex((url, at) => urls.indexOf(url) !== at);
  return (
    i < 0 || `Expected different addresses, but items ${urls.indexOf(urls[i] as string)} and ${i} have the same url`
  );
});

/** One node, or several of which the first is preferred. */
const Upstream = dynamic<NodeConfig | NodeConfig[]>((value) => {
  const struct: unknown = Array.isArray(value) ? NodeList : NodeOrUrl;
  return struct as Struct<NodeConfig | NodeConfig[]>;
});

const Failover = object({
  /** How often each node is asked for its chain, and if there are several for its latest block. */
  checkMs: defaulted(milliseconds(), 15_000),
  /** A node more blocks than this behind the best one is passed over. */
  lagBlocks: defaulted(whole(0), 5),
  /** After so many failures in a row, a node is passed over for `breakMs`. */
  failures: defaulted(count(), 5),
  breakMs: defaulted(milliseconds(), 10_000),
});

const Bundler = assign(
  Endpoint,
  object({
    /** Entry points at non-canonical addresses, with their version, which decides how operations are translated. */
    entryPoints: defaulted(record(pattern(string(), /^0x[0-9a-fA-F]{40}$/u), enums(['0.6', '0.7', '0.8', '0.9'])), {}),
  }),
);

export const NetworkStruct = object({
  name: pattern(string(), /^[a-z0-9][a-z0-9-]{0,31}$/u),
  chainId: count(),
  /** Host names of this network on the shared port. */
  hosts: defaulted(array(hostName()), []),
  /** A dedicated port for this network, in addition to the shared one. */
  port: optional(port()),
  /** Whether to answer uncle lookups from the archive of this name in the data directory. */
  archive: defaulted(boolean(), true),
  /** The last block that could have uncles. Known for chain 1; omit it for a chain that has not merged. */
  lastPowBlock: optional(price()),
  /** `null`, as hosted services return, or `computed` where the archive knows it. */
  totalDifficulty: defaulted(enums(['null', 'computed']), 'null'),
  /**
   * The response to an uncle lookup by number inside a gap of the archive, on a network without a node: error 4444 or
   * null.
   */
  unknownHistory: defaulted(enums(['error', 'null']), 'error'),
  /**
   * Whether a block's hash is the Keccak-256 of its header's RLP, as on Ethereum, so that what a node says about uncles
   * can be proven. Otherwise it is passed on as the node's word.
   */
  provenHeaders: defaulted(boolean(), true),
  upstream: optional(Upstream),
  failover: defaulted(Failover, {}),
  bundler: optional(Bundler),
});

export const RpcSections = object({
  rpc: defaulted(
    object({
      host: defaulted(nonempty(string()), '127.0.0.1'),
      port: defaulted(port(), 8545),
      /** The listener for liveness, readiness and metrics; port 0 picks a free one. */
      operations: defaulted(
        object({ host: defaulted(nonempty(string()), '127.0.0.1'), port: defaulted(port(), 0) }),
        {},
      ),
      /** How long a stop waits for requests in progress. */
      drainMs: defaulted(milliseconds(), 10_000),
      limits: defaulted(
        object({
          connections: defaulted(count(), 10_000),
          bodyBytes: defaulted(bytes(), 5 * 1024 * 1024),
          batchItems: defaulted(count(), 100),
          frameBytes: defaulted(bytes(), 1024 * 1024),
          /** Maximum number of concurrent requests on one WebSocket; further ones are queued. */
          socketRequests: defaulted(count(), 100),
          /** Maximum number of subscriptions of one WebSocket. */
          socketSubscriptions: defaulted(count(), 100),
          /** Maximum number of filters of one key on one network. */
          keyFilters: defaulted(count(), 100),
          /** Maximum total length of the notifications that wait for one WebSocket's client to read. */
          notificationBytes: defaulted(bytes(), 1024 * 1024),
          /** How long a client may take to send a request. */
          requestMs: defaulted(milliseconds(), 30_000),
          /** How long the service may take to answer a request. */
          answerMs: defaulted(milliseconds(), 60_000),
          /** Requests of one key: per second in the long run, at once after a pause, and in progress. */
          keyPerSecond: defaulted(count(), 100),
          keyBurst: defaulted(count(), 500),
          keyRequests: defaulted(count(), 500),
          /** Open WebSockets of one key. */
          keySockets: defaulted(count(), 100),
          /** Bytes of request bodies over 64 KiB in progress, of one key and of all. */
          keyBytes: defaulted(bytes(), 16 * 1024 * 1024),
          allBytes: defaulted(bytes(), 128 * 1024 * 1024),
          /** Bytes of answers that are being made or read, of one key and of all. */
          keyAnswerBytes: defaulted(bytes(), 16 * 1024 * 1024),
          allAnswerBytes: defaulted(bytes(), 128 * 1024 * 1024),
        }),
        {},
      ),
    }),
    {},
  ),
  credits: defaulted(
    object({
      /** Credits a key may use per day (UTC), unless the key has its own limit. */
      daily: defaulted(price(), 3_000_000),
      /** Prices by method; merged over the built-in table. */
      prices: defaulted(record(string(), price()), DEFAULT_PRICES),
      /** The price of any other method. */
      other: defaulted(price(), 80),
      /** The price of each notification, by kind of subscription. */
      notifications: defaulted(
        object({
          newHeads: defaulted(price(), DEFAULT_NOTIFICATION_PRICES.newHeads),
          logs: defaulted(price(), DEFAULT_NOTIFICATION_PRICES.logs),
          newPendingTransactions: defaulted(price(), DEFAULT_NOTIFICATION_PRICES.newPendingTransactions),
          syncing: defaulted(price(), DEFAULT_NOTIFICATION_PRICES.syncing),
        }),
        {},
      ),
      /** The price of a malformed request (-32700, -32600, -32601, -32602). */
      invalid: defaulted(price(), 5),
      /** The price of each further 64 KiB of a request, or part of it. */
      further64KiB: defaulted(price(), 80),
    }),
    {},
  ),
  networks: defaulted(
    refine(nonempty(array(NetworkStruct)), 'networks', (networks) => {
      const twice =
        repeated(networks.map(({ name }) => name)) ?? repeated(networks.flatMap(({ hosts }) => hosts.map(lowerCase)));
      if (twice !== undefined) return `Expected unique names and hosts, but ${twice} appears twice`;
      const hidden = networks.find(({ hosts, port }) => hosts.length === 0 && port === undefined);
      return (
        networks.length === 1 ||
        hidden === undefined ||
        `Expected hosts or a port for each of several networks, but ${hidden.name} has neither`
      );
    }),
    [{ name: 'mainnet', chainId: 1 }],
  ),
});

export type RpcConfig = Infer<typeof RpcSections>;
/** The configuration of the chain service. */
export type ChainServiceConfig = CommonConfig & RpcConfig;
export type NetworkConfig = Infer<typeof NetworkStruct>;
export type EndpointConfig = Infer<typeof Endpoint>;
export type NodeConfig = Infer<typeof Node>;
export type FailoverConfig = Infer<typeof Failover>;

/** @returns The nodes of a network, in order of preference. */
export const nodesOf = ({ upstream = [] }: Pick<NetworkConfig, 'upstream'>): readonly NodeConfig[] => [upstream].flat();
