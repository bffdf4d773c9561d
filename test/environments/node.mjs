import './bigint-failures.mjs';

import { TestEnvironment } from 'jest-environment-node';

import { withShortStacks } from './short-stacks.mjs';
import { withTemporaryFolder } from './temporary-folder.mjs';

export default withShortStacks(withTemporaryFolder(TestEnvironment));
