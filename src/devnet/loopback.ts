import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** A server on the loopback interfaces. */
export type LoopbackServer = {
  /** With 127.0.0.1 as its host. */
  readonly url: string;
  readonly port: number;
  readonly stop: () => Promise<void>;
};

/** Someone else listens there. */
export class PortTakenError extends Error {
  constructor(readonly port: number) {
    super(`port ${port} is taken`);
  }
}

const HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The origins of a port of this machine: browsers take them for different ones.
 *
 * @returns Without `[::1]`: nobody opens a page there.
 */
export const loopbackOrigins = (port: number): string[] => [`http://localhost:${port}`, `http://127.0.0.1:${port}`];

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new PortTakenError(port) : error);
    });
    server.listen(port, host, () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.closeAllConnections();
    server.close(() => {
      resolve();
    });
  });
}

/** A machine without IPv6 has no ::1 to listen on; `localhost` is then 127.0.0.1 alone. */
async function listenOnIpv6(server: Server, port: number): Promise<Server[]> {
  try {
    await listen(server, port, '::1');
    return [server];
  } catch (error) {
    if (error instanceof PortTakenError) throw error;
    return [];
  }
}

/**
 * Serves on 127.0.0.1 and on ::1, since `localhost` may mean either. Requests that were sent to another host name are
 * refused: a page could give its own name our address (DNS rebinding).
 *
 * @param port - 0 takes a free one.
 * @param answer - Answers one request; what it throws is answered with 500.
 * @throws {PortTakenError} If the port is taken.
 */
export async function listenOnLoopback(
  port: number,
  answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<LoopbackServer> {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      if (HOSTS.includes((request.headers.host ?? '').replace(/:\d+$/u, ''))) await answer(request, response);
      else response.writeHead(403).end('This server answers to localhost only.');
    } catch {
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    }
  };
  const create = (): Server => createServer((request, response) => void handle(request, response));
  const ipv4 = create();
  const actual = await listen(ipv4, port, '127.0.0.1');
  try {
    const servers = [ipv4, ...(await listenOnIpv6(create(), actual))];
    return {
      url: `http://127.0.0.1:${actual}`,
      port: actual,
      stop: async () => {
        await Promise.all(servers.map(closed));
      },
    };
  } catch (error) {
    await closed(ipv4);
    throw error;
  }
}
