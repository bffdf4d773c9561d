import { lies } from '../../../support/service/lies';
import { startNode } from '../../../support/service/node';
import { startService } from '../../../support/service/service';
import {
  honestNode,
  type Lie,
  lyingNode,
  mainnet,
  quantity,
  type RealBlock,
  uncleObject,
} from '../../../support/service/uncle-node';

const CHAIN = 1337;
const chain = mainnet();
/** A block with two uncles; the next has none. */
const nephew = chain[97]!;
const childless = chain[98]!;

const UNCLE = ['eth_getUncleByBlockNumberAndIndex', 'eth_getUncleByBlockHashAndIndex'] as const;
const COUNT = ['eth_getUncleCountByBlockNumber', 'eth_getUncleCountByBlockHash'] as const;

type Question = { method: string; params: string[]; truth: unknown };

function questionsAbout(block: RealBlock): Question[] {
  const names = [quantity(block.number), block.hash];
  const truthOf = (index: number) => {
    const uncle = uncleObject(block, index);
    return uncle && { ...uncle, totalDifficulty: null };
  };
  return names.flatMap((name, i) => [
    ...[0, 1, 5].map((index) => ({ method: UNCLE[i]!, params: [name, quantity(index)], truth: truthOf(index) })),
    { method: COUNT[i]!, params: [name], truth: quantity(block.uncles.length) },
  ]);
}

const questions = [...questionsAbout(nephew), ...questionsAbout(childless)];

type Answer = Parameters<typeof startNode>[0];

async function network(...answers: Answer[]) {
  const nodes = await Promise.all(answers.map((answer) => startNode(answer, CHAIN)));
  const service = await startService({
    networks: [
      {
        name: 'testnet',
        chainId: CHAIN,
        upstream: nodes.map(({ url }) => ({ url })),
        // A node is asked again however often it has failed.
        failover: { failures: 1_000_000 },
      },
    ],
  });
  return { ...service, nodes };
}

/** A node that tells one lie after the other. */
function liar(): { answer: Answer; tell: (lie: Lie) => void } {
  let told: Answer = honestNode(chain);
  return { answer: (...call) => told(...call), tell: (lie) => (told = lyingNode(chain, lie)) };
}

const ALL = lies(chain, nephew);

test('there are at least 40 kinds of lies', () => {
  expect(new Set(ALL.map(({ about, says }) => `${about}: ${says}`)).size).toBe(ALL.length);
  expect(ALL.length).toBeGreaterThanOrEqual(40);
});

test('the honest node is answered with the truth, at the price of a look-up', async () => {
  const service = await network(honestNode(chain));
  for (const { method, params, truth } of questions)
    expect([method, params, (await service.call(method, ...params)).result]).toEqual([method, params, truth]);
  expect(await service.used()).toBe(12 * 150 + 4 * 150);
});

describe.each([...new Set(ALL.map(({ about }) => about))])('%s', (about) => {
  const told = ALL.filter((kind) => kind.about === about);

  test('alone: no answer is wrong, and none without a proof costs anything', async () => {
    const { answer, tell } = liar();
    const service = await network(answer);
    let paid = 0;
    for (const { says, lie } of told) {
      tell(lie);
      for (const { method, params, truth } of questions) {
        const { status, body } = await service.post({ jsonrpc: '2.0', id: 1, method, params });
        const asked = [says, method, params];
        if (status === 200 && 'result' in (body as object)) {
          paid += 150;
          expect([...asked, body]).toEqual([...asked, { jsonrpc: '2.0', id: 1, result: truth }]);
        } else {
          const { code, message } = (body as { error: { code: number; message: string } }).error;
          expect([...asked, status, code]).toEqual([...asked, ...(code === 4444 ? [200, 4444] : [502, -32603])]);
          expect(message).toContain("the network's node");
        }
      }
    }
    expect(await service.used()).toBe(paid);
  });

  test('before an honest node: the truth, paid for once', async () => {
    const { answer, tell } = liar();
    const service = await network(answer, honestNode(chain));
    for (const { says, lie } of told) {
      tell(lie);
      for (const { method, params, truth } of questions) {
        const { result } = await service.call(method, ...params);
        expect([says, method, params, result]).toEqual([says, method, params, truth]);
      }
    }
    expect(await service.used()).toBe(told.length * questions.length * 150);
  });
});
