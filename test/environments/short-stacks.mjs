/**
 * The frames that an error keeps of its stack, as in Node. Jest keeps 100, which costs most where thousands of errors
 * are made and dropped, as superstruct does to check the screens of a snap.
 */
const FRAMES = 10;

/**
 * Keeps stacks short in the realm of the tests, and in that of Jest, where the Snaps runtime is.
 *
 * @param Environment - A test environment of Jest.
 * @returns The environment with short stacks.
 */
export const withShortStacks = (Environment) =>
  class extends Environment {
    async setup() {
      await super.setup();
      Error.stackTraceLimit = FRAMES;
      this.global.Error.stackTraceLimit = FRAMES;
    }
  };
