import './bigint-failures.mjs';

export { TestEnvironment as default } from '@metamask/snaps-jest';
