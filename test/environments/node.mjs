import './bigint-failures.mjs';

import { TestEnvironment } from 'jest-environment-node';

import { withTemporaryFolder } from './temporary-folder.mjs';

export default withTemporaryFolder(TestEnvironment);
