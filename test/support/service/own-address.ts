const { pid } = process;

/**
 * A loopback address that no other process uses. A free port of it stays free, so a server can stop and start again on
 * the same port. On Linux all of 127.0.0.0/8 is this machine, elsewhere only 127.0.0.1.
 */
export const OWN_ADDRESS =
  process.platform === 'linux' ? `127.${64 + (pid >> 16)}.${(pid >> 8) & 255}.${pid & 255}` : '127.0.0.1';
