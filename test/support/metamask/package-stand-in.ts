import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { makeCertificate } from '../service/certificate';
import { makeFolder } from '../service/folder';

/** A server that stands for every host of the internet, and has these packages, these nodes and nothing else. */
export type PackageStandIn = {
  /** Chromium's arguments with which it is asked in place of all other hosts. */
  readonly args: readonly string[];
  readonly stop: () => Promise<void>;
};

/** @returns The tarball of a folder, as npm packs it. */
function pack(folder: string): { readonly version: string; readonly name: string; readonly tarball: Buffer } {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  const into = makeFolder();
  const printed = execFileSync('npm', ['pack', '--json', '--pack-destination', into], {
    cwd: folder,
    encoding: 'utf8',
  });
  const [{ filename }] = JSON.parse(printed) as [{ filename: string }];
  return { name, version, tarball: readFileSync(join(into, filename)) };
}

const OPEN = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
const JSON_TYPE = { 'content-type': 'application/json' };

/** Has a node answer a request, whole or in batches. */
async function forward(request: IncomingMessage, response: ServerResponse, node: Node): Promise<void> {
  const body = await text(request);
  node.onAsked?.(body);
  const answer = await fetch(node.url, { method: 'POST', headers: JSON_TYPE, body });
  response.writeHead(answer.status, { ...OPEN, ...JSON_TYPE }).end(await answer.text());
}

/** A node of the internet, and who wants to know what it is asked. */
export type Node = { readonly url: string; readonly onAsked?: (body: string) => void };

/**
 * @param folders - Of packages that were assembled for a release; several may be versions of one.
 * @param nodes - By the host that the wallet asks.
 */
export async function servePackages(
  folders: readonly string[],
  nodes: Readonly<Record<string, Node>> = {},
): Promise<PackageStandIn> {
  const packages = folders.map(pack);
  const versionsOf = (name: string, host: string): Record<string, object> =>
    Object.fromEntries(
      packages
        .filter((one) => one.name === name)
        .map(({ version }) => {
          const tarball = `https://${host}/${name}/-/${name}-${version}.tgz`;
          return [version, { name, version, dist: { tarball } }];
        }),
    );
  const { cert, key } = makeCertificate();
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
    const { url, headers, method } = request;
    const host = headers.host ?? '';
    const node = nodes[host];
    if (node !== undefined && method === 'POST') {
      forward(request, response, node).catch(() => response.writeHead(502, OPEN).end());
      return;
    }
    if (method === 'OPTIONS') {
      response.writeHead(204, OPEN).end();
      return;
    }
    const path = new URL(url ?? '/', 'https://localhost').pathname.slice(1);
    const file = packages.find(({ name, version }) => path === `${name}/-/${name}-${version}.tgz`);
    const versions = versionsOf(path, host);
    const [latest] = Object.keys(versions);
    if (file !== undefined)
      response.writeHead(200, { ...OPEN, 'content-length': file.tarball.length }).end(file.tarball);
    else if (latest === undefined) response.writeHead(404, OPEN).end();
    else
      response
        .writeHead(200, { ...OPEN, ...JSON_TYPE })
        .end(JSON.stringify({ name: path, 'dist-tags': { latest }, versions }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    args: [
      `--host-resolver-rules=MAP * 127.0.0.1:${port}, EXCLUDE localhost, EXCLUDE 127.0.0.1`,
      '--ignore-certificate-errors',
    ],
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
