import { readFileSync } from 'node:fs';

import { testArchive } from '../../../support/service/archive';
import { exportFile } from '../../../support/service/chain';
import { dataFile, writeFile } from '../../../support/service/folder';
import { type NodeAnswer, startNode, TAKEN } from '../../../support/service/node';
import { startService } from '../../../support/service/service';
import {
  allForks,
  blockObject,
  type BlockObject,
  FORMS,
  honestNode,
  type Lie,
  lyingNode,
  mainnet,
  quantity,
  type RealBlock,
  uncleObject,
  withOwnHash,
} from '../../../support/service/uncle-node';

const CHAIN = 1337;
const UNCLE = 'eth_getUncleByBlockNumberAndIndex';
const UNCLE_BY_HASH = 'eth_getUncleByBlockHashAndIndex';
const COUNT = 'eth_getUncleCountByBlockNumber';
const COUNT_BY_HASH = 'eth_getUncleCountByBlockHash';

type Options = {
  lastPowBlock?: number;
  provenHeaders?: boolean;
  /** Blocks of the archive. */
  archived?: readonly RealBlock[];
  methods?: string[][];
};

async function network(answers: NodeAnswer[], { archived, methods, ...options }: Options = {}) {
  const nodes = await Promise.all(answers.map((answer) => startNode(answer, CHAIN)));
  const archive = testArchive('testnet');
  if (archived) {
    const blocks = archived.map(({ header, uncles }) => ({
      header: [...header],
      uncles: uncles.map((each) => [...each]),
    }));
    await archive.import(writeFile('chain.rlp', exportFile(blocks)));
  }
  const upstream = nodes.map(({ url }, i) => ({ url, ...(methods?.[i] ? { methods: methods[i] } : {}) }));
  const service = await startService(
    {
      networks: [
        { name: 'testnet', chainId: CHAIN, ...options, upstream, failover: { failures: 1_000_000, checkMs: 600_000 } },
      ],
    },
    { dataDir: archive.dataDir },
  );
  /** The trips to a node since the last call, without checks. */
  const tripsTo = (i: number) => {
    const trips = nodes[i]!.trips.splice(0);
    return trips.filter(([method]) => method !== 'eth_chainId' && method !== 'eth_blockNumber');
  };
  return { ...service, nodes, tripsTo };
}

const ours = (uncle: BlockObject | null) => {
  const { author: _, sealFields: __, transactions: ___, ...rest } = { ...uncle };
  return { ...rest, totalDifficulty: null };
};

const chain = mainnet();
const forks = allForks();
const nephew = chain[97]!;
const withoutUncles = chain[98]!;
const name = (block: RealBlock) => quantity(block.number);

describe('honest nodes of every kind, with real blocks of every fork', () => {
  test.each(Object.entries(FORMS))('%s', async (_, form) => {
    const { call } = await network([honestNode(forks, form)]);
    for (const block of forks) {
      const uncle = block.uncles.length > 0 ? ours(uncleObject(block, 0)) : null;
      expect([block.number, (await call(UNCLE, name(block), '0x0')).result]).toEqual([block.number, uncle]);
      expect((await call(COUNT_BY_HASH, block.hash)).result).toBe(quantity(block.uncles.length));
    }
    for (const [i] of nephew.uncles.entries()) {
      const { call: ask } = await network([honestNode(chain, form)]);
      expect((await ask(UNCLE_BY_HASH, nephew.hash, quantity(i))).result).toEqual(ours(uncleObject(nephew, i)));
    }
  });

  const facts = JSON.parse(readFileSync(dataFile('header-facts.json'), 'utf8')) as {
    fork: string;
    header: BlockObject;
  }[];

  test.each(facts)('a block after $fork, with members that no fork has yet', async ({ header }) => {
    const block = { ...header, uncles: [], withdrawals: [], futureRoot: '0x1234' };
    const { call } = await network([({ params }) => ((params as unknown[])[0] === header['hash'] ? block : null)]);
    expect(await call(COUNT_BY_HASH, header['hash'])).toMatchObject({ result: '0x0' });
    expect(await call(UNCLE_BY_HASH, header['hash'], '0x0')).toMatchObject({ result: null });
  });

  test.each(facts)('a block after $fork that is changed in any member of its header is refused', async ({ header }) => {
    let member = '';
    const { call } = await network([
      () => {
        const digits = String(header[member]);
        return { ...header, [member]: `${digits.slice(0, -1)}${digits.endsWith('1') ? '2' : '1'}` };
      },
    ]);
    for (member of Object.keys(header).filter((each) => each !== 'hash' && header[each] !== '0x'))
      expect([member, (await call(COUNT_BY_HASH, header['hash'])).error?.code]).toEqual([member, -32603]);
  });
});

describe('requests to a node', () => {
  test('two round trips if there are uncles, however many; one if there are none', async () => {
    const { call, tripsTo } = await network([honestNode(chain)]);
    await call(UNCLE, name(nephew), '0x1');
    expect(tripsTo(0)).toEqual([['eth_getBlockByNumber'], [UNCLE_BY_HASH, UNCLE_BY_HASH]]);
    await call(COUNT_BY_HASH, nephew.hash);
    expect(tripsTo(0)).toEqual([['eth_getBlockByHash'], [UNCLE_BY_HASH, UNCLE_BY_HASH]]);
    await call(UNCLE, name(withoutUncles), '0x0');
    await call(COUNT_BY_HASH, withoutUncles.hash);
    expect(tripsTo(0)).toEqual([['eth_getBlockByNumber'], ['eth_getBlockByHash']]);
    expect(await call(UNCLE, '0x400', '0x0')).toMatchObject({ result: null });
    expect(tripsTo(0)).toEqual([['eth_getBlockByNumber'], ['eth_getBlockByNumber']]);
  });

  test('the same question while the answer is on its way is one check, and each is paid for', async () => {
    const waiting: (() => void)[] = [];
    const honest = honestNode(chain);
    const { call, used, nodes } = await network([
      (asked, response) => {
        waiting.push(() => response.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, result: honest(asked) })));
        return TAKEN;
      },
    ]);
    const asked = [
      call(UNCLE, name(withoutUncles), '0x0'),
      call(UNCLE, name(withoutUncles), '0x1'),
      call(COUNT, name(withoutUncles)),
    ];
    // The last of the three has been charged by now.
    while ((await used()) < 380 || waiting.length === 0) await new Promise(setImmediate);
    for (const answer of waiting) answer();
    expect((await Promise.all(asked)).map(({ result }) => result)).toEqual([null, null, '0x0']);
    expect(nodes[0]!.calls).toHaveLength(1);
    const again = call(COUNT, name(withoutUncles));
    while (waiting.length < 2) await new Promise(setImmediate);
    waiting[1]!();
    expect(await again).toMatchObject({ result: '0x0' });
  });

  test('go to the nodes that an operator lists for uncles', async () => {
    const { call, nodes } = await network([honestNode(chain), honestNode(chain)], { methods: [['eth_call'], [COUNT]] });
    expect(await call(UNCLE_BY_HASH, nephew.hash, '0x0')).toMatchObject({ result: { number: '0x5e' } });
    expect(nodes[0]!.calls.map(({ method }) => method).filter((method) => method !== 'eth_blockNumber')).toEqual([]);
  });
});

describe('a node whose answer is unproven', () => {
  const invents: Lie = ({ method }, honest) => (method === UNCLE_BY_HASH ? { hello: 'world' } : honest);

  test('is named in the log and counted, and the client is told', async () => {
    const { post, used, logged, metrics, nodes } = await network([lyingNode(chain, invents)]);
    const reply = await post({ jsonrpc: '2.0', id: 1, method: UNCLE, params: [name(nephew), '0x0'] });
    const message = "the network's node sent a block whose hash is not a hash of 32 bytes";
    expect(reply).toMatchObject({ status: 502, body: { error: { code: -32603, message } } });
    expect(await used()).toBe(0);
    const { host } = new URL(nodes[0]!.url);
    const lines = logged()
      .split('\n')
      .filter((line) => line.includes(message) && line.includes('"flaw"'));
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { network: 'testnet', node: host, flaw: 'shape', level: 40 },
    ]);
    expect(await metrics()).toContain(
      `keystead_rpc_unproven_answers_total{network="testnet",node="${host}",flaw="shape"} 1`,
    );
  });

  test('that has pruned the uncles is passed over for one that has them', async () => {
    const pruned: Lie = ({ method }, honest) => {
      if (method === UNCLE_BY_HASH) throw { code: 4444, message: 'pruned history unavailable' };
      return honest;
    };
    const { call } = await network([lyingNode(chain, pruned), honestNode(chain)]);
    expect(await call(UNCLE, name(nephew), '0x0')).toMatchObject({ result: { number: '0x5e' } });
    const alone = await network([lyingNode(chain, pruned)]);
    expect(await alone.call(UNCLE, name(nephew), '0x0')).toMatchObject({
      error: { code: 4444, message: 'pruned history unavailable' },
    });
  });

  test('another error of a node is forwarded', async () => {
    const fails: Lie = ({ method }, honest) => {
      if (method === UNCLE_BY_HASH) throw { code: -32000, message: 'missing trie node' };
      return honest;
    };
    const { call } = await network([lyingNode(chain, fails), honestNode(chain)]);
    expect(await call(UNCLE, name(nephew), '0x0')).toMatchObject({ error: { code: -32000 } });
  });

  test('a block longer than any block is refused', async () => {
    const long: Lie = ({ method }, honest) =>
      method.startsWith('eth_getBlock') ? { ...(honest as object), transactions: 'x'.repeat(9 << 20) } : honest;
    const { call } = await network([lyingNode(chain, long)]);
    expect(await call(COUNT_BY_HASH, nephew.hash)).toMatchObject({
      error: { message: "the network's node sent a response that is too large" },
    });
  });
});

describe('what the hash of a block does not prove', () => {
  /** A whole block that nobody mined, with an uncle that nobody mined either. */
  const inventedBlock = withOwnHash({ ...blockObject(chain[96]!), number: name(nephew), extraData: '0x11' });
  const invents: Lie = ({ method }, honest) => (method.startsWith('eth_getBlockBy') ? inventedBlock : honest);
  const deniesAll: Lie = ({ method, params }, honest) =>
    (params as unknown[])[0] === 'latest' || method === 'eth_blockNumber' ? honest : null;
  const staleHead: Lie = ({ method, params }) =>
    method === 'eth_blockNumber' ? '0x5' : (params as unknown[])[0] === 'latest' ? blockObject(chain[5]!) : null;

  test('a block by number is the word of a single node', async () => {
    const { call } = await network([lyingNode(chain, invents)]);
    expect(await call(COUNT, name(nephew))).toMatchObject({ result: '0x0' });
  });

  test('a second node must have it, too', async () => {
    for (const answers of [
      [lyingNode(chain, invents), honestNode(chain)],
      [honestNode(chain), lyingNode(chain, invents)],
    ]) {
      const { call, used, tripsTo } = await network(answers);
      expect(await call(COUNT, name(nephew))).toMatchObject({
        error: { code: -32603, message: "the network's node and another one do not agree on block 0x61" },
      });
      expect(await used()).toBe(0);
      tripsTo(0);
      expect(await call(COUNT_BY_HASH, nephew.hash)).toMatchObject({ result: '0x2' });
    }
  });

  test('of three nodes, two that agree are believed', async () => {
    const { call } = await network([lyingNode(chain, invents), honestNode(chain), honestNode(chain)]);
    expect(await call(UNCLE, name(nephew), '0x1')).toMatchObject({ result: ours(uncleObject(nephew, 1)) });
  });

  test('a second node adds no round trip', async () => {
    const { call, tripsTo } = await network([honestNode(chain), honestNode(chain)]);
    await call(UNCLE, name(nephew), '0x0');
    expect(tripsTo(0)).toHaveLength(2);
    expect(tripsTo(1)).toEqual([['eth_getBlockByNumber']]);
    await call(UNCLE_BY_HASH, nephew.hash, '0x0');
    expect(tripsTo(1)).toEqual([]);
  });

  test('a second node that cannot answer has no say', async () => {
    const broken: NodeAnswer = ({ method }) => {
      if (method === 'eth_blockNumber') return quantity(670);
      throw { code: -32000, message: 'still indexing' };
    };
    const { call } = await network([honestNode(chain), broken]);
    expect(await call(COUNT, name(nephew))).toMatchObject({ result: '0x2' });
  });

  test('a second node that has pruned the block has no say', async () => {
    const { call } = await network([honestNode(chain), lyingNode(chain, deniesAll)]);
    expect(await call(COUNT, name(nephew))).toMatchObject({ result: '0x2' });
  });

  test('a second node that has not got so far refuses the block', async () => {
    const { call } = await network([honestNode(chain), honestNode(chain.slice(0, 90))]);
    expect(await call(COUNT, name(nephew))).toMatchObject({ error: { code: -32603 } });
  });

  test('that a hash is no block’s: another node is asked', async () => {
    const { call, logged } = await network([lyingNode(chain, deniesAll), honestNode(chain)]);
    expect(await call(UNCLE_BY_HASH, nephew.hash, '0x0')).toMatchObject({ result: { number: '0x5e' } });
    expect(logged()).toContain(`does not have block ${nephew.hash}, but another one has`);
    expect(await call(UNCLE_BY_HASH, `0x${'12'.repeat(32)}`, '0x0')).toMatchObject({ result: null });
  });

  test('that a number is above the head: another node is asked', async () => {
    const { call } = await network([lyingNode(chain, staleHead), honestNode(chain)]);
    expect(await call(COUNT, name(nephew))).toMatchObject({ error: { code: -32603 } });
    expect(await call(COUNT, '0x29f')).toMatchObject({ result: null });
    const alone = await network([lyingNode(chain, staleHead)]);
    expect(await alone.call(COUNT, name(nephew))).toMatchObject({ result: null });
  });

  test('the block of a tag, whose uncles are proven all the same', async () => {
    const at97 = chain.slice(0, 98);
    const { call, tripsTo } = await network([honestNode(at97), honestNode(chain)]);
    expect(await call(UNCLE, 'latest', '0x1')).toMatchObject({ result: ours(uncleObject(nephew, 1)) });
    expect(tripsTo(1)).toEqual([]);
    const lying = await network([lyingNode(at97, invents)]);
    expect(await lying.call(COUNT, 'safe')).toMatchObject({ result: '0x0' });
  });

  test('there is no finalized block, but always a latest one', async () => {
    const { call } = await network([() => null]);
    expect(await call(COUNT, 'finalized')).toMatchObject({ result: null });
    expect(await call(COUNT, 'latest')).toMatchObject({
      error: { code: -32603, message: "the network's node sent no latest block" },
    });
  });

  test('a pending block has no hash: only its list of uncles is checked', async () => {
    const pending: Lie = ({ method }, honest) =>
      method.startsWith('eth_getBlock') ? { ...(honest as object), hash: null, nonce: null, miner: null } : honest;
    const at97 = chain.slice(0, 98);
    const { call, tripsTo } = await network([lyingNode(at97, pending)]);
    expect(await call(UNCLE, 'pending', '0x1')).toMatchObject({ result: ours(uncleObject(nephew, 1)) });
    expect(tripsTo(0)).toEqual([['eth_getBlockByNumber'], [UNCLE, UNCLE]]);
    expect(await call(COUNT, 'latest')).toMatchObject({ error: { code: -32603 } });
    const childless = await network([lyingNode(chain.slice(0, 99), pending)]);
    expect(await childless.call(COUNT, 'pending')).toMatchObject({ result: '0x0' });
  });
});

describe('the archive', () => {
  const archived = chain.slice(0, 97);
  const ownParent: Lie = ({ method, params }, honest) =>
    method.startsWith('eth_getBlockBy') && String((params as unknown[])[0]).length < 66
      ? withOwnHash({ ...(honest as BlockObject), parentHash: `0x${'77'.repeat(32)}` })
      : honest;

  test('the block after it must follow it', async () => {
    const { call, used } = await network([lyingNode(chain, ownParent)], { archived });
    expect(await call(UNCLE, name(nephew), '0x0')).toMatchObject({
      error: { message: "the network's node sent a block that does not follow the last block of the archive" },
    });
    expect(await used()).toBe(0);
    expect(await call(COUNT_BY_HASH, nephew.hash)).toMatchObject({ result: '0x2' });
  });

  test('the block before it must be the one that it follows, which needs no second node', async () => {
    const other: Lie = (call, honest) =>
      call.method.startsWith('eth_getBlockBy')
        ? withOwnHash({ ...(honest as BlockObject), extraData: '0x11' })
        : honest;
    const { call } = await network([lyingNode(chain, other)], { archived: chain.slice(98) });
    expect(await call(COUNT, name(nephew))).toMatchObject({
      error: { message: "the network's node sent another block of this number than the archive has" },
    });
    const honest = await network([honestNode(chain), lyingNode(chain, other)], { archived: chain.slice(98) });
    expect(await honest.call(COUNT, name(nephew))).toMatchObject({ result: '0x2' });
    expect(honest.tripsTo(1)).toEqual([]);
  });

  test('a tag that means one of its blocks must have its hash', async () => {
    const head = archived.at(-1)!;
    const other: Lie = (_, honest) => withOwnHash({ ...(honest as BlockObject), extraData: '0x11' });
    const { call } = await network([lyingNode(archived, other)], { archived });
    expect(await call(COUNT, 'latest')).toMatchObject({ error: { code: -32603 } });
    const honest = await network([honestNode(archived)], { archived });
    expect(await honest.call(COUNT, 'latest')).toMatchObject({ result: quantity(head.uncles.length) });
    expect(honest.tripsTo(0)).toHaveLength(1);
  });
});

test('a block after the last that could have uncles has none', async () => {
  const { call } = await network([honestNode(chain)], { lastPowBlock: 96 });
  expect(await call(COUNT, name(nephew))).toMatchObject({
    error: { message: "the network's node sent a block with uncles after the last block that could have any" },
  });
  expect(await call(COUNT, name(withoutUncles))).toMatchObject({ result: '0x0' });
});

describe('a network whose blocks have other hashes', () => {
  /** As nodes of such chains do, it hashes what it does not show. */
  const hashOf = (block: RealBlock) => `0x${block.hash.slice(4)}ff`;
  const own = chain.slice(0, 98).map((block) => ({ ...block, hash: hashOf(block) }));
  const renamed: Lie = ({ method, params }, honest) => {
    if (typeof honest !== 'object' || honest === null || !method.startsWith('eth_getBlockBy')) return honest;
    const block = own.find((each) => [each.hash, name(each)].includes(String((params as unknown[])[0]))) ?? own.at(-1)!;
    return { ...honest, hash: block.hash };
  };

  test('is refused, unless the operator says that they are not proven', async () => {
    const strict = await network([lyingNode(own, renamed)]);
    expect(await strict.call(UNCLE, name(nephew), '0x1')).toMatchObject({
      error: { message: "the network's node sent a block whose hash is not that of its header" },
    });
    const { call } = await network([lyingNode(own, renamed)], { provenHeaders: false });
    const uncle = ours(uncleObject(nephew, 1));
    expect(await call(UNCLE, name(nephew), '0x1')).toMatchObject({ result: uncle });
    expect(await call(UNCLE_BY_HASH, hashOf(nephew), '0x1')).toMatchObject({ result: uncle });
    expect(await call(UNCLE_BY_HASH, hashOf(nephew), '0x2')).toMatchObject({ result: null });
    expect(await call(COUNT, name(nephew))).toMatchObject({ result: '0x2' });
  });

  test('even there, a block that is none, or another one, is refused', async () => {
    for (const answer of [{}, { hello: 'world' }, 5, { ...blockObject(nephew), hash: `0x${'77'.repeat(32)}` }]) {
      const { call } = await network([() => answer], { provenHeaders: false });
      expect(await call(UNCLE_BY_HASH, nephew.hash, '0x0')).toMatchObject({ error: { code: -32603 } });
    }
    const swapped: Lie = (call, honest) =>
      call.method === UNCLE_BY_HASH
        ? uncleObject(nephew, 1 - Number((call.params as string[])[1]))
        : renamed(call, honest);
    const { call } = await network([lyingNode(own, swapped)], { provenHeaders: false });
    expect(await call(UNCLE_BY_HASH, hashOf(nephew), '0x0')).toMatchObject({ error: { code: -32603 } });
  });
});
