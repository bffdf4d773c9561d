import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The TCP congestion control of this machine; undefined if unknown. */
export function congestionControl(): string | undefined {
  try {
    return readFileSync('/proc/sys/net/ipv4/tcp_congestion_control', 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** Congestion control that every Linux has, and that sends whenever there is room; BBR waits for timers instead. */
export const UNPACED = 'reno';

const PACED = new Set(['bbr', 'bbr2', 'bbr3']);

/** Whether this machine paces sent data, even on loopback, where pacing has no benefit. */
export const paces = (): boolean => PACED.has(congestionControl() ?? '');

const ENTER = [
  '-rn',
  'sh',
  '-c',
  `ip link set lo up && echo ${UNPACED} >/proc/sys/net/ipv4/tcp_congestion_control && exec "$@"`,
];

/**
 * The command that runs another one in a separate network namespace with only an unpaced loopback.
 *
 * @returns Undefined if the machine's own loopback is not paced, or if the system does not allow it (`unshare` of
 * util-linux, `ip` of iproute2, and user namespaces are needed).
 * @see https://man7.org/linux/man-pages/man7/network_namespaces.7.html
 */
export function unpacedNetwork(): readonly string[] | undefined {
  if (!paces()) return undefined;
  const { status } = spawnSync('unshare', [...ENTER, 'sh', 'true'], { stdio: 'ignore' });
  return status === 0 ? ['unshare', ...ENTER, 'sh'] : undefined;
}
