import { constants } from 'node:buffer';
import { join } from 'node:path';

import { pino } from 'pino';
import { Registry } from 'prom-client';

import { Admission } from '../../../src/service/admission/admission';
import { loadKeccak } from '../../../src/service/chain/archive/hashing';
import { parseConfig } from '../../../src/service/cli/config';
import { Meter } from '../../../src/service/chain/credits/meter';
import { priceList } from '../../../src/service/chain/credits/prices';
import { openSqliteLedger } from '../../../src/service/chain/credits/sqlite';
import { utcDay, type CreditLedger } from '../../../src/service/chain/credits';
import type { Answer } from '../../../src/service/chain/caller';
import { Dispatcher } from '../../../src/service/chain/dispatch';
import { historyUnavailable, RpcError } from '../../../src/service/chain/errors';
import { JsonText, piecesOf } from '../../../src/service/chain/json-text';
import { RefusalLog } from '../../../src/service/runtime/refusal-log';
import { rpcMetrics } from '../../../src/service/chain/metrics';
import { MemoryFilters } from '../../../src/service/chain/filters/filter-store';
import { Network } from '../../../src/service/chain/network';
import { makeFolder } from '../../support/service/folder';
import { testWithinOneDay } from '../../support/service/one-day';

const AMPLE = { requests: 1, answers: 2 ** 30, allAnswers: 2 ** 30 };

const { MAX_STRING_LENGTH } = constants;
const INTERNAL = '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"internal error"}}';
const DAILY = 1000;

/** A dispatcher whose network's node answers `result`, and a key with credits for twelve requests. */
async function setUp(result: () => Promise<string>) {
  const { networks, credits } = parseConfig({
    credits: { daily: DAILY },
    networks: [{ name: 'a', chainId: 5, upstream: { url: 'http://127.0.0.1:1' } }],
  });
  const registry = new Registry();
  const metrics = rpcMetrics(registry);
  const dataDir = makeFolder();
  const network = new Network(networks[0]!, dataDir, await loadKeccak(), metrics, pino({ level: 'silent' }), {
    store: new MemoryFilters(),
    keyFilters: 1,
  });
  jest.spyOn(network, 'ask').mockImplementation(async () => {
    const text = await result();
    return { value: text, text };
  });
  const ledger: CreditLedger = openSqliteLedger(join(dataDir, 'credits.sqlite'));
  const meter = new Meter(ledger, priceList(credits));
  const log = pino({ level: 'silent' });
  const limits = { batchItems: 100, answerMs: 60_000 };
  const dispatcher = new Dispatcher(meter, metrics, { log, refusals: new RefusalLog(log) }, limits, {
    count: () => undefined,
  });
  const identity = { id: 'a', name: '', dailyCredits: undefined };
  const request = (id: number) => ({ jsonrpc: '2.0', id, method: 'eth_getLogs', params: [] });
  return {
    dispatcher,
    /** Sends `count` requests as one body. @returns The start of each answer, of which there must be one. */
    ask: async (count: number, answers: Answer[] = [], deadline = Infinity): Promise<Answer[]> => {
      const asked = count === 1 ? request(1) : Array.from({ length: count }, (_, i) => request(i + 1));
      await new Promise<void>((resolve) => {
        const client = new Admission(AMPLE, (exceeded) => new Error(exceeded)).client('a');
        const caller = {
          network,
          identity,
          transport: 'http',
          trace: { request: 'a', began: 0, key: '' },
          origin: undefined,
          client,
          deadline,
          memory: client.answer(),
        } as const;
        dispatcher.body(caller, { value: asked, text: JSON.stringify(asked), lengths: [] }, (answer) => {
          answers.push({ ...answer, body: answer.body && String(piecesOf(answer.body)[0]).slice(0, 200) });
          resolve();
        });
      });
      return answers;
    },
    used: () => ledger.used('a', utcDay(Date.now())),
    refunded: async () => /^keystead_rpc_refunded_credits_total\{.*\} (\d+)$/mu.exec(await registry.metrics())?.[1],
    close: async () => {
      network.close();
      await ledger.close();
    },
  };
}

testWithinOneDay(
  'answers that are too long to be joined into one text become one internal error, which is free',
  async () => {
    // Half as long as a string can be. It takes no memory until it is written; a node's would take gigabytes.
    const text = 'x'.repeat(1 << 28);
    const { ask, used, refunded, close } = await setUp(() => Promise.resolve(text));
    expect(await ask(2)).toEqual([{ body: INTERNAL, status: 500, spent: false }]);
    expect([await used(), await refunded()]).toEqual([0, '160']);
    await close();
  },
);

for (const [what, count, length, body] of [
  ['an answer', 1, MAX_STRING_LENGTH - 300, INTERNAL.replace('null', '1')],
  ['a batch', 2, (MAX_STRING_LENGTH >> 1) - 300, INTERNAL],
] as const)
  testWithinOneDay(`${what} without room for the head of its message is a free internal error`, async () => {
    const text = 'x'.repeat(length);
    const { ask, used, close } = await setUp(() => Promise.resolve(text));
    expect(await ask(count)).toEqual([{ body, status: 500, spent: false }]);
    expect(await used()).toBe(0);
    await close();
  });

for (const room of [50, 300])
  testWithinOneDay(
    `an error of the node that leaves ${room} characters for the rest of the answer becomes a free internal error`,
    async () => {
      const data = new JsonText('1'.repeat(MAX_STRING_LENGTH - room));
      const { ask, used, refunded, close } = await setUp(() => Promise.reject(new RpcError(3, 'reverted', { data })));
      expect(await ask(1)).toEqual([{ body: INTERNAL.replace('null', '1'), status: 500, spent: false }]);
      expect([await used(), await refunded()]).toEqual([0, '80']);
      await close();
    },
  );

testWithinOneDay('free requests in a batch that fails as a whole are not refunded', async () => {
  const text = 'x'.repeat(1 << 27);
  let asked = 0;
  const { ask, used, refunded, close } = await setUp(async () => {
    asked += 1;
    if (asked === 1) throw historyUnavailable('gone');
    return text;
  });
  expect(await ask(12)).toEqual([{ body: INTERNAL, status: 500, spent: false }]);
  expect([asked, await used(), await refunded()]).toEqual([12, 0, '960']);
  await close();
});

testWithinOneDay(
  'a stop waits for the refund of a batch that it interrupts, and for no more of its items',
  async () => {
    const answer: ((text: string) => void)[] = [];
    const { dispatcher, ask, used, close } = await setUp(() => new Promise((resolve) => answer.push(resolve)));
    const answers: Answer[] = [];
    const asked = ask(20, answers);
    while (answer.length < 12) await new Promise(setImmediate);
    const stopped = dispatcher.idle();
    for (const each of answer) each('1');
    await stopped;
    expect(await used()).toBe(0);
    await asked;
    expect([answer.length, answers.map(({ status }) => status)]).toEqual([12, [503]]);
    await close();
  },
);

testWithinOneDay('a stop waits for a pending debit, and refunds it', async () => {
  const asked: unknown[] = [];
  const { dispatcher, ask, used, refunded, close } = await setUp(async () => {
    asked.push(1);
    return '1';
  });
  const answers: Answer[] = [];
  void ask(1, answers);
  await dispatcher.idle();
  expect([answers.map(({ status }) => status), asked]).toEqual([[503], []]);
  expect([await used(), await refunded()]).toEqual([0, '80']);
  await close();
});
