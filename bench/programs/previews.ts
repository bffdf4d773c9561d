import { type Hex } from 'viem';

import { NodeClient } from '../../src/clients/node';
import { simulate } from '../../src/simulation/simulate';
import { summary, type Summary } from '../report/statistics';
import { previewFlows } from '../runtime/preview-flows';
import { type Asked, keyOf, type NodeRecord, serveNode } from '../runtime/recorded-node';
import { finish, input } from './answer';

/** What one preview takes at nodes of each delay, and what the same requests alone take. */
type Measured = { readonly preview: Summary; readonly alone: Summary };

const { token, record, delays, rounds } = input<{
  readonly token: Hex;
  readonly record: NodeRecord;
  readonly delays: readonly number[];
  readonly rounds: number;
}>();

function recorded(asked: Asked): unknown {
  const key = keyOf(asked);
  if (!(key in record)) throw new Error(`${asked.method} was not recorded`);
  return record[key];
}

async function ask(url: string, asked: Asked): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...asked });
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  await response.json();
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const flows = previewFlows(token);
const trips: Record<string, { readonly rounds: number; readonly requests: number }> = {};
const times: Record<string, Record<string, Measured>> = {};
for (const delay of [...delays].sort((a, b) => b - a)) {
  const node = await serveNode(recorded, delay);
  const client = new NodeClient({ url: node.url });
  for (const [name, flow] of Object.entries(flows)) {
    const preview = async (): Promise<void> => {
      const { kind } = await simulate(flow, client);
      if (kind !== 'changes') throw new Error(`${name}: the preview failed`);
    };
    node.takeRounds();
    await preview();
    const asked = node.takeRounds();
    // Where answers take time, all requests of a round arrive before the first answer.
    trips[name] ??= { rounds: asked.length, requests: asked.flat().length };
    const alone = async (): Promise<void> => {
      for (const round of asked) await Promise.all(round.map((each) => ask(node.url, each)));
    };
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let at = 0; at < rounds; at++) {
      const both = [async () => ours.push(await timed(preview)), async () => theirs.push(await timed(alone))];
      for (const one of at % 2 === 0 ? both : both.reverse()) await one();
    }
    (times[name] ??= {})[String(delay)] = { preview: summary(ours), alone: summary(theirs) };
  }
  node.close();
}
finish({ version: process.versions.node, trips, times });
