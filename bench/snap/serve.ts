import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** What is served under a path: a folder, or a text. */
export type Content = Readonly<
  Record<string, { readonly folder: string } | { readonly text: Uint8Array | string; readonly type: string }>
>;

/** A server on loopback, and its URL without a trailing slash. */
export type Served = { readonly url: string; readonly close: () => Promise<void> };

/** @returns Once the server listens. Any origin may read, since the executor's frame has an opaque origin. */
export async function serve(content: Content): Promise<Served> {
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const mount = Object.keys(content)
      .filter((prefix) => path.startsWith(prefix))
      .sort((a, b) => b.length - a.length)[0];
    const found = mount === undefined ? undefined : content[mount];
    const headers = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' };
    if (found === undefined || mount === undefined) return response.writeHead(404, headers).end();
    if ('text' in found) return response.writeHead(200, { ...headers, 'content-type': found.type }).end(found.text);
    const file = join(found.folder, normalize(`/${path.slice(mount.length)}`));
    try {
      if (!statSync(file).isFile()) return response.writeHead(404, headers).end();
    } catch {
      return response.writeHead(404, headers).end();
    }
    response.writeHead(200, { ...headers, 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
    return response;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
