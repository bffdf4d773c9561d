import { testArchive } from '../../support/service/archive';
import { exportFile, hex, makeChain } from '../../support/service/chain';
import { writeFile } from '../../support/service/folder';
import { startNode, type NodeAnswer, type NodeCall } from '../../support/service/node';
import { startService } from '../../support/service/service';
import { honestNode } from '../../support/service/uncle-node';

const NUMBER = 'eth_getUncleByBlockNumberAndIndex';
const HASH = 'eth_getUncleByBlockHashAndIndex';
const COUNT = 'eth_getUncleCountByBlockNumber';
const COUNT_BY_HASH = 'eth_getUncleCountByBlockHash';

const chain = makeChain({ length: 101 });
const block = (number: number) => chain[number]!;
const quantity = (value: number) => `0x${value.toString(16)}`;
const elsewhere = `0x${'77'.repeat(32)}`;

type Options = {
  unknownHistory?: 'null';
  upTo?: number;
  lastPowBlock?: number;
  answer?: NodeAnswer;
};

/** A network whose archive covers blocks 0 to `upTo` of the chain. */
async function network({ upTo, lastPowBlock, unknownHistory, answer }: Options) {
  const archive = testArchive('testnet');
  if (upTo !== undefined) await archive.import(writeFile('chain.rlp', exportFile(chain.slice(0, upTo + 1))));
  const node = answer && (await startNode(answer, 1337));
  const service = await startService(
    {
      networks: [
        {
          name: 'testnet',
          chainId: 1337,
          ...(lastPowBlock === undefined ? {} : { lastPowBlock }),
          ...(unknownHistory ? { unknownHistory } : {}),
          ...(node ? { upstream: { url: node.url } } : {}),
        },
      ],
    },
    { dataDir: archive.dataDir },
  );
  return { ...service, node };
}

const never: NodeAnswer = ({ method }) => {
  throw { code: -1, message: `the node was asked ${method}` };
};

/** A node with the whole chain, whose tags all mean this block. */
const has = (tagged: number): ((asked: NodeCall) => unknown) => {
  const blocks = chain.map(({ number, hash, header, uncles }) => ({
    number,
    hash: hex(hash),
    header: header as Uint8Array[],
    uncles: uncles as Uint8Array[][],
  }));
  const honest = honestNode(blocks);
  return ({ method, params }) => {
    const [name, ...rest] = params as string[];
    return honest({ method, params: [name?.startsWith('0x') ? name : quantity(tagged), ...rest] });
  };
};

describe('a covered block is answered by the archive alone', () => {
  test('with the uncle, null beyond its last, or null if it has none', async () => {
    const { call, node } = await network({ upTo: 100, answer: never });
    expect(await call(NUMBER, quantity(50), '0x1')).toMatchObject({
      result: { number: quantity(49), uncles: [], totalDifficulty: null },
    });
    expect(await call(NUMBER, quantity(50), '0x2')).toMatchObject({ result: null });
    expect(await call(NUMBER, quantity(51), '0x0')).toMatchObject({ result: null });
    expect(await call(HASH, hex(block(50).hash), '0x1')).toMatchObject({ result: { number: quantity(49) } });
    expect(await call(HASH, hex(block(50).hash).toUpperCase().replace('0X', '0x'), '0x2')).toMatchObject({
      result: null,
    });
    expect(await call(HASH, hex(block(51).hash), '0x0')).toMatchObject({ result: null });
    expect(await call(COUNT, quantity(50))).toMatchObject({ result: '0x2' });
    expect(await call(COUNT, quantity(51))).toMatchObject({ result: '0x0' });
    expect(await call(COUNT_BY_HASH, hex(block(50).hash))).toMatchObject({ result: '0x2' });
    expect(await call(COUNT_BY_HASH, hex(block(51).hash))).toMatchObject({ result: '0x0' });
    expect(node?.calls).toEqual([]);
  });

  test('null for an index beyond any list, even after the next block’s uncles were requested', async () => {
    const { call } = await network({ upTo: 100 });
    expect(await call(NUMBER, quantity(50), '0x0')).toMatchObject({ result: { number: quantity(49) } });
    for (const index of ['0xff', '0x100', '0x101', '0xffffffffffffffff'])
      expect(await call(NUMBER, quantity(49), index)).toMatchObject({ result: null });
  });

  test('and the metrics count them', async () => {
    const { metrics } = await network({ upTo: 100 });
    expect(await metrics()).toContain('keystead_rpc_archive_blocks{network="testnet"} 101');
  });

  test('a tag is resolved by the node, but answered by the archive', async () => {
    const { call, node } = await network({ upTo: 100, answer: has(100) });
    expect(await call(NUMBER, 'latest', '0x1')).toMatchObject({ result: { number: quantity(99) } });
    expect(await call(COUNT, 'latest')).toMatchObject({ result: '0x2' });
    const asked = { method: 'eth_getBlockByNumber', params: ['latest', false] };
    expect(node?.calls).toEqual([asked, asked]);
  });

  test('a hash that shares only its first bytes with a block is another block', async () => {
    const { call } = await network({ upTo: 100, lastPowBlock: 100 });
    const nearly = Buffer.from(block(50).hash);
    nearly[31] = nearly[31]! ^ 1;
    expect(await call(HASH, hex(nearly), '0x0')).toMatchObject({ result: null });
    expect(await call(HASH, hex(block(50).hash), '0x0')).toMatchObject({ result: { number: quantity(49) } });
  });

  test('the total difficulty is computed if the operator wants it', async () => {
    const archive = testArchive('testnet');
    await archive.import(writeFile('chain.rlp', exportFile(chain)));
    const networks = [{ name: 'testnet', chainId: 1337, totalDifficulty: 'computed' }];
    const { call } = await startService({ networks }, { dataDir: archive.dataDir });
    expect(await call(NUMBER, quantity(50), '0x1')).toMatchObject({
      result: { totalDifficulty: `0x${block(50).uncleTotals[1]!.toString(16)}` },
    });
  });
});

describe('the rules of the chain answer', () => {
  test('block 0 and every block after proof of work: no uncles, with and without a node', async () => {
    for (const answer of [undefined, never]) {
      const { call } = await network({ lastPowBlock: 1000, ...(answer ? { answer } : {}) });
      for (const name of [
        'earliest',
        '0x0',
        quantity(1001),
        '0x7fffffffffffffff',
        'latest',
        'pending',
        'safe',
        'finalized',
      ])
        expect(await call(NUMBER, name, '0x0')).toMatchObject({ result: null });
      expect(await call(COUNT, 'earliest')).toMatchObject({ result: '0x0' });
    }
  });

  test('a complete archive answers null for any unknown hash', async () => {
    const { call, node } = await network({ upTo: 100, lastPowBlock: 100, answer: never });
    expect(await call(HASH, elsewhere, '0x0')).toMatchObject({ result: null });
    expect(await call(HASH, hex(block(51).hash), '0x0')).toMatchObject({ result: null });
    expect(node?.calls).toEqual([]);
  });
});

describe('a block that is not covered', () => {
  test('without a node: 4444, and the credits are refunded', async () => {
    const { call, used } = await network({ upTo: 50, lastPowBlock: 1000 });
    for (const [method, ...params] of [
      [NUMBER, quantity(51), '0x0'],
      [COUNT, quantity(51)],
      [COUNT, 'latest'],
      [COUNT_BY_HASH, elsewhere],
    ] as const)
      expect(await call(method, ...params)).toMatchObject({
        error: { code: 4444, message: expect.stringMatching(/^pruned history unavailable/) as string },
      });
    expect(await used()).toBe(0);
  });

  test('without a node: null for a number in a gap if the operator chose so', async () => {
    const { call } = await network({ upTo: 50, lastPowBlock: 1000, unknownHistory: 'null' });
    expect(await call(NUMBER, quantity(51), '0x0')).toMatchObject({ result: null });
  });

  test('without a node: null for an unknown hash and for a number above the head', async () => {
    const { call } = await network({ upTo: 50 });
    expect(await call(HASH, elsewhere, '0x0')).toMatchObject({ result: null });
    expect(await call(NUMBER, quantity(51), '0x0')).toMatchObject({ result: null });
  });

  test('without a known head: any number is 4444', async () => {
    const { call } = await network({});
    expect(await call(NUMBER, quantity(51), '0x0')).toMatchObject({ error: { code: 4444 } });
  });

  test('without a known end of proof of work: tags need a node', async () => {
    const { call } = await network({ upTo: 50 });
    expect(await call(NUMBER, 'latest', '0x0')).toMatchObject({ error: { code: 4444 } });
  });

  test('the node has the uncle: it is returned in our shape', async () => {
    const { call, node } = await network({ upTo: 50, lastPowBlock: 1000, answer: has(60) });
    const uncle = { number: quantity(59), totalDifficulty: null, uncles: [] };
    const { result } = await call(NUMBER, quantity(60), '0x0');
    expect(result).toMatchObject(uncle);
    expect(result).not.toHaveProperty('transactions');
    const hash = hex(block(60).hash);
    expect(await call(HASH, hash.toUpperCase().replace('0X', '0x'), '0x1')).toMatchObject({ result: uncle });
    expect(node?.calls).toEqual([
      { method: 'eth_getBlockByNumber', params: [quantity(60), false] },
      { method: HASH, params: [hash, '0x0'] },
      { method: HASH, params: [hash, '0x1'] },
      { method: 'eth_getBlockByHash', params: [hash, false] },
      { method: HASH, params: [hash, '0x0'] },
      { method: HASH, params: [hash, '0x1'] },
    ]);
  });

  test('the last proof-of-work block may have uncles like any before it', async () => {
    const { call } = await network({ upTo: 50, lastPowBlock: 1000 });
    for (const [method, ...index] of [[NUMBER, '0x0'], [COUNT]] as const)
      expect(await call(method, quantity(1000), ...index)).toMatchObject({ error: { code: 4444 } });
  });

  test('the node has no block for the tag: null', async () => {
    const { call, node } = await network({ upTo: 50, answer: () => null });
    expect(await call(NUMBER, 'finalized', '0x0')).toMatchObject({ result: null });
    expect(await call(COUNT, 'finalized')).toMatchObject({ result: null });
    expect(node?.calls.map(({ params }) => params)).toEqual([
      ['finalized', false],
      ['finalized', false],
    ]);
  });

  test('the node has the block, which has no such uncle: null', async () => {
    const { call, node } = await network({ lastPowBlock: 1000, answer: has(60) });
    expect(await call(NUMBER, quantity(60), '0x2')).toMatchObject({ result: null });
    expect(await call(HASH, hex(block(60).hash), '0x2')).toMatchObject({ result: null });
    expect(await call(NUMBER, quantity(61), '0x0')).toMatchObject({ result: null });
    expect(node?.calls.at(-1)).toEqual({ method: 'eth_getBlockByNumber', params: [quantity(61), false] });
  });

  test('the node has only the header left: 4444 if it commits to uncles, null if it commits to none', async () => {
    const { call, used } = await network({
      answer: (asked) => (asked.method === HASH ? null : { ...(has(60)(asked) as object), uncles: [] }),
    });
    expect(await call(NUMBER, quantity(60), '0x1')).toMatchObject({ error: { code: 4444 } });
    expect(await call(COUNT_BY_HASH, hex(block(60).hash))).toMatchObject({ error: { code: 4444 } });
    expect(await used()).toBe(0);
    expect(await call(NUMBER, quantity(61), '0x1')).toMatchObject({ result: null });
    expect(await call(HASH, hex(block(61).hash), '0x1')).toMatchObject({ result: null });
  });

  test('the node does not have a block that must exist: 4444', async () => {
    const { call } = await network({ lastPowBlock: 1000, answer: has(60) });
    expect(await call(NUMBER, quantity(151), '0x0')).toMatchObject({ error: { code: 4444 } });
    expect(await call(COUNT, quantity(151))).toMatchObject({ error: { code: 4444 } });
    expect(await call(COUNT, quantity(1001))).toMatchObject({ result: null });
    expect(await call(HASH, elsewhere, '0x0')).toMatchObject({ result: null });
  });

  test('the node does not have a block below its head: 4444', async () => {
    const { call, used } = await network({
      answer: (asked) => ((asked.params as unknown[])[0] === quantity(51) ? null : has(60)(asked)),
    });
    expect(await call(COUNT, quantity(51))).toMatchObject({ error: { code: 4444 } });
    expect(await call(NUMBER, quantity(51), '0x0')).toMatchObject({ error: { code: 4444 } });
    expect(await used()).toBe(0);
    expect(await call(COUNT, quantity(101))).toMatchObject({ result: null });
    expect(await call(COUNT_BY_HASH, elsewhere)).toMatchObject({ result: null });
  });

  test('the node has pruned it: its 4444 is forwarded', async () => {
    const { call, used } = await network({
      answer: () => {
        throw { code: 4444, message: 'pruned history unavailable' };
      },
    });
    expect(await call(NUMBER, quantity(51), '0x0')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: 4444, message: 'pruned history unavailable' },
    });
    expect(await used()).toBe(0);
  });

  test.each([
    ['BlockOutOfRange', -32602, 'BlockOutOfRangeError: block height is 0 but requested was 51'],
    ['resource not found', -32001, 'Resource not found'],
  ])('a node that says "%s" means null', async (_, code, message) => {
    const { call } = await network({
      answer: (asked) => {
        if ((asked.params as unknown[])[0] === 'latest') return has(50)(asked);
        throw { code, message };
      },
    });
    expect(await call(NUMBER, quantity(151), '0x0')).toMatchObject({ result: null });
    expect(await call(HASH, elsewhere, '0x0')).toMatchObject({ result: null });
  });

  test('another error of the node is forwarded unchanged', async () => {
    const { call, used } = await network({
      answer: () => {
        throw { code: -32000, message: 'header not found', data: { why: 'snap sync' } };
      },
    });
    expect(await call(NUMBER, 'safe', '0x0')).toMatchObject({
      error: { code: -32000, message: 'header not found', data: { why: 'snap sync' } },
    });
    expect(await used()).toBe(150);
  });
});
