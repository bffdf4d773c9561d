import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** How TCP of this machine decides how much to send; undefined where that cannot be told. */
export function congestionControl(): string | undefined {
  try {
    return readFileSync('/proc/sys/net/ipv4/tcp_congestion_control', 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** Congestion control that every Linux has, and that lets a sender send whenever there is room: BBR waits for timers instead. */
export const UNPACED = 'reno';

const PACED = new Set(['bbr', 'bbr2', 'bbr3']);

/** Whether this machine paces what is sent, also on loopback, where there is nothing to be fair to. */
export const paces = (): boolean => PACED.has(congestionControl() ?? '');

const ENTER = [
  '-rn',
  'sh',
  '-c',
  `ip link set lo up && echo ${UNPACED} >/proc/sys/net/ipv4/tcp_congestion_control && exec "$@"`,
];

/**
 * The command that runs another one in a network of its own, with nothing but a loopback that does not pace.
 *
 * @returns Undefined where the machine's own loopback does not pace, or where the system does not allow it (`unshare` of
 *   util-linux, `ip` of iproute2, and user namespaces are needed).
 * @see https://man7.org/linux/man-pages/man7/network_namespaces.7.html
 */
export function unpacedNetwork(): readonly string[] | undefined {
  if (!paces()) return undefined;
  const { status } = spawnSync('unshare', [...ENTER, 'sh', 'true'], { stdio: 'ignore' });
  return status === 0 ? ['unshare', ...ENTER, 'sh'] : undefined;
}
