import './bigint-failures.mjs';
import './file-reader.mjs';
import './redux.mjs';

import { TestEnvironment } from '@metamask/snaps-jest';

import { withShortStacks } from './short-stacks.mjs';
import { withTemporaryFolder } from './temporary-folder.mjs';

/**
 * The Snaps runtime. If a test is over before its snap is installed, the environment waits for the installation: only
 * then can it end the snap's thread and close its connections, without which Jest's worker would not exit.
 */
class SnapsEnvironment extends TestEnvironment {
  #installation = Promise.resolve();

  async installSnap(...options) {
    const installed = super.installSnap(...options);
    this.#installation = installed.catch(() => undefined);
    return installed;
  }

  async teardown() {
    await this.#installation;
    await super.teardown();
  }
}

export default withShortStacks(withTemporaryFolder(SnapsEnvironment));
