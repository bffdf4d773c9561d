import { appendFileSync, readFileSync } from 'node:fs';
import { clearTimeout, setTimeout } from 'node:timers';

import NodeEnvironment from '../test/environments/node.mjs';

/** What `mutants.ts` asks about a test file: `Task` there describes it. */
const task = JSON.parse(readFileSync(process.env.KEYSTEAD_MUTANTS, 'utf8'));

const report = (line) => appendFileSync(task.report, `${JSON.stringify(line)}\n`);

/** A test that takes longer than this, in milliseconds, has failed: with a change, it may wait for ever. */
const LONGEST = 300_000;

const testsOf = (block) =>
  block.children.flatMap((child) => (child.type === 'describeBlock' ? testsOf(child) : [child]));

/** @returns A block or test after all blocks that contain it. */
const withAncestors = (child) => (child.parent === undefined ? [child] : [...withAncestors(child.parent), child]);

const nameOf = (test) =>
  withAncestors(test)
    .slice(1)
    .map(({ name }) => name)
    .join(' > ');

function skip(child) {
  child.mode = 'skip';
  for (const inner of child.children ?? []) skip(inner);
}

/** Calls a test or hook. Rejects if it fails. */
async function call({ fn }, context) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('It takes too long')), LONGEST);
  });
  try {
    await Promise.race([fn.call(context), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function callHooks(blocks, type, context) {
  for (const { hooks } of blocks) for (const hook of hooks) if (hook.type === type) await call(hook, context);
}

/** Runs one test with the hooks around it. Rejects if it fails. */
async function runTest(test) {
  const blocks = withAncestors(test.parent);
  const context = Object.create(null);
  try {
    await callHooks(blocks, 'beforeEach', context);
    await call(test, context);
  } finally {
    await callHooks(blocks.toReversed(), 'afterEach', context);
  }
}

/** @returns The first of some tests of a block that fails; undefined if all pass. */
async function failingOf(block, chosen) {
  const own = testsOf(block).filter((test) => chosen.has(test));
  if (own.length === 0) return undefined;
  let failing;
  try {
    await callHooks([block], 'beforeAll', {});
    for (const child of block.children) {
      if (child.type === 'describeBlock') failing = await failingOf(child, chosen);
      else if (chosen.has(child)) {
        report({});
        await runTest(child).catch(() => {
          failing = child;
        });
      }
      if (failing !== undefined) break;
    }
    await callHooks([block], 'afterAll', {});
  } catch {
    failing ??= own[0];
  }
  return failing;
}

/**
 * Runs the tests of a file whose sources contain changes by `mutants.ts`. Its `kind` of task is one of these:
 *
 * - `record`: notes which tests reach which change.
 * - `judge`: switches on one change after another, and runs the tests that reach it until one fails.
 * - `whole`: runs all tests with one change that is on from the start, until one fails.
 */
export default class MutantsEnvironment extends NodeEnvironment {
  /** The change that is on. */
  #active = task.active;
  /** Of each change, the tests that reach it. */
  #met = new Map();
  /** The changes that were reached while the test file was loaded. */
  #metAtLoad = new Set();
  /** The tests that run now: all of a block while its hooks run. */
  #running;

  async setup() {
    await super.setup();
    this.global.keysteadMutant = (id) => {
      if (task.kind === 'record') this.#meet(id);
      return id === this.#active;
    };
    // The random tests of fast-check make the same input each time.
    this.global[Symbol.for('fast-check/GlobalParameters')] = { seed: 1 };
  }

  #meet(id) {
    if (this.#running === undefined) {
      this.#metAtLoad.add(id);
      return;
    }
    const met = this.#met.get(id) ?? new Set();
    this.#met.set(id, met);
    for (const test of this.#running) met.add(test);
  }

  async handleTestEvent(event, { rootDescribeBlock }) {
    if (event.name === 'test_start') report({});
    await this[`_${task.kind}`](event, rootDescribeBlock);
  }

  _record({ name, describeBlock, test }, root) {
    if (name === 'run_describe_start') this.#running = testsOf(describeBlock);
    if (name === 'test_start') this.#running = [test];
    if (name !== 'run_finish') return;
    const places = new Map(testsOf(root).map((one, place) => [one, place]));
    const met = [...this.#met].map(([id, tests]) => [id, [...tests].map((one) => places.get(one))]);
    report({ met, metAtLoad: [...this.#metAtLoad] });
  }

  _whole({ name }, root) {
    if (['test_fn_failure', 'hook_failure', 'error'].includes(name)) skip(root);
  }

  async _judge({ name }, root) {
    if (name === 'run_start') skip(root);
    if (name !== 'run_finish') return;
    const tests = testsOf(root);
    // Tests that need what others leave behind, or that a change has broken for good, say nothing about a change.
    const unsteady = new Set();
    for (const [id, places] of task.changes) {
      report({ id });
      const chosen = new Set(places.map((place) => tests[place]));
      const steady = new Set([...chosen].filter((test) => !unsteady.has(test)));
      let failing;
      do {
        this.#active = id;
        failing = await failingOf(root, steady);
        this.#active = undefined;
        if (failing === undefined || (await failingOf(root, new Set([failing]))) === undefined) break;
        unsteady.add(failing);
        steady.delete(failing);
      } while (failing !== undefined);
      report({ id, judged: { by: failing && nameOf(failing), isSure: chosen.size === steady.size } });
    }
  }
}
