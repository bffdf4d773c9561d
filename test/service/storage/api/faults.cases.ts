import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, statfsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorageClient } from '../../../../src/clients/storage';
import { DagClient } from '../../../../src/clients/storage/dag';
import { perRun } from '../../../support/nightly';
import { collect, contentOf, expectAll } from '../../../support/storage/content';
import { killWhileWorking } from '../../../support/storage/kills';
import { FORM, multipart } from '../../../support/storage/multipart';
import { openRaw } from '../../../support/service/raw';
import { rawRequest } from '../../../support/storage/raw-http';
import { FORM_LINE, head } from '../../../support/storage/requests';
import { startTestService, temporaryDirectory } from '../../../support/storage/service';

/** Starting processes and filling a small disk may take long on a busy machine. */
jest.setTimeout(300_000);

describe('kill -9', () => {
  test('during adds, pins and garbage collections: no acknowledged data is lost', async () => {
    const acknowledged = await killWhileWorking({
      dataDir: await temporaryDirectory(),
      killAfter: perRun([12], [12, 25, 40]),
    });
    expect(acknowledged).toBeGreaterThanOrEqual(12);
  });
});

describe('a full disk', () => {
  /** Makes a folder with 3 MB of space. @throws If that is not allowed here. */
  const makeSmallDisk = (): { folder: string; remove: () => void } => {
    const folder = mkdtempSync(join(tmpdir(), 'storage-test-full-'));
    const remove = () => rmdirSync(folder);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder], { stdio: 'ignore' });
    } catch (error) {
      remove();
      throw error;
    }
    return {
      folder,
      remove: () => {
        // Lazily: SQLite closes its file when its statements are collected.
        execFileSync('umount', ['-l', folder]);
        remove();
      },
    };
  };
  let canMount = true;
  try {
    makeSmallDisk().remove();
  } catch {
    canMount = false;
  }
  /** A disk for each test. */
  let disk: ReturnType<typeof makeSmallDisk>;
  beforeEach(() => {
    if (canMount) disk = makeSmallDisk();
  });
  afterEach(() => {
    if (canMount) disk.remove();
  });

  (canMount ? test : test.skip)(
    `by uploads has a reserve: pins are removed, and others write${canMount ? '' : ' (skipped: mounting needs root)'}`,
    async () => {
      const RESERVE = 1 << 20;
      const service = await startTestService({ dataDir: join(disk.folder, 'data'), diskReserveBytes: RESERVE });
      const client = new StorageClient({ url: service.url });
      const acknowledged: string[] = [];
      let failure: unknown;
      for (let number = 0; failure === undefined && number < 1000; number++)
        await client.add(contentOf(number)).then(
          ({ cid }) => acknowledged.push(cid),
          (error: unknown) => (failure = error),
        );
      expect(failure).toMatchObject({ status: 500, message: expect.stringMatching(/no space left/u) as unknown });
      expect(await service.problems()).toEqual([expect.stringMatching(/no space left/u)]);
      // What is left is for the service: it removes pins, and writes what is not an upload.
      const { bavail, bsize } = statfsSync(disk.folder);
      expect(bavail * bsize).toBeGreaterThan(RESERVE / 2);
      for (const cid of acknowledged) await client.pinRm(cid);
      await writeFile(join(disk.folder, 'credits'), Buffer.alloc(RESERVE / 4));
      expect(await collect(client.pinLs())).toEqual([]);
      await service.discard();
    },
  );

  (canMount ? test : test.skip)(
    canMount ? 'is told, and nothing stored is lost' : 'is told (skipped: mounting a small tmpfs needs root)',
    async () => {
      const service = await startTestService({ dataDir: join(disk.folder, 'data'), diskReserveBytes: 0 });
      const client = new StorageClient({ url: service.url });
      const acknowledged = new Map<number, string>();
      let failure: unknown;
      for (let number = 0; failure === undefined && number < 100; number++) {
        await client.add(contentOf(number)).then(
          ({ cid }) => acknowledged.set(number, cid),
          (error: unknown) => (failure = error),
        );
      }
      expect(failure).toMatchObject({
        kind: 'refused',
        status: 500,
        message: expect.stringMatching(/ENOSPC|no space|disk is full/) as unknown,
      });
      expect(acknowledged.size).toBeGreaterThan(3);
      await expectAll(service.url, acknowledged);

      // A pin that cannot be recorded is refused, and does not exist afterwards.
      const [cid = ''] = acknowledged.values();
      let told = '';
      failure = undefined;
      for (let round = 0; failure === undefined && round < 10_000; round++) {
        const name = `${round} ${'x'.repeat(200)}`;
        await client.pinAdd(cid, { name }).then(
          () => (told = name),
          (error: unknown) => (failure = error),
        );
      }
      expect(failure).toMatchObject({
        status: 500,
        message: expect.stringMatching(/ENOSPC|no space|disk is full/) as unknown,
      });
      const nameOfPin = async (url: string) => {
        type Answer = { Keys: Record<string, { Name: string }> };
        const { Keys } = await new StorageClient({ url }).call<Answer>('pin/ls', [cid], { names: true });
        return Keys[cid]?.Name;
      };
      expect(await nameOfPin(service.url)).toBe(told);
      await service.stop();
      const again = await startTestService({ dataDir: join(disk.folder, 'data') });
      await expectAll(again.url, acknowledged);
      expect(await nameOfPin(again.url)).toBe(told);
      await again.stop();
    },
  );

  (canMount ? test : test.skip)(
    `a day on a disk that fills up again and again: nothing kept is lost, and there is room after a collection${canMount ? '' : ' (skipped: mounting a small tmpfs needs root)'}`,
    async () => {
      const dataDir = join(disk.folder, 'data');
      let service = await startTestService({ dataDir, diskReserveBytes: 0 });
      const kept = new Map<number, string>();
      let number = 0;
      for (let round = 0; round < perRun(3, 40); round++) {
        const client = new StorageClient({ url: service.url });
        const released: string[] = [];
        const added = new Map<number, string>();
        const fill = async (step: number) => {
          let failure: unknown;
          for (; failure === undefined; number += step) {
            // One file in ten is kept for good, one in two is nobody's.
            const pin = number % 10 === 0 || number % 2 === 1;
            await client.add(contentOf(number), { pin }).then(
              ({ cid }) => {
                added.set(number, cid);
                if (number % 10 === 0 && kept.size < 8) kept.set(number, cid);
                else if (pin) released.push(cid);
              },
              (error: unknown) => (failure = error),
            );
          }
          expect(failure).toMatchObject({
            kind: 'refused',
            status: 500,
            message: expect.stringMatching(/ENOSPC|no space|disk is full/) as unknown,
          });
        };
        await fill(1);
        // Then with the smallest files alone, until not even one of them fits.
        number += 4 - (number % 4);
        await fill(4);
        // Full as it is, it is read, started again and collected.
        for (const [each, cid] of added)
          expect(Buffer.compare(await client.read(cid), Buffer.from(contentOf(each)))).toBe(0);
        await service.stop();
        service = await startTestService({ dataDir, diskReserveBytes: 0 });
        await expectAll(service.url, kept);
        const again = new StorageClient({ url: service.url });
        await collect(again.stream('repo/gc'));
        for (const cid of released) await again.pinRm(cid);
        await collect(again.stream('repo/gc'));
        await expectAll(service.url, kept);
        expect(await service.problems()).toEqual([]);
      }
      expect(kept.size).toBe(8);
      await service.stop();
    },
  );
});

describe('missing and damaged blocks', () => {
  const CHUNK = 256 << 10;
  const file = Buffer.concat(['a', 'b', 'c'].map((letter) => Buffer.alloc(CHUNK, letter)));
  const LAST_LEAF = 'QmQZ3JEYuakfmd8yqHWLUwUEZHG8tpRdDA3RrCfcv28rcC';

  test('a missing leaf: reported by the server in the trailer, by the client as an error', async () => {
    const service = await startTestService();
    const client = new StorageClient({ url: service.url });
    const { cid } = await client.add(file, { pin: false });
    await collect(client.stream('block/rm', [LAST_LEAF]));

    const answer = await rawRequest(service.port, { path: `/api/v0/cat?arg=${cid}` });
    expect([answer.status, answer.headers.get('x-content-length'), answer.body.length]).toEqual([
      200,
      '786432',
      2 * CHUNK,
    ]);
    expect(answer.trailers['X-Stream-Error']).toMatch(/could not find QmQZ3JEY/);

    await expect(client.read(cid)).rejects.toMatchObject({ kind: 'refused' });
    await expect(client.read(cid, { verify: false })).rejects.toMatchObject({ kind: 'truncated' });
    await expect(collect(new DagClient(client).export(cid))).rejects.toMatchObject({ kind: 'truncated' });
    await expect(client.pinAdd(cid)).rejects.toMatchObject({ kind: 'refused' });
    // A missing first leaf is an ordinary error, because nothing was sent yet.
    await collect(client.stream('block/rm', ['Qma81h2ZqbvJW2EQkiVUZ17aSvNWqAtvUPhh8mQBPU8W7c']));
    expect((await rawRequest(service.port, { path: `/api/v0/cat?arg=${cid}` })).status).toBe(500);
    await service.discard();
  });

  test('a flipped byte on disk: an error if reads are checked, and adding the file again repairs it', async () => {
    const service = await startTestService({ hashOnRead: true });
    const client = new StorageClient({ url: service.url });
    const { cid } = await client.add(file);
    const blocks = join(service.dataDir, 'blocks');
    for (const name of await readdir(blocks, { recursive: true })) {
      const path = join(blocks, name);
      const bytes = name.endsWith('.data') ? await readFile(path) : Buffer.alloc(0);
      const at = bytes.indexOf('bbbbbbbb');
      if (at >= 0) await writeFile(path, bytes.fill('x', at, at + 1));
    }
    const answer = await rawRequest(service.port, { path: `/api/v0/cat?arg=${cid}` });
    expect(answer.trailers['X-Stream-Error']).toMatch(/damaged/);
    expect(answer.body.length).toBe(CHUNK);
    await client.add(file);
    expect(Buffer.compare(await client.read(cid), file)).toBe(0);
    await service.discard();
  });
});

describe('uploads that end too early', () => {
  test('a body without its last boundary is rejected, and its CID is not returned', async () => {
    const service = await startTestService();
    const body = multipart({ content: 'x'.repeat(1000), filename: 'f' });
    for (const cut of [1, 2, 3, 4, 5, 8, 12, 100, 1000]) {
      const answer = await rawRequest(service.port, {
        path: '/api/v0/add',
        headers: FORM,
        body: body.subarray(0, -cut),
      });
      // The line break after the last boundary may be missing, but nothing of the boundary itself.
      expect([answer.status, answer.body.includes('Hash')]).toEqual(cut <= 2 ? [200, true] : [400, false]);
      expect(answer.trailers['X-Stream-Error']).toBeUndefined();
    }
    await service.discard();
  });

  test('a client that closes its side after a complete upload gets its response', async () => {
    const service = await startTestService();
    const body = multipart({ content: contentOf(3), filename: 'f' });
    const { socket, closed } = await openRaw(service.url);
    socket.write(head('add?pin=true', [FORM_LINE, `Content-Length: ${body.length}`]));
    socket.end(body);
    const answer = await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    const { Hash } = JSON.parse(/\{.*\}/.exec(answer)?.[0] ?? '') as { Hash: string };
    const client = new StorageClient({ url: service.url });
    expect(Buffer.compare(await client.read(Hash), contentOf(3))).toBe(0);
    expect(await collect(client.pinLs())).toEqual([{ cid: Hash, type: 'recursive' }]);
    await service.discard();
  });

  test('a broken connection leaves nothing pinned, and the service still answers', async () => {
    const service = await startTestService();
    const body = multipart({ content: contentOf(3), filename: 'f' });
    await new Promise<void>((resolve) => {
      const socket = connect(service.port, '127.0.0.1', () => {
        const head = [
          'POST /api/v0/add HTTP/1.1',
          'Host: x',
          `Content-Type: ${FORM['Content-Type']}`,
          `Content-Length: ${body.length}`,
        ];
        socket.write(`${head.join('\r\n')}\r\n\r\n`);
        socket.write(body.subarray(0, 200_000), () => {
          socket.destroy();
        });
      });
      socket.on('close', () => {
        resolve();
      });
    });
    const client = new StorageClient({ url: service.url });
    expect(await collect(client.pinLs())).toEqual([]);
    const { cid } = await client.add(contentOf(3));
    expect(Buffer.compare(await client.read(cid), contentOf(3))).toBe(0);
    await service.discard();
  });
});
