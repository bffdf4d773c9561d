import { type FormPart, FORM, multipart } from '../../../support/storage/multipart';
import { rawRequest } from '../../../support/storage/raw-http';
import { message, send } from '../../../support/storage/requests';
import { startTestService, type TestService } from '../../../support/storage/service';

const LEAF = 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o';

/** Nodes as go-ipld-prime reads and writes them. */
describe('codecs of nodes', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(async () => {
    expect(service.warnings).toEqual([]);
    await service.discard();
  });

  const request = (path: string, ...parts: FormPart[]) =>
    rawRequest(service.port, {
      path: `/api/v0/${path}`,
      ...(parts.length === 0 ? {} : { headers: FORM, body: multipart(...parts) }),
    });
  const put = async (content: string | Uint8Array, query = ''): Promise<string> => {
    const answer = await request(`dag/put?${query}`, { content });
    if (answer.status !== 200) throw new Error(answer.body.toString());
    return (JSON.parse(answer.body.toString()) as { Cid: { '/': string } }).Cid['/'];
  };
  const block = async (cid: string) => (await request(`block/get?arg=${cid}`)).body;
  const get = async (cid: string, query = '') => (await request(`dag/get?arg=${cid}${query}`)).body.toString();
  const cborOf = async (json: string) => (await block(await put(json))).toString('hex');

  test.each([
    ['1', '01'],
    ['1.0', 'fb3ff0000000000000'],
    ['1e0', 'fb3ff0000000000000'],
    ['-2.0', 'fbc000000000000000'],
    ['0.0', 'fb0000000000000000'],
    ['-0.0', 'fb8000000000000000'],
    ['-0', '00'],
    ['0e5', 'fb0000000000000000'],
    ['0.1', 'fb3fb999999999999a'],
    ['1e300', 'fb7e37e43c8800759c'],
    ['9007199254740993', '1b0020000000000001'],
    ['9007199254740993.0', 'fb4340000000000000'],
    ['-9223372036854775808', '3b7fffffffffffffff'],
    ['18446744073709551615', '1bffffffffffffffff'],
    ['[1.0,1]', '82fb3ff000000000000001'],
    ['{"a":1.0}', 'a16161fb3ff0000000000000'],
  ])('%s is %s', async (json, cbor) => {
    expect(await cborOf(json)).toBe(cbor);
  });

  test.each([
    ['1.0', '1.0'],
    ['-0.0', '-0.0'],
    ['1.50', '1.5'],
    ['1e2', '100.0'],
    ['1e21', '1e+21'],
    ['1e-7', '1e-7'],
    ['1.5e300', '1.5e+300'],
    ['0.000001', '0.000001'],
    ['18446744073709551615', '18446744073709551615'],
    ['-9007199254740993', '-9007199254740993'],
    [
      String.raw`"\b\f\n\u001f\u2028<>&\u007f\\b"`,
      String.raw`"\u0008\u000c\n\u001f\u2028<>&` + '\x7f' + String.raw`\\b"`,
    ],
    ['{"b":1,"10":2,"9":3,"aa":4,"":5}', '{"":5,"10":2,"9":3,"aa":4,"b":1}'],
    ['{"\uffff":1,"😀":2}', '{"\uffff":1,"😀":2}'],
    [`{"/":"${LEAF}"}`, `{"/":"${LEAF}"}`],
    ['{"/":{"bytes":"AQI="}}', '{"/":{"bytes":"AQI"}}'],
    ['{"/":{"bytes":"AQI"},"x":1}', '{"/":{"bytes":"AQI"},"x":1}'],
    ['{"/":"no link","x":[]}', '{"/":"no link","x":[]}'],
    ['{"/":{"bytes":{"/":{"bytes":""}}}}', '{"/":{"bytes":{"/":{"bytes":""}}}}'],
    [' {"a" : [ ] }\n\0', '{"a":[]}'],
    [' true ', 'true'],
  ])('%s is returned as %s', async (json, expected) => {
    for (const codec of ['dag-cbor', 'dag-json']) {
      expect(await get(await put(json, `store-codec=${codec}`))).toBe(expected);
    }
  });

  test.each([
    ['1.', 400],
    ['01', 400],
    ['1e', 400],
    ['--1', 400],
    ['1e400', 400],
    ['18446744073709551616', 400],
    ['-9223372036854775809', 400],
    ['1 2', 400],
    ['{"a":1,"a":2}', 400],
    ['{"/":"no link"}', 400],
  ])('%s is rejected', async (content, status) => {
    expect((await send(service, 'dag/put', { content })).status).toBe(status);
  });

  test('a number of a million digits is rejected without being computed or repeated', async () => {
    const { status, body } = await request('dag/put', { content: '9'.repeat(1_000_000) });
    expect(status).toBe(400);
    expect(body.toString()).toContain('value out of range');
    expect(body.length).toBeLessThan(300);
  });

  test('maps have the order of their codec', async () => {
    const json = '{"b":1,"10":2,"9":3,"aa":4}';
    expect(await cborOf(json)).toBe('a461390361620162313002626161' + '04');
    expect((await block(await put(json, 'store-codec=cbor'))).toString('hex')).toBe('a46162016231300261390362616104');
    expect((await block(await put(json, 'store-codec=json'))).toString()).toBe(
      '{\n\t"b": 1,\n\t"10": 2,\n\t"9": 3,\n\t"aa": 4\n}\n',
    );
  });

  test('JSON is indented, and supports neither links nor bytes', async () => {
    const nested = '{"a":[],"b":{},"c":[1.0,{"d":"[{\\",}]: "}],"e":null}';
    const lines =
      '{\n\t"a": [],\n\t"b": {},\n\t"c": [\n\t\t1.0,\n\t\t{\n\t\t\t"d": "[{\\",}]: "\n\t\t}\n\t],\n\t"e": null\n}\n';
    const cid = await put(nested, 'input-codec=json&store-codec=json');
    expect(cid).toMatch(/^bagaaie/);
    expect((await block(cid)).toString()).toBe(lines);
    expect(await get(cid)).toBe(nested);
    expect(await get(await put(nested), '&output-codec=json')).toBe(lines);
    expect(await get(await put('[]'), '&output-codec=json')).toBe('[]\n');
    expect(await get(await put('"x"'), '&output-codec=json')).toBe('"x"');
    const link = `{"/":"${LEAF}"}`;
    expect((await block(await put(link, 'input-codec=json'))).toString('latin1')).toBe(`\xa1\x61/\x78\x2e${LEAF}`);
    for (const [content, codec] of [
      [link, 'json'],
      [link, 'cbor'],
      ['{"/":{"bytes":"AQI"}}', 'json'],
    ] as const) {
      const answer = await send(service, `dag/put?store-codec=${codec}`, { content });
      expect([answer.status, message(answer)]).toEqual([400, expect.stringContaining(`cannot be written as ${codec}`)]);
    }
  });

  test('CBOR is read in any form, distinguishing floats from integers, and written in one', async () => {
    const read = async (hex: string, codec: string) => get(await put(Buffer.from(hex, 'hex'), `input-codec=${codec}`));
    for (const codec of ['cbor', 'dag-cbor']) {
      expect(await read('f93c00', codec)).toBe('1.0');
      expect(await read('fa3f800000', codec)).toBe('1.0');
      expect(await read('1801', codec)).toBe('1');
      expect(await read('bf616101ff', codec)).toBe('{"a":1}');
      expect(await read('4101', codec)).toBe('{"/":{"bytes":"AQ"}}');
    }
    const integerKey = await send(service, 'dag/put?input-codec=dag-cbor', { content: Buffer.from('a10102', 'hex') });
    expect([integerKey.status, message(integerKey)]).toEqual([400, expect.stringContaining('a key that is not text')]);
    const link = `d82a5823${'00'}${'1220'}${'11'.repeat(32)}`;
    expect(await read(link, 'dag-cbor')).toMatch(/^\{"\/":"Qm\w{44}"\}$/);
    const plain = await send(service, 'dag/put?input-codec=cbor', { content: Buffer.from(link, 'hex') });
    expect(message(plain)).toBe('the input is not cbor: unhandled cbor tag 42');
  });

  test('dag-pb nodes are converted, with their links sorted', async () => {
    const links = `[{"Hash":{"/":"${LEAF}"},"Name":"b","Tsize":2},{"Hash":{"/":"${LEAF}"},"Name":"a","Tsize":1}]`;
    const cid = await put(`{"Data":{"/":{"bytes":"CAE"}},"Links":${links}}`, 'store-codec=dag-pb');
    expect(await get(cid)).toBe(
      `{"Data":{"/":{"bytes":"CAE"}},"Links":[{"Hash":{"/":"${LEAF}"},"Name":"a","Tsize":1},{"Hash":{"/":"${LEAF}"},"Name":"b","Tsize":2}]}`,
    );
    for (const content of [
      '{}',
      'null',
      '"x"',
      '{"Links":[1]}',
      '{"Links":[],"More":1}',
      '{"Links":[{"Tsize":1.0}]}',
    ]) {
      expect((await send(service, 'dag/put?store-codec=dag-pb', { content })).status).toBe(400);
    }
  });

  test('paths lead into maps and lists', async () => {
    const cid = await put('{"10":[1.0,{"x":18446744073709551615}],"constructor":1}');
    expect(await get(`${cid}/10/0`)).toBe('1.0');
    expect(await get(`${cid}/10/1/x`)).toBe('18446744073709551615');
    expect(await get(`${cid}/constructor`)).toBe('1');
    expect(await get(`${cid}/10/0/y`)).toContain('no link named \\"y\\" under');
    expect(await get(`${cid}/10/01`)).toContain('no link named \\"01\\" under');
    expect(await get(`${cid}/toString`)).toContain('no link named \\"toString\\" under');
  });

  test('codecs known only by name', async () => {
    const answer = await send(service, 'dag/put?store-codec=git-raw', { content: '{}' });
    expect([answer.status, message(answer)]).toEqual([500, 'no encoder registered for multicodec code 120 (0x78)']);
    const input = await send(service, 'dag/put?input-codec=eth-block', { content: '{}' });
    expect(message(input)).toBe('no decoder registered for multicodec code 144 (0x90)');
    const stored = await send(service, 'block/put?cid-codec=eth-block', { content: 'a block' });
    const { Key } = JSON.parse(stored.body.toString()) as { Key: string };
    expect(Key).toMatch(/^bagiac/);
    expect(message(await request(`dag/get?arg=${Key}`))).toBe('no decoder registered for multicodec code 144 (0x90)');
  });
});
