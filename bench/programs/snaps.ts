import { existsSync, readdirSync, readFileSync } from 'node:fs';

import { NodeProcessExecutionService, NodeThreadExecutionService } from '@metamask/snaps-controllers/node';
import { installSnap } from '@metamask/snaps-simulation';

import { requestsOf } from '../parts/asking';
import { type Asked, type Host, reasonOf } from '../parts/conversation';
import { firstOf } from '../parts/snap-requests';
import { isBig, withFloors } from '../parts/warm';
import { endSteps, step } from '../progress';
import { summaries, type Summary } from '../report/statistics';
import { alternate } from '../runtime/alternate';
import { dialectOf } from '../runtime/manifest';
import { FLOOR, pathOf } from '../runtime/names';
import { providerAnswer } from '../runtime/provider';
import { type SnapRequest } from '../runtime/request';
import { type Content, serve } from '../runtime/serve';
import { finish, input } from './answer';

/* The same as in the page of the browser, with each snap in a thread or a process of Node. */

type Installed = Awaited<ReturnType<typeof installSnap>>;
const ANSWERS: Readonly<Record<string, unknown>> = { snap_manageAccounts: null, snap_dialog: true };

const { folders, given, rounds } = input<{ folders: Record<string, string>; given: string[]; rounds: number }>();
const names = Object.keys(folders);
const content: Content = Object.fromEntries(
  names.map((name) => [`/${pathOf(name)}/`, { folder: folders[name] ?? '' }]),
);
const { url } = await serve(content);

async function start(name: string, service: unknown): Promise<Installed> {
  const snap = await installSnap(`local:${url}/${pathOf(name)}/` as never, { executionService: service as never });
  snap.mockJsonRpc((({ method, params }: { method: string; params: unknown }) => {
    if (method in ANSWERS) return ANSWERS[method];
    return given.includes(name) ? providerAnswer(method, params) : undefined;
  }) as never);
  return snap;
}

async function ask<T>(snap: Installed, { door, origin, method, params }: SnapRequest): Promise<T> {
  const request = { origin, method, ...(params !== undefined && { params }) } as never;
  const { response } = (await (door === 'rpc' ? snap.request(request) : snap.onKeyringRequest(request))) as {
    response: { result: unknown } | { error: { message: string } };
  };
  if ('error' in response) throw new Error(`${method}: ${response.error.message}`);
  return response.result as T;
}

const asked = (name: string, host: Host): Promise<Asked> => requestsOf(name, host, dialectOf(folders[name] ?? ''));

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
const failed: Record<string, string> = {};
for (const name of names) {
  try {
    const snap = await start(name, NodeProcessExecutionService);
    await ask(snap, firstOf(name));
    const { requests } = await asked(name, { call: (_name, request) => ask(snap, request) });
    for (const request of Object.values(requests)) await ask(snap, request);
    const peak = peakOfChild();
    if (peak !== undefined) memory[name] = peak;
    await snap.executionService.terminateAllSnaps();
  } catch (error) {
    failed[name] = reasonOf(error);
  }
}

const running = new Map<string, Installed>();
const host: Host = {
  call: async (name, request) => {
    const snap = running.get(name);
    if (snap === undefined) throw new Error(`${name} does not run`);
    return await ask(snap, request);
  },
};
const byMethod: Record<string, Record<string, SnapRequest>> = {};
for (const name of names.filter((each) => failed[each] === undefined)) {
  running.set(name, await start(name, NodeThreadExecutionService));
  if (name.startsWith(FLOOR)) continue;
  for (const [method, request] of Object.entries((await asked(name, host)).requests))
    (byMethod[method] ??= {})[name] = request;
}

const times: Record<string, Record<string, Summary>> = {};
for (const [at, [method, requests]] of Object.entries(byMethod).entries()) {
  step(`${method}, in Node`, [at, Object.keys(byMethod).length]);
  const measured = await alternate(
    withFloors(requests),
    isBig(method) ? Math.ceil(rounds / 3) : rounds,
    isBig(method) ? 1 : 5,
    (name, request) => host.call(name, request),
  );
  for (const [name, reason] of Object.entries(measured.failed)) failed[name] = `${method}: ${reasonOf(reason)}`;
  times[method] = summaries(measured.times);
}
endSteps();
finish({ version: process.versions.node, times, memory, failed });
