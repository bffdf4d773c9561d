import './bigint-failures.mjs';

export { default } from 'jest-environment-node';
