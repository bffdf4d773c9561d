// Runs groups of interface-ipfs-core against a running service: run-interface.mjs <url> <group>...
// `-<text>` in place of a group leaves out the tests whose title holds the text.
// Prints one JSON line: {"<group>": {"passed": n, "pending": n, "failed": [{"title", "error"}]}}.
import { createServer } from 'node:http';
import Mocha from 'mocha';

const [url, ...words] = process.argv.slice(2);
const groups = words.filter((word) => !word.startsWith('-'));
const leftOut = words.filter((word) => word.startsWith('-')).map((word) => word.slice(1));

// What the suites fetch from: /download?data=x answers x, /redirect?to=url redirects.
const echo = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://echo');
  if (pathname === '/redirect') response.writeHead(302, { Location: searchParams.get('to') }).end();
  else response.end(searchParams.get('data') ?? '');
});
await new Promise((resolve) => echo.listen(0, '127.0.0.1', resolve));
process.env.ECHO_SERVER = `http://127.0.0.1:${echo.address().port}`;

const { create } = await import('ipfs-http-client');
const suites = await import('interface-ipfs-core');
// One service for all suites: what stands in for a fresh node is one without pins.
const spawn = async () => {
  const api = create({ url });
  for (const type of ['recursive', 'direct']) {
    for await (const { cid } of api.pin.ls({ type })) await api.pin.rm(cid, { recursive: type === 'recursive' });
  }
  return { api };
};
const factory = { spawn, clean: () => Promise.resolve() };

const mocha = new Mocha({ timeout: 60_000, reporter: 'min', reporterOptions: {} });
mocha.suite.emit('pre-require', globalThis, null, mocha);
for (const group of groups) {
  globalThis.describe(group, () => {
    // Remote pinning needs a pinning service and is none of the commands here.
    for (const name of Object.keys(suites[group])) if (name !== 'remote') suites[group][name](factory, {});
  });
}
const results = Object.fromEntries(groups.map((group) => [group, { passed: 0, pending: 0, failed: [] }]));
const resultOf = (test) => results[test.titlePath()[0]];
if (leftOut.length > 0) mocha.grep(new RegExp(leftOut.join('|'))).invert();
const runner = mocha.run(() => {
  echo.close();
  process.stdout.write(`\n${JSON.stringify(results)}\n`);
  process.exit(0);
});
runner.on('pass', (test) => resultOf(test).passed++);
runner.on('pending', (test) => resultOf(test).pending++);
runner.on('fail', (test, error) => {
  const [, ...titles] = test.titlePath();
  resultOf(test).failed.push({ title: titles.join(' '), error: String(error.message) });
});
