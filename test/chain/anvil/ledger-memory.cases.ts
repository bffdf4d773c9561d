import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { type Hex } from '../../../src/core/eth/bytes';
import { MAX_LISTED } from '../../../src/core/ledger/history';
import { APPROVAL, TRANSFER_TOPIC } from '../../../src/core/simulation/asset-logs';
import { bundled } from '../../support/bundled';
import { reply, serveJsonRpc } from '../../support/json-rpc-server';

const ACCOUNT: Hex = `0x${'a1'.repeat(20)}`;
const LOGS = 100_000;
const PER_BLOCK = 10;
/** Some nodes answer no more at once. */
const MOST = 2_000;
/** Of each ten logs, one is an approval, four are transfers out, and five are transfers in. */
const POSITIONS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 2];

type Filter = { readonly fromBlock: Hex; readonly toBlock: Hex; readonly topics: readonly unknown[] };

const word = (value: number | Hex): Hex =>
  `0x${(typeof value === 'number' ? value.toString(16) : value.slice(2)).padStart(64, '0')}`;
/** Another one for each number, as hashes are. */
const scattered = (value: number): Hex =>
  word(`0x${(BigInt(value + 1) * 0x9e3779b97f4a7c15f39cc0605cedc834n).toString(16)}`);

/** Each is of a transaction of its own, with a stranger, one of 500 tokens, and an amount of its own. */
function logAt(at: number): object {
  const position = POSITIONS[at % PER_BLOCK];
  const stranger = word(`0x${scattered(at).slice(26)}`);
  const parties = position === 1 ? [word(ACCOUNT), stranger] : [stranger, word(ACCOUNT)];
  return {
    address: `0x${String(at % 500).padStart(40, '0')}`,
    topics: [at % PER_BLOCK === 0 ? APPROVAL : TRANSFER_TOPIC, ...parties],
    data: word(at + 1),
    blockNumber: `0x${Math.floor(at / PER_BLOCK).toString(16)}`,
    blockHash: scattered(at),
    transactionHash: scattered(LOGS + at),
    transactionIndex: '0x0',
    logIndex: `0x${(at % PER_BLOCK).toString(16)}`,
    removed: false,
  };
}

function answerOf({ fromBlock, toBlock, topics }: Filter): object {
  const [first, last] = [Number(fromBlock) * PER_BLOCK, Math.min((Number(toBlock) + 1) * PER_BLOCK, LOGS)];
  const position = topics.length - 1;
  const found: number[] = [];
  for (let at = first; at < last; at++) if (POSITIONS[at % PER_BLOCK] === position) found.push(at);
  return found.length > MOST
    ? { error: { code: -32005, message: `query returned more than ${MOST} results` } }
    : { result: found.map(logAt) };
}

test('the ledger of 100,000 events takes no more than 200 MB', async () => {
  const head = { number: `0x${(LOGS / PER_BLOCK).toString(16)}`, hash: word(1), timestamp: '0x1' };
  const node = await serveJsonRpc(({ id, method, params: [filter] }, response) => {
    const result = method === 'eth_chainId' ? '0x1' : head;
    reply(response, { id, ...(method === 'eth_getLogs' ? answerOf(filter as Filter) : { result }) });
  });
  try {
    const program = bundled('test/support/ledger-program.ts');
    // It ends if what it keeps does not fit.
    const options = ['--max-old-space-size=64'];
    const { stdout } = await promisify(execFile)(process.execPath, [...options, program, node.url, ACCOUNT]);
    const { kilobytes, seconds, ...made } = JSON.parse(stdout) as Record<string, number>;
    console.log(`${Math.round(kilobytes! / 1024)} MB, ${seconds} s of processor time`);
    expect(made).toEqual({
      found: LOGS,
      searched: [`0 to ${LOGS / PER_BLOCK}`],
      history: [MAX_LISTED, LOGS / PER_BLOCK - 1],
      permissions: LOGS / 10,
      holdings: 250,
      spent: 200,
    });
    expect(kilobytes! / 1024).toBeLessThan(200);
  } finally {
    await node.stop();
  }
});
