import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** A server on the loopback interfaces. */
export type LoopbackServer = {
  /** With 127.0.0.1 as its host. */
  readonly url: string;
  readonly port: number;
  readonly stop: () => Promise<void>;
};

/** Another program listens on the port. */
export class PortTakenError extends Error {
  constructor(readonly port: number) {
    super(`port ${port} is in use`);
  }
}

const HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The origins of a port on this machine, which browsers treat as different.
 *
 * @returns Without `[::1]`, which nobody opens in a browser.
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
 * Serves on 127.0.0.1 and on ::1, since `localhost` may mean either. Requests with another host name are rejected: a
 * page could point its own name to this address (DNS rebinding).
 *
 * @param port - 0 picks a free one.
 * @param answer - Answers one request; if it throws, the response is 500.
 * @throws {PortTakenError} If the port is in use.
 */
export async function listenOnLoopback(
  port: number,
  answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<LoopbackServer> {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      if (HOSTS.includes((request.headers.host ?? '').replace(/:\d+$/u, ''))) await answer(request, response);
      else response.writeHead(403).end('This server accepts requests to localhost only.');
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
