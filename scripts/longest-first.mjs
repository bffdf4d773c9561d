import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import sequencer from '@jest/test-sequencer';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Of each test file, as `count-reporter.mjs` writes them. */
const { files: SECONDS } = JSON.parse(readFileSync(new URL('../test/seconds.json', import.meta.url), 'utf8'));

const secondsOf = ({ path }) => SECONDS[relative(ROOT, path)]?.seconds ?? Infinity;

/** Starts new test files first, then those that take longest: a long one at the end would run alone. */
export default class LongestFirst extends sequencer.default {
  sort(tests) {
    return [...tests].sort((one, other) => {
      const [ones, others] = [secondsOf(one), secondsOf(other)];
      return ones === others ? 0 : others - ones;
    });
  }
}
