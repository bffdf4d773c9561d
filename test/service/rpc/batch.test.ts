import { join } from 'node:path';

import { pino } from 'pino';
import { Registry } from 'prom-client';

import { loadKeccak } from '../../../src/service/archive/hashing';
import { parseConfig } from '../../../src/service/config';
import { Meter } from '../../../src/service/rpc/credits/meter';
import { priceList } from '../../../src/service/rpc/credits/prices';
import { openSqliteLedger } from '../../../src/service/rpc/credits/sqlite';
import { Dispatcher, type Answer } from '../../../src/service/rpc/dispatch';
import { rpcMetrics } from '../../../src/service/rpc/metrics';
import { Network } from '../../../src/service/rpc/network';
import { Tallies } from '../../../src/service/rpc/tally';
import { makeFolder } from '../support/folder';

test('answers that are too long together to be one text are told as an internal error, once', async () => {
  const dataDir = makeFolder();
  const { networks, credits } = parseConfig({ networks: [{ name: 'a', chainId: 5, upstream: { url: 'http://a' } }] });
  const metrics = rpcMetrics(new Registry());
  const network = new Network(networks[0]!, dataDir, await loadKeccak(), metrics);
  // Half of the longest text there can be, which takes no memory until it is written: a node's would take gigabytes.
  const text = 'x'.repeat(1 << 28);
  jest.spyOn(network, 'ask').mockResolvedValue({ value: text, text });
  const ledger = openSqliteLedger(join(dataDir, 'credits.sqlite'));
  const meter = new Meter(ledger, priceList(credits));
  const dispatcher = new Dispatcher(meter, new Tallies(metrics), pino({ level: 'silent' }), 100);
  const identity = { id: 'a', name: '', dailyCredits: undefined };
  const batch = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'eth_getLogs', params: [] }));
  const answers: Answer[] = [];
  await new Promise<void>((resolve) => {
    dispatcher.body({ network, identity, transport: 'http' }, batch, JSON.stringify(batch), (answer) => {
      answers.push(answer);
      resolve();
    });
  });
  const body = '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"internal error"}}';
  expect(answers).toEqual([{ body, isAscii: false, status: 500, spent: false }]);
  network.close();
  await ledger.close();
});
