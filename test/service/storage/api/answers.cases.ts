import { createHash } from 'node:crypto';
import { base58btc } from 'multiformats/bases/base58';
import { CID } from 'multiformats/cid';
import * as Digest from 'multiformats/hashes/digest';
import { carHeader } from '../../../../src/service/storage/content/car';
import { type FormPart, FORM, multipart } from '../../../support/storage/multipart';
import { type RawAnswer, rawRequest } from '../../../support/storage/raw-http';
import { startTestService, type TestService } from '../../../support/storage/service';

const HELLO = 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o';
const MISSING = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG';
const NOT_FOUND = `block was not found locally (offline): ipld: could not find ${MISSING}`;
const RAW = 0x55;

const rawCid = (content: string) =>
  CID.createV1(RAW, Digest.create(0x12, createHash('sha256').update(content).digest()));

/** The behaviour of Kubo 0.27 that no recording covers, according to its source and documentation. */
describe('answers like Kubo', () => {
  let service: TestService;

  const post = (path: string, ...parts: FormPart[]): Promise<RawAnswer> =>
    rawRequest(service.port, {
      path: path.startsWith('/') ? path : `/api/v0/${path}`,
      ...(parts.length === 0 ? {} : { headers: FORM, body: multipart(...parts) }),
    });
  const text = async (path: string, ...parts: FormPart[]) => (await post(path, ...parts)).body.toString();
  const json = async (path: string, ...parts: FormPart[]): Promise<unknown> => JSON.parse(await text(path, ...parts));
  const failure = async (path: string, ...parts: FormPart[]): Promise<[number, string]> => {
    const { status, body } = await post(path, ...parts);
    return [status, (JSON.parse(body.toString()) as { Message: string }).Message];
  };
  const lines = async (path: string, ...parts: FormPart[]): Promise<unknown[]> =>
    (await text(path, ...parts)).split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]));
  const addTree = async (query: string, files: Readonly<Record<string, string>>): Promise<string> => {
    const parts = Object.entries(files).map(([filename, content]) => ({ filename, content }));
    return ((await lines(`add?${query}`, ...parts)).at(-1) as { Hash: string }).Hash;
  };

  let tree: string;
  let node: string;

  beforeAll(async () => {
    service = await startTestService();
    tree = await addTree('', { 't/a/x': '1', 't/a/y': '2', 't/b': '3', 't/c/x': '1' });
    await post('add', { content: 'hello world\n', filename: 'hw.txt' });
    const put = await json('dag/put', { content: `{"list":[1,2],"text":"t","link":{"/":"${HELLO}"}}` });
    node = (put as { Cid: { '/': string } }).Cid['/'];
  });
  afterAll(() => service.discard());

  test('the path without its trailing slash redirects', async () => {
    const answer = await post('/api/v0');
    expect([answer.status, answer.headers.get('location'), answer.body.length]).toEqual([301, '/api/v0/', 0]);
  });

  test('only form data is accepted as a body', async () => {
    const body = multipart({ content: 'x', filename: 'x' });
    const headers = { 'Content-Type': 'multipart/mixed; boundary=XbX' };
    const answer = await rawRequest(service.port, { path: '/api/v0/add', headers, body });
    expect([answer.status, answer.body.toString()]).toEqual([400, "file argument 'path' is required\n"]);
  });

  test('an add reports progress every 256 KiB, and at the end', async () => {
    const told = await lines('add?progress=true&pin=false', { content: Buffer.alloc(600_000), filename: 'f' });
    expect(told.slice(0, -1)).toEqual([262_144, 524_288, 600_000].map((Bytes) => ({ Name: 'f', Bytes })));
  });

  test.each([
    'refs',
    'refs/local',
    'dag/stat',
    'object/diff',
    'object/patch/add-link',
    'object/patch/set-data',
    'pin/verify',
    'repo/ls',
    'repo/version',
    'files/write',
    'nosuch',
  ])('%s is no command here', async (command) => {
    const answer = await post(`${command}?arg=${tree}&arg=x&arg=${tree}`);
    expect([answer.status, answer.body.toString()]).toEqual([404, '404 page not found\n']);
  });

  test('text is no encoding of values, and makes no difference to bytes', async () => {
    const answer = await post('version?encoding=text');
    expect([answer.status, answer.body.toString()]).toEqual([400, 'invalid encoding: text\n']);
    expect(await text(`cat?arg=${HELLO}&encoding=text`)).toBe('hello world\n');
    const { status, body } = await post(`block/get?arg=${MISSING}&encoding=text`);
    expect([status, JSON.parse(body.toString())]).toEqual([500, { Message: NOT_FOUND, Code: 0, Type: 'error' }]);
  });

  describe('ls', () => {
    test('needs no block of a raw file, and shows its size anyway', async () => {
      const root = await addTree('raw-leaves=true&pin=false&wrap-with-directory=true', { f: 'raw content' });
      const Hash = rawCid('raw content').toString();
      await post(`block/rm?arg=${Hash}`);
      const expected = { Objects: [{ Hash: root, Links: [{ Name: 'f', Hash, Size: 11, Type: 2, Target: '' }] }] };
      expect(await json(`ls?arg=${root}`)).toEqual(expected);
      expect(await json(`ls?arg=${root}&resolve-type=false&size=false`)).toEqual(expected);
    });

    test('lists the links of any node', async () => {
      expect(await json(`ls?arg=${node}`)).toEqual({
        Objects: [{ Hash: node, Links: [{ Name: '', Hash: HELLO, Size: 12, Type: 2, Target: '' }] }],
      });
    });

    test('reports an error for a missing raw block', async () => {
      const cid = rawCid('nobody has this').toString();
      expect(await failure(`ls?arg=${cid}`)).toEqual([500, NOT_FOUND.replace(MISSING, cid)]);
    });
  });

  test('reports why a block is not a file or directory', async () => {
    const block = async (codec: string, content: string | Uint8Array) =>
      ((await json(`block/put?cid-codec=${codec}`, { content })) as { Key: string }).Key;
    const [cbor, plain, bare, cut] = [
      node,
      await block('json', '{}'),
      await block('dag-pb', ''),
      await block('dag-pb', Buffer.from('0a03080212', 'hex')),
    ];
    const ethereum = await block('eth-block', 'x');
    for (const command of ['cat', 'get']) {
      const told = async (cid: string) => (await failure(`${command}?arg=${cid}`)).join(': ');
      expect(await told(cbor)).toBe('500: unknown node type');
      expect(await told(plain)).toBe('500: unknown node type');
      expect(await told(bare)).toBe('500: proto: required field "Type" not set');
      expect(await told(cut)).toBe('500: unexpected EOF');
      expect(await told(ethereum)).toBe('500: no decoder registered for multicodec code 144 (0x90)');
    }
    expect((await failure(`ls?arg=${bare}`))[1]).toBe('proto: required field "Type" not set');
    expect((await failure(`ls?arg=${ethereum}`))[1]).toBe('no decoder registered for multicodec code 144 (0x90)');
    expect(await json(`ls?arg=${plain}`)).toEqual({ Objects: [{ Hash: plain, Links: [] }] });
    expect((await failure(`files/stat?arg=/ipfs/${cbor}`))[1]).toBe('not unixfs node (proto or raw)');
  });

  test('files/stat of a symbolic link, and formats are those of the command-line tool', async () => {
    const parts = [{ filename: 's/link', content: '../target', type: 'application/symlink' }];
    const root = ((await lines('add?pin=false', ...parts)).at(-1) as { Hash: string }).Hash;
    const query = `arg=/ipfs/${root}/link&hash=true&size=true&format=${encodeURIComponent('<hash>')}`;
    expect(await json(`files/stat?${query}`)).toMatchObject({ Size: 9, Blocks: 0, Type: 'file' });
  });

  // Options for paths on the client's disk: OptionRecursivePath, OptionDerefArgs, OptionHidden in core/commands/add.go.
  test.each(['recursive', 'r', 'dereference-args', 'hidden', 'H'])('add expects a boolean for %s', async (option) => {
    const { status, body } = await post(`add?${option}=x`, { filename: 'a', content: 'a' });
    expect(status).toBe(400);
    expect(body.toString()).toMatch(/^could not convert value "x" to type "bool" \(for option "-/);
  });

  test('a symbolic link is listed with its target, and cannot be read as a file', async () => {
    const parts = [{ filename: 's/link', content: '../target', type: 'application/symlink' }];
    const [line, root] = (await lines('add?pin=false', ...parts)) as { Hash: string }[];
    const entry = { Name: 'link', Hash: line?.Hash, Size: 9, Type: 4, Target: '../target' };
    expect(await json(`ls?arg=${root?.Hash}`)).toEqual({ Objects: [{ Hash: root?.Hash, Links: [entry] }] });
    expect(await failure(`cat?arg=${root?.Hash}/link`)).toEqual([500, 'operation not supported']);
  });

  test('get checks the compression level only if it compresses', async () => {
    const plain = await post(`get?arg=${HELLO}&archive=true`);
    for (const level of [5, 12]) {
      const answer = await post(`get?arg=${HELLO}&compression-level=${level}`);
      expect([answer.status, answer.body.length]).toEqual([200, plain.body.length]);
    }
  });

  describe('paths', () => {
    test.each([
      ['/nope', 'nope'],
      ['/nope/x', 'nope'],
      ['/list/2', '2'],
      ['/list/length', 'length'],
      ['/text/x', 'x'],
      ['/list/0/x', 'x'],
    ])('dag/get <node>%s', async (path, name) => {
      expect(await failure(`dag/get?arg=${node}${path}`)).toEqual([500, `no link named "${name}" under ${node}`]);
    });

    test('dag/get resolves paths into lists', async () => {
      expect(await text(`dag/get?arg=${node}/list/1`)).toBe('2');
    });

    test('under /ipld, names of a dag-pb node refer to its fields', async () => {
      expect(await text(`dag/get?arg=/ipld/${tree}/Links/1/Name`)).toBe('"b"');
      expect(await text(`dag/get?arg=/ipld/${tree}/Links/1/Hash`)).toBe(await text(`dag/get?arg=${tree}/b`));
      expect((await failure(`dag/get?arg=/ipld/${tree}/b`))[0]).toBe(500);
    });

    test('a slash may come before a CID', async () => {
      expect(await text(`cat?arg=/${HELLO}`)).toBe('hello world\n');
    });
  });

  test('a missing object is reported as missing, without a DAG to traverse', async () => {
    expect(await failure(`dag/export?arg=${MISSING}`)).toEqual([500, NOT_FOUND]);
    expect(await failure('pin/add?arg=bad')).toEqual([500, 'invalid path "bad": path does not have enough components']);
    expect(await lines(`block/rm?arg=${MISSING}`)).toEqual([
      { Hash: MISSING, Error: `ipld: could not find ${MISSING}` },
    ]);
  });

  test('block/rm accepts paths', async () => {
    const root = await addTree('pin=false&wrap-with-directory=true', { f: 'to be removed' });
    const [line] = await lines(`block/rm?arg=/ipfs/${root}/f`);
    expect(Object.keys(line as object)).toEqual(['Hash']);
    expect((await failure(`cat?arg=${root}/f`))[1]).toContain((line as { Hash: string }).Hash);
  });

  test('repo/stat has every field, whatever is requested', async () => {
    const keys = ['RepoSize', 'StorageMax', 'NumObjects', 'RepoPath', 'Version'];
    expect(Object.keys((await json('repo/stat?size-only=true')) as object)).toEqual(keys);
    expect(Object.keys((await json('repo/stat')) as object)).toEqual(keys);
  });

  test("id writes the node's name in the requested base, and recognizes itself in every one", async () => {
    const idIn = async (query: string) => ((await json(`id?${query}`)) as { ID: string }).ID;
    const plain = await idIn('');
    expect(plain).toMatch(/^12D3KooW\w{44}$/);
    expect(await idIn('peerid-base=b58mh')).toBe(plain);
    const key = CID.parse(await idIn('peerid-base=base32'));
    expect([key.version, key.code, plain]).toEqual([1, 0x72, base58btc.encode(key.multihash.bytes).slice(1)]);
    const inBase36 = await idIn('peerid-base=k');
    expect(inBase36).toMatch(/^k51/);
    expect(await idIn(`arg=${inBase36}`)).toBe(plain);
    expect(await failure('id?arg=nobody')).toEqual([500, 'invalid peer id']);
    expect((await failure(`id?arg=${HELLO}`))[1]).toMatch(/^other peers cannot be looked up/);
    expect((await failure('id?peerid-base=base99'))[0]).toBe(500);
  });

  test('pin names are returned on request', async () => {
    await post(`pin/add?arg=${HELLO}&name=mine`);
    const pin = (Name: string) => ({ Keys: { [HELLO]: { Type: 'recursive', Name } } });
    expect(await json(`pin/ls?arg=${HELLO}`)).toEqual(pin(''));
    expect(await json(`pin/ls?arg=${HELLO}&names=true`)).toEqual(pin('mine'));
    expect(await lines(`pin/ls?name=mine&stream=true`)).toEqual([{ Cid: HELLO, Name: 'mine', Type: 'recursive' }]);
  });

  test('block/put truncates digests, but not below a safe length', async () => {
    const content = 'cut';
    const digest = createHash('sha256').update(content).digest();
    const put = (query: string) => post(`block/put?${query}`, { content, filename: '' });
    const cid = CID.createV1(RAW, Digest.create(0x12, digest.subarray(0, 20))).toString();
    expect((await put('mhlen=20')).body.toString()).toBe(`{"Key":"${cid}","Size":3}\n`);
    expect(await text(`block/get?arg=${cid}`)).toBe(content);
    for (const query of ['mhlen=19', 'mhlen=33', 'mhlen=20&format=v0']) {
      expect((await put(query)).status).toBe(500);
    }
  });

  describe('dag/import rejects a CID with a weak hash or too much content', () => {
    const block = Buffer.from('anything at all');
    const car = (cid: CID, withBlock: boolean) => {
      const section = Buffer.concat([cid.bytes, block]);
      return Buffer.concat([
        carHeader([cid]),
        ...(withBlock ? [Buffer.from([(section.length & 0x7f) | 0x80, section.length >> 7]), section] : []),
      ]);
    };
    const digest = createHash('sha256').update(block).digest();

    test.each([0, 1, 19])('a digest of %d bytes', async (length) => {
      const cid = CID.createV1(RAW, Digest.create(0x12, digest.subarray(0, length)));
      const [status, message] = await failure('dag/import', { content: car(cid, true), filename: 'c.car' });
      expect([status, message]).toEqual([500, 'import failed: hashes must be at least 20 bytes long']);
      expect((await post(`block/get?arg=${cid.toString()}`)).status).toBe(500);
    });

    test.each([129, 4096])('%d bytes inside it', async (length) => {
      const cid = CID.createV1(RAW, Digest.create(0, Buffer.alloc(length)));
      const [status, message] = await failure('dag/import', { content: car(cid, false), filename: 'c.car' });
      expect([status, message]).toEqual([500, 'import failed: hashes must be at most 128 bytes long']);
    });

    test('but accepts a digest of 20', async () => {
      const cid = CID.createV1(RAW, Digest.create(0x12, digest.subarray(0, 20)));
      expect((await post('dag/import', { content: car(cid, true), filename: 'c.car' })).status).toBe(200);
      expect(await text(`block/get?arg=${cid.toString()}`)).toBe(block.toString());
    });
  });
});
