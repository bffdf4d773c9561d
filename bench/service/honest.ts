import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** Pause of the honest client between two look-ups, in milliseconds: within the rate of a key. */
export const PAUSE_MS = 12;
/** Pause between two probes of each listener. */
export const PROBE_MS = 50;

/** The listeners of a service. */
export type Urls = {
  readonly rpc: string;
  readonly operations: string;
  readonly storage: string;
  readonly gateway: string;
};

/** A key and its secret. */
export type Credentials = { readonly key: string; readonly secret: string };

/** Response times in milliseconds, ascending, and how many requests failed. */
export type Times = {
  readonly lookUps: readonly number[];
  /** Of the readiness of both services. */
  readonly ready: readonly number[];
  readonly storage: readonly number[];
  readonly failed: number;
};

/** @param part - For example 0.99. */
export const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;

type Sent = {
  readonly url: string;
  readonly auth?: string;
  readonly method: 'GET' | 'POST';
  readonly body?: string;
};

/** Sends one request and resolves to the milliseconds it took, NaN if it was not answered with 200. */
function timed({ url, auth, method, body }: Sent, agent: Agent): Promise<number> {
  const started = performance.now();
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(url, { agent, method, headers, ...(auth !== undefined && { auth }) });
    sent.on('response', (response) => {
      response
        .on('error', () => {
          resolve(NaN);
        })
        .resume()
        .on('end', () => {
          resolve(response.statusCode === 200 ? performance.now() - started : NaN);
        });
    });
    sent.on('error', () => {
      resolve(NaN);
    });
    // Also without an error or an end, as a connection that is closed between the two has.
    sent.on('close', () => {
      resolve(NaN);
    });
    sent.end(body);
  });
}

/** Asks again and again for some time, one request after the other on a kept connection. */
async function ask(ms: number, pause: number, sent: Sent): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  for (const until = performance.now() + ms; performance.now() < until; await delay(pause))
    times.push(await timed(sent, agent));
  agent.destroy();
  return times;
}

/** An honest key's look-ups, and probes of the readiness and of the storage service, for so many milliseconds. */
export async function measureHonest(
  { rpc, operations, storage }: Urls,
  { key, secret }: Credentials,
  ms: number,
): Promise<Times> {
  const params = ['0x29c', '0x0'];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getUncleByBlockNumberAndIndex', params });
  const all = await Promise.all([
    ask(ms, PAUSE_MS, { url: `${rpc}/v3/${key}`, method: 'POST', body }),
    ask(ms, PROBE_MS, { url: `${operations}/readyz`, method: 'GET' }),
    ask(ms, PROBE_MS, { url: `${storage}/api/v0/version`, method: 'POST', auth: `${key}:${secret}` }),
  ]);
  const answered = (times: readonly number[]) => times.filter((time) => !Number.isNaN(time)).sort((a, b) => a - b);
  const [lookUps, ready, kept] = all.map(answered) as [number[], number[], number[]];
  return { lookUps, ready, storage: kept, failed: all.flat().filter(Number.isNaN).length };
}
