import { perRun } from '../nightly';
import { textOf } from '../screen-text';
import { type Fault, faultsOf, type Planned, SECRET_OF_THE_WALLET } from '../wallet/faults';
import { KEY, OTHER_KEY } from './fixture';
import { DAPP, OTHER, SnapInProcess } from '../wallet/in-process';
import { type WalletDouble } from '../wallet/wallet-double';

/** A request to the snap that can be repeated. */
export type Flow = {
  readonly world: WalletDouble;
  readonly run: (session: SnapInProcess) => Promise<unknown>;
  /** Whether it took effect, for requests whose repetition would have another effect. */
  readonly isDone?: (world: WalletDouble) => boolean;
  /** It does what it can without reporting the rest, which the next run completes. */
  readonly isPatient?: boolean;
  /** Removes what differs between runs from a result or from the state. */
  readonly without?: RegExp;
  /** Faults that may break a rule. Each exception is explained where it is listed. */
  readonly excepted?: RegExp;
};

type Where = Planned & { readonly call: string };
export type Report = { readonly calls: readonly string[]; readonly faults: number; readonly broken: readonly string[] };

type Outcome =
  | { readonly as: 'answered'; readonly answer: unknown }
  | { readonly as: 'failed'; readonly error: unknown }
  | { readonly as: 'killed' };

/** Runs with one failing call. Also settles if the snap is killed. */
function attempt(flow: Flow, session: SnapInProcess, planned?: Planned): Promise<Outcome> {
  return new Promise((resolve) => {
    session.world.plan(planned, () => {
      resolve({ as: 'killed' });
    });
    flow.run(session).then(
      (answer) => {
        resolve({ as: 'answered', answer });
      },
      (error: unknown) => {
        resolve({ as: 'failed', error });
      },
    );
  });
}

const plain = (value: unknown, { without = /(?!)/u }: Flow): string =>
  JSON.stringify(value ?? null).replace(new RegExp(without.source, 'gu'), '…');

/** Every path in a value with its content, independent of member order. */
function leaves(value: unknown, path = ''): [string, string][] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return [[path, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, member]) => leaves(member, `${path}/${name}`));
}

type Ending = ReadonlyMap<string, string>;

/** Each signature is recorded with its time, and one that was interrupted afterwards is given and recorded again. */
const SIGNATURES = /^\/state\/histories\/0x\w+\/signed(?:\/|$)/u;

/** When a final status was found: a late node delays it. */
const LOOK_UPS = /^\/state\/batches\/\d+\/finalSince$/u;

/** A wallet answers null for what was never stored, and cannot delete: what was stored and is gone again is null. */
const isNothing = (path: string, leaf: string): boolean => leaf === 'null' && /^\/state\/\w+$/u.test(path);

/** The final state, without what differs between runs. */
const ending = ({ state, known, chain }: WalletDouble, flow: Flow): Ending =>
  new Map(
    leaves({ state, known: [...known].sort(), sent: [chain.transactions, chain.operations] })
      .filter(([path, leaf]) => !SIGNATURES.test(path) && !LOOK_UPS.test(path) && !isNothing(path, leaf))
      .map(([path, leaf]) => [plain(path, flow), flow.without === undefined ? leaf : plain(leaf, flow)]),
  );

/** The differences between two final states. */
const differences = (actual: Ending, wanted: Ending): string[] =>
  [...new Set([...actual.keys(), ...wanted.keys()])]
    .filter((path) => actual.get(path) !== wanted.get(path))
    .map((path) => `${path}: ${actual.get(path) ?? 'nothing'}, not ${wanted.get(path) ?? 'nothing'}`);

const sameState = (a: WalletDouble, b: WalletDouble): boolean =>
  differences(new Map(leaves(a.state)), new Map(leaves(b.state))).length === 0;

/** What a running snap reports, to be compared with a restarted one. */
export async function told(session: SnapInProcess): Promise<string> {
  session.world.plan();
  return JSON.stringify([
    await session.keyring('keyring_listAccounts'),
    await session.keyring('keystead_getChains'),
    await session.keyring('keystead_getStorage'),
    await session.dapp('eth_accounts', [], DAPP),
    await session.dapp('eth_accounts', [], OTHER),
    textOf(await session.home()),
  ]);
}

type SnapFailure = { readonly code?: unknown; readonly message?: unknown; readonly data?: { readonly code?: unknown } };

/** The faults of an error response. */
export function faultsOfError(error: unknown, world: WalletDouble): string[] {
  const { code, message, data } = error as SnapFailure;
  const text = `${String(message)} ${JSON.stringify(data)}`;
  const secrets = [SECRET_OF_THE_WALLET, KEY, OTHER_KEY, 'storage secret', world.entropy('keystead/eip155:eoa/0')];
  return [
    ...(Number.isSafeInteger(code) ? [] : ['it is no SnapError']),
    ...(data?.code === 'internal' ? ['it says only that we failed'] : []),
    ...(typeof message === 'string' && /^\S.{10,}$/su.test(message) ? [] : ['it is no sentence']),
    ...(/undefined|\[object|is not a function|Cannot read|NaN/u.test(text) ? ['it is a programmer’s'] : []),
    ...(secrets.some((secret) => text.toLowerCase().includes(secret.replace(/^0x/u, '').toLowerCase()))
      ? ['it repeats a secret']
      : []),
  ].map((what) => `${what}: ${text}`);
}

type Stored = Record<string, { account: { id: string; address: string } }>;
type Grants = Record<string, { accounts: string[] }>;

/** Conditions that must hold after any fault. */
export function brokenIn(world: WalletDouble, before: WalletDouble): string[] {
  const stored = Object.entries((world.state.accounts ?? {}) as Stored);
  const earlier = (before.state.accounts ?? {}) as Stored;
  const addresses = stored.map(([, { account }]) => account.address.toLowerCase());
  const broken: string[] = [];
  for (const [id, address] of world.known)
    if (stored.find(([one]) => one === id)?.[1].account.address !== address)
      broken.push(`the wallet has the account ${address}, and the snap has not`);
  for (const [id, { account }] of stored)
    if (account.id !== id || (earlier[id] !== undefined && earlier[id].account.address !== account.address))
      broken.push(`the account ${id} became another one`);
  if (new Set(addresses).size !== addresses.length) broken.push('an account is there twice');
  const had = (before.state.grants ?? {}) as Grants;
  for (const [origin, { accounts }] of Object.entries((world.state.grants ?? {}) as Grants)) {
    const agreed = world.dialogs.flatMap(({ agreed, chosen, text }) => (agreed && text.includes(origin) ? chosen : []));
    const mayUse = (id: string): boolean =>
      agreed.includes(id) ||
      had[origin]?.accounts.includes(id) === true ||
      (agreed.includes('create') && !(id in earlier));
    if (!accounts.every(mayUse)) broken.push(`${origin} got access without consent`);
  }
  const agreed = world.dialogs.filter((dialog) => dialog.agreed).length;
  const sent = sentBy(world) - sentBy(before);
  if (sent > agreed) broken.push(`${sent} were sent, and ${agreed} agreed to`);
  return broken;
}

const sentBy = ({ chain: { transactions, operations } }: WalletDouble): number =>
  transactions.length + operations.length;

/** An error's statement about what was done must be true. */
function untrue(error: unknown, world: WalletDouble, before: WalletDouble): string[] {
  const { message } = error as { message: string };
  const isChanged = !sameState(world, before);
  const isSent = sentBy(world) > sentBy(before);
  return [
    ...(/Nothing was (?:changed|done)/u.test(message) && isChanged ? ['something was changed'] : []),
    ...(isSent && !/may have been sent/u.test(message) ? ['something was sent, and the error does not say so'] : []),
  ].map((what) => `${what}: ${message}`);
}

/** A signature is not withheld because its recipient could not be recorded: the recipient is then new once more. */
const FORGOTTEN_RECIPIENT = /^"?\/state\/histor(?:ies|yOrder)\/.*: nothing, not /u;

/** One run with a fault, and its consequences. */
async function disturb(flow: Flow, where: Where, expected: { answer: string; end: Ending }): Promise<string[]> {
  const before = flow.world;
  const world = before.clone();
  let session = new SnapInProcess(world);
  const outcome = await attempt(flow, session, where);
  const broken = brokenIn(world, before);
  if (outcome.as === 'failed')
    broken.push(...faultsOfError(outcome.error, world), ...untrue(outcome.error, world, before));
  if (outcome.as === 'killed') session = new SnapInProcess(world);
  else if (
    world.calls.some((call) => call.startsWith('snap_setState')) &&
    (await told(session)) !== (await told(new SnapInProcess(world)))
  )
    broken.push('the snap tells something else than what is stored');

  const isLeft = flow.isPatient === true || outcome.as !== 'answered';
  if (isLeft && flow.isDone?.(world) !== true) {
    const again = await attempt(flow, session);
    if (again.as === 'failed') return [...broken, `repeated, it fails: ${String((again.error as Error).message)}`];
    if (again.as === 'answered' && plain(again.answer, flow) !== expected.answer)
      broken.push(`repeated, it answers ${plain(again.answer, flow)} instead of ${expected.answer}`);
    broken.push(...brokenIn(world, before));
  }
  world.plan();
  const differ = differences(ending(world, flow), expected.end).filter((text) => !FORGOTTEN_RECIPIENT.test(text));
  if (differ.length > 0) broken.push(`it ends otherwise: ${differ.slice(0, 5).join('; ')}`);
  return broken;
}

/** Every day, one call in so many fails. */
const SAMPLE = 3;

/**
 * @param shift - Differs between flows, so that each kind of call fails in one of them.
 * @returns The faults of a call: in the nightly run all, every day one of a sample of calls, another for each call.
 */
function faultsFor(call: string, at: number, shift: number): Fault[] {
  const all = faultsOf(call);
  const which = (at + shift) / SAMPLE;
  return perRun(Number.isInteger(which) ? [all[which % all.length]!] : [], all);
}

/**
 * Runs a flow once for each call and fault of that call, and then repeats it.
 *
 * @param shift - Chooses the sample of every day.
 * @returns The broken rules: lost, duplicated or changed accounts; effects without consent; an error that is untrue,
 * internal or repeats a secret; a cache that differs from the state; a final state that differs from the undisturbed
 * flow.
 */
export async function matrixOf(flow: Flow, shift = 0): Promise<Report> {
  const world = flow.world.clone();
  const undisturbed = await attempt(flow, new SnapInProcess(world));
  if (undisturbed.as !== 'answered') throw undisturbed.as === 'failed' ? undisturbed.error : new Error('killed');
  const calls = [...world.calls];
  const expected = { answer: plain(undisturbed.answer, flow), end: ending(world, flow) };
  const broken = brokenIn(world, flow.world);
  let faults = 0;
  for (const [at, call] of calls.entries()) {
    for (const fault of faultsFor(call, at, shift)) {
      faults += 1;
      const where = { at, call, fault };
      for (const what of await disturb(flow, where, expected)) {
        const told = `${call}, ${fault}: ${what}`;
        if (flow.excepted?.test(told) !== true) broken.push(`${at} ${told}`);
      }
    }
  }
  return { calls, faults, broken };
}

type Makers<There> = Readonly<Record<string, (there: There) => Flow>>;

/**
 * Creates a test for each flow, and counts the faults after all of them have run.
 *
 * @param least - The minimum number of faults in the nightly run: a flow without any faults would prove nothing.
 */
export function testEach<There>(furnish: () => Promise<There>, makers: Makers<There>, least: number): void {
  const flows = Object.entries(makers).map(([name, make], shift) => [name, make, shift] as const);
  const faults: number[] = [];
  let there: There;
  beforeAll(async () => {
    there = await furnish();
  });
  it.each(flows)('%s', async (_name, make, shift) => {
    const report = await matrixOf(make(there), shift);
    faults.push(report.faults);
    expect(report.calls).not.toEqual([]);
    expect(report.broken).toEqual([]);
  });
  afterAll(() => {
    // If only some tests were selected, there is nothing to count.
    if (faults.length < flows.length) return;
    const all = faults.reduce((sum, count) => sum + count, 0);
    process.stderr.write(`faults injected: ${all}\n`);
    expect(all).toBeGreaterThanOrEqual(perRun(flows.length, least));
  });
}
