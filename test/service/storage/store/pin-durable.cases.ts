import { collect } from '../../../support/storage/content';
import { uncharged } from '../../../../src/service/admission/uncharged';
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { CID } from 'multiformats/cid';
import { carHeader } from '../../../../src/service/storage/content/car';
import { openSqlite } from '../../../../src/service/runtime/sqlite';
import { SqlitePins } from '../../../../src/service/storage/store/sqlite-pins';
import { makeFolder } from '../../../support/service/folder';
import { post, send } from '../../../support/storage/requests';
import { startTestService } from '../../../support/storage/service';

afterEach(() => {
  jest.restoreAllMocks();
});

/** Makes every sync of blocks wait until the returned function is called, and then fail. */
function loseBlocks(): () => void {
  const open = fs.open;
  let lose: () => void = () => undefined;
  const lost = new Promise<void>((resolve) => (lose = resolve));
  jest.spyOn(fs, 'open').mockImplementation(async (path, flags, mode) => {
    const handle = await open(path, flags, mode);
    // The folder of a block, whose name is not safe before.
    if (!/blocks\/[0-9A-Z_]{2}$/u.test(String(path))) return handle;
    handle.sync = async () => {
      await lost;
      throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
    };
    return handle;
  });
  return lose;
}

const RAW = 'bafkreibm6jg3ux5qumhcn2b3flc3tyu6dmlb4xa7u5bf44yegnrjhc4yeq';
const CONTENT = 'hello';

test.each([
  ['pin/add', `pin/add?arg=${RAW}`],
  ['pin/add, of the block alone', `pin/add?arg=${RAW}&recursive=false`],
  ['pin/update', `pin/update?arg=bafkqabdqnfxg4&arg=${RAW}`],
])('%s of a block that is not yet on disk: acknowledged only once it is', async (_name, command) => {
  const lose = loseBlocks();
  const service = await startTestService({ durable: true });
  // An identity CID contains its block, so it needs no disk.
  expect((await post(service, 'pin/add?arg=bafkqabdqnfxg4')).status).toBe(200);
  const putting = send(service, 'block/put?cid-codec=raw', { content: CONTENT });
  while ((await post(service, `block/get?arg=${RAW}`)).status !== 200);
  const pinning = post(service, command);
  lose();
  for (const { status, body } of [await putting, await pinning]) {
    expect([status, body.toString()]).toEqual([500, expect.stringMatching(/EIO: i\/o error/u)]);
  }
  expect((await post(service, `pin/ls?arg=${RAW}`)).status).toBe(500);
  jest.restoreAllMocks();
  await service.discard();
});

test('dag/import of roots whose blocks another request puts: acknowledged only once they are on disk', async () => {
  const lose = loseBlocks();
  const service = await startTestService({ durable: true });
  const putting = send(service, 'block/put?cid-codec=raw', { content: CONTENT });
  while ((await post(service, `block/get?arg=${RAW}`)).status !== 200);
  const importing = send(service, 'dag/import', { content: carHeader([CID.parse(RAW)]) });
  lose();
  for (const { status, body } of [await putting, await importing]) {
    expect([status, body.toString()]).toEqual([500, expect.stringMatching(/EIO: i\/o error/u)]);
  }
  jest.restoreAllMocks();
  await service.discard();
});

test('pins that were stored without their size are kept, and new ones can be added', async () => {
  const directory = makeFolder();
  const earlier = openSqlite(
    join(directory, 'pins.sqlite'),
    'CREATE TABLE pins (tenant TEXT NOT NULL, cid TEXT NOT NULL, mode TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (tenant, cid)) WITHOUT ROWID',
  );
  earlier.prepare("INSERT INTO pins VALUES ('a', ?, 'recursive', 'mine')").run(RAW);
  earlier.close();
  const pins = new SqlitePins(directory, false);
  expect(await pins.get('a', CID.parse(RAW))).toMatchObject({ mode: 'recursive', name: 'mine', size: 0 });
  const other = CID.parse('bafkqabdqnfxg4');
  await pins.add('a', other, 'direct', undefined, { size: 4 });
  expect(await collect(pins.list(uncharged(), 'a'))).toHaveLength(2);
  await pins.close();
});
