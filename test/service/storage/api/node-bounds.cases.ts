import * as dagCbor from '@ipld/dag-cbor';
import { message, post, send } from '../../../support/storage/requests';
import { startTestService, type TestService } from '../../../support/storage/service';
import { rawBlock } from '../store/store.suite';

const MOST = 1024;
const LEAF = rawBlock(Buffer.from('below'));

/** A link inside `levels` lists or maps, in DAG-CBOR and DAG-JSON. */
const lists = (levels: number) => Buffer.concat([Buffer.alloc(levels, 0x81), dagCbor.encode(LEAF.cid)]);
const endless = (levels: number) =>
  Buffer.concat([Buffer.alloc(levels, 0x9f), dagCbor.encode(LEAF.cid), Buffer.alloc(levels, 0xff)]);
const maps = (levels: number) =>
  Buffer.concat([...Array.from({ length: levels }, () => Buffer.from('a16161', 'hex')), dagCbor.encode(LEAF.cid)]);
const json = (levels: number) => `${'['.repeat(levels)}{"/":"${LEAF.cid.toString()}"}${']'.repeat(levels)}`;

describe('nodes of lists within lists', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ durable: false });
    expect((await send(service, 'block/put?cid-codec=raw', { content: LEAF.bytes })).status).toBe(200);
  });
  afterAll(() => service.discard());

  const putBlock = async (codec: string, content: Uint8Array | string): Promise<string> => {
    const answer = await send(service, `block/put?cid-codec=${codec}`, { content });
    return (JSON.parse(answer.body.toString()) as { Key: string }).Key;
  };
  const listOf = async (cid: string) => (await post(service, `ls?arg=${cid}`)).body.toString();

  test.each([
    // In DAG-JSON a link is itself a map, which is one more level.
    ['dag-json', json, MOST - 1],
    ['dag-cbor', lists, MOST - 1],
    ['dag-cbor', endless, MOST - 1],
    ['dag-cbor', maps, MOST - 1],
  ])('%s: read, pinned and written down to the allowed depth; one level more is rejected', async (codec, of, most) => {
    const cid = await putBlock(codec, of(most));
    expect(await listOf(cid)).toContain(LEAF.cid.toString());
    expect((await post(service, `pin/add?arg=${cid}`)).status).toBe(200);
    for (const output of ['dag-json', 'dag-cbor']) {
      expect((await post(service, `dag/get?arg=${cid}&output-codec=${output}`)).status).toBe(200);
    }
    const more = await putBlock(codec, of(most + 1));
    for (const command of ['pin/add', 'dag/get', 'ls']) {
      const answer = await post(service, `${command}?arg=${more}`);
      expect(answer.body.toString()).toContain(`nested too deeply: more than ${MOST} levels`);
    }
  });

  test('dag/put rejects them, in every codec', async () => {
    for (const codec of ['json', 'cbor', 'dag-json', 'dag-cbor']) {
      const isText = codec.endsWith('json');
      const of = (levels: number) =>
        isText ? '['.repeat(levels) + ']'.repeat(levels) : Buffer.concat([Buffer.alloc(levels, 0x81), Buffer.of(0)]);
      const put = (levels: number) =>
        send(service, `dag/put?input-codec=${codec}&store-codec=dag-cbor`, { content: of(levels) });
      expect([codec, (await put(MOST)).status]).toEqual([codec, 200]);
      const refused = await put(MOST + 1);
      expect([refused.status, message(refused)]).toEqual([
        400,
        `the input is not ${codec}: nested too deeply: more than ${MOST} levels`,
      ]);
    }
  });

  test.each([
    ['a map of two', 'a260ff'],
    ['a map without end', 'bf60ff'],
    ['a list of two', '82ff'],
  ])('a misplaced break inside %s does not bypass the limit', async (_name, begin) => {
    const content = Buffer.concat([Buffer.from(`${begin}6161`.repeat(3000), 'hex'), Buffer.of(0)]);
    const answer = await post(service, `dag/get?arg=${await putBlock('dag-cbor', content)}`);
    expect(answer.body.toString()).toContain('found a break where a value is expected');
  });

  test('any number of them may be next to each other', async () => {
    const many = Array.from({ length: 3000 }, () => [[], {}, [{}, [1]], { a: [] }]);
    const put = await send(service, 'dag/put', { content: JSON.stringify(many) });
    const { Cid } = JSON.parse(put.body.toString()) as { Cid: { '/': string } };
    expect(JSON.parse((await post(service, `dag/get?arg=${Cid['/']}`)).body.toString())).toEqual(many);
  });
});

describe('nodes that take much more space in memory, or when written, than in their block', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ durable: false });
  });
  afterAll(() => service.discard());

  const list = (count: number, item: number) => {
    const head = Buffer.from([0x9a, 0, 0, 0, 0]);
    head.writeUInt32BE(count, 1);
    return Buffer.concat([head, Buffer.alloc(count, item)]);
  };
  const TOO_MANY = 'more than 1048576 values (maps and lists count as 4)';

  test.each([
    ['maps', 0xa0, 4],
    ['lists', 0x80, 4],
    ['numbers', 0x01, 1],
  ])('a node of %s has as many values as allowed, and not one more', async (_name, item, counts) => {
    const most = (1 << 20) / counts - 4 / counts;
    for (const [count, isRead] of [
      [most, true],
      [most + 1, false],
    ] as const) {
      const put = await send(service, 'block/put?cid-codec=dag-cbor&allow-big-block=true', {
        content: list(count, item),
      });
      const { Key } = JSON.parse(put.body.toString()) as { Key: string };
      const pinned = await post(service, `pin/add?arg=${Key}`);
      if (isRead) expect(pinned.status).toBe(200);
      else expect(message(pinned)).toBe(`pin: could not decode ${Key}: ${TOO_MANY}`);
    }
  });

  test('the same in text', async () => {
    const put = await send(service, 'dag/put', { content: `[${'{},'.repeat(1 << 18)}1]` });
    expect([put.status, message(put)]).toEqual([400, `the input is not dag-json: ${TOO_MANY}`]);
  });

  test('a node whose indented form exceeds any block is not written', async () => {
    const content = '['.repeat(1000) + '1,'.repeat(100_000) + '1' + ']'.repeat(1000);
    const put = await send(service, 'dag/put', { content });
    const { Cid } = JSON.parse(put.body.toString()) as { Cid: { '/': string } };
    for (const answer of [
      await post(service, `dag/get?arg=${Cid['/']}&output-codec=json`),
      await send(service, 'dag/put?store-codec=json', { content }),
    ]) {
      expect([answer.status, message(answer)]).toEqual([
        400,
        'the node cannot be written as json: the indented JSON is longer than 8388608 characters',
      ]);
    }
  });
});
