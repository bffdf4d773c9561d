import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

const open = new Set<Socket>();

afterEach(() => {
  for (const socket of open) socket.destroy();
});

/** A bare connection. */
export type RawConnection = {
  readonly socket: Socket;
  readonly write: (data: string | Uint8Array) => void;
  /** Everything received so far. */
  readonly received: () => string;
  /** Writes a piece every few milliseconds, until the connection is closed. */
  readonly dribble: (piece: (turn: number) => string) => void;
  /** Resolves once the received text matches; rejects if the connection ends first. */
  readonly until: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Resolves with everything received, once the other side has closed or reset the connection. */
  readonly closed: Promise<string>;
};

/**
 * Connects to the port of an address, by TLS to `https`. The connection is closed after the test.
 *
 * @param localAddress - The client's own.
 */
export async function openRaw(url: string, localAddress = '127.0.0.1'): Promise<RawConnection> {
  const { port, protocol } = new URL(url);
  const isSecure = protocol === 'https:';
  const options = { port: Number(port), host: '127.0.0.1', noDelay: true, localAddress };
  const socket: Socket = isSecure ? connectTls({ ...options, rejectUnauthorized: false }) : connect(options);
  open.add(socket);
  const pieces: Buffer[] = [];
  const received = () => Buffer.concat(pieces).toString('latin1');
  const watchers = new Set<() => void>();
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece);
    for (const watch of watchers) watch();
  });
  // A reset also counts as closed.
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => {
    socket.once('close', () => {
      open.delete(socket);
      resolve(received());
    });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once(isSecure ? 'secureConnect' : 'connect', resolve);
    socket.once('error', reject);
  });
  return {
    socket,
    write: (data) => socket.write(data),
    received,
    dribble: (piece) => {
      let turn = 0;
      const timer = setInterval(() => {
        // Read first: writing to a connection that was reset discards what it received last.
        setImmediate(() => socket.write(piece(turn++)));
      }, 5);
      void closed.then(() => {
        clearInterval(timer);
      });
    },
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const watch = () => {
          const match = pattern.exec(received());
          if (match === null) return;
          watchers.delete(watch);
          resolve(match);
        };
        watchers.add(watch);
        watch();
        void closed.then((all) => {
          reject(new Error(`closed before ${String(pattern)}: ${all.slice(0, 500)}`));
        });
      }),
    closed,
  };
}
