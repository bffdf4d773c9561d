import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { untilOutput } from '../service/until-output';
import { type Installed } from './installed';

/** A running `keystead serve` of an installed package. */
export type InstalledService = {
  readonly rpc: string;
  readonly storage: string;
  readonly key: string;
  readonly secret: string;
  readonly stop: () => Promise<void>;
};

type Started = { readonly addresses: { readonly label: string; readonly url: string }[]; key: string; secret: string };

/** Starts the service on free ports, with its own data folder, open to every origin. */
export async function startInstalledService({ service, project }: Installed): Promise<InstalledService> {
  const config = join(project, 'service.json');
  writeFileSync(config, JSON.stringify({ storage: { origins: ['*'] }, log: { level: 'silent' } }));
  const child = spawn(
    process.execPath,
    [
      ...[join(service, 'bin/keystead.js'), 'serve', '--json', '--config', config],
      ...['--data-dir', mkdtempSync(join(project, 'data-')), '--rpc-port', '0', '--storage-port', '0'],
    ],
    { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = once(child, 'exit');
  const [line] = await untilOutput(child, /^\{.*\}$/mu);
  const { addresses, key, secret } = JSON.parse(line) as Started;
  const urlOf = (label: string): string => addresses.find((address) => address.label === label)?.url ?? '';
  return {
    rpc: urlOf('RPC'),
    storage: urlOf('Storage'),
    key,
    secret,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
