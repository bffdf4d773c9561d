import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

import { startCli } from '../../support/service/cli';
import { makeFolder, writeFile } from '../../support/service/folder';
import { untilOutput } from '../../support/service/until-output';

const WANTED = 10_000;
/** File descriptors for other purposes: files, pipes, the test runner. */
const RESERVE = 500;
const limit = Number(execFileSync('sh', ['-c', 'ulimit -n']).toString().replace('unlimited', '1000000'));
/** This process and the service each hold one end of a connection. The two listeners are tested one after the other. */
const COUNT = Math.min(WANTED, limit - RESERVE);

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

/** Opens connections over which nothing is sent, a few hundred at a time. */
async function openIdle(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const batch = Array.from({ length: Math.min(200, count - sockets.length) }, () => connect(port, '127.0.0.1'));
    open.push(...batch);
    for (const socket of batch) socket.on('error', () => undefined);
    await Promise.all(batch.map((socket) => once(socket, 'connect')));
    sockets.push(...batch);
  }
  return sockets;
}

test(`${COUNT} idle connections to each service${COUNT < WANTED ? ` (of ${WANTED}: ulimit -n is ${limit})` : ''}: others are answered, and no connection is left behind`, async () => {
  const dataDir = makeFolder();
  const limits = { connections: WANTED + 100 };
  const config = writeFile(
    'config.json',
    JSON.stringify({
      dataDir,
      // Long enough for the first connection to stay open until the last one is.
      rpc: { port: 0, limits: { ...limits, requestMs: 600_000, keyPerSecond: 100_000, keyBurst: 100_000 } },
      storage: { port: 0, limits },
    }),
  );
  const service = startCli(dataDir, ['serve', '--config', config, '--json']);
  const [line] = await untilOutput(service, /^\{.*\}\n/mu);
  const { key, secret, addresses } = JSON.parse(line) as { key: string; secret: string; addresses: { url: string }[] };
  const [rpc = '', storage = ''] = addresses.map(({ url }) => url);
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
  const expectAnswers = async () => {
    const asked = await fetch(`${rpc}/v3/${key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}',
    });
    expect(await asked.json()).toMatchObject({ result: '0x1' });
    const stored = await fetch(`${storage}/api/v0/version`, { method: 'POST', headers: { authorization } });
    expect(stored.status).toBe(200);
  };
  const descriptors = () => readdirSync(`/proc/${service.pid}/fd`).length;
  await expectAnswers();
  const before = descriptors();
  for (const url of [rpc, storage]) {
    const idle = await openIdle(Number(new URL(url).port), COUNT);
    // For its client a connection exists before the service accepts it. Others are answered meanwhile.
    for (let left = 10_000; descriptors() <= COUNT && left > 0; left--) await expectAnswers();
    expect(descriptors()).toBeGreaterThan(COUNT);
    await expectAnswers();
    // An idle connection can still be used. The last one has the most time left.
    const last = idle.at(-1) as Socket;
    last.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
    expect(String((await once(last, 'data'))[0])).toMatch(/^HTTP\/1\.1 40[34] /u);
    for (const socket of idle) socket.destroy();
    await Promise.all(idle.map((socket) => socket.closed || once(socket, 'close')));
    for (let left = 10_000; descriptors() > before + 50 && left > 0; left--) await expectAnswers();
    expect(descriptors()).toBeLessThan(before + 50);
  }
}, 180_000);
