import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import type { AddressInfo, Socket } from 'node:net';

import { loadKeccak } from '../../../src/service/chain/archive/hashing';
import { verifyArchive } from '../../../src/service/chain/archive/verify';
import { testArchive } from '../../support/service/archive';
import { exportFile, makeChain } from '../../support/service/chain';
import { era1File } from '../../support/service/era1-writer';
import { writeFile } from '../../support/service/folder';
import { IF_TOLD, openFilesOf, tellsOpenFiles } from '../../support/service/open-files';
import { resultOf } from '../../support/service/node';
import { startService } from '../../support/service/service';

(tellsOpenFiles ? describe : describe.skip)(`no file stays open${IF_TOLD}`, () => {
  const chain = makeChain({ length: 60 });

  test('after it was imported or refused, nor any segment made of it', async () => {
    const archive = testArchive();
    const good = writeFile('a', era1File(chain.slice(0, 30)));
    const bad = writeFile('b', Buffer.from(era1File(chain.slice(30))).fill(0, 100, 200));
    const rest = writeFile('c', exportFile(chain.slice(30)));
    const { files } = await archive.import(good, bad, rest);
    expect(files.map(({ outcome }) => outcome)).toEqual(['imported', 'refused', 'imported']);
    for (const path of [good, bad, rest, archive.dataDir]) expect(openFilesOf(path)).toEqual([]);
  });

  test('of an archive that is verified, reloaded or closed', async () => {
    const archive = testArchive();
    await archive.import(writeFile('a', era1File(chain.slice(0, 30))));
    const opened = await archive.open();
    expect(openFilesOf(archive.dir)).toHaveLength(1);
    await archive.import(writeFile('c', exportFile(chain.slice(30))));
    expect([opened.refresh(), opened.refresh()]).toEqual([false, true]);
    expect(openFilesOf(archive.dir)).toHaveLength(2);
    opened.close();
    expect(openFilesOf(archive.dir)).toEqual([]);
    const { segments, problems } = verifyArchive(archive.dir, 'testnet', await loadKeccak());
    expect([segments, problems, openFilesOf(archive.dir)]).toEqual([2, [], []]);
  });

  test('of an archive whose service has stopped', async () => {
    const archive = testArchive();
    await archive.import(writeFile('a', era1File(chain)));
    const service = await startService({ networks: [{ name: 'testnet', chainId: 5 }] }, { dataDir: archive.dataDir });
    expect(openFilesOf(archive.dir)).toHaveLength(1);
    await service.stop();
    expect(openFilesOf(archive.dir)).toEqual([]);
  });
});

test('a service that has stopped keeps no connection to its node', async () => {
  const node = createServer((request, response) => {
    void json(request).then((body) => response.end(resultOf((body as { id: number }).id, '0x1')));
  });
  // The node never closes a connection itself, so it stays until the service closes it.
  node.keepAliveTimeout = 0;
  node.listen(0, '127.0.0.1');
  await once(node, 'listening');
  const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
  const service = await startService({ networks: [{ name: 'mainnet', chainId: 1, upstream: { url } }] });
  const connected = once(node, 'connection');
  expect(await service.call('eth_blockNumber')).toMatchObject({ result: '0x1' });
  const [socket] = (await connected) as [Socket];
  const closed = once(socket, 'close');
  await service.stop();
  await closed;
  node.close();
});
