import { isIPv6 } from 'node:net';

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
