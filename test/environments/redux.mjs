import { createRequire } from 'node:module';

/*
 * The simulated wallet keeps its state in Redux, whose development build compares the whole state before and after each
 * action: with many screens, that takes most of the time of a test. Wallets ship the production build, and so do tests.
 * The package chooses its build when it is first loaded.
 */

const before = process.env.NODE_ENV;
process.env.NODE_ENV = 'production';
createRequire(import.meta.url)('@reduxjs/toolkit');
process.env.NODE_ENV = before;
