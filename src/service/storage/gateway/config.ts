import { defaulted, type Infer, integer, max, min, nonempty, object, string } from '@metamask/superstruct';

const between = (least: number, most: number) => max(min(integer(), least), most);

/** The configuration section of the gateway, which is off unless it is present. */
export const GatewaySection = object({
  host: defaulted(nonempty(string()), '127.0.0.1'),
  port: defaulted(between(0, 65_535), 8080),
  /** Requests answered at once; further ones get 503. */
  requests: defaulted(between(1, 10_000), 64),
  /** Of these, at most so many of one address; further ones get 429. */
  requestsPerAddress: defaulted(between(1, 10_000), 16),
  /** Seconds for which a client may accept nothing of its response, before it gives way to others. */
  stallSeconds: defaulted(between(1, 3600), 30),
  /** Blocks of one CAR file. With `dups=n`, about 100 bytes of memory each. */
  carBlocks: defaulted(between(1, Number.MAX_SAFE_INTEGER), 250_000),
});

export type GatewaySettings = Infer<typeof GatewaySection>;
