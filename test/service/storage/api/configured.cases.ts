import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { JoinedRegistry } from '../../../../src/service/runtime/joined-registry';
import { parseConfig } from '../../../../src/service/cli/config';
import { type CreatedKey, type KeyStore } from '../../../../src/service/keys';
import { openKeys } from '../../../../src/service/keys/open';
import { storagePart } from '../../../../src/service/storage/part';
import { FORM, multipart } from '../../../support/storage/multipart';
import { rawRequest } from '../../../support/storage/raw-http';
import { temporaryDirectory } from '../../../support/storage/service';

type Configured = {
  readonly dataDir: string;
  readonly keys: KeyStore;
  readonly own: CreatedKey;
  /** Sends a request with the service's own key, or another. */
  readonly send: (path: string, body?: Buffer, by?: CreatedKey) => Promise<string>;
};

/** Starts the storage part as `serve` does, with a `storage` configuration. @returns The result of `use`. */
async function configured<T>(storage: object, use: (service: Configured) => Promise<T>): Promise<T> {
  const dataDir = await temporaryDirectory();
  const config = parseConfig({ storage: { port: 0, ...storage } });
  const keys = await openKeys(config, dataDir, () => undefined);
  const own = await keys.create();
  const log = pino({ level: 'silent' });
  const part = await storagePart.start({ config, dataDir, keys, log, metrics: new JoinedRegistry() });
  const port = Number(new URL(part.addresses[0]?.url ?? '').port);
  const send = async (path: string, body?: Buffer, { key, secret } = own) => {
    const headers = { Authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}` };
    const request = body === undefined ? { headers } : { headers: { ...headers, ...FORM }, body };
    const { status, body: answer, trailers } = await rawRequest(port, { path: `/api/v0/${path}`, ...request });
    return [status, answer.toString('latin1'), trailers['X-Stream-Error'] ?? ''].join(' ');
  };
  try {
    return await use({ dataDir, keys, own, send });
  } finally {
    await part.stop();
    await keys.close();
    rmSync(dataDir, { recursive: true });
  }
}

const file = (filename: string, length = 200) => multipart({ filename, content: Buffer.alloc(length) });
const two = multipart({ filename: 'd/a', content: 'a' }, { filename: 'd/b', content: 'b' });
const EMPTY_DIRECTORY = 'QmUNLLsPACCz1vLxQVkXqqLX5R1X345qqfHbsf67hvA3Nn';

test("without operators, the first key, or the only one, may use commands that affect everyone's blocks", async () => {
  const paths = ['repo/stat', 'repo/gc', `block/rm?arg=${EMPTY_DIRECTORY}`];
  await configured({}, async ({ keys, own, send }) => {
    for (const path of paths) expect(await send(path)).toMatch(/^200 /u);
    const other = await keys.create();
    for (const path of paths) expect(await send(path)).toMatch(/^200 /u);
    for (const path of paths)
      expect(await send(path, undefined, other)).toMatch(/^403 .*only operators may .*storage\.operators/u);
    const third = await keys.create();
    await keys.revoke(own.key);
    for (const path of paths) expect(await send(path, undefined, other)).toMatch(/^403 /u);
    await keys.revoke(third.key);
    for (const path of paths) expect(await send(path, undefined, other)).toMatch(/^200 /u);
  });
  await configured({ operators: [] }, async ({ send }) => {
    for (const path of paths) expect(await send(path)).toMatch(/^403 /u);
  });
});

describe('limits of the configuration', () => {
  test.each([
    ['bodyBytes', 300, 'add', file('f'), /^400 the request body is larger than the limit of 300 bytes/],
    ['parts', 1, 'add', two, /the body has more than the allowed 1 parts/],
    ['pathLength', 4, 'add', file('abcde'), /^400 .*a file name is longer than the limit of 4 characters/],
    ['pathDepth', 1, 'add', file('a/b'), /^400 .*a file is nested deeper than the limit of 1 directories/],
    ['blockBytes', 100, 'block/put', file('f'), /produced block is over the limit of 100 bytes/],
    ['args', 1, `cat?arg=${EMPTY_DIRECTORY}&arg=x`, undefined, /^400 more than the allowed 1 arguments/],
  ])('%s: %d is enforced', async (name, limit, path, body, refusal) => {
    expect(await configured({}, ({ send }) => send(path, body))).not.toMatch(refusal);
    expect(await configured({ limits: { [name]: limit } }, ({ send }) => send(path, body))).toMatch(refusal);
  });

  test.each([
    ['dagDepth', 1, /deeper than the allowed 1 levels/],
    ['dagBlocks', 2, /more than the allowed 2 blocks/],
    ['dagBytes', 100, /more than the allowed 100 bytes/],
    ['dagPending', 1, /more than the allowed 1 links side by side/],
  ])('%s: %d is enforced during traversal', async (name, limit, refusal) => {
    const tree = multipart(...['t/a/b', 't/a/c', 't/d'].map((filename) => ({ filename, content: filename })));
    const walked = (storage: object) =>
      configured(storage, async ({ send }) => {
        const added = await send('add?pin=false&wrap-with-directory=true', tree);
        const [, root = ''] = /.*"Name":"","Hash":"(\w+)"/su.exec(added) ?? [];
        return send(`dag/export?arg=${root}`);
      });
    expect(await walked({})).toMatch(/^200 /);
    expect(await walked({ limits: { [name]: limit } })).toMatch(refusal);
  });

  test.each([
    [
      'keyPerSecond',
      { keyPerSecond: 1, keyBurst: 2 },
      'version',
      undefined,
      /^429 limit exceeded: 1 requests per second of this key/,
    ],
    [
      'keyBytesPerSecond, up',
      { keyBytesPerSecond: 20 },
      'add',
      file('f', 5000),
      /^429 limit exceeded: 20 bytes per second of this key/,
    ],
    [
      'keyBytesPerSecond, down',
      { keyBytesPerSecond: 20 },
      'id',
      undefined,
      /^429 limit exceeded: 20 bytes per second of this key/,
    ],
    [
      'keyMemoryBytes',
      { keyMemoryBytes: 500 },
      'add',
      file('d/f'),
      /^400 .*would hold more than the allowed 500 bytes of memory/,
    ],
  ])('%s is enforced, for each key alone', async (_name, limits, path, body, refusal) => {
    await configured({}, async ({ send }) => {
      for (let times = 0; times < 3; times++) expect(await send(path, body)).toMatch(/^200 /u);
    });
    await configured({ limits }, async ({ keys, send }) => {
      const answers = [await send(path, body), await send(path, body), await send(path, body)];
      expect(answers.at(-1)).toMatch(refusal);
      expect(await send('version', undefined, await keys.create())).toMatch(/^200 /u);
    });
  });

  test('keyPinnedBytes: a pin beyond it is refused, and there is room again once one is removed', async () => {
    await configured({ limits: { keyPinnedBytes: 1000 } }, async ({ keys, send }) => {
      const cidOf = (answer: string) => /"Hash":"(\w+)"/u.exec(answer)?.[1] ?? '';
      const of = (content: string) => multipart({ content: content.repeat(400), filename: 'f' });
      const first = cidOf(await send('add', of('a')));
      const second = cidOf(await send('add', of('b')));
      const refusal = /^400 .*the pins of this key would hold more than the allowed 1000 bytes \(keyPinnedBytes\)/u;
      expect(await send('add', of('c'))).toMatch(refusal);
      const third = cidOf(await send('add?pin=false', of('c')));
      expect(await send(`pin/add?arg=${third}`)).toMatch(refusal);
      // The same pin again takes no more room.
      expect(await send(`pin/add?arg=${first}`)).toMatch(/^200 /u);
      expect(await send(`pin/update?arg=${first}&arg=${third}&unpin=false`)).toMatch(refusal);
      expect(await send(`pin/update?arg=${first}&arg=${third}`)).toMatch(/^200 /u);
      expect(await send(`pin/rm?arg=${second}`)).toMatch(/^200 /u);
      expect(await send('add', of('d'))).toMatch(/^200 /u);
      // Other keys have room of their own.
      expect(await send('add', of('a'), await keys.create())).toMatch(/^200 /u);
    });
  });

  test('entries: 1 is enforced for a listing in one value', async () => {
    const listed = (storage: object) =>
      configured(storage, async ({ send }) => {
        const [, root = ''] = /.*"Name":"d","Hash":"(\w+)"/su.exec(await send('add', two)) ?? [];
        return send(`ls?arg=${root}`);
      });
    expect(await listed({})).toMatch(/^200 /);
    expect(await listed({ limits: { entries: 1 } })).toMatch(/more than the allowed 1 entries/);
  });

  test.each([
    ['zero', { parts: 0 }, /^storage\.limits\.parts: Expected a integer greater than or equal to 1/],
    ['a fraction of a byte', { bodyBytes: 0.5 }, /^storage\.limits\.bodyBytes: Expected an integer/],
    [
      'more seconds than timers allow',
      { requestSeconds: 2_147_484 },
      /^storage\.limits\.requestSeconds: .*less than or equal/,
    ],
    ['a block larger than memory should hold', { blockBytes: 2 ** 32 }, /^storage\.limits\.blockBytes: .*less than/],
    ['a limit that does not exist', { bodyByte: 1 }, /^storage\.limits\.bodyByte: unknown setting/],
  ])('%s is rejected', (_, limits, message) => {
    expect(() => parseConfig({ storage: { limits } })).toThrow(message);
  });
});

describe('the storage of blocks', () => {
  test('without durability, nothing else changes', async () => {
    const content = randomBytes(3 << 20);
    const added = (storage: object) =>
      configured(storage, async ({ send }) => {
        const answer = await send('add?quieter=true', multipart({ filename: 'f', content }));
        const [, cid = ''] = /"Hash":"(\w+)"/u.exec(answer) ?? [];
        expect((await send(`cat?arg=${cid}`)).includes(content.toString('latin1'))).toBe(true);
        return cid;
      });
    expect(await added({ durable: false, hashOnRead: false })).toBe(await added({}));
  });

  test('a changed block is refused', async () => {
    await configured({}, async ({ send, dataDir }) => {
      const [, cid = ''] = /"Hash":"(\w+)"/u.exec(await send('add', file('f'))) ?? [];
      const blocks = join(dataDir, 'storage', 'blocks');
      const [changed] = readdirSync(blocks, { recursive: true }).filter((name) => String(name).endsWith('.data'));
      writeFileSync(join(blocks, String(changed)), Buffer.alloc(100));
      expect(await send(`cat?arg=${cid}`)).toMatch(
        /^500 .*is damaged in the store; add its content again to repair it/u,
      );
      await send('add', file('f'));
      expect(await send(`cat?arg=${cid}`)).toMatch(/^200 /u);
    });
  });

  test.each([
    ['a setting of version 0.2', { segmentBytes: 1 << 20 }, /^storage\.segmentBytes: unknown setting/],
    ['"no" for false', { durable: 'no' }, /^storage\.durable: Expected a value of type `boolean`, but got a string/],
  ])('%s is rejected', (_, storage, message) => {
    expect(() => parseConfig({ storage })).toThrow(message);
  });
});

test('a bucket with a grace time that is too short for two requests is refused', async () => {
  const s3 = {
    endpoint: 'http://127.0.0.1:1',
    bucket: 'files',
    accessKeyId: 'a',
    secretAccessKey: 'b',
    graceSeconds: 1439,
  };
  await expect(configured({ s3 }, () => Promise.resolve())).rejects.toThrow(
    'storage.s3.graceSeconds: must be at least 1440',
  );
});
