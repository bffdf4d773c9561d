import { closeSync, existsSync, openSync } from 'node:fs';
import { once } from 'node:events';

import { startCli } from '../../support/service/cli';
import { makeFolder, writeFile } from '../../support/service/folder';
import { untilOutput } from '../../support/service/until-output';

const FULL = '/dev/full';

(existsSync(FULL) ? test : test.skip)(
  'a log that cannot be written, at any level, affects no request and no process',
  async () => {
    const dataDir = makeFolder();
    const config = writeFile(
      'config.json',
      JSON.stringify({ dataDir, log: { level: 'debug' }, rpc: { port: 0 }, storage: { enabled: false } }),
    );
    const full = openSync(FULL, 'w');
    const child = startCli(dataDir, ['serve', '--json', '--config', config], undefined, full);
    closeSync(full);
    const ended = once(child, 'exit');
    const [line] = await untilOutput(child, /^\{.*\}\n/mu);
    const { key, addresses } = JSON.parse(line) as { key: string; addresses: { url: string }[] };
    // All are answered in one turn of the event loop, and each answer is logged.
    const batch = [1, 2, 3].map((id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_getUncleCountByBlockNumber',
      params: ['0x0'],
    }));
    const answered = await fetch(`${addresses[0]?.url}/v3/${key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(batch),
    });
    expect([answered.status, await answered.json()]).toEqual([
      200,
      batch.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x0' })),
    ]);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  },
);
