import './bigint-failures.mjs';

export { TestEnvironment as default } from 'jest-environment-node';
