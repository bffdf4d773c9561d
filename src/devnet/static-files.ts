import { createReadStream, statSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { pipeline } from 'node:stream';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** @returns The file that a URL path refers to; undefined if it is not in the folder. */
function fileOf(folder: string, urlPath: string): string | undefined {
  const path = normalize(join(folder, decodeURIComponent(urlPath)));
  if (!path.startsWith(folder + sep) && path !== folder + sep) return undefined;
  const file = path.endsWith(sep) ? join(path, 'index.html') : path;
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : undefined;
}

/** @returns The same; undefined for a path that cannot be decoded. */
function requestedFile(folder: string, url: string): string | undefined {
  try {
    return fileOf(folder, new URL(url, 'http://localhost').pathname);
  } catch {
    return undefined;
  }
}

/**
 * Responds with a file of a folder, or with 404 or 405.
 *
 * @param folder - An absolute path.
 * @param headers - Sent with the file.
 */
export function sendFile(
  folder: string,
  { method, url = '/' }: IncomingMessage,
  response: ServerResponse,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  const file = requestedFile(folder, url);
  if (file === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, {
    'cache-control': 'no-cache',
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  if (method === 'HEAD') response.end();
  // A build may delete the file, and a client may disconnect: pipeline then closes both.
  else pipeline(createReadStream(file), response, () => undefined);
}
