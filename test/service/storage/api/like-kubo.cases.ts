import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import * as dagPb from '@ipld/dag-pb';
import { base36 } from 'multiformats/bases/base36';
import { base58btc } from 'multiformats/bases/base58';
import { CID } from 'multiformats/cid';
import * as Digest from 'multiformats/hashes/digest';
import { extract } from 'tar-stream';
import { type FormPart, FORM, multipart } from '../../../support/storage/multipart';
import { type RawAnswer, rawRequest } from '../../../support/storage/raw-http';
import { startTestService, type TestService } from '../../../support/storage/service';

const HELLO = 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o';
const HELLO_V1 = 'bafybeicg2rebjoofv4kbyovkw7af3rpiitvnl6i7ckcywaq6xjcxnc2mby';
const HELLO_RAW = 'bafkreifjjcie6lypi6ny7amxnfftagclbuxndqonfipmb64f2km2devei4';
const MISSING = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG';
const hello: FormPart = { content: 'hello world\n', filename: 'hw.txt' };

/** Texts and formats of Kubo 0.27 that are taken from its source, because no recording has them. */
describe('like Kubo 0.27', () => {
  let service: TestService;
  let directory: string;
  let node: string;

  const post = (path: string, ...parts: FormPart[]): Promise<RawAnswer> =>
    rawRequest(service.port, {
      path: `/api/v0/${path}`,
      ...(parts.length === 0 ? {} : { headers: FORM, body: multipart(...parts) }),
    });
  const text = async (path: string, ...parts: FormPart[]) => (await post(path, ...parts)).body.toString();
  const json = async <Answer>(path: string, ...parts: FormPart[]) => JSON.parse(await text(path, ...parts)) as Answer;
  const failure = async (path: string, ...parts: FormPart[]) => {
    const { status, body } = await post(path, ...parts);
    return `${status} ${(JSON.parse(body.toString()) as { Message: string }).Message}`;
  };
  const add = async (query: string, ...parts: FormPart[]) =>
    (JSON.parse((await text(`add?${query}`, ...parts)).trimEnd().split('\n').at(-1) ?? '') as { Hash: string }).Hash;
  const put = async (query: string, content: string | Uint8Array) =>
    (await json<{ Key: string }>(`block/put?${query}`, { content, filename: '' })).Key;

  beforeAll(async () => {
    service = await startTestService();
    await add('', hello);
    directory = await add('', { content: 'hello world\n', filename: 'd/a.txt' }, { content: 'b', filename: 'd/sub/b' });
    const content = `{"foo":"bar","l":{"/":"${HELLO}"}}`;
    node = (await json<{ Cid: { '/': string } }>('dag/put', { content, filename: '' })).Cid['/'];
  });
  afterAll(() => service.discard());

  test('a path may continue inside a block, which is then its target', async () => {
    expect((await post(`block/get?arg=${node}/foo`)).body).toEqual((await post(`block/get?arg=${node}`)).body);
    expect(await text(`pin/add?arg=${node}/foo`)).toBe(`{"Pins":["${node}"]}\n`);
    expect(await failure(`cat?arg=${node}/foo`)).toBe('500 unknown node type');
    expect(await failure(`object/get?arg=${node}/foo`)).toBe('500 expected protobuf dag node');
  });

  describe('pins', () => {
    test('of a type without any pins are not an error', async () => {
      expect(await text('pin/ls?type=direct')).toBe('{}\n');
    });

    test('a single block reports no progress', async () => {
      const progress = (path: string) => text(`pin/add?arg=${directory}${path}&progress=true`);
      expect(await progress('')).toBe(`{"Progress":4}\n{"Pins":["${directory}"]}\n`);
      expect(await progress('/sub&recursive=false')).toMatch(/^\{"Pins":\["\w+"\]\}\n$/);
    });
  });

  describe('the base of CIDs', () => {
    const v1 = HELLO_V1;
    const inBase58 = CID.parse(v1).toString(base58btc);

    test('turns version 0 into version 1, whatever base it is', async () => {
      const pinned = async (query: string) =>
        Object.keys((await json<{ Keys: object }>(`pin/ls?arg=${HELLO}&${query}`)).Keys).join();
      expect(await pinned('cid-base=base32')).toBe(v1);
      expect(await pinned('cid-base=base58btc')).toBe(inBase58);
      expect(await pinned('cid-base=base32&upgrade-cidv0-in-output=false')).toBe(HELLO);
      expect(await pinned('upgrade-cidv0-in-output=true')).toBe(v1);
      expect(await pinned('cid-base=')).toBe(HELLO);
      expect(await failure(`pin/ls?arg=${HELLO}&cid-base=bogus`)).toBe('500 unsupported multibase encoding: bogus');
    });

    test('leaves version 0 unchanged in object/*', async () => {
      const stat = async (query: string) => (await json<{ Hash: string }>(`object/stat?arg=${query}`)).Hash;
      expect(await stat(`${HELLO}&cid-base=base32`)).toBe(HELLO);
      expect(await stat(`${HELLO_V1}&cid-base=base58btc`)).toBe(inBase58);
      expect(await stat(`${HELLO}&cid-base=base32&upgrade-cidv0-in-output=true`)).toBe(v1);
      expect(await text(`object/get?arg=${directory}&cid-base=base32`)).toContain(`"Hash":"${HELLO}"`);
    });

    test('has no effect on block/* and on the JSON of dag/*', async () => {
      expect(await text(`block/stat?arg=${HELLO}&cid-base=base32`)).toBe(`{"Key":"${HELLO}","Size":20}\n`);
      expect(await text(`block/stat?arg=${HELLO}&cid-base=bogus`)).toBe(`{"Key":"${HELLO}","Size":20}\n`);
      expect(await text(`dag/resolve?arg=${HELLO}&cid-base=base32`)).toBe(`{"Cid":{"/":"${HELLO}"},"RemPath":""}\n`);
    });

    test('of a path is that of its target', async () => {
      const root = await add('raw-leaves=true&wrap-with-directory=true', hello);
      const inBase36 = (cid: string) => CID.parse(cid).toV1().toString(base36);
      expect(await text(`resolve?arg=/ipfs/${root}/hw.txt`)).toBe(`{"Path":"/ipfs/${HELLO_RAW}"}\n`);
      const other = inBase36(root);
      expect(await text(`resolve?arg=/ipfs/${other}/hw.txt`)).toBe(`{"Path":"/ipfs/${inBase36(HELLO_RAW)}"}\n`);
      expect(await text(`resolve?arg=${HELLO_V1}&cid-base=base58btc`)).toBe(`{"Path":"/ipfs/${inBase58}"}\n`);
      expect(await text(`resolve?arg=/ipld/${directory}/Links/0`)).toBe(`{"Path":"/ipld/${directory}/Links/0"}\n`);
    });
  });

  test.each([
    'b',
    'ba',
    'bafybad',
    'bafybeib',
    HELLO_RAW.slice(0, -1),
    `${HELLO_RAW}aaaaa`,
    'bafk0ei',
    HELLO.replace('z', '0'),
    'zQm0',
    'zQm',
    'f0155',
    'f12200000',
    `f01${'ff'.repeat(12)}`,
    '1234',
  ])('the CID %s is rejected', async (cid) => {
    expect(await failure(`cat?arg=/ipfs/${cid}`)).toMatch(/^500 invalid path "\/ipfs\/\w+": invalid cid: \S/u);
  });

  describe('native addresses, as Kubo 0.43 takes them', () => {
    test.each(['ipfs://', 'ipfs:', 'IPFS://', 'IpFs:'])('%s', async (scheme) => {
      expect(await text(`cat?arg=${scheme}${HELLO}`)).toBe('hello world\n');
      expect(await text(`cat?arg=${scheme}${directory}/a.txt`)).toBe('hello world\n');
      expect(await json(`files/stat?arg=${scheme}${HELLO}`)).toMatchObject({ Hash: HELLO });
      expect(await text(`resolve?arg=${scheme}${directory}/a.txt`)).toBe(`{"Path":"/ipfs/${HELLO}"}\n`);
      expect(await json(`block/stat?arg=${scheme}${HELLO}`)).toMatchObject({ Key: HELLO });
    });

    test('ipld:// names fields of nodes', async () => {
      expect(await text(`resolve?arg=ipld://${directory}/Links/0`)).toBe(`{"Path":"/ipld/${directory}/Links/0"}\n`);
    });

    test.each([
      ['ipns://docs.ipfs.tech', /names are not resolved/u],
      ['ipfs://', /does not have enough components/u],
      ['ipfs:', /does not have enough components/u],
      ['ipfs://notacid', /invalid cid/u],
      ['ipfsbar:baz', /invalid path "ipfsbar:baz"/u],
      [`x-ipfs://${HELLO}`, /invalid path/u],
    ])('%s is refused', async (path, reason) => {
      expect(await failure(`cat?arg=${path}`)).toMatch(reason);
    });
  });

  test('cat resolves no file after the last requested byte', async () => {
    expect(await text(`cat?arg=${HELLO}&arg=${MISSING}&length=3`)).toBe('hel');
    expect((await post(`cat?arg=${MISSING}&length=0`)).status).toBe(200);
    expect((await post(`cat?arg=${HELLO}&arg=${MISSING}&length=13`)).status).toBe(500);
  });

  test('integers have the sizes of their types', async () => {
    const most = '9223372036854775807';
    expect(await text(`cat?arg=${HELLO}&offset=6&length=${most}`)).toBe('world\n');
    expect((await post(`cat?arg=${HELLO}&offset=${most}`)).headers.get('x-content-length')).toBe('0');
    const refused = (value: string, type: string, name: string) =>
      `could not convert value "${value}" to type "${type}" (for option "-${name}")\n`;
    const over = '9223372036854775808';
    expect(await text(`cat?arg=${HELLO}&offset=${over}`)).toBe(refused(over, 'int64', 'offset'));
    expect(await failure(`cat?arg=${HELLO}&offset=-${over}`)).toBe('500 cannot specify negative offset');
    const depth = `get?arg=${HELLO}&compression-level=`;
    expect((await post(`${depth}2147483647`)).status).toBe(200);
    expect(await text(`${depth}2147483648`)).toBe(refused('2147483648', 'int', 'compression-level'));
    expect((await post(`${depth}-2147483648`)).status).toBe(200);
    expect(await text(`${depth}${'1'.repeat(1000)}`)).toBe(refused('1'.repeat(1000), 'int', 'compression-level'));
    // Other notations are Go's; only permissions are octal.
    for (const value of ['0x10', '0b1', '0o7', '1_000', '+5'])
      expect(await text(`cat?arg=${HELLO}&offset=${encodeURIComponent(value)}`)).toBe(
        refused(value, 'int64', 'offset'),
      );
    expect(await text(`cat?arg=${HELLO}&offset=06`)).toBe('world\n');
  });

  test('add: settings', async () => {
    expect(await add('cid-version=-1', hello)).toBe(HELLO);
    expect(await add('cid-version=-1&hash=sha3', hello)).toBe(await add('hash=sha3-512', hello));
    expect(await add('hash=SHAKE-256', hello)).toMatch(/^bafkrsq/);
    expect(await failure('add?cid-version=-2&hash=sha1', hello)).toBe('500 unknown CID version: -2');
    expect(await failure('add?hash=BOGUS', hello)).toBe('500 unrecognized hash function: "bogus"');
    expect(await add('inline=true&inline-limit=200', hello)).toMatch(/^bafya/);
    const large = { content: Buffer.alloc(150), filename: 'x' };
    const tooLong = '500 hashes must be at most 128 bytes long';
    expect(await failure('add?inline=true&inline-limit=200', large)).toBe(tooLong);
    expect(await failure('add?hash=identity', large)).toBe(tooLong);
  });

  describe('UnixFS 1.5: permissions and times', () => {
    type Line = { Name: string; Hash: string; Mode?: string; Mtime?: number; MtimeNsecs?: number };
    const lines = async (query: string, ...parts: FormPart[]) =>
      (await text(`add?${query}`, ...parts))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line);
    const with_ = (query: string, part: FormPart) => ({ ...part, field: `file?${query}` });
    const own = with_('mode=0640&mtime=1600000000&mtime-nsecs=5', { ...hello, filename: 'd/own.txt' });

    test('those of a client are kept if the request says so', async () => {
      const kept = await lines(
        'preserve-mode=true&preserve-mtime=true',
        with_('mode=020000000755&mtime=-1', { content: '', filename: 'd', type: 'application/x-directory' }),
        own,
        with_('mtime=7', { content: 'own.txt', filename: 'd/link', type: 'application/symlink' }),
      );
      expect(kept.map(({ Name, Mode, Mtime, MtimeNsecs }) => [Name, Mode, Mtime, MtimeNsecs])).toEqual([
        ['d/own.txt', '0640', 1_600_000_000, 5],
        ['d/link', undefined, 7, undefined],
        ['d', '0755', -1, undefined],
      ]);
      const root = kept.at(-1)?.Hash ?? '';
      const listed = await json<{ Objects: [{ Links: object[] }] }>(`ls?arg=${root}`);
      expect(listed.Objects[0].Links).toMatchObject([
        { Name: 'link', Type: 4, ModTime: '1970-01-01T00:00:07Z' },
        { Name: 'own.txt', Mode: 0o640, ModTime: '2020-09-13T12:26:40.000000005Z' },
      ]);
      expect(await json(`files/stat?arg=/ipfs/${root}`)).toMatchObject({ Mode: '0755', Mtime: -1 });
      expect(await json(`files/stat?arg=/ipfs/${root}/own.txt`)).toMatchObject({
        Mode: '0640',
        Mtime: 1_600_000_000,
        MtimeNsecs: 5,
      });
      const entries: Record<string, unknown> = {};
      const unpacking = extract();
      unpacking.end((await post(`get?arg=${root}`)).body);
      for await (const entry of unpacking) {
        const { name, mode, mtime, pax } = entry.header;
        entries[name.replace(root, '')] = [mode, mtime.getTime() / 1000, (pax as { mtime?: string } | null)?.mtime];
        for await (const piece of entry) void piece;
      }
      expect(entries).toEqual({
        '': [0o755, 0, '-1.000000000'],
        '/own.txt': [0o640, 1_600_000_000, '1600000000.000000005'],
        '/link': [0o777, 7, undefined],
      });
      // A CAR file takes them to another store.
      const car = (await post(`dag/export?arg=${root}`)).body;
      const other = await startTestService();
      await rawRequest(other.port, {
        path: '/api/v0/dag/import',
        headers: FORM,
        body: multipart({ content: car, filename: 'c.car' }),
      });
      const { body } = await rawRequest(other.port, { path: `/api/v0/files/stat?arg=/ipfs/${root}/own.txt` });
      expect(JSON.parse(body.toString())).toMatchObject({ Mode: '0640', Mtime: 1_600_000_000, MtimeNsecs: 5 });
      await other.discard();
    });

    test('those of a client are dropped otherwise, and the CIDs are the usual ones', async () => {
      const [line] = await lines('', { ...own, filename: 'own.txt' });
      expect(line).toEqual({ Name: 'own.txt', Hash: HELLO, Size: '20' });
      expect(await json(`files/stat?arg=/ipfs/${HELLO}`)).not.toHaveProperty('Mode');
    });

    test('those of the request go before, for every entry; leaves are not raw then', async () => {
      const added = await lines('mode=0600&mtime=5&preserve-mode=true&cid-version=1', own);
      expect(added.map(({ Mode, Mtime }) => [Mode, Mtime])).toEqual([
        ['0600', 5],
        ['0600', 5],
      ]);
      expect(added.map(({ Hash }) => CID.parse(Hash).code)).toEqual([0x70, 0x70]);
    });

    /** As boxo builds it: the attributes end the message in the root. */
    test.each([
      ['one chunk', 'hello world\n'],
      ['two chunks', Buffer.alloc((256 << 10) + 1)],
      ['175 chunks', Buffer.alloc(175 << 10)],
    ])('the root of a file of %s has them, and only it', async (name, content) => {
      const chunker = name === '175 chunks' ? '&chunker=size-1024' : '';
      const [line] = await lines(`mode=0644&mtime=1${chunker}`, { content, filename: 'f' });
      const [plain] = await lines(chunker, { content, filename: 'f' });
      const nodeOf = async (cid = '') => dagPb.decode((await post(`block/get?arg=${cid}`)).body);
      const [root, usual] = [await nodeOf(line?.Hash), await nodeOf(plain?.Hash)];
      const attributes = Buffer.from('38a4034202 0801'.replaceAll(' ', ''), 'hex');
      expect(Buffer.from(root.Data ?? [])).toEqual(Buffer.concat([usual.Data ?? new Uint8Array(0), attributes]));
      expect(root.Links.map(({ Hash }) => Hash.toString())).toEqual(usual.Links.map(({ Hash }) => Hash.toString()));
      expect(Buffer.compare((await post(`cat?arg=${line?.Hash}`)).body, Buffer.from(content))).toBe(0);
    });

    test('a sharded directory has them, too', async () => {
      const files = Array.from({ length: 1200 }, (_, i) => ({ content: 'x', filename: `d/${'n'.repeat(200)}${i}` }));
      const root = (await lines('mode=0700&pin=false&quieter=true', ...files)).at(-1)?.Hash ?? '';
      expect(await json(`files/stat?arg=/ipfs/${root}`)).toMatchObject({ Type: 'directory', Mode: '0700' });
      expect((await json<{ Objects: [{ Links: object[] }] }>(`ls?arg=${root}`)).Objects[0].Links).toHaveLength(1200);
    });

    test.each([
      ['mode=0644&raw-leaves=true', "raw-leaves can't be used with UnixFS metadata like mode or modification time"],
      ['mtime-nsecs=5', 'option "mtime-nsecs" requires "mtime" to be provided as well'],
      ['mtime=1&mtime-nsecs=1000000000', 'mtime-nsecs must be from 0 to 999999999'],
      ['mode=070000', 'mode must be from 0 to 07777'],
    ])('%s is refused', async (query, reason) => {
      expect(await failure(`add?${query}`, hello)).toBe(`500 ${reason}`);
    });
  });

  test('block/put: settings', async () => {
    const digest = createHash('sha256').update('block1').digest();
    expect(await put('format=raw&cid-codec=raw', 'block1')).toBe(
      CID.createV1(0x55, Digest.create(0x12, digest)).toString(),
    );
    expect(await put('format=&cid-codec=', 'block1')).toMatch(/^Qm/);
    expect(await put('mhlen=-2&cid-codec=raw', 'block1')).toMatch(/^bafkrei/);
    const refusal = (query: string) => failure(`block/put?${query}`, { content: 'block1', filename: '' });
    expect(await refusal('format=v0&mhtype=sha2-512')).toBe('500 CIDv0 needs mhtype=sha2-256 and mhlen=32');
    expect(await refusal('format=v0&mhlen=20')).toBe('500 CIDv0 needs mhtype=sha2-256 and mhlen=32');
    expect(await refusal('mhlen=33')).toBe('500 requested length was too large for digest');
    expect(await refusal('mhtype=SHA2-256')).toBe('500 unrecognized multihash function: SHA2-256');
  });

  test('dag/get names the unsupported encoding', async () => {
    const reason = 'no encoder registered for multicodec code 114 (0x72)';
    expect(await failure(`dag/get?arg=${node}&output-codec=libp2p-key`)).toBe(`500 ${reason}`);
  });

  test('a block that is not protobuf is reported as such once', async () => {
    const reason = 'protobuf: (PBNode) invalid fieldNumber, expected 1 or 2, got 15';
    const sent = { content: 'zzz', filename: '' };
    const prefix = '500 incorrectly formatted merkledag node';
    expect(await failure('object/put?inputenc=protobuf', sent)).toBe(`${prefix}: ${reason}`);
    expect(await failure(`object/get?arg=${await put('cid-codec=dag-pb', 'zzz')}`)).toBe(`500 ${reason}`);
  });

  describe('blocks of 2 MiB, the most that Kubo exchanges since 0.40', () => {
    const MOST = 2 << 20;
    const tooBig = /^500 produced block is over 2MiB: big blocks can't be exchanged with other peers\./u;
    const dagPut = 'dag/put?input-codec=raw&store-codec=raw';

    test.each(['block/put?cid-codec=raw', dagPut])(
      '%s takes them, and larger ones with allow-big-block',
      async (path) => {
        expect(await failure(path, { content: Buffer.alloc(MOST + 1), filename: '' })).toMatch(tooBig);
        for (const [bytes, query] of [
          [MOST, ''],
          [MOST + 1, '&allow-big-block=true'],
        ] as const) {
          const answer = await json<{ Key?: string; Cid?: { '/': string } }>(`${path}${query}`, {
            content: Buffer.alloc(bytes),
            filename: '',
          });
          expect((await post(`block/get?arg=${answer.Key ?? answer.Cid?.['/']}`)).body).toHaveLength(bytes);
        }
      },
    );

    test('a CAR file with one is imported, and one with a larger one only with allow-big-block', async () => {
      for (const [bytes, isTaken] of [
        [MOST, true],
        [MOST + 1, false],
      ] as const) {
        const key = await put('allow-big-block=true&cid-codec=raw', Buffer.alloc(bytes, 1));
        const content = (await post(`dag/export?arg=${key}`)).body;
        await post(`block/rm?arg=${key}`);
        const part = { content, filename: 'c.car' };
        if (!isTaken)
          expect(await failure('dag/import', part)).toMatch(/^500 import failed: produced block is over 2MiB/u);
        expect(await text(`dag/import${isTaken ? '' : '?allow-big-block=true'}`, part)).toContain(key);
        expect((await post(`block/get?arg=${key}`)).body).toHaveLength(bytes);
      }
    });
  });

  describe('dag/import', () => {
    const car = async () => (await post(`dag/export?arg=${directory}`)).body;
    const root = () => `{"Root":{"Cid":{"/":"${directory}"},"PinErrorMsg":""}}\n`;

    test('is silent only in the command-line tool', async () => {
      const part = { content: await car(), filename: 'c.car' };
      expect(await text('dag/import?silent=true', part)).toBe(root());
    });

    test('reports a fault in a header unchanged, and a block that is too large', async () => {
      expect(await failure('dag/import', { content: 'not a CAR at all', filename: 'c.car' })).toBe(
        '500 unexpected EOF',
      );
      const cut = (await car()).subarray(0, 60);
      expect(await failure('dag/import', { content: cut, filename: 'c.car' })).toBe(
        '500 import failed: unexpected EOF',
      );
      const big = Buffer.alloc((2 << 20) + 1);
      const key = await put('allow-big-block=true&cid-codec=raw', big);
      const { body } = await post(`dag/export?arg=${key}`);
      const reason = '500 import failed: produced block is over 2MiB';
      expect(await failure('dag/import', { content: body, filename: 'c.car' })).toContain(reason);
      const huge = await startTestService({ limits: { blockBytes: 1000 } });
      const answer = await rawRequest(huge.port, {
        path: '/api/v0/dag/import',
        headers: FORM,
        body: multipart({ content: body, filename: 'c.car' }),
      });
      expect(answer.body.toString()).toContain('import failed: produced block is over the limit');
      await huge.discard();
    });

    test('reports that a missing root could not be found', async () => {
      const header = (await car()).subarray(0, 57);
      header.write('another root', 30, 'latin1');
      const told = await json<{ Root: { Cid: { '/': string }; PinErrorMsg: string } }>('dag/import', {
        content: header,
        filename: 'c.car',
      });
      expect(told.Root.PinErrorMsg).toMatch(new RegExp(`^pin: .*could not find ${told.Root.Cid['/']}$`, 'u'));
    });
  });

  describe('get', () => {
    test.each(['été.txt', 'n'.repeat(90)])('writes the name %s as a PAX record', async (name) => {
      const root = await add('pin=false', { content: 'x', filename: `t/${name}` });
      const { body } = await post(`get?arg=${root}&archive=true&compress=true`);
      const tar = gunzipSync(body);
      expect(tar.toString('latin1', 668, 669)).toBe('x');
      expect(tar.toString('utf8', 1024, 1536)).toContain(` path=${root}/${name}\n`);
      expect(tar.toString('latin1', 1692, 1693)).toBe('0');
    });
  });
});
