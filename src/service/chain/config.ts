import { constants } from 'node:buffer';
import { validateHeaderName, validateHeaderValue } from 'node:http';

import {
  array,
  assign,
  boolean,
  defaulted,
  enums,
  integer,
  max,
  min,
  nonempty,
  object,
  optional,
  pattern,
  record,
  refine,
  string,
  type Infer,
} from '@metamask/superstruct';

import { type CommonConfig } from '../runtime/config';
import { DEFAULT_PRICES } from './credits/prices';

const whole = (low: number, high = Number.MAX_SAFE_INTEGER) => max(min(integer(), low), high);
const count = () => whole(1);
const price = () => whole(0);
/** Timers take no more: a longer one would end at once. */
const milliseconds = () => whole(1, 2 ** 31 - 1);
/** Of what becomes one string. */
const bytes = () => whole(1, constants.MAX_STRING_LENGTH);
const port = () => refine(integer(), 'port', (value) => (value >= 0 && value <= 65535) || 'Expected a port (0-65535)');

const httpUrl = () =>
  refine(
    string(),
    'URL',
    (value) =>
      (URL.canParse(value) && /^https?:$/u.test(new URL(value).protocol)) || 'Expected an http:// or https:// address',
  );

/** As it stands in a `Host` field, which is compared with it. */
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
    return (
      name === undefined || `Expected fields that HTTP can carry: name or value of ${JSON.stringify(name)} cannot be`
    );
  });

const lowerCase = (text: string) => text.toLowerCase();
const repeated = (values: readonly string[]) => values.find((value, i) => values.indexOf(value) !== i);

const Endpoint = object({
  url: httpUrl(),
  /** Sent with every request, for instance an authorization header. */
  headers: defaulted(headers(), {}),
  /** A request that takes longer is answered with 504 and costs nothing. */
  timeoutMs: defaulted(milliseconds(), 15_000),
  /** Connections kept to this address. */
  connections: defaulted(count(), 64),
  /** An answer larger than this is refused (502). */
  answerBytes: defaulted(bytes(), 32 * 1024 * 1024),
  /** The methods that are passed on; without it, a built-in list. */
  methods: optional(array(nonempty(string()))),
});

const Bundler = assign(
  Endpoint,
  object({
    /** Entry points at other than their canonical addresses, with their version: operations are translated by it. */
    entryPoints: defaulted(record(pattern(string(), /^0x[0-9a-fA-F]{40}$/u), enums(['0.6', '0.7', '0.8', '0.9'])), {}),
  }),
);

export const NetworkStruct = object({
  name: pattern(string(), /^[a-z0-9][a-z0-9-]{0,31}$/u),
  chainId: count(),
  /** Host names that mean this network on the shared port. */
  hosts: defaulted(array(hostName()), []),
  /** A port of its own for this network, beside the shared one. */
  port: optional(port()),
  /** Whether to answer uncle look-ups from the archive of this name in the data directory. */
  archive: defaulted(boolean(), true),
  /** The last block that could have uncles. Known for chain 1; left out for a chain that has not merged. */
  lastPowBlock: optional(price()),
  /** `null` as hosted services answer, or `computed` where the archive knows it. */
  totalDifficulty: defaulted(enums(['null', 'computed']), 'null'),
  /** How an uncle look-up answers a number inside a gap of the archive on a network without a node: 4444 or null. */
  unknownHistory: defaulted(enums(['error', 'null']), 'error'),
  upstream: optional(Endpoint),
  bundler: optional(Bundler),
});

export const RpcSections = object({
  rpc: defaulted(
    object({
      host: defaulted(nonempty(string()), '127.0.0.1'),
      port: defaulted(port(), 8545),
      /** A separate listener for `/health` and `/metrics`. */
      operations: optional(object({ host: defaulted(nonempty(string()), '127.0.0.1'), port: port() })),
      /** How long a stop waits for requests under way. */
      drainMs: defaulted(milliseconds(), 10_000),
      limits: defaulted(
        object({
          connections: defaulted(count(), 10_000),
          bodyBytes: defaulted(bytes(), 5 * 1024 * 1024),
          batchItems: defaulted(count(), 100),
          frameBytes: defaulted(bytes(), 1024 * 1024),
          /** Requests under way at once on one WebSocket; more wait their turn. */
          socketRequests: defaulted(count(), 100),
          /** The time a client has to send one request. */
          requestMs: defaulted(milliseconds(), 30_000),
        }),
        {},
      ),
    }),
    {},
  ),
  credits: defaulted(
    object({
      /** Credits a key may use between two midnights UTC, unless the key says otherwise. */
      daily: defaulted(price(), 3_000_000),
      /** Price by method; merged over the built-in table. */
      prices: defaulted(record(string(), price()), DEFAULT_PRICES),
      /** The price of a method without one of its own. */
      other: defaulted(price(), 80),
      /** The price of a request that is refused as malformed (-32700, -32600, -32601, -32602). */
      invalid: defaulted(price(), 5),
    }),
    {},
  ),
  networks: defaulted(
    refine(nonempty(array(NetworkStruct)), 'networks', (networks) => {
      const twice =
        repeated(networks.map(({ name }) => name)) ?? repeated(networks.flatMap(({ hosts }) => hosts.map(lowerCase)));
      if (twice !== undefined) return `Expected every name and host only once, not ${twice} again`;
      const hidden = networks.find(({ hosts, port }) => hosts.length === 0 && port === undefined);
      return (
        networks.length === 1 ||
        hidden === undefined ||
        `Expected hosts or a port for each of several, and ${hidden.name} has neither`
      );
    }),
    [{ name: 'mainnet', chainId: 1 }],
  ),
});

export type RpcConfig = Infer<typeof RpcSections>;
/** What the chain service is configured with. */
export type ChainServiceConfig = CommonConfig & RpcConfig;
export type NetworkConfig = Infer<typeof NetworkStruct>;
export type EndpointConfig = Infer<typeof Endpoint>;
