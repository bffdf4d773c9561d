import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { makeFolder, writeFile } from './folder';
import { OWN_ADDRESS } from './own-address';

const PROGRAM = ['nginx', '/usr/sbin/nginx'].find((name) => spawnSync(name, ['-v']).status === 0);

/** Why tests with nginx are skipped, or undefined if they run. */
export const noNginx =
  PROGRAM === undefined ? 'skipped: nginx is not installed, see scripts/install-test-services.sh' : undefined;

const started: ChildProcess[] = [];

afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
});

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

type Ports = Readonly<Record<'8545' | '5001', number>>;

/**
 * Starts nginx with `deploy/nginx.conf`, of which only names and ports are others.
 *
 * @param members - The ports of the processes behind it, instead of the two in the file.
 * @param ports - Where it listens instead of 8545 and 5001.
 */
export async function startNginx(members: readonly Ports[], ports: Ports): Promise<void> {
  const folder = makeFolder();
  const shipped = readFileSync(resolve(__dirname, '../../../deploy/nginx.conf'), 'utf8');
  const places = TEMPORARY.map((name) => `  ${name}_temp_path ${join(folder, name)};`).join('\n');
  const text = shipped
    .replace(
      /^( *server )keystead-1:(8545|5001)(.*)\n.*keystead-2:.*$/gmu,
      (_all, before, port: '8545' | '5001', after) =>
        members.map((member) => `${before}${OWN_ADDRESS}:${member[port]}${after}`).join('\n'),
    )
    .replace(/\blisten (8545|5001);/gu, (_all, port: '8545' | '5001') => `listen ${OWN_ADDRESS}:${ports[port]};`)
    .replace(/^http \{$/mu, `http {\n${places}`);
  const path = writeFile('nginx.conf', text, folder);
  const globals = `daemon off; pid ${join(folder, 'pid')};`;
  const child = spawn(PROGRAM ?? '', ['-p', folder, '-c', path, '-g', globals, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  started.push(child);
  let said = '';
  child.stderr.on('data', (data: Buffer) => (said += data.toString()));
  const ended = once(child, 'close').then(() => {
    throw new Error(`nginx has ended: ${said}`);
  });
  // It answers as soon as it listens, whatever is behind it.
  const answers = async () => {
    for (;;) {
      const status = await fetch(`http://${OWN_ADDRESS}:${ports[8545]}/`).then(
        (response) => response.status,
        () => 0,
      );
      if (status > 0) return;
    }
  };
  await Promise.race([ended, answers()]);
  ended.catch(() => undefined);
}
