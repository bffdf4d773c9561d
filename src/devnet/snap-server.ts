import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';

/** The built snap, served on the loopback interface, where MetaMask Flask installs it from. */
export type SnapServer = { readonly url: string; readonly stop: () => Promise<void> };

const TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

/** @returns The file a URL path names, or undefined if it is none of the folder's. */
function fileOf(folder: string, urlPath: string): string | undefined {
  const path = normalize(join(folder, decodeURIComponent(urlPath)));
  if (!path.startsWith(folder + sep)) return undefined;
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? path : undefined;
}

/** @returns The same, or undefined for a path that cannot be decoded. */
function requestedFile(folder: string, url: string): string | undefined {
  try {
    return fileOf(folder, new URL(url, 'http://localhost').pathname);
  } catch {
    return undefined;
  }
}

/**
 * Serves a folder.
 *
 * @param folder - An absolute path.
 * @param port - 0 takes a free one.
 * @throws If the port is taken, saying what to do.
 */
export async function serveSnap(folder: string, port: number): Promise<SnapServer> {
  const server = createServer((request, response) => {
    const file = requestedFile(folder, request.url ?? '/');
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    // MetaMask fetches the files from its own origin.
    response.writeHead(200, {
      'access-control-allow-origin': '*',
      'cache-control': 'no-cache',
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} is taken. Choose another: npm start -- --port <number>`)
          : error,
      );
    });
    server.listen(port, '127.0.0.1', () => {
      resolve();
    });
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${actual}`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
