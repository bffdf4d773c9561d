import { Readable } from 'node:stream';
import * as dagCbor from '@ipld/dag-cbor';
import * as dagPb from '@ipld/dag-pb';
import { CID } from 'multiformats/cid';
import { digestOf } from '../../../support/storage/digest';
import { readParts } from '../../../../src/service/storage/api/multipart';
import { encodeFileNode } from '../../../../src/service/storage/content/unixfs/node';
import { type FormPart, FORM, multipart } from '../../../support/storage/multipart';
import { type RawAnswer, rawRequest } from '../../../support/storage/raw-http';
import { startTestService, type TestService } from '../../../support/storage/service';

const LIMITS = {
  bodyBytes: 3_000_000,
  parts: 50,
  addBlocks: 100,
  carBlocks: 20,
  dagDepth: 64,
  dagBlocks: 500,
  pathsLength: 500,
  args: 10,
  blockBytes: 1 << 20,
};
const EMPTY_DIRECTORY = 'QmUNLLsPACCz1vLxQVkXqqLX5R1X345qqfHbsf67hvA3Nn';

describe('bad input', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ limits: LIMITS });
  });
  afterAll(async () => {
    // After all the bad input the store is intact, and nothing unexpected happened.
    expect((await post(`object/stat?arg=${EMPTY_DIRECTORY}`)).status).toBe(500);
    expect(service.warnings).toEqual([]);
    await service.discard();
  });

  const post = (path: string, headers: Record<string, string> = {}, body?: Buffer): Promise<RawAnswer> =>
    rawRequest(service.port, { path: `/api/v0/${path}`, headers, ...(body === undefined ? {} : { body }) });
  const send = (path: string, ...parts: FormPart[]) => post(path, FORM, multipart(...parts));
  const putBlock = async (codec: string, bytes: Uint8Array): Promise<CID> => {
    const answer = await send(`block/put?cid-codec=${codec}`, { content: bytes });
    return CID.parse((JSON.parse(answer.body.toString()) as { Key: string }).Key);
  };
  const message = (answer: RawAnswer): string =>
    answer.headers.get('content-type') === 'application/json'
      ? (JSON.parse(answer.body.toString()) as { Message: string }).Message
      : answer.body.toString().trimEnd();

  test.each([
    ['cat?arg=notacid', 500, 'invalid path "notacid": path does not have enough components'],
    ['cat?arg=/ipfs/', 500, 'invalid path "/ipfs/": path does not have enough components'],
    ['cat?arg=/ipns/example.org', 500, /names are not resolved/],
    ['cat?arg=/other/x', 500, 'invalid path "/other/x": unknown namespace: "other"'],
    ['cat?arg=%00', 500, /invalid path/],
    ['cat?arg=Qm000000000000000000000000000000000000000000', 500, /invalid path/],
    ['cat?offset=1e3&arg=x', 400, 'could not convert value "1e3" to type "int64" (for option "-offset")'],
    ['cat?arg=x&offset=9999999999999999999', 400, /could not convert value/],
    ['ls?arg=x&stream=maybe', 400, 'could not convert value "maybe" to type "bool" (for option "-stream")'],
    ['add?chunker=a&s=b', 400, 'expected key chunker to have only a single value, received [a b]'],
    ['add', 400, "file argument 'path' is required"],
    ['cat?arg=x&offset=1&o=2', 400, 'expected key offset to have only a single value, received [1 2]'],
    ['cat?arg=x&cid-base=base999', 500, /base999/],
    ['version?encoding=protobuf', 400, 'invalid encoding: protobuf'],
    ['version?timeout=5', 400, 'time: invalid duration "5"'],
    [`cat?${'arg=x&'.repeat(11)}`, 400, 'more than the allowed 10 arguments'],
    ['cat/%E0%A4%A', 400, 'the path is not valid percent-encoding'],
    ['cat?arg=%', 400, 'the query is not valid percent-encoding'],
    ['cat?arg=x/%zz', 400, 'the query is not valid percent-encoding'],
    ['cat?arg=x/%ff', 400, 'the query is not valid percent-encoding'],
    ['pin/ls?name=100%', 400, 'the query is not valid percent-encoding'],
    ['version?%=1', 400, 'the query is not valid percent-encoding'],
    ['nosuch?arg=%', 404, '404 page not found'],
    ['cat?arg=100%25', 500, 'invalid path "100%": path does not have enough components'],
    ['constructor', 404, '404 page not found'],
    ['cat/a/b/c', 404, '404 page not found'],
    ['pin/ls?type=odd', 500, "invalid type 'odd', must be one of {direct, indirect, recursive, all}"],
    ['dag/get?arg=bafkqaaa&output-codec=nonsense', 500, 'unknown multicodec: "nonsense"'],
    ['block/rm?arg=bad', 500, 'invalid path "bad": path does not have enough components'],
    ['id?arg=someone', 500, 'invalid peer id'],
  ])('%s', async (path, status, expected) => {
    const answer = await post(path);
    expect(answer.status).toBe(status);
    if (typeof expected === 'string') expect(message(answer)).toBe(expected);
    else expect(message(answer)).toMatch(expected);
  });

  test.each(['GET', 'HEAD', 'PUT', 'DELETE'])('%s', async (method) => {
    const answer = await rawRequest(service.port, { method, path: '/api/v0/nosuch' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
  });

  test('identity CIDs: small ones are read, huge ones rejected', async () => {
    const identity = (bytes: number) => CID.createV1(0x55, digestOf(0, Buffer.alloc(bytes, 'x'))).toString();
    expect((await post(`block/get?arg=${identity(128)}`)).body.length).toBe(128);
    expect(message(await post(`block/get?arg=${identity(129)}`))).toMatch(/invalid path/);
    expect((await send('block/put?mhtype=identity', { content: Buffer.alloc(200) })).status).toBe(500);
  });

  test('unknown codecs and hash functions', async () => {
    expect(message(await send('add?hash=md5', { content: 'x' }))).toBe('unrecognized hash function: "md5"');
    // The last two are numbers, but cannot be encoded exactly in a CID.
    for (const codec of ['nope', '9007199254740993', '0xffffffffffffffff'])
      expect(message(await send(`block/put?cid-codec=${codec}`, { content: 'x' }))).toBe(
        `unknown multicodec: "${codec}"`,
      );
    expect(message(await send('dag/put?hash=md99', { content: '{}' }))).toBe('unknown multicodec: "md99"');
    expect(message(await send('dag/put?store-codec=git-raw', { content: '{}' }))).toMatch(/no encoder registered/);
    const strange = await putBlock('0x300001', Buffer.from('strange'));
    expect(message(await post(`dag/get?arg=${strange.toString()}`))).toMatch(/no decoder registered/);
    expect(message(await post(`pin/add?arg=${strange.toString()}`))).toMatch(/no decoder registered/);
  });

  test('a body over the limit is rejected before it is read', async () => {
    const answer = await post('add', { ...FORM, 'Content-Length': '99999999999' });
    expect(answer.status).toBe(400);
    expect(message(answer)).toBe('the request body is larger than the limit of 3000000 bytes');
  });

  test('a body that exceeds the limit while it is read', async () => {
    const response = await fetch(`${service.url}/api/v0/add?only-hash=true`, {
      method: 'POST',
      headers: FORM,
      duplex: 'half',
      body: new ReadableStream({
        start(controller) {
          controller.enqueue(multipart({ content: Buffer.alloc(3_100_000), filename: 'f' }));
          controller.close();
        },
      }),
    } as RequestInit);
    expect([response.status, await response.text()]).toEqual([
      400,
      'the request body is larger than the limit of 3000000 bytes\n',
    ]);
  });

  test('more blocks in an upload than allowed', async () => {
    const add = (bytes: number, options = '') =>
      send(`add?chunker=size-1${options}`, { content: 'x'.repeat(bytes), filename: 'f' });
    // Each byte is a block, and one more block links to them.
    expect((await add(99)).status).toBe(200);
    const answer = await add(100);
    expect([answer.status, message(answer)]).toEqual([400, 'the upload creates more than the allowed 100 blocks']);
    expect((await add(100, '&only-hash=true')).status).toBe(200);
  });

  test('more parts than allowed', async () => {
    const parts = Array.from({ length: 60 }, (_, index) => ({ content: 'x', filename: `d/f${index}` }));
    const answer = await send('add', ...parts);
    expect(answer.trailers['X-Stream-Error'] ?? message(answer)).toBe('the body has more than the allowed 50 parts');
  });

  test.each([
    [
      'many directories from a few parts',
      Array.from({ length: 4 }, (_, index) => `d/${index}${'/a'.repeat(14)}`),
      'the paths of the upload create more than the allowed 50 directories',
    ],
    [
      'the same, each in a tree of its own',
      Array.from({ length: 4 }, (_, index) => `${index}${'/a'.repeat(15)}`),
      'the paths of the upload create more than the allowed 50 directories',
    ],
    [
      'long paths',
      Array.from({ length: 3 }, (_, index) => `d/${index}${'x'.repeat(200)}`),
      'the paths of the upload have more than the allowed 500 characters in total',
    ],
  ])('%s', async (_name, paths, reason) => {
    const parts = paths.map((filename) => ({ content: '', filename, type: 'application/x-directory' }));
    const answer = await send('add?silent=true&only-hash=true', ...parts);
    expect([answer.status, message(answer)]).toEqual([400, reason]);
  });

  test.each([
    ['a part without an end of its headers', `--XbX\r\nContent-Disposition: form-data\r\n`, 'multipart: NextPart: EOF'],
    ['headers without an end', `--XbX\r\nA: ${'b'.repeat(20_000)}`, 'multipart: part headers are too long'],
    ['a line that is no header', `--XbX\r\nnothing\r\n\r\n`, 'multipart: malformed part header'],
    ['an odd boundary line only', `--XbX?\r\n\r\nx\r\n--XbX-`, 'multipart: NextPart: EOF'],
    ['endless padding', `--XbX${' '.repeat(5000)}\r\n\r\nx\r\n--XbX--`, 'multipart: a boundary has too much padding'],
    ['no boundary at all', 'hello', 'multipart: NextPart: EOF'],
    [
      'a body that is cut',
      multipart({ content: 'x'.repeat(100) })
        .toString()
        .slice(0, 150),
      'multipart: NextPart: EOF',
    ],
  ])('%s', async (_name, body, expected) => {
    const answer = await post('add', FORM, Buffer.from(body));
    expect([answer.status, message(answer)]).toEqual([400, expected]);
  });

  describe('a delimiter of multipart is a whole line', () => {
    const HEAD = '\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n';
    const upload = async (body: string): Promise<string> => {
      const { status, body: lines, trailers } = await post('add', FORM, Buffer.from(body));
      expect([status, trailers['X-Stream-Error']]).toEqual([200, undefined]);
      const { Hash } = JSON.parse(lines.toString()) as { Hash: string };
      return (await post(`cat?arg=${Hash}`)).body.toString();
    };

    test.each([
      ...[
        '--XbXx',
        '--XbX?',
        '--XbX--x',
        '--XbX-',
        '--XbX-x',
        '--XbX---',
        '--XbX x',
        '--XbX\t.',
        '--XbX\n',
        '--XbX\rx',
      ],
      ...['--XbX \t --', '--XbX-- x', '--XbX--XbX', '--Xb', '--XbX', '--XbX--\n'].map((line) => `${line}\r--XbX`),
    ])('so the line %j is content', async (line) => {
      const content = `before\r\n${line}\r\nafter`;
      expect(await upload(`--XbX${HEAD}${content}\r\n--XbX--\r\n`)).toBe(content);
      expect(await upload(`preamble\r\n${line}\r\n--XbX${HEAD}${content}\r\n--XbX--`)).toBe(content);
    });

    test.each(['', ' ', '\t', ' \t  \t', ' '.repeat(4096)])('after which padding %j is allowed', async (padding) => {
      for (const end of ['', '\r', '\r\n', '\r\nepilogue\r\n--XbX\r\n'])
        expect(await upload(`--XbX${padding}${HEAD}text\r\n--XbX--${padding}${end}`)).toBe('text');
    });

    test('and is recognized in pieces of any size', async () => {
      const body = `--XbX \t${HEAD}--XbXx\r\n--XbX--x\r\n--XbX \r\n\r\nsecond\r\n--XbX-- `;
      for (let size = 1; size <= body.length; size++) {
        const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, i) =>
          Buffer.from(body.slice(i * size, (i + 1) * size)),
        );
        const contents: string[] = [];
        for await (const part of readParts(Readable.from(pieces, { objectMode: true }), 'XbX')) {
          const read: Uint8Array[] = [];
          for await (const piece of part.body) read.push(piece);
          contents.push(Buffer.concat(read).toString());
        }
        expect(contents).toEqual(['--XbXx\r\n--XbX--x', 'second']);
      }
    });

    test('and thousands of lines that only begin like it are passed over in one step', async () => {
      const lines = '\r\n--XbXx'.repeat(8000);
      const source = Readable.from([Buffer.from(`--XbX${HEAD}`), Buffer.from(lines), Buffer.from('\r\n--XbX--')]);
      const read: Uint8Array[] = [];
      for await (const part of readParts(source, 'XbX')) for await (const piece of part.body) read.push(piece);
      expect(Buffer.concat(read).toString()).toBe(lines);
      expect(read.length).toBeLessThan(4);
    });

    test.each([
      ['a boundary that only begins like it', 'text\r\n--XbXx'],
      ['a file cut after a line that begins like a delimiter', 'text\r\n--XbXx\r\nmore'],
      ['a boundary without its line', 'text\r\n--XbX'],
      ['half of the closing dashes', 'text\r\n--XbX-'],
      ['padding in place of the dashes', 'text\r\n--XbX  '],
      ['half of a line break', 'text\r\n--XbX\r'],
      ['text after the closing dashes', 'text\r\n--XbX--x'],
    ])('so a body that ends with %s is refused before anything is acknowledged', async (_name, end) => {
      for (const command of ['add', 'block/put', 'dag/put?input-codec=raw&store-codec=raw']) {
        const answer = await post(command, FORM, Buffer.from(`--XbX${HEAD}${end}`));
        expect([answer.status, message(answer)]).toEqual([400, 'multipart: NextPart: EOF']);
      }
    });
  });

  test('endlessly nested multipart', async () => {
    let inner = Buffer.from('x');
    for (let depth = 0; depth < 8; depth++) {
      const head = depth === 7 ? '' : `--b${depth + 1}\r\nContent-Type: multipart/mixed; boundary=b${depth}\r\n\r\n`;
      inner = Buffer.concat([Buffer.from(head), inner, Buffer.from(`\r\n--b${depth + 1}--\r\n`)]);
    }
    const answer = await post('add', { 'Content-Type': 'multipart/form-data; boundary=b7' }, inner);
    expect([answer.status, message(answer)]).toEqual([400, 'multipart: nested too deeply']);
  });

  test('parts that hold no parts count, too', async () => {
    const empty = '--XbX\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b--\r\n';
    const answer = await post('add', FORM, Buffer.from(`${empty.repeat(51)}--XbX--\r\n`));
    expect([answer.status, message(answer)]).toEqual([400, 'the body has more than the allowed 50 parts']);
  });

  test.each([
    ['../../etc/passwd', 'passwd', 'etc'],
    ['..%2F..%2Fup', 'up', ''],
    ['/absolute', 'absolute', ''],
    ['a/../b', 'b', ''],
    ['%2e%2e/%2e%2e', '', ''],
  ])('a file name %s cannot escape the root', async (filename) => {
    const answer = await send('add?wrap-with-directory=true', { content: 'x', filename });
    expect(answer.status).toBe(200);
    expect(answer.body.toString()).not.toContain('..');
  });

  test.each([
    ['a%00b', 'a file name contains a NUL character'],
    ['d/'.repeat(200) + 'f', 'a file is nested deeper than the limit of 128 directories'],
    ['n'.repeat(5000), 'a file name is longer than the limit of 4096 characters'],
  ])('a rejected file name', async (filename, expected) => {
    const answer = await send('add', { content: 'x', filename });
    expect([answer.status, message(answer)]).toEqual([400, expected]);
  });

  test('a tar never contains a name that escapes the root', async () => {
    const leaf = await putBlock('raw', Buffer.from('evil'));
    for (const Name of ['..', 'a/b', '.', '', '..\\x', 'a\\..\\..\\x', '\\x', 'c:\\x']) {
      const node = dagPb.encode({ Data: Uint8Array.from([8, 1]), Links: [{ Hash: leaf, Name, Tsize: 4 }] });
      const cid = await putBlock('dag-pb', node);
      const answer = await post(`get?arg=${cid.toString()}`);
      expect(answer.trailers['X-Stream-Error'] ?? message(answer)).toMatch(/^path was invalid/);
    }
    for (const path of ['/a/..', '/./', '//a/../']) {
      const { body } = await post(`get?arg=${leaf.toString()}${path}`);
      expect(body.toString('latin1', 0, 100).replace(/\0+$/u, '')).toBe(leaf.toString());
    }
  });

  test('an archive in which an entry follows a symbolic link of the same name', async () => {
    const leaf = await putBlock('raw', Buffer.from('evil'));
    const target = await putBlock('dag-pb', dagPb.encode({ Data: Buffer.from('\b\x04\x12\x04/etc'), Links: [] }));
    const directory = async (links: [string, CID][]) =>
      putBlock(
        'dag-pb',
        dagPb.encode({ Data: Uint8Array.from([8, 1]), Links: links.map(([Name, Hash]) => ({ Name, Hash, Tsize: 4 })) }),
      );
    const inner = await directory([['passwd', leaf]]);
    const links: [string, CID][] = [
      ['x', target],
      ['x', inner],
    ];
    const answer = await post(`get?arg=${(await directory(links)).toString()}`);
    expect(answer.trailers['X-Stream-Error']).toBe('path was invalid: a symbolic link and another entry are named "x"');
    expect(answer.body.includes('passwd')).toBe(false);
    // One name for file systems that know no case, decompose accents, or separate names with a backslash.
    for (const [link, name] of [
      ['X', 'x'],
      ['e\u0301', '\u00e9'],
      ['x', 'x\\y'],
      ['FI', '\ufb01'],
      ['x', 'x.'],
      ['x', 'x '],
      ['x', 'x\u200d'],
      ['x', '\u{e0001}x'],
      ['x', 'x::$INDEX_ALLOCATION'],
    ] as const) {
      const folded = await post(
        `get?arg=${(
          await directory([
            [link, target],
            [name, inner],
          ])
        ).toString()}`,
      );
      expect(folded.trailers['X-Stream-Error']).toMatch(/^path was invalid: a symbolic link and another entry/u);
    }
    // Two directories of one name unpack into one: the link in the first is followed by what the second has below it.
    const [linked, followed] = [await directory([['x', target]]), await directory([['x', inner]])];
    for (const order of [
      [linked, followed],
      [linked, linked],
      [followed, linked, followed],
    ]) {
      const twice = await directory(order.map((cid) => ['d', cid]));
      const refused = await post(`get?arg=${(await directory([['e', twice]])).toString()}`);
      expect(refused.trailers['X-Stream-Error']).toBe(
        'path was invalid: a symbolic link and another entry are named "x"',
      );
    }
    const apart = await post(`get?arg=${(await directory([...links.slice(0, 1), ['y', inner]])).toString()}`);
    expect(apart.trailers['X-Stream-Error']).toBeUndefined();
    expect(apart.body.includes('passwd')).toBe(true);
  });

  test('a DAG that expands endlessly is traversed in bounded time', async () => {
    let cid = await putBlock('raw', Buffer.from('x'));
    for (let level = 0; level < 40; level++) {
      const links = Array.from({ length: 10 }, () => ({ Hash: cid, Name: '', Tsize: 1 }));
      cid = await putBlock(
        'dag-pb',
        dagPb.encode({ Data: encodeFileNode(10, Array<number>(10).fill(1)), Links: links }),
      );
    }
    const path = cid.toString();
    expect((await post(`pin/add?arg=${path}&progress=true`)).body.toString()).toContain('"Progress":41');
    expect((await post(`pin/add?arg=${path}`)).status).toBe(200);
    expect(message(await post(`cat?arg=${path}`))).toMatch(/has 10 bytes but its parent states 1/);
    await post(`pin/rm?arg=${path}`);
  });

  test('a DAG deeper than allowed', async () => {
    let cid = await putBlock('dag-cbor', dagCbor.encode({}));
    for (let level = 0; level < 70; level++) cid = await putBlock('dag-cbor', dagCbor.encode({ next: cid }));
    const expected = 'the DAG is deeper than the allowed 64 levels';
    const refused = await post(`pin/add?arg=${cid.toString()}`);
    expect([refused.status, message(refused)]).toEqual([400, `pin: ${expected}`]);
    expect((await post(`dag/export?arg=${cid.toString()}`)).trailers['X-Stream-Error']).toBe(expected);
  });

  test('a file node whose sizes contradict its content', async () => {
    const leaf = await putBlock('raw', Buffer.from('12345'));
    const lying = dagPb.encode({
      Data: encodeFileNode(2 ** 40, [2 ** 40]),
      Links: [{ Hash: leaf, Name: '', Tsize: 5 }],
    });
    const answer = await post(`cat?arg=${(await putBlock('dag-pb', lying)).toString()}`);
    expect(message(answer)).toMatch(/has 5 bytes but its parent states 1099511627776/);
    const short = dagPb.encode({ Data: encodeFileNode(9, [5]), Links: [{ Hash: leaf, Name: '', Tsize: 5 }] });
    const other = await post(`cat?arg=${(await putBlock('dag-pb', short)).toString()}`);
    expect(message(other)).toMatch(/states 9 bytes but its parts add up to 5/);
  });

  test('nodes nested too deeply to decode', async () => {
    const deep = Buffer.concat([Buffer.alloc(900_000, 0x81), Buffer.from([0])]);
    const cid = await putBlock('dag-cbor', deep);
    expect(message(await post(`dag/get?arg=${cid.toString()}`))).toMatch(/nested too deeply|could not decode/);
    const json = await send('dag/put', { content: '['.repeat(900_000) });
    expect(json.status).toBe(400);
  });

  describe('CAR files', () => {
    const header = Buffer.from(dagCbor.encode({ roots: [], version: 1 }));
    const framed = (bytes: Uint8Array) => Buffer.concat([Buffer.from([bytes.length]), bytes]);
    const block = (text: string) => {
      const bytes = Buffer.from(text);
      return framed(Buffer.concat([CID.createV1(0x55, digestOf(0x12, bytes)).bytes, bytes]));
    };

    test.each([
      ['nothing', Buffer.alloc(0), 'unexpected EOF'],
      ['not a CAR', Buffer.from('PK\x03\x04 this is a zip file'), /invalid car header|unexpected EOF/],
      [
        'a length of petabytes',
        Buffer.concat([framed(header), Buffer.from('ffffffffffff7f', 'hex')]),
        /length of read beyond allowable maximum/,
      ],
      ['a varint without end', Buffer.concat([framed(header), Buffer.alloc(20, 0xff)]), /varint/],
      ['a section without a CID', Buffer.concat([framed(header), framed(Buffer.from('no cid'))]), /malformed car/],
      [
        'more blocks than allowed',
        Buffer.concat([framed(header), ...Array.from({ length: 25 }, (_, i) => block(`b${i}`))]),
        /more than the allowed/,
      ],
      ['version 3', framed(Buffer.from(dagCbor.encode({ roots: [], version: 3 }))), /invalid car version: 3/],
    ])('%s', async (name, content, expected) => {
      const answer = await send('dag/import', { content, filename: 'x.car' });
      // Exceeding a limit of this service is a client error; malformed content is a 500, as in Kubo.
      expect(answer.status).toBe(name === 'more blocks than allowed' ? 400 : 500);
      expect(message(answer)).toMatch(expected);
    });

    test('an incomplete DAG is not pinned', async () => {
      const absent = CID.createV1(0x55, digestOf(0x12, Buffer.from('absent')));
      const content = framed(Buffer.from(dagCbor.encode({ roots: [absent], version: 1 })));
      const answer = await send('dag/import', { content });
      expect(answer.body.toString()).toMatch(/"PinErrorMsg":"pin: .*could not find/u);
    });
  });
});
