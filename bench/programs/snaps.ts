import { existsSync, readdirSync, readFileSync } from 'node:fs';

import { NodeProcessExecutionService, NodeThreadExecutionService } from '@metamask/snaps-controllers/node';
import { installSnap } from '@metamask/snaps-simulation';

import { requestsOf } from '../parts/asking';
import { type Asked, type Host, reasonOf } from '../parts/conversation';
import { firstOf } from '../parts/snap-requests';
import { signatureRows } from '../parts/warm';
import { endSteps, step } from '../progress';
import { type Summary } from '../report/statistics';
import { alternate } from '../runtime/alternate';
import { checkedTimes, faultOf } from '../runtime/answers';
import { dialectOf } from '../runtime/manifest';
import { isFloor, pathOf } from '../runtime/names';
import { type NodeInput } from '../runtime/node';
import { providerAnswer } from '../runtime/provider';
import { type SnapRequest } from '../runtime/request';
import { type Content, serve } from '../runtime/serve';
import { finish, input } from './answer';

/* The same as in the browser's page, with each snap in a thread or process of Node. */

type Installed = Awaited<ReturnType<typeof installSnap>>;
const ANSWERS: Readonly<Record<string, unknown>> = { snap_manageAccounts: null, snap_dialog: true };

const { folders, given, rounds, seed } = input<NodeInput>();
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

async function ask<T>(snap: Installed, { handler, origin, method, params }: SnapRequest): Promise<T> {
  const request = { origin, method, ...(params !== undefined && { params }) } as never;
  const { response } = (await (handler === 'rpc' ? snap.request(request) : snap.onKeyringRequest(request))) as {
    response: { result: unknown } | { error: { message: string } };
  };
  if ('error' in response) throw new Error(`${method}: ${response.error.message}`);
  return response.result as T;
}

const asked = (name: string, host: Host): Promise<Asked> => requestsOf(name, host, dialectOf(folders[name] ?? ''));

/** The peak memory of a child of this process, in kB; Linux only. */
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
const left: Record<string, string> = {};
const failed: Record<string, Record<string, string>> = {};
const fail = (name: string, method: string, reason: string): void => {
  (failed[name] ??= {})[method] = reasonOf(reason);
};
for (const name of names) {
  try {
    const snap = await start(name, NodeProcessExecutionService);
    await ask(snap, firstOf(name));
    const { requests }: Pick<Asked, 'requests'> = isFloor(name)
      ? { requests: {} }
      : await asked(name, { call: (_name, request) => ask(snap, request) });
    for (const [method, request] of Object.entries(requests)) {
      const fault = faultOf(name, request, await ask(snap, request));
      if (fault !== undefined) throw new Error(`${method}: ${fault}`);
    }
    const peak = peakOfChild();
    if (peak !== undefined) memory[name] = peak;
    await snap.executionService.terminateAllSnaps();
  } catch (error) {
    left[name] = reasonOf(error);
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
for (const name of names.filter((each) => left[each] === undefined)) {
  running.set(name, await start(name, NodeThreadExecutionService));
  if (isFloor(name)) continue;
  const answered = await asked(name, host);
  for (const [method, request] of Object.entries(answered.requests)) (byMethod[method] ??= {})[name] = request;
  for (const [method, reason] of Object.entries(answered.failed)) fail(name, method, reason);
}

const times: Record<string, Record<string, Summary>> = {};
const rows = signatureRows(byMethod, { rounds, seed });
for (const [at, { method, requests, plan }] of rows.entries()) {
  step(`${method}, in Node`, [at, rows.length]);
  const measured = checkedTimes(await alternate(requests, plan, (name, request) => host.call(name, request)), requests);
  for (const [name, reason] of Object.entries(measured.failed)) fail(name, method, reason);
  times[method] = measured.times;
}
endSteps();
finish({ version: process.versions.node, times, memory, failed, left });
