import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { run } from './installed';

type Manifest = { readonly name: string; readonly version: string };
type Packed = Manifest & { readonly pack: (response: ServerResponse) => void };

/** The packages in a `node_modules`, those of the packages in it included. */
function* installedIn(modules: string): Generator<Packed> {
  for (const name of existsSync(modules) ? readdirSync(modules) : []) {
    const folder = join(modules, name);
    if (name.startsWith('@')) yield* installedIn(folder);
    if (!existsSync(join(folder, 'package.json'))) continue;
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Partial<Manifest>;
    const { name: own, version } = manifest;
    if (own === undefined || version === undefined) continue;
    const files = ['--exclude', './node_modules', '--transform', 's,^\\.,package,', '.'];
    const pack = (response: ServerResponse) => {
      spawn('tar', ['-czf', '-', '-C', folder, ...files]).stdout.pipe(response);
    };
    yield { ...manifest, name: own, version, pack };
    yield* installedIn(join(folder, 'node_modules'));
  }
}

function packedIn(tarball: string): Packed {
  const manifest = run('tar', ['-xzOf', tarball, 'package/package.json'], '/');
  return { ...(JSON.parse(manifest) as Manifest), pack: (response) => createReadStream(tarball).pipe(response) };
}

/** A running registry. */
export type Registry = { readonly url: string; readonly stop: () => void };

/**
 * A registry for npm on the loopback interface, because a test uses no network.
 *
 * @param tarballs - Packages that npm has packed.
 * @param folders - The `node_modules` whose packages it also has. Of several versions, the first one found is the
 * latest.
 */
export async function startRegistry(tarballs: readonly string[], folders: readonly string[]): Promise<Registry> {
  const packages = new Map<string, Map<string, Packed>>();
  for (const each of [...tarballs.map(packedIn), ...folders.flatMap((folder) => [...installedIn(folder)])]) {
    const versions = packages.get(each.name) ?? new Map<string, Packed>();
    if (!versions.has(each.version)) versions.set(each.version, each);
    packages.set(each.name, versions);
  }
  let url = '';
  const describe = (versions: ReadonlyMap<string, Packed>) => {
    const [latest] = versions.keys();
    const described = [...versions.values()].map(({ pack: _, ...manifest }) => {
      const tarball = `${url}-/${encodeURIComponent(manifest.name)}/${manifest.version}.tgz`;
      return [manifest.version, { ...manifest, dist: { tarball } }];
    });
    return JSON.stringify({ 'dist-tags': { latest }, versions: Object.fromEntries(described) as object });
  };
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    const [, name, version] = /^\/-\/(.*)\/(.*)\.tgz$/u.exec(path) ?? [];
    const versions = packages.get(name ?? path.slice(1));
    const packed = version === undefined ? undefined : versions?.get(version);
    if (packed) packed.pack(response);
    else if (versions && version === undefined) response.end(describe(versions));
    else response.writeHead(404).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
