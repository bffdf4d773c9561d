import { CID } from 'multiformats/cid';
import * as dagPb from '@ipld/dag-pb';
import { type FormPart, FORM, multipart } from '../../../support/storage/multipart';
import { rawRequest } from '../../../support/storage/raw-http';
import { message, send } from '../../../support/storage/requests';
import { startTestService, type TestService } from '../../../support/storage/service';

const EMPTY = 'QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n';
const DIRECTORY = 'QmUNLLsPACCz1vLxQVkXqqLX5R1X345qqfHbsf67hvA3Nn';
const HELLO = 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o';

/** Nodes made with `object/*`. */
describe('objects', () => {
  let service: TestService;
  let cbor: string;
  let raw: string;

  const request = (path: string, ...parts: FormPart[]) =>
    rawRequest(service.port, {
      path: `/api/v0/${path}`,
      ...(parts.length === 0 ? {} : { headers: FORM, body: multipart(...parts) }),
    });
  const hash = async (path: string, ...parts: FormPart[]): Promise<string> => {
    const answer = await request(path, ...parts);
    if (answer.status !== 200) throw new Error(answer.body.toString());
    return (JSON.parse(answer.body.toString()) as { Hash: string }).Hash;
  };
  const failure = async (path: string, ...parts: FormPart[]): Promise<[number, string]> => {
    const answer = await request(path, ...parts);
    return [answer.status, message(answer)];
  };
  const block = async (cid: string) => (await request(`block/get?arg=${cid}`)).body;
  const add = async (query: string, ...files: [string, string][]): Promise<string> => {
    const answer = await request(`add?${query}`, ...files.map(([filename, content]) => ({ filename, content })));
    const last = answer.body.toString().trimEnd().split('\n').at(-1) ?? '';
    return (JSON.parse(last) as { Hash: string }).Hash;
  };

  // Every object inherits members of these names, which are not encodings, templates or codecs.
  test.each(['constructor', 'toString', '__proto__'])('the name %s is not a valid option name', async (name) => {
    expect(await failure(`object/put?inputenc=${name}`, { content: 'x' })).toEqual([500, 'unknown object encoding']);
    expect(await failure(`object/new?arg=${name}`)).toEqual([500, `unknown node type: ${name}`]);
    expect(await failure(`object/get?arg=${EMPTY}&data-encoding=${name}`)).toEqual([
      500,
      'unknown data field encoding',
    ]);
    expect(await failure(`block/put?format=${name}`, { content: 'x' })).toEqual([500, `unknown multicodec: "${name}"`]);
  });

  beforeAll(async () => {
    service = await startTestService();
    await add('', ['hw.txt', 'hello world\n']);
    raw = await add('cid-version=1', ['raw', 'raw bytes']);
    const put = await request('dag/put', { content: '{"a":1}' });
    cbor = (JSON.parse(put.body.toString()) as { Cid: { '/': string } }).Cid['/'];
  });
  afterAll(async () => {
    expect(service.warnings).toEqual([]);
    await service.discard();
  });

  test('object/new knows two templates', async () => {
    expect(await hash('object/new')).toBe(EMPTY);
    expect(await hash('object/new?arg=empty')).toBe(EMPTY);
    expect(await hash('object/new?arg=unixfs-dir')).toBe(DIRECTORY);
    expect(await failure('object/new?arg=other')).toEqual([500, 'unknown node type: other']);
  });

  describe('object/put', () => {
    test.each([
      ['{}', '0a00'],
      ['null', '0a00'],
      ['{"Data":"x"}', '0a0178'],
      ['{"Data":null,"Links":null}', '0a00'],
      [`{"Links":[{"Hash":"${HELLO}"}]}`, undefined],
      [`{"Links":[{"Name":null,"Hash":"${HELLO}","Size":null}]}`, undefined],
    ])('%s', async (content, expected) => {
      const bytes = await block(await hash('object/put', { content }));
      if (expected === undefined) {
        const Links = [{ Hash: CID.parse(HELLO), Name: '', Tsize: 0 }];
        expect(dagPb.decode(Uint8Array.from(bytes))).toEqual({ Data: new Uint8Array(0), Links });
      } else expect(bytes.toString('hex')).toBe(expected);
    });

    const INVALID = /^the node is not valid JSON: /;
    test.each([
      ['{', INVALID],
      ['{nope', INVALID],
      ["{'Data'}", INVALID],
      ['{"Data":"x",}', INVALID],
      ['{"Data":01}', INVALID],
      ['{"Data":1e}', INVALID],
      [String.raw`{"Data":"\x"}`, INVALID],
      ['{"Data":"a\nb"}', INVALID],
      ['{"Data":"x"} and more', INVALID],
      ['\ufeff{}', INVALID],
      ['[]', 'the node: Expected an object'],
      ['true', 'the node: Expected an object'],
      ['{"this":1}', 'this: unknown field'],
      ['{"data":"x"}', 'data: unknown field'],
      ['{"Data":1}', 'Data: Expected a string'],
      ['{"Data":{}}', 'Data: Expected a string'],
      ['{"Links":"x"}', 'Links: Expected an array value'],
      ['{"Links":[1]}', 'Links.0: Expected an object'],
      [`{"Links":[{"Hash":"${HELLO}","Foo":1}]}`, 'Links.0.Foo: unknown field'],
      ['{"Links":[{"Name":1}]}', 'Links.0.Name: Expected a string'],
      [`{"Links":[{"Hash":"${HELLO}","Size":"1"}]}`, 'Links.0.Size: Expected an integer'],
      [`{"Links":[{"Hash":"${HELLO}","Size":1.5}]}`, 'Links.0.Size: Expected an integer'],
      [`{"Links":[{"Hash":"${HELLO}","Size":-1}]}`, 'Links.0.Size: Expected a integer greater than or equal to 0'],
      [
        `{"Links":[{"Hash":"${HELLO}","Size":9007199254740992}]}`,
        'Links.0.Size: Expected a integer less than or equal to 9007199254740991',
      ],
      ['{"Links":[null]}', 'Links.0: Expected an object'],
      ['{"Links":[{}]}', 'Links.0.Hash: Expected a string'],
      ['{"Links":[{"Hash":"?x"}]}', 'Links.0.Hash: invalid cid: selected encoding not supported'],
    ])('%s is rejected', async (content, expected) => {
      expect(await failure('object/put', { content })).toEqual([
        500,
        expected instanceof RegExp ? expect.stringMatching(expected) : expected,
      ]);
    });

    test('an error repeats nothing of a long upload', async () => {
      const long = 'x'.repeat(100_000);
      for (const content of [`{"Links":"${long}"}`, `{"${long}":1}`])
        expect((await failure('object/put', { content }))[1].length).toBeLessThan(300);
    });

    test('an empty upload is rejected', async () => {
      expect(await failure('object/put', { content: ' ' })).toEqual([400, 'the object is empty']);
    });

    test.each([
      ['AQ==', '0a0101'],
      ['AQ\\nID', '0a03010203'],
      ['AQ', undefined],
      ['AQIDBA', undefined],
      ['A===', undefined],
      ['AQ=', undefined],
      ['AQ=I', undefined],
      ['AQ==AQ==', undefined],
      ['-_-_', undefined],
    ])('base64 %s', async (data, expected) => {
      const part = { content: `{"Data":"${data}"}` };
      const path = 'object/put?datafieldenc=base64';
      if (typeof expected === 'string') expect((await block(await hash(path, part))).toString('hex')).toBe(expected);
      else expect(await failure(path, part)).toEqual([500, 'Data must be base64 with padding']);
    });

    test('protobuf is stored unchanged', async () => {
      const link = Buffer.concat([Buffer.from('12240a22', 'hex'), CID.parse(HELLO).bytes]);
      const dataFirst = Buffer.concat([Buffer.from('0a0178', 'hex'), link]);
      const cid = await hash('object/put?inputenc=protobuf&pin=true', { content: dataFirst });
      expect((await block(cid)).equals(dataFirst)).toBe(true);
      const bad = await failure('object/put?inputenc=protobuf', { content: 'nonsense' });
      expect(bad).toEqual([500, expect.stringMatching(/^incorrectly formatted merkledag node: /)]);
      expect(await failure('object/put?inputenc=yaml', { content: 'x' })).toEqual([500, 'unknown object encoding']);
      const encoding = await failure('object/put?datafieldenc=hex', { content: '{}' });
      expect(encoding).toEqual([500, 'unknown data field encoding']);
    });
  });

  test('blocks of other codecs', async () => {
    for (const command of ['object/get', 'object/data']) {
      expect(await failure(`${command}?arg=${raw}`)).toEqual([500, 'expected protobuf dag node']);
    }
    const stat = async (cid: string): Promise<unknown> =>
      JSON.parse((await request(`object/stat?arg=${cid}`)).body.toString());
    const nothing = { NumLinks: 0, BlockSize: 0, LinksSize: 0 };
    expect(await stat(raw)).toEqual({ Hash: raw, ...nothing, DataSize: 9, CumulativeSize: 9 });
    expect(await stat(cbor)).toEqual({ Hash: cbor, ...nothing, DataSize: 0, CumulativeSize: 0 });
    expect((await send(service, 'object/put', { content: '{}' })).status).toBe(200);
  });
});
