import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const USAGE = `npm run fuzz                 run every property of test/fuzz with 50 times the cases of npm test, with a new seed
npm run fuzz -- --times 500  use 500 times as many cases
npm run fuzz -- keyring      run only files whose path contains this`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '50' }, help: { type: 'boolean' } },
});
if (values.help === true || !/^[1-9]\d{0,5}$/u.test(values.times)) {
  console.log(USAGE);
  process.exit(values.help === true ? 0 : 1);
}
const { status } = spawnSync(
  'npx',
  ['jest', '--selectProjects', 'fuzz', '--testTimeout', String(24 * 3600 * 1000), ...positionals],
  { stdio: 'inherit', env: { ...process.env, KEYSTEAD_FUZZ: values.times } },
);
process.exit(status ?? 1);
