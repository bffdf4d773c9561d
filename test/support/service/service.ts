import { pino } from 'pino';
import { JoinedRegistry } from '../../../src/service/runtime/joined-registry';

import { parseConfig } from '../../../src/service/cli/config';
import { loadKeccak } from '../../../src/service/chain/archive/hashing';
import type { CreatedKey, KeyStore } from '../../../src/service/keys';
import { openKeys } from '../../../src/service/keys/open';
import { startOperations } from '../../../src/service/operations/server';
import { RpcServer } from '../../../src/service/chain/server';
import { makeFolder } from './folder';

export type Reply = { status: number; body: unknown; headers: Headers };

/** A running chain service with one key, and functions to call it. */
export type TestService = {
  url: string;
  /** Where readiness and metrics are. */
  operations: string;
  wsUrl: string;
  /** Addresses by label, as `serve` prints them. */
  addresses: Record<string, string>;
  keys: KeyStore;
  key: CreatedKey;
  dataDir: string;
  /** Everything logged so far. */
  logged: () => string;
  metrics: () => Promise<string>;
  /** POSTs JSON; a string is sent unchanged. */
  post: (body: unknown, options?: { key?: string; headers?: Record<string, string>; url?: string }) => Promise<Reply>;
  /** Calls a method and returns the JSON-RPC answer. */
  call: (
    method: string,
    ...params: unknown[]
  ) => Promise<{ result?: unknown; error?: { code: number; message: string } }>;
  /** Credits used today. */
  used: () => Promise<number>;
  stop: () => Promise<void>;
};

const running: TestService[] = [];

afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
});

async function reply(response: Response): Promise<Reply> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text, headers: response.headers };
}

/**
 * Starts the service on free ports. It is stopped after the test.
 *
 * @param options.verify - Stands between the service and its key store.
 */
export async function startService(
  config: Record<string, unknown> = {},
  {
    dataDir = makeFolder(),
    dailyCredits,
    verify,
  }: {
    dataDir?: string;
    dailyCredits?: number;
    verify?: (keys: KeyStore, key: string) => ReturnType<KeyStore['verify']>;
  } = {},
): Promise<TestService> {
  const { rpc, ...sections } = config as { rpc?: object };
  const parsed = parseConfig({ ...sections, rpc: { port: 0, drainMs: 200, ...rpc } });
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const keys = await openKeys(parsed, dataDir, () => undefined);
  const key = await keys.create({ name: 'test', dailyCredits });
  const metrics = new JoinedRegistry();
  const asked = verify
    ? Object.assign(Object.create(keys) as KeyStore, {
        verify: (id: string) => verify(keys, id),
        known: undefined,
      })
    : keys;
  const context = { config: parsed, dataDir, keys: asked, log, metrics };
  const operations = await startOperations({ ...parsed.rpc.operations, metrics, log, parts: { chain: () => server } });
  const server: RpcServer = await RpcServer.start(context, await loadKeccak()).catch(async (error: unknown) => {
    await operations.stop();
    await keys.close();
    throw error;
  });
  const addresses = Object.fromEntries(
    [...server.addresses, ...operations.addresses].map(({ label, url }) => [label, url]),
  );
  const url = addresses['RPC']!;
  let stopped = false;

  const service: TestService = {
    url,
    operations: addresses['Operations']!,
    wsUrl: `${url.replace('http', 'ws')}/ws/v3/${key.key}`,
    addresses,
    keys,
    key,
    dataDir,
    logged: () => lines.join(''),
    metrics: () => metrics.metrics(),
    post: async (body, options = {}) =>
      reply(
        await fetch(`${options.url ?? url}/v3/${options.key ?? key.key}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...options.headers },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        }),
      ),
    call: async (method, ...params) =>
      (await service.post({ jsonrpc: '2.0', id: 1, method, params })).body as { result?: unknown },
    used: async () => {
      const text = await metrics.metrics();
      const sum = (name: string) =>
        [...text.matchAll(new RegExp(`^keystead_rpc_${name}\\{[^}]*\\} (\\d+)$`, 'gmu'))].reduce(
          (total, [, value]) => total + Number(value),
          0,
        );
      return sum('credits_total') - sum('refunded_credits_total');
    },
    stop: async () => {
      if (stopped) return;
      stopped = true;
      await server.stop();
      await operations.stop();
      await keys.close();
    },
  };
  running.push(service);
  return service;
}
