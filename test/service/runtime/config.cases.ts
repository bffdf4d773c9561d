import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { nodesOf } from '../../../src/service/chain/config';
import { parseConfig, readConfig } from '../../../src/service/cli/config';
import { redisUrlOf } from '../../../src/service/runtime/redis-url';
import { DEFAULT_LIMITS } from '../../../src/service/storage/content/limits';
import { writeFile } from '../../support/service/folder';

test('the defaults are a local service for mainnet', () => {
  expect(parseConfig({})).toMatchObject({
    ledger: 'sqlite',
    rpc: { host: '127.0.0.1', port: 8545, limits: { batchItems: 100 } },
    credits: { daily: 3_000_000, invalid: 5 },
    networks: [{ name: 'mainnet', chainId: 1, archive: true, totalDifficulty: 'null' }],
  });
});

const network = { name: 'mainnet', chainId: 1 };

test.each([
  ['an unknown section', { rcp: {} }, /^rcp: unknown setting/],
  ['a port out of range', { rpc: { port: 70_000 } }, /^rpc.port: Expected a port/],
  ['a port in quotes', { rpc: { port: '8545' } }, /^rpc.port: Expected an integer, but got a string/],
  ['an unknown ledger', { ledger: 'postgres' }, /^ledger: Expected one of `"sqlite","redis"`$/],
  ['a ledger that is a number', { ledger: 1 }, /^ledger: Expected one of `"sqlite","redis"`, but got a number$/],
  ['no chain id', { networks: [{ name: 'mainnet' }] }, /^networks.0.chainId: Expected an integer, but it is missing/],
  ['no network', { networks: [] }, /^networks: /],
  ['a name that could leave the folder', { networks: [{ name: '../x', chainId: 1 }] }, /^networks.0.name: /],
  ['the same name twice', { networks: [network, network] }, /^networks: .*mainnet appears twice/],
  [
    'the same host twice',
    {
      networks: [
        { ...network, hosts: ['A.example'] },
        { name: 'b', chainId: 2, hosts: ['a.example'] },
      ],
    },
    /^networks: .*a.example appears twice/,
  ],
  [
    'an upstream that is not a URL',
    { networks: [{ ...network, upstream: { url: 'localhost' } }] },
    /^networks.0.upstream.url: Expected an http/,
  ],
  [
    'a WebSocket upstream',
    { networks: [{ ...network, upstream: { url: 'ws://localhost' } }] },
    /^networks.0.upstream.url: Expected an http/,
  ],
  [
    'no node in a list',
    { networks: [{ ...network, upstream: [] }] },
    /^networks.0.upstream: Expected a nonempty array/,
  ],
  [
    'a node of a list that is no address',
    { networks: [{ ...network, upstream: ['http://a', 'b'] }] },
    /^networks.0.upstream.1.url: Expected an http/,
  ],
  [
    'the same node twice',
    { networks: [{ ...network, upstream: ['http://a', { url: 'http://b' }, 'http://A/'] }] },
    /^networks.0.upstream: Expected different addresses, but items 0 and 2 have the same url/,
  ],
  [
    'a WebSocket that is none',
    { networks: [{ ...network, upstream: { url: 'http://a', wsUrl: 'http://a' } }] },
    /^networks.0.upstream.wsUrl: Expected a ws:\/\/ or wss:\/\/ address/,
  ],
  [
    'a WebSocket of a bundler',
    { networks: [{ ...network, bundler: { url: 'http://a', wsUrl: 'ws://a' } }] },
    /^networks.0.bundler.wsUrl: unknown setting/,
  ],
  [
    'no time between checks',
    { networks: [{ ...network, failover: { checkMs: 0 } }] },
    /^networks.0.failover.checkMs: /,
  ],
  ['a price for no notification', { credits: { notifications: { dreams: 1 } } }, /^credits.notifications.dreams: /],
  ['Redis without an address', { ledger: 'redis' }, /^redis: required when ledger is "redis"; or set .*URL$/],
  [
    'a bucket endpoint that is not a URL',
    { storage: { s3: { endpoint: 's3.example', bucket: 'files' } } },
    /^storage.s3.endpoint: Expected a string matching/,
  ],
  [
    'a bucket with an invalid name',
    { storage: { s3: { endpoint: 'https://s3.example', bucket: 'A B' } } },
    /^storage.s3.bucket: Expected a string matching/,
  ],
  // Timers would fire at once after such times, and such a frame size would be no limit.
  [
    'an upstream timeout of 25 days',
    { networks: [{ ...network, upstream: { url: 'https://node.example', timeoutMs: 2_160_000_000 } }] },
    /^networks.0.upstream.timeoutMs: Expected a integer less than or equal to 2147483647/,
  ],
  ['a drain time of 25 days', { rpc: { drainMs: 2_160_000_000 } }, /^rpc.drainMs: /],
  ['a request timeout of 25 days', { rpc: { limits: { requestMs: 2_160_000_000 } } }, /^rpc.limits.requestMs: /],
  ['a frame of 4 GiB', { rpc: { limits: { frameBytes: 2 ** 32 } } }, /^rpc.limits.frameBytes: /],
  [
    'more credits than can be counted',
    { credits: { daily: 2 ** 53 } },
    /^credits.daily: .*or equal to 9007199254740991/,
  ],
  ['a chain id of 2^53', { networks: [{ name: 'x', chainId: 2 ** 53 }] }, /^networks.0.chainId: /],
  [
    'a price of a method that no network answers',
    { credits: { prices: { eth_blockNumbr: 5 } } },
    /^credits.prices.eth_blockNumbr: no network answers a method of this name$/,
  ],
  ['a negative price', { credits: { prices: { eth_call: -1 } } }, /^credits.prices.eth_call: /],
  ['a list', [], /Expected an object/],
  ['null for a section', { rpc: null }, /^rpc: Expected an object, but got null/],
  ['a list as an address', { networks: [{ ...network, upstream: { url: [] } }] }, /but got a list/],
  ['an empty data directory', { dataDir: '' }, /^dataDir: Expected a nonempty string/],
  ['no address to bind', { rpc: { host: '' } }, /^rpc.host: Expected a nonempty string/],
  ['no address to bind for files', { storage: { host: '' } }, /^storage.host: Expected a nonempty string/],
  [
    'a Redis address that is not a URL',
    { redis: { url: 'localhost:6379' } },
    /^redis.url: Expected a redis:\/\/ or rediss:\/\/ address$/,
  ],
  [
    'two addresses of Redis',
    { ledger: 'redis', redis: { url: 'redis://:hidden@a', urlFile: '/b' } },
    /^redis: has both url and urlFile; keep one$/,
  ],
  [
    'a file without the address of Redis',
    { ledger: 'redis', redis: { urlFile: '/nowhere/redis' } },
    /^redis.urlFile: \/nowhere\/redis: cannot be read \(ENOENT\)$/,
  ],
  ['a drain time longer than timers allow', { rpc: { drainMs: 2 ** 31 } }, /^rpc.drainMs: .*2147483647/],
  [
    'a request timeout longer than timers allow',
    { rpc: { limits: { requestMs: 1e10 } } },
    /^rpc.limits.requestMs: .*2147483647/,
  ],
  [
    'an upstream timeout longer than timers allow',
    { networks: [{ ...network, upstream: { url: 'http://node', timeoutMs: 2 ** 32 } }] },
    /^networks.0.upstream.timeoutMs: .*2147483647/,
  ],
  [
    'bodies longer than strings can be',
    { rpc: { limits: { bodyBytes: 2 ** 40 } } },
    /^rpc.limits.bodyBytes: .*less than/,
  ],
  [
    'frames longer than strings can be',
    { rpc: { limits: { frameBytes: 2 ** 40 } } },
    /^rpc.limits.frameBytes: .*less than/,
  ],
  ['credits that cannot be counted', { credits: { daily: 2 ** 53 } }, /^credits.daily: .*less than/],
  ['a chain id of 1e300', { networks: [{ ...network, chainId: 1e300 }] }, /^networks.0.chainId: .*less than/],
  [
    'a header that HTTP cannot carry',
    { networks: [{ ...network, upstream: { url: 'http://node', headers: { 'x y': 'z' } } }] },
    /^networks.0.upstream.headers: .*"x y" is invalid/,
  ],
  [
    'one of several networks without a host or port',
    {
      networks: [
        { ...network, hosts: ['a.example'] },
        { name: 'b', chainId: 2 },
      ],
    },
    /^networks: Expected hosts or a port for each of several networks, but b has neither/,
  ],
])('%s is rejected, with the place and the reason', (_, value, message) => {
  expect(() => parseConfig(value)).toThrow(message);
});

test('nodes are given as an address, as an object, or as a list of both', () => {
  const nodesFor = (upstream: unknown) => nodesOf(parseConfig({ networks: [{ ...network, upstream }] }).networks[0]!);
  const node = { url: 'http://a', timeoutMs: 15_000, connections: 64 };
  for (const upstream of ['http://a', { url: 'http://a' }, ['http://a'], [{ url: 'http://a' }]])
    expect(nodesFor(upstream)).toMatchObject([node]);
  expect(nodesFor(['http://a', { url: 'http://b', wsUrl: 'ws://b', methods: ['x'] }])).toMatchObject([
    node,
    { ...node, url: 'http://b', wsUrl: 'ws://b', methods: ['x'] },
  ]);
  expect(nodesFor(undefined)).toEqual([]);
});

test.each(['a.example:8545', 'https://a.example', 'a.example/', '*.example', 'a b', '::1', 'a.example.', ''])(
  'the host %p would never match a request, and is rejected',
  (host) => {
    expect(() => parseConfig({ networks: [{ ...network, hosts: [host] }] })).toThrow(
      /^networks.0.hosts.0: Expected a host name, without scheme, port, path or wildcard/,
    );
  },
);

test.each(['localhost', 'A.Example', '10.0.0.1', '[::1]', 'xn--bcher-kva.example', 'rpc_1'])(
  'the host %s is valid',
  (host) => {
    expect(parseConfig({ networks: [{ ...network, hosts: [host] }] }).networks[0]?.hosts).toEqual([host]);
  },
);

test('every limit of the storage service can be set, and has the documented default', () => {
  expect(parseConfig({}).storage.limits).toEqual(DEFAULT_LIMITS);
  const documented = readFileSync(join(__dirname, '../../..', 'docs', 'storage.md'), 'utf8');
  for (const name of Object.keys(DEFAULT_LIMITS)) {
    expect(documented).toContain(`\`${name}\``);
    const set = (value: unknown) => () => parseConfig({ storage: { limits: { [name]: value } } });
    expect(set(7)().storage.limits).toEqual({ ...DEFAULT_LIMITS, [name]: 7 });
    for (const value of [0, -1, 1.5, '7', null, 2 ** 60]) {
      expect(set(value)).toThrow(new RegExp(`storage\\.limits\\.${name}: Expected`, 'u'));
    }
  }
});

test.each(['null', '*', 'https://app.example', 'http://localhost:5173', 'chrome-extension://abcdef'])(
  'browsers may call from %s',
  (origin) => {
    expect(parseConfig({ storage: { origins: [origin] } }).storage.origins).toEqual([origin]);
  },
);

test.each(['', 'app.example', 'https://app.example/', 'https://App.example', 'https://a.example https://b.example'])(
  '%j is not an origin that a browser would send',
  (origin) => {
    expect(() => parseConfig({ storage: { origins: [origin] } })).toThrow(/storage\.origins\.0: Expected/u);
  },
);

test('no value is repeated, since it may be an address with a password', () => {
  const secret = 'https://node.example/password';
  for (const value of [
    { networks: secret },
    { redis: secret },
    { networks: [{ ...network, upstream: [secret, { url: secret }] }] },
    { networks: [{ ...network, upstream: `ftp${secret}` }] },
    { networks: [{ ...network, upstream: { url: 'http://node', wsUrl: secret } }] },
    { storage: { s3: { endpoint: `s3+${secret}`, bucket: 'x' } } },
  ])
    expect(() => parseConfig(value)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('password') as string }),
    );
});

test('the address of Redis may be in a file or in the environment, so that the configuration holds no password', () => {
  const secret = 'redis://:the-password@redis:6379';
  expect(redisUrlOf(parseConfig({ ledger: 'redis', redis: { urlFile: writeFile('url', `${secret}\n`) } }))).toBe(
    secret,
  );
  const wrong = { ledger: 'redis', redis: { urlFile: writeFile('url', 'http://:the-password@redis') } };
  expect(() => parseConfig(wrong)).toThrow(/^redis.urlFile: .*url: Expected a redis:\/\/ or rediss:\/\/ address$/u);
  jest.replaceProperty(process, 'env', { ...process.env, KEYSTEAD_REDIS_URL: secret });
  expect(redisUrlOf(parseConfig({ ledger: 'redis' }))).toBe(secret);
  expect(redisUrlOf(parseConfig({ ledger: 'redis', redis: { url: 'redis://other' } }))).toBe('redis://other');
  jest.replaceProperty(process, 'env', { ...process.env, KEYSTEAD_REDIS_URL: 'the-password' });
  expect(() => parseConfig({ ledger: 'redis' })).toThrow(
    /^KEYSTEAD_REDIS_URL: Expected a redis:\/\/ or rediss:\/\/ address$/u,
  );
});

test('a file that is missing, or is not JSON, is named', () => {
  expect(() => readConfig('/nowhere/config.json')).toThrow('/nowhere/config.json: cannot be read (ENOENT)');
  const path = writeFile('config.json', '{');
  expect(() => readConfig(path)).toThrow(`${path}: not valid JSON`);
  const comma = writeFile('config.json', '{\n  "rpc": {},\n}');
  expect(() => readConfig(comma)).toThrow(`${comma}: not valid JSON at line 3, column 1`);
  const wrong = writeFile('config.json', '{"rpc":5}');
  expect(() => readConfig(wrong)).toThrow(`${wrong}: rpc: Expected an object`);
});
