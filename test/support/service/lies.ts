import { TAKEN } from './node';
import { type BlockObject, keccakOf, type Lie, quantity, type RealBlock, uncleObject, withOwnHash } from './uncle-node';

/** A lie of a node about a block with two uncles, or about the one after it, which has none. */
export type KindOfLie = { about: string; says: string; lie: Lie };

const EMPTY = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';
const OTHER = `0x${'77'.repeat(32)}`;

const isObject = (value: unknown): value is BlockObject => typeof value === 'object' && value !== null;
const aboutBlocks = (method: string) => method.startsWith('eth_getBlockBy');
const aboutUncles = (method: string) => method.startsWith('eth_getUncleBy');
const aboutCounts = (method: string) => method.startsWith('eth_getUncleCountBy');
const aboutHead = (params: unknown) => (params as unknown[])[0] === 'latest';

const block =
  (change: (block: BlockObject) => unknown): Lie =>
  ({ method, params }, honest) =>
    aboutBlocks(method) && !aboutHead(params) && isObject(honest) ? change(honest) : honest;
const uncle =
  (change: (uncle: BlockObject, index: number) => unknown): Lie =>
  ({ method, params }, honest) =>
    aboutUncles(method) && isObject(honest) ? change(honest, Number((params as string[])[1])) : honest;
const anyUncle =
  (answer: (index: number) => unknown): Lie =>
  ({ method, params }, honest) =>
    aboutUncles(method) ? answer(Number((params as string[])[1])) : honest;
const count =
  (answer: unknown): Lie =>
  ({ method }, honest) =>
    aboutCounts(method) ? answer : honest;
/** The node has no block, no uncle and no count; of its head it says this. */
const denial =
  (head: (honest: unknown) => unknown): Lie =>
  ({ method, params }, honest) =>
    aboutBlocks(method) && aboutHead(params) ? head(honest) : null;
/** Writes the answer to a batch itself. */
const batch =
  (change: (answers: { id: unknown }[]) => unknown): Lie =>
  (call, honest) => {
    const { body, response } = call;
    if (!body.startsWith('[') || !response) return honest;
    const requests = JSON.parse(body) as { id: unknown }[];
    const answers = requests.map(({ id }) => ({ jsonrpc: '2.0', id, result: honest }));
    if (!response.headersSent) response.writeHead(200).end(JSON.stringify(change(answers)));
    return TAKEN;
  };
const set = (name: string, value: unknown) => (object: BlockObject) => ({ ...object, [name]: value });
const setWithOwnHash = (name: string, value: unknown) => (object: BlockObject) => withOwnHash(set(name, value)(object));

/**
 * Lies that a node cannot prove. Without a second node none may be answered with a wrong result; with one, none may
 * keep the right result from the client.
 *
 * @param chain - Blocks with these uncles.
 * @param nephew - A block with two uncles. The next has none.
 */
export function lies(chain: readonly RealBlock[], nephew: RealBlock): KindOfLie[] {
  const at = (number: number) => chain.find((each) => each.number === number)!;
  const [first, second] = [uncleObject(nephew, 0)!, uncleObject(nephew, 1)!];
  const foreign = uncleObject(
    chain.find(({ number, uncles }) => number !== nephew.number && uncles.length > 0)!,
    0,
  )!;
  const before = at(nephew.number - 1);
  const asUncle = uncleObject({ ...nephew, uncles: [before.header] }, 0)!;
  const invented = withOwnHash({ ...first, miner: `0x${'66'.repeat(20)}` });
  const twice = { ...first, uncles: [] };
  const otherBlock = (distance: number) =>
    block(() => {
      const { header, uncles } = at(nephew.number + distance);
      return {
        ...uncleObject({ ...nephew, uncles: [header] }, 0),
        transactions: [],
        uncles: uncles.map((each) => keccakOf([...each])),
      };
    });
  const kinds = (about: string, ...some: [says: string, lie: Lie][]): KindOfLie[] =>
    some.map(([says, lie]) => ({ about, says, lie }));
  return [
    ...kinds(
      'shape',
      ['an uncle is {"hello":"world"}', uncle(() => ({ hello: 'world' }))],
      ['an uncle is {}', anyUncle(() => ({}))],
      ['an uncle is a string', uncle(() => '0x1')],
      ['an uncle is a list', uncle((each) => [each])],
      ['an uncle is true', anyUncle(() => true)],
      ['an uncle has no state root', uncle(set('stateRoot', undefined))],
      ['an uncle has no miner', uncle(set('miner', null))],
      ['an uncle’s hash has 31 bytes', uncle((each) => ({ ...each, hash: String(each['hash']).slice(0, -2) }))],
      ['an uncle’s bloom is cut', uncle((each) => ({ ...each, logsBloom: String(each['logsBloom']).slice(0, 100) }))],
      ['an uncle’s gas is no number', uncle(set('gasUsed', 'none'))],
      ['a block is {}', block(() => ({}))],
      ['a block is {"hello":"world"}', block(() => ({ hello: 'world' }))],
      ['a block is true', block(() => true)],
      ['a block has no sha3Uncles', block(set('sha3Uncles', undefined))],
      ['a block’s number is a JSON number', block(set('number', nephew.number))],
      ['a count is {"a":1}', count({ a: 1 })],
      ['a count is 5', count(5)],
    ),
    ...kinds(
      'number',
      ['the block before', otherBlock(-1)],
      ['the block after', otherBlock(1)],
      ['the right block under another number', block(set('number', '0x5'))],
      ['a count is one too many', count('0x3')],
      ['a count is zero', count('0x0')],
    ),
    ...kinds(
      'hash',
      ['the block has another timestamp', block(set('timestamp', '0x5'))],
      ['the block has another state root', block(set('stateRoot', OTHER))],
      ['the block has other extra data', block(set('extraData', '0x6869'))],
      ['the block claims another hash', block(set('hash', OTHER))],
      ['an uncle has another miner', uncle(set('miner', `0x${'66'.repeat(20)}`))],
      ['an uncle has another miner, and its hash fits', uncle(setWithOwnHash('miner', `0x${'66'.repeat(20)}`))],
      ['an uncle has another number', uncle(set('number', '0x5'))],
      ['an uncle claims another hash', uncle(set('hash', OTHER))],
      ['an uncle of a later fork', uncle(setWithOwnHash('baseFeePerGas', '0x7'))],
    ),
    ...kinds(
      'parent',
      ['the block has another parent', block(set('parentHash', OTHER))],
      ['an uncle has another parent', uncle(set('parentHash', OTHER))],
      ['an uncle has another parent, and its hash fits', uncle(setWithOwnHash('parentHash', OTHER))],
    ),
    ...kinds(
      'list of uncles',
      ['an invented uncle at every index', anyUncle(() => invented)],
      ['the first uncle at every index', anyUncle(() => first)],
      ['both uncles, swapped', anyUncle((index) => [second, first][index] ?? null)],
      ['the uncle of another block', anyUncle(() => foreign)],
      ['a block of the chain as an uncle', uncle(() => asUncle)],
      [
        'only the first uncle',
        (call, honest) =>
          aboutUncles(call.method)
            ? ([first][Number((call.params as string[])[1])] ?? null)
            : block((each) => ({ ...each, uncles: [first['hash']] }))(call, honest),
      ],
      [
        'only the second uncle',
        (call, honest) =>
          aboutUncles(call.method)
            ? ([second][Number((call.params as string[])[1])] ?? null)
            : block((each) => ({ ...each, uncles: [second['hash']] }))(call, honest),
      ],
      [
        'a third uncle',
        (call, honest) =>
          aboutUncles(call.method)
            ? ([first, second, twice][Number((call.params as string[])[1])] ?? null)
            : block((each) => ({ ...each, uncles: [first['hash'], second['hash'], first['hash']] }))(call, honest),
      ],
      ['300 uncles', block((each) => ({ ...each, uncles: Array.from({ length: 300 }, () => first['hash']) }))],
      ['no uncle has a hash', block(set('uncles', []))],
      ['the block has no uncles, it says', block((each) => ({ ...each, uncles: [], sha3Uncles: EMPTY }))],
      [
        'a block without uncles has some, it says',
        block((each) => ({ ...each, uncles: [first['hash']], sha3Uncles: keccakOf([[...nephew.uncles[0]!]]) })),
      ],
      ['the first uncle is null', anyUncle((index) => [null, second][index] ?? null)],
      ['the second uncle is null', anyUncle((index) => [first][index] ?? null)],
      ['every uncle is null', anyUncle(() => null)],
      [
        'every uncle is null, and the block is {}',
        (call, honest) => (aboutUncles(call.method) ? null : block(() => ({}))(call, honest)),
      ],
    ),
    ...kinds(
      'denial by number',
      [
        'no such block, although the head is later',
        (call, honest) =>
          '0x' + nephew.number.toString(16) === (call.params as string[])[0] ||
          quantity(nephew.number + 1) === (call.params as string[])[0]
            ? null
            : honest,
      ],
      [
        'no such block, and the head is {}',
        (call, honest) => ((call.params as string[])[0]!.length === 66 ? honest : denial(() => ({}))(call, honest)),
      ],
      [
        'no such block, and no head',
        (call, honest) => ((call.params as string[])[0]!.length === 66 ? honest : denial(() => null)(call, honest)),
      ],
      [
        'no such block, and a head that is cut',
        (call, honest) =>
          (call.params as string[])[0]!.length === 66
            ? honest
            : denial((head) => ({ ...(head as BlockObject), number: '0x5' }))(call, honest),
      ],
    ),
    ...kinds(
      'batch',
      ['one answer for all', batch(([one]) => one)],
      ['one answer is missing', batch((answers) => answers.slice(1))],
      ['one answer twice', batch(([one]) => [one, one])],
      ['answers to other requests', batch((answers) => answers.map((each) => ({ ...each, id: 1e6 })))],
      ['an empty list', batch(() => [])],
    ),
  ];
}
