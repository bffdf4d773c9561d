const { pid } = process;

/**
 * A loopback address that no other process binds to or connects from: a port of it that is free stays free, also for
 * who gives it up and takes it again. On Linux all of 127.0.0.0/8 is this machine, elsewhere 127.0.0.1 alone.
 */
export const OWN_ADDRESS =
  process.platform === 'linux' ? `127.${64 + (pid >> 16)}.${(pid >> 8) & 255}.${pid & 255}` : '127.0.0.1';
