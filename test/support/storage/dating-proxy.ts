import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

const servers: { close: () => unknown }[] = [];

afterAll(() => {
  for (const server of servers.splice(0)) server.close();
});

/**
 * A proxy that dates each answer by a clock of its own, as most proxies do.
 *
 * @param aheadMs - How far its clock is ahead.
 * @returns Its address.
 */
export async function startDatingProxy(endpoint: string, aheadMs: number): Promise<string> {
  const { hostname, port } = new URL(endpoint);
  const server = createServer((asked, response) => {
    const { method, url, headers } = asked;
    const passed = request({ hostname, port, method, path: url, headers });
    asked.pipe(passed);
    void once(passed, 'response').then(([answer]: IncomingMessage[]) => {
      const date = new Date(Date.now() + aheadMs).toUTCString();
      response.writeHead(answer!.statusCode!, { ...answer!.headers, date });
      answer!.pipe(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
