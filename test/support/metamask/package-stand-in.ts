import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';

import { makeCertificate } from '../service/certificate';
import { makeFolder } from '../service/folder';

/** A server that stands for every host of the internet, and has these packages and nothing else. */
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

/** @param folders - Of packages that were assembled for a release. */
export async function servePackages(folders: readonly string[]): Promise<PackageStandIn> {
  const packages = folders.map(pack);
  const { cert, key } = makeCertificate();
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, ({ url, headers }, response) => {
    const path = new URL(url ?? '/', 'https://localhost').pathname.slice(1);
    const open = { 'access-control-allow-origin': '*' };
    for (const { name, version, tarball } of packages) {
      const file = `${name}/-/${name}-${version}.tgz`;
      if (path === file) return response.writeHead(200, { ...open, 'content-length': tarball.length }).end(tarball);
      if (path !== name) continue;
      const dist = { tarball: `https://${headers.host ?? ''}/${file}` };
      const body = { name, 'dist-tags': { latest: version }, versions: { [version]: { name, version, dist } } };
      return response.writeHead(200, { ...open, 'content-type': 'application/json' }).end(JSON.stringify(body));
    }
    return response.writeHead(404, open).end();
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
