import fc from 'fast-check';

import { itemsOf, membersOf, writtenAs } from '../../../src/service/chain/json-text';
import { startNode, TAKEN } from '../../support/service/node';
import { startService, type TestService } from '../../support/service/service';
import { openSocket } from '../../support/service/socket';

/** Numbers that JavaScript would write differently. */
const NUMBERS = ['9007199254740993', '-123456789012345678901234567890', '1.0', '1e400', '0.10000000000000000001', '-0'];
const LIST = `[${NUMBERS.join(', ')}]`;
/** Contains text that could mislead a search for its end, or for another member of the same name. */
const VALUE = String.raw`{ "result": [1], "a\"]},": "\\", "list": ${LIST}, "params": {"result": ${NUMBERS[0]}} }`;

/** A node with a JSON spelling of its own, which keeps the exact text of every request. */
async function start(answer = '"result":1') {
  const received: string[] = [];
  const node = await startNode(({ id, body }, response) => {
    response.end(`{"id":${Number(id)}, "jsonrpc" : "2.0",\n ${answer} , "extra":"}]"}`);
    received.push(body.replace(/^.*?"params":/u, '').slice(0, -1));
    return TAKEN;
  });
  const endpoint = { url: node.url };
  const service = await startService({
    networks: [{ name: 'one', chainId: 1, upstream: endpoint, bundler: endpoint }],
  });
  return { service, received };
}

async function text(service: TestService, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${service.url}/v3/${service.key.key}`, { method: 'POST', headers, body })).text();
}

const request = (id: number, params = '[]', method = 'eth_call') =>
  `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
const response = (id: number, member: string) => `{"jsonrpc":"2.0","id":${id},${member}}`;

describe('a node’s response keeps its exact text', () => {
  test('over HTTP, in a batch and over WebSocket', async () => {
    const { service } = await start(`"result" : ${VALUE}`);
    const whole = response(1, `"result":${VALUE}`);
    expect(await text(service, request(1))).toBe(whole);
    const other = response(2, `"result":${VALUE}`);
    expect(await text(service, `[${request(1)},${request(2)}]`)).toBe(`[${whole},${other}]`);
    const { socket } = await openSocket(service.wsUrl);
    const frame = new Promise((resolve) => socket.once('message', (data: Buffer) => resolve(data.toString())));
    socket.send(request(1));
    expect(await frame).toBe(whole);
  });

  test('the last of duplicate results, and an escaped member name', async () => {
    const { service } = await start(`"result":1, "res\\u0075lt":${NUMBERS[0]}`);
    expect(await text(service, request(1))).toBe(response(1, `"result":${NUMBERS[0]}`));
  });

  test.each(['true', 'null', '""', '"\\\\"', '{}', '[ ]', '-1.5e+3'])('a result that is %s', async (value) => {
    const { service } = await start(`"result":${value}`);
    expect(await text(service, request(1))).toBe(response(1, `"result":${value}`));
  });

  test('a block with members that no fork has yet, and code of 32 KiB (EIP-7954)', async () => {
    const block = `{"slotNumber":"0x99","blockAccessListHash":"0x${'ab'.repeat(32)}","x":${NUMBERS[0]}}`;
    const { service } = await start(`"result":${block}`);
    expect(await text(service, request(1, '["latest",false]', 'eth_getBlockByNumber'))).toBe(
      response(1, `"result":${block}`),
    );
    const code = `"result":"0x${'5b'.repeat(32 << 10)}"`;
    const { service: other } = await start(code);
    expect(await text(other, request(1, '["0x1","latest"]', 'eth_getCode'))).toBe(response(1, code));
  });

  test('error data', async () => {
    const { service } = await start(`"error":{"data":${VALUE},"code":3,"message":"execution \\"reverted\\""}`);
    const error = `"error":{"code":3,"message":"execution \\"reverted\\"","data":${VALUE}}`;
    expect(await text(service, request(1))).toBe(response(1, error));
  });
});

describe('parameters reach the node exactly as sent', () => {
  test('over HTTP, in a batch and over WebSocket', async () => {
    const { service, received } = await start();
    const params = `[ ${VALUE}, ${LIST} ]`;
    await text(service, request(1, params));
    await text(service, `[${request(1)} , 7, ${request(2, params)}]`);
    await text(service, `{"jsonrpc":"2.0", "params":[0] , "method":"eth_call","id":"}","p\\u0061rams" : ${params}\n}`);
    const { ask } = await openSocket(service.wsUrl);
    await ask(request(3, params));
    expect(received.filter((sent) => sent !== '[]')).toEqual([params, params, params, params]);
  });

  test.each(['', ',"params":null'])('none%s', async (member) => {
    const { service, received } = await start();
    await text(service, `{"jsonrpc":"2.0","id":1,"method":"eth_call"${member}}`);
    expect(received).toEqual(['[]']);
  });

  test('even next to an operation that is converted for a bundler', async () => {
    const { service, received } = await start();
    const operation = `{ "nonce": ${NUMBERS[0]}, "initCode": "0x", "paymasterAndData":"0x", "list": ${LIST} }`;
    const entryPoint = '"0x0000000071727de22e5e9d8baf0edac6f37da032"';
    await text(service, request(1, `[${operation},${entryPoint},${VALUE}]`, 'eth_estimateUserOperationGas'));
    expect(received).toEqual([`[{"nonce":${NUMBERS[0]},"list":${LIST}},${entryPoint},${VALUE}]`]);
  });

  test('nesting hidden by a duplicate member is counted', async () => {
    const { service, received } = await start();
    const hidden = `[{"a":${'['.repeat(63)}${']'.repeat(63)},"a":1}]`;
    expect(await text(service, request(1, hidden))).toContain('nested more than 64 levels deep');
    expect(received).toEqual([]);
  });
});

describe('an id comes back byte for byte', () => {
  const IDS = [
    '809894640329149302',
    '-809894640329149302',
    ...NUMBERS,
    '1E+2',
    '0.0',
    '1'.repeat(4096),
    'null',
    '"a"',
    '""',
    String.raw`"\u0041\/\ud800"`,
    String.raw`"\",\"id\":7,\""`,
    `"${'é'.repeat(400)}"`,
  ];
  const ask = (id: string, method = 'eth_chainId', params = '[]') =>
    `{"params" : ${params}, "jsonrpc":"2.0","id" :  ${id}\t,"method":"${method}"}`;
  /** The text after the id says how the request went. */
  const answer = (id: string, member = '"result":"0x1"') => `{"jsonrpc":"2.0","id":${id},${member}}`;
  const short = IDS.filter((id) => id.length < 1000);

  test('over HTTP, whole and in a batch, in results and in errors', async () => {
    const { service } = await start('"error":{"code":3,"message":"no"}');
    for (const id of short) expect(await text(service, ask(id))).toBe(answer(id));
    expect(await text(service, `[${short.map((id) => ask(id)).join(' ,')}]`)).toBe(
      `[${short.map((id) => answer(id)).join(',')}]`,
    );
    const [id = ''] = short;
    const failures: [string, number][] = [
      [ask(id, 'eth_nonsense'), -32601],
      [ask(id, 'eth_getUncleByBlockNumberAndIndex'), -32602],
      [ask(id).replace('2.0', '3.0'), -32600],
      [ask(id).replace('eth_chainId', ''), -32600],
      [ask(id, 'eth_call'), 3],
    ];
    for (const [request, code] of failures) {
      expect(await text(service, request)).toContain(answer(id, `"error":{"code":${code},`).slice(0, -1));
      expect(await text(service, `[1,${request}]`)).toContain(answer(id, `"error":{"code":${code},`).slice(0, -1));
    }
  });

  test('over WebSocket, in frames of either type', async () => {
    const { service } = await start();
    const { socket } = await openSocket(service.wsUrl);
    const frame = async (data: string | Buffer) => {
      const [received, isBinary] = await new Promise<[string, boolean]>((resolve) => {
        socket.once('message', (bytes: Buffer, binary) => {
          resolve([bytes.toString(), binary]);
        });
        socket.send(data);
      });
      expect(isBinary).toBe(false);
      return received;
    };
    for (const id of short) {
      expect(await frame(ask(id))).toBe(answer(id));
      expect(await frame(Buffer.from(ask(id)))).toBe(answer(id));
    }
    expect(await frame(ask('1.0', 'eth_nonsense'))).toContain('"id":1.0,"error":{"code":-32601');
    // Frames of type text are checked by the protocol itself.
    const invalid = Buffer.from(ask('"\u00e9"'), 'latin1');
    for (const data of [invalid, Buffer.of(), Buffer.from('{'), Buffer.of(0x80)])
      expect(await frame(data)).toContain('"id":null,"error":{"code":-32700');
    const batch = `[${ask('1')},${ask('2')}]`;
    for (const data of ['[]', Buffer.from('[]'), batch, Buffer.from(batch)])
      expect(await frame(data)).toContain('"id":null,"error":{"code":-32600');
  });

  test('the request’s own id, not one that looks like it', async () => {
    const { service } = await start();
    const decoys = [
      ['{"params":[{"id":1}],"id":1.0,"jsonrpc":"2.0","method":"eth_call"}', '1.0'],
      ['{"id":1,"\\u0069d":1.00,"jsonrpc":"2.0","method":"eth_call"}', '1.00'],
      ['{"method":"eth_call","x":"\\",\\"id\\":3","id":1e0,"jsonrpc":"2.0","__proto__":{"id":4}}', '1e0'],
    ];
    for (const [request = '', id = ''] of decoys) expect(await text(service, request)).toBe(answer(id, '"result":1'));
    expect(await text(service, '{"__proto__":{"id":4},"jsonrpc":"2.0","method":"eth_chainId"}')).toBe('');
  });

  test('up to 4,096 characters', async () => {
    const { service } = await start();
    for (const id of ['1'.repeat(4096), `"${'a'.repeat(4094)}"`])
      expect(await text(service, ask(id, 'eth_call'))).toBe(answer(id, '"result":1'));
    const refusal = '"error":{"code":-32600,"message":"invalid request: id must have at most 4096 characters"}';
    for (const id of ['1'.repeat(4097), `"${'a'.repeat(4095)}"`, `"${String.raw`\u0041`.repeat(700)}"`])
      expect(await text(service, ask(id, 'eth_call'))).toBe(answer('null', refusal));
  });

  test('even of the requests of a batch that came too late', async () => {
    const node = await startNode(() => TAKEN);
    const service = await startService({
      rpc: { limits: { answerMs: 50 } },
      networks: [{ name: 'one', chainId: 1, upstream: { url: node.url } }],
    });
    const ids = Array.from({ length: 17 }, (_, i) => `${i}.0`);
    const answers = await text(service, `[${ids.map((id) => ask(id, 'eth_call')).join(',')}]`);
    for (const id of ids) expect(answers).toContain(`{"jsonrpc":"2.0","id":${id},"error":`);
  });
});

describe('the parts of any JSON text', () => {
  const blanks = fc.constantFrom(undefined, 1, '\t', ' \n');
  const value = fc.jsonValue({ maxDepth: 4 });

  test('of an object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), blanks, (object, space) => {
        const members = [...membersOf(JSON.stringify(object, undefined, space))];
        expect(Object.fromEntries(members.map(([name, { text: own }]) => [name, JSON.parse(own) as unknown]))).toEqual(
          JSON.parse(JSON.stringify(object)),
        );
      }),
    );
  });

  test('of a list', () => {
    fc.assert(
      fc.property(fc.array(value), blanks, (list, space) => {
        const items = itemsOf(JSON.stringify(list, undefined, space));
        expect(items.map(({ text: own }) => JSON.parse(own) as unknown)).toEqual(JSON.parse(JSON.stringify(list)));
      }),
    );
  });

  test('reassembled', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), fc.dictionary(fc.string(), value), (object, more) => {
        const source = { value: object as unknown, text: JSON.stringify(object) };
        expect(
          JSON.parse(writtenAs([{ ...object, ...more }, object], { value: [object], text: `[${source.text}]` })),
        ).toEqual(JSON.parse(JSON.stringify([{ ...object, ...more }, object])));
      }),
    );
  });
});
