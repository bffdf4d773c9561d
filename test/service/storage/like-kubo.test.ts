import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { base36 } from 'multiformats/bases/base36';
import { base58btc } from 'multiformats/bases/base58';
import { CID } from 'multiformats/cid';
import * as Digest from 'multiformats/hashes/digest';
import { type FormPart, FORM, multipart } from '../../support/storage/multipart';
import { type RawAnswer, rawRequest } from '../../support/storage/raw-http';
import { startTestService, type TestService } from '../../support/storage/service';

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
    ['b', 'cid too short'],
    ['ba', 'invalid cid: varints malformed, could not reach the end'],
    ['bafybad', 'invalid cid: varints malformed, could not reach the end'],
    ['bafybeib', 'invalid cid: length greater than remaining number of bytes in buffer'],
    [HELLO_RAW.slice(0, -1), 'invalid cid: length greater than remaining number of bytes in buffer'],
    [`${HELLO_RAW}aaaaa`, 'trailing bytes in data buffer passed to cid Cast'],
    ['bafk0ei', 'illegal base32 data at input byte 3'],
    [HELLO.replace('z', '0'), "input isn't valid multihash"],
    ['zQm0', "invalid base58 digit ('0')"],
    ['zQm', 'invalid cid: expected 1 as the cid version number, got: 5'],
    ['f0155', 'invalid cid: multihash too short. must be >= 2 bytes'],
    ['f12200000', 'invalid cid: not enough bytes for cid v0'],
    [`f01${'ff'.repeat(12)}`, 'invalid cid: varints larger than uint63 not supported'],
    ['1234', 'selected encoding not supported'],
  ])('the CID %s is rejected', async (cid, reason) => {
    expect(await failure(`cat?arg=/ipfs/${cid}`)).toBe(`500 invalid path "/ipfs/${cid}": invalid cid: ${reason}`);
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
    expect((await post(`${depth}-0x80000000`)).status).toBe(200);
    expect(await text(`${depth}${'1'.repeat(1000)}`)).toBe(refused('1'.repeat(1000), 'int', 'compression-level'));
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

  test('block/put: settings', async () => {
    const digest = createHash('sha256').update('block1').digest();
    expect(await put('format=raw&cid-codec=raw', 'block1')).toBe(
      CID.createV1(0x55, Digest.create(0x12, digest)).toString(),
    );
    expect(await put('format=&cid-codec=', 'block1')).toMatch(/^Qm/);
    expect(await put('mhlen=-2&cid-codec=raw', 'block1')).toMatch(/^bafkrei/);
    const refusal = (query: string) => failure(`block/put?${query}`, { content: 'block1', filename: '' });
    expect(await refusal('format=v0&mhtype=sha2-512')).toBe('500 only sha2-255-32 is allowed with CIDv0');
    expect(await refusal('format=v0&mhlen=20')).toBe('500 only sha2-255-32 is allowed with CIDv0');
    expect(await refusal('mhlen=33')).toBe('500 requested length was too large for digest');
    expect(await refusal('mhtype=SHA2-256')).toBe('500 unrecognized multihash function: SHA2-256');
  });

  test('dag/get names the unsupported encoding', async () => {
    const reason = 'invalid encoding: libp2p-key - no encoder registered for multicodec code 114 (0x72)';
    expect(await failure(`dag/get?arg=${node}&output-codec=libp2p-key`)).toBe(`500 ${reason}`);
  });

  test('a block that is not protobuf is reported as such once', async () => {
    const reason = 'protobuf: (PBNode) invalid fieldNumber, expected 1 or 2, got 15';
    const sent = { content: 'zzz', filename: '' };
    const prefix = '500 incorrectly formatted merkledag node';
    expect(await failure('object/put?inputenc=protobuf', sent)).toBe(`${prefix}: ${reason}`);
    expect(await failure(`object/get?arg=${await put('cid-codec=dag-pb', 'zzz')}`)).toBe(`500 ${reason}`);
  });

  describe('dag/import', () => {
    const car = async () => (await post(`dag/export?arg=${directory}`)).body;
    const root = () => `{"Root":{"Cid":{"/":"${directory}"},"PinErrorMsg":""}}\n`;

    test('is silent only in the command-line tool', async () => {
      const part = { content: await car(), filename: 'c.car' };
      expect(await text('dag/import?silent=true', part)).toBe(root());
    });

    test('reports a fault in a header unchanged, and a fault in a block with its position', async () => {
      expect(await failure('dag/import', { content: 'not a CAR at all', filename: 'c.car' })).toBe(
        '500 unexpected EOF',
      );
      const cut = (await car()).subarray(0, 60);
      expect(await failure('dag/import', { content: cut, filename: 'c.car' })).toBe(
        '500 import failed: unexpected EOF',
      );
      const big = Buffer.alloc((1 << 20) + 1);
      const key = await put('allow-big-block=true&cid-codec=raw', big);
      const { body } = await post(`dag/export?arg=${key}`);
      const reason = `500 import failed at block "${key}": produced block is over 1MiB`;
      expect(await failure('dag/import', { content: body, filename: 'c.car' })).toContain(reason);
      const huge = await startTestService({ limits: { blockBytes: 1000 } });
      const answer = await rawRequest(huge.port, {
        path: '/api/v0/dag/import',
        headers: FORM,
        body: multipart({ content: body, filename: 'c.car' }),
      });
      expect(answer.body.toString()).toContain(`import failed at block \\"${key}\\": produced block is over the limit`);
      await huge.discard();
    });

    test('reports that a missing root could not be found', async () => {
      const header = (await car()).subarray(0, 57);
      header.write('another root', 30, 'latin1');
      const told = await json<{ Root: { Cid: { '/': string }; PinErrorMsg: string } }>('dag/import', {
        content: header,
        filename: 'c.car',
      });
      expect(told.Root.PinErrorMsg).toBe(`ipld: could not find ${told.Root.Cid['/']}`);
    });
  });

  describe('get', () => {
    const cString = (bytes: Buffer, at: number, most: number) => bytes.toString('latin1', at, at + most).split('\0')[0];

    test('splits a long name in two if there is a slash to split at', async () => {
      const long = 'n'.repeat(90);
      const root = await add('pin=false', { content: 'x', filename: `t/${long}` });
      const { body } = await post(`get?arg=${root}`);
      expect([cString(body, 512, 100), cString(body, 512 + 345, 155)]).toEqual([long, root]);
      expect(body.toString('latin1', 512 + 156, 512 + 157)).toBe('0');
    });

    test('writes a non-ASCII name as a PAX record, and its ASCII part in the header', async () => {
      const root = await add('pin=false', { content: 'x', filename: 't/été.txt' });
      const { body } = await post(`get?arg=${root}&archive=true&compress=true`);
      const tar = gunzipSync(body);
      expect([cString(tar, 512, 100), tar.toString('latin1', 668, 669)]).toEqual([`${root}/PaxHeaders.0/t.txt`, 'x']);
      const record = `path=${root}/été.txt\n`;
      expect(tar.toString('utf8', 1024, 1024 + 3 + Buffer.byteLength(record))).toBe(
        `${Buffer.byteLength(record) + 3} ${record}`,
      );
      expect([cString(tar, 1536, 100), tar.toString('latin1', 1692, 1693)]).toEqual([`${root}/t.txt`, '0']);
    });
  });
});
