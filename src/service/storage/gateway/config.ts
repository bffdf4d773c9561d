import { defaulted, type Infer, nonempty, object, string } from '@metamask/superstruct';

import { whole } from '../../runtime/config';

/** The configuration section of the gateway, which is off unless it is present. */
export const GatewaySection = object({
  host: defaulted(nonempty(string()), '127.0.0.1'),
  port: defaulted(whole(0, 65_535), 8080),
  /** Requests answered at once; further ones get 503. */
  requests: defaulted(whole(1, 10_000), 64),
  /** Of these, at most so many of one address; further ones get 429. */
  requestsPerAddress: defaulted(whole(1, 10_000), 16),
  /** Seconds for which a client may accept nothing of its response, before it gives way to others. */
  stallSeconds: defaulted(whole(1, 3600), 30),
  /** Blocks of one CAR file. With `dups=n`, about 100 bytes of memory each. */
  carBlocks: defaulted(whole(1), 250_000),
});

export type GatewaySettings = Infer<typeof GatewaySection>;
