import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';

/** Sent with every answer. */
export const REQUEST_ID = 'x-request-id';

/** Fits into a header, a line of a log and a search. */
const SENT = /^[\w.:-]{1,64}$/u;

/** @returns The ID under which a request is found in the log. */
export type RequestIds = (request: IncomingMessage) => string;

/**
 * @param text - An address, or a subnet such as `10.0.0.0/8`.
 * @returns The list with it; undefined if it is neither.
 */
export function addressList(texts: readonly string[]): BlockList | undefined {
  const list = new BlockList();
  try {
    for (const text of texts) {
      const [address = '', bits, ...rest] = text.split('/');
      const type = isIPv6(address) ? 'ipv6' : 'ipv4';
      if (rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/u.test(bits))) return undefined;
      if (bits === undefined) list.addAddress(address, type);
      else list.addSubnet(address, Number(bits), type);
    }
  } catch {
    return undefined;
  }
  return list;
}

/**
 * @param trustedProxies - Addresses and subnets whose IDs are taken over. Anyone else could write IDs of others.
 * @returns Gives each request its ID.
 */
export function requestIds(trustedProxies: readonly string[]): RequestIds {
  const trusted = addressList(trustedProxies);
  return ({ headers, socket: { remoteAddress = '' } }) => {
    const sent = headers[REQUEST_ID];
    if (typeof sent !== 'string' || trusted === undefined || !SENT.test(sent)) return randomUUID();
    return trusted.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4') ? sent : randomUUID();
  };
}
