import sequencer from '@jest/test-sequencer';

/**
 * What takes longest. Where Jest has no durations of an earlier run it starts with the largest files, and would end with
 * one that is small and takes long, on one core.
 */
const LONGEST = [
  'test/browser/companion.test.ts',
  'test/browser/changes.test.ts',
  'test/browser/accessibility.test.ts',
  'test/browser/choices.test.ts',
  'test/browser/wallet.test.ts',
  'test/devnet/start.test.ts',
  'test/snap/door/signing.test.ts',
  'test/snap/recovery.test.ts',
  'test/snap/budget.test.ts',
  'test/snap/backup-faults.test.ts',
  'test/service/bench.test.ts',
  'test/service/cli/cli.test.ts',
  'test/storage/peers.test.ts',
  'test/unit/hostile/typed-data.test.ts',
];

/** Starts with what takes longest; the rest in Jest's own order. */
export default class LongestFirst extends sequencer.default {
  sort(tests) {
    const place = ({ path }) => {
      const at = LONGEST.findIndex((name) => path.endsWith(`/${name}`));
      return at === -1 ? LONGEST.length : at;
    };
    return super.sort(tests).sort((one, other) => place(one) - place(other));
  }
}
