import { isIPv6 } from 'node:net';
import { type GatewaySettings } from './config';

/**
 * One subscriber has at least a /64 of IPv6 addresses (RFC 6177), so these count as one.
 *
 * @param address - As Node writes it: compressed, and IPv4 behind a dual-stack listener as `::ffff:192.0.2.1`.
 */
export function clientAt(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [front = '', back] = address.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  if (back === undefined) return groups(front).slice(0, 4).join(':');
  const zeros = 8 - groups(front).length - groups(back).length;
  const all = [...groups(front), ...Array<string>(zeros).fill('0'), ...groups(back)];
  return all.slice(0, 4).join(':');
}

/** The requests in progress: so many at once, of which one client has no more than its share. */
export class Slots {
  readonly #settings: Pick<GatewaySettings, 'requests' | 'requestsPerAddress'>;
  readonly #running = new Map<Promise<void>, string>();

  constructor(settings: Pick<GatewaySettings, 'requests' | 'requestsPerAddress'>) {
    this.#settings = settings;
  }

  /**
   * Runs a request if there is room for it.
   *
   * @param address - Where it comes from; undefined if the client is gone already.
   * @returns Undefined once it has run; otherwise what is full: the gateway, or the share of this client.
   */
  async during(address = '', run: () => Promise<void>): Promise<'gateway' | 'address' | undefined> {
    const { requests, requestsPerAddress } = this.#settings;
    const client = clientAt(address);
    if ([...this.#running.values()].filter((other) => other === client).length >= requestsPerAddress) return 'address';
    if (this.#running.size >= requests) return 'gateway';
    const running = run();
    this.#running.set(running, client);
    await running;
    this.#running.delete(running);
    return undefined;
  }

  /** Resolves once no request is in progress. */
  async idle(): Promise<void> {
    await Promise.all(this.#running.keys());
  }
}
