import './bigint-failures.mjs';

export { default } from '@metamask/snaps-jest';
