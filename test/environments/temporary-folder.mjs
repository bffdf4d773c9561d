import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives each test file a folder of its own for everything temporary, also of the programs it starts, and removes it
 * with whatever is left in it.
 *
 * @param Environment - A test environment of Jest.
 * @returns The environment with the folder.
 */
export const withTemporaryFolder = (Environment) =>
  class extends Environment {
    #before;
    #folder;

    constructor(...parts) {
      const before = process.env.TMPDIR;
      const folder = mkdtempSync(join(tmpdir(), 'keystead-tests-'));
      // Before Jest copies the variables for the tests and for what they start.
      process.env.TMPDIR = folder;
      super(...parts);
      this.#before = before;
      this.#folder = folder;
    }

    async teardown() {
      await super.teardown();
      if (this.#before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = this.#before;
      // A program that is just ending may still write: that is no failure of a test.
      await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
    }
  };
