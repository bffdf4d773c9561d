import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseConfig, readConfig } from '../../src/service/config';
import { DEFAULT_LIMITS } from '../../src/service/storage/limits';
import { writeFile } from './support/folder';

test('nothing configured is a local service for mainnet', () => {
  expect(parseConfig({})).toMatchObject({
    ledger: 'sqlite',
    rpc: { host: '127.0.0.1', port: 8545, limits: { batchItems: 100 } },
    credits: { daily: 3_000_000, invalid: 5 },
    networks: [{ name: 'mainnet', chainId: 1, archive: true, totalDifficulty: 'null' }],
  });
});

const network = { name: 'mainnet', chainId: 1 };

test.each([
  ['an unknown section', { rcp: {} }, /^rcp: there is no such setting/],
  ['a port that is none', { rpc: { port: 70_000 } }, /^rpc.port: Expected a port/],
  ['a port in quotes', { rpc: { port: '8545' } }, /^rpc.port: Expected an integer, but it is string/],
  ['no chain id', { networks: [{ name: 'mainnet' }] }, /^networks.0.chainId: Expected an integer, but it is missing/],
  ['no network', { networks: [] }, /^networks: /],
  ['a name that could leave the folder', { networks: [{ name: '../x', chainId: 1 }] }, /^networks.0.name: /],
  ['the same name twice', { networks: [network, network] }, /^networks: .*not mainnet again/],
  [
    'the same host twice',
    {
      networks: [
        { ...network, hosts: ['A.example'] },
        { name: 'b', chainId: 2, hosts: ['a.example'] },
      ],
    },
    /^networks: .*not a.example again/,
  ],
  [
    'an upstream that is no address',
    { networks: [{ ...network, upstream: { url: 'localhost' } }] },
    /^networks.0.upstream.url: Expected an http/,
  ],
  [
    'a WebSocket upstream',
    { networks: [{ ...network, upstream: { url: 'ws://localhost' } }] },
    /^networks.0.upstream.url: Expected an http/,
  ],
  ['Redis without an address', { ledger: 'redis' }, /^redis: needed, because ledger is "redis"/],
  [
    'a bucket at no address',
    { storage: { s3: { endpoint: 's3.example', bucket: 'files' } } },
    /^storage.s3.endpoint: Expected a string matching/,
  ],
  [
    'a bucket with a name that is none',
    { storage: { s3: { endpoint: 'https://s3.example', bucket: 'A B' } } },
    /^storage.s3.bucket: Expected a string matching/,
  ],
  [
    'a bucket without Redis',
    { storage: { s3: { endpoint: 'https://s3.example', bucket: 'files' } } },
    /^redis: needed, because storage.s3 is set/,
  ],
  ['a negative price', { credits: { prices: { eth_call: -1 } } }, /^credits.prices.eth_call: /],
  ['a list', [], /Expected an object/],
])('%s is refused, with the place and the reason', (_, value, message) => {
  expect(() => parseConfig(value)).toThrow(message);
});

test('every limit of the storage service can be set, and has the documented default', () => {
  expect(parseConfig({}).storage.limits).toEqual(DEFAULT_LIMITS);
  const documented = readFileSync(join(__dirname, '..', '..', 'docs', 'storage.md'), 'utf8');
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
  'no browser ever sends the origin %j',
  (origin) => {
    expect(() => parseConfig({ storage: { origins: [origin] } })).toThrow(/storage\.origins\.0: Expected/u);
  },
);

test('no value is repeated: it may be an address with a password in it', () => {
  const secret = 'https://node.example/password';
  for (const value of [{ networks: secret }, { redis: secret }, { networks: [{ ...network, upstream: secret }] }])
    expect(() => parseConfig(value)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('password') as string }),
    );
});

test('a file that is missing, or is not JSON, is named', () => {
  expect(() => readConfig('/nowhere/config.json')).toThrow('/nowhere/config.json: cannot be read');
  const path = writeFile('config.json', '{');
  expect(() => readConfig(path)).toThrow(`${path}: not JSON`);
  const wrong = writeFile('config.json', '{"rpc":5}');
  expect(() => readConfig(wrong)).toThrow(`${wrong}: rpc: Expected an object`);
});
