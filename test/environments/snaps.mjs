import './bigint-failures.mjs';

import { TestEnvironment } from '@metamask/snaps-jest';

import { withTemporaryFolder } from './temporary-folder.mjs';

export default withTemporaryFolder(TestEnvironment);
