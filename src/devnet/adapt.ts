import { parseArgs } from 'node:util';

import { ServiceUrlStruct } from '../wire/url';
import { startBundlerAdapter } from './bundler-adapter';

const USAGE = 'npm run bundler-adapter -- --bundler <URL of a bundler> [--port 4337]';

const { values } = parseArgs({ options: { bundler: { type: 'string' }, port: { type: 'string', default: '4337' } } });

if (!ServiceUrlStruct.is(values.bundler) || !/^\d{1,5}$/u.test(values.port)) {
  console.error(USAGE);
  process.exit(1);
}
const { url } = await startBundlerAdapter({ bundlerUrl: values.bundler, port: Number(values.port) });
console.log(`Bundler adapter  ${url}  ->  ${new URL(values.bundler).host}`);
