import { existsSync, readdirSync, readFileSync } from 'node:fs';

import { NodeProcessExecutionService, NodeThreadExecutionService } from '@metamask/snaps-controllers/node';
import { installSnap } from '@metamask/snaps-simulation';

import { firstOf, type Host, requestsOf } from '../parts/snap-requests';
import { summary, type Summary } from '../report/statistics';
import { type SnapRequest } from '../runtime/request';
import { type Content, serve } from '../runtime/serve';
import { FLOOR, FLOOR_ONE_CALL, managersOf, OURS, pathOf } from '../runtime/systems';
import { finish, input } from './answer';

/* The same as in the page of the browser, with each snap in a thread or a process of Node. */

type Installed = Awaited<ReturnType<typeof installSnap>>;
const ANSWERS: Readonly<Record<string, unknown>> = { snap_manageAccounts: null, snap_dialog: true };

const { folders, rounds } = input<{ folders: Record<string, string>; rounds: number }>();
const names = Object.keys(folders);
const content: Content = Object.fromEntries(
  names.map((name) => [`/${pathOf(name)}/`, { folder: folders[name] ?? '' }]),
);
const { url } = await serve(content);

async function start(name: string, service: unknown): Promise<Installed> {
  const snap = await installSnap(`local:${url}/${pathOf(name)}/` as never, { executionService: service as never });
  snap.mockJsonRpc(((request: { method: string }) => ANSWERS[request.method]) as never);
  return snap;
}

async function ask<T>(snap: Installed, { door, origin, method, params }: SnapRequest): Promise<T> {
  const request = { origin, method, ...(params !== undefined && { params }) } as never;
  const { response } = (await (door === 'rpc' ? snap.request(request) : snap.onKeyringRequest(request))) as {
    response: { result: unknown } | { error: unknown };
  };
  if ('error' in response) throw new Error(`${method} was refused`);
  return response.result as T;
}

/** The most memory that a child of this process held, kB; Linux tells. */
function peakOfChild(): number | undefined {
  if (!existsSync('/proc/self/task')) return undefined;
  const children = readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  const peaks = children.map((child) =>
    Number(/VmHWM:\s+(\d+)/u.exec(readFileSync(`/proc/${child}/status`, 'utf8'))?.[1] ?? 0),
  );
  return peaks.length === 0 ? undefined : Math.max(...peaks);
}

const memory: Record<string, number> = {};
for (const name of names) {
  const snap = await start(name, NodeProcessExecutionService);
  await ask(snap, firstOf(name));
  const requests = await requestsOf(
    name,
    { call: (_name, request) => ask(snap, request) },
    managersOf(folders[name] ?? ''),
  );
  for (const request of Object.values(requests)) await ask(snap, request);
  const peak = peakOfChild();
  if (peak !== undefined) memory[name] = peak;
  await snap.executionService.terminateAllSnaps();
}

const running = new Map<string, Installed>();
const snapOf = (name: string): Installed => {
  const snap = running.get(name);
  if (snap === undefined) throw new Error(`${name} does not run`);
  return snap;
};
const host: Host = { call: (name, request) => ask(snapOf(name), request) };
const byMethod: Record<string, Record<string, SnapRequest>> = {};
for (const name of names) {
  running.set(name, await start(name, NodeThreadExecutionService));
  if (name.startsWith(FLOOR)) continue;
  for (const [method, request] of Object.entries(await requestsOf(name, host, managersOf(folders[name] ?? ''))))
    (byMethod[method] ??= {})[name] = request;
}

async function alternate(requests: Record<string, SnapRequest>, count: number, batch: number) {
  const measured: Record<string, number[]> = {};
  for (let round = -2; round < count; round++) {
    for (const [name, request] of Object.entries(requests)) {
      const begin = performance.now();
      for (let index = 0; index < batch; index++) await ask(snapOf(name), request);
      if (round >= 0) (measured[name] ??= []).push((performance.now() - begin) / batch);
    }
  }
  return Object.fromEntries(Object.entries(measured).map(([name, values]) => [name, summary(values)]));
}

const times: Record<string, Record<string, Summary>> = {};
for (const [method, requests] of Object.entries(byMethod)) {
  const sent = requests[OURS] ?? Object.values(requests)[0];
  if (sent === undefined) continue;
  const isBig = method.includes('1,000');
  const all = { [FLOOR]: sent, [FLOOR_ONE_CALL]: sent, ...requests };
  times[method] = await alternate(all, isBig ? Math.ceil(rounds / 3) : rounds, isBig ? 1 : 5);
}
finish({ version: process.versions.node, times, memory });
