import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StorageClient } from '../../../../src/clients/storage';
import { startTestService, type TestService } from '../../../support/storage/service';

const PEERS = join(__dirname, '../peers');
const installed = existsSync(join(PEERS, 'node_modules', 'interface-ipfs-core')) && existsSync(join(PEERS, 'fixtures'));
const maybe = installed ? describe : describe.skip;

type Report = {
  readonly passed: number;
  readonly pending: number;
  readonly failed: readonly { title: string; error: string }[];
};

const run = promisify(execFile);
const lastLine = (output: string) => output.trimEnd().split('\n').at(-1) ?? '';

/** Tests of interface-ipfs-core that a service like this one fails, each with the reason. */
const KNOWN = JSON.parse(readFileSync(join(__dirname, '../data', 'interface-known-failures.json'), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;
/** The number of tests that a real Kubo 0.27 passes, by group. */
const KUBO_PASSES: Readonly<Record<string, number>> = { object: 24, block: 18, dag: 57 };
/**
 * Tests that are not run: those of commands that are not offered; the next waits for a response while still sending,
 * and hangs; the others take a minute.
 */
const LEFT_OUT = [
  '-object.patch',
  '-[.]refs',
  '-bidirectional',
  '-should add big files',
  '-should be able to add dir with sharding',
];

maybe(`clients and suites of others${installed ? '' : ' (skipped: run scripts/install-storage-peers.sh)'}`, () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService();
  });
  afterEach(() => service.discard());

  describe('interface-ipfs-core', () => {
    const GROUPS = ['object', 'block', 'dag', 'pin', 'root'];
    let reports: Readonly<Record<string, Report>>;
    // One process for all groups: loading the suites takes longer than most of them.
    beforeAll(async () => {
      const own = await startTestService();
      const args = ['run-interface.mjs', own.url, ...GROUPS, ...LEFT_OUT];
      const { stdout } = await run(process.execPath, args, { cwd: PEERS });
      reports = JSON.parse(lastLine(stdout)) as typeof reports;
      await own.discard();
    }, 240_000);

    test.each(GROUPS)('%s', (group) => {
      const { failed = [], passed } = reports[group] ?? {};
      expect(failed.map(({ title }) => title).sort()).toEqual(Object.keys(KNOWN[group] ?? {}).sort());
      expect(passed).toBeGreaterThanOrEqual(KUBO_PASSES[group] ?? 30);
    });
  });

  test('kubo-rpc-client and ipfs-http-client, every method they share with the service', async () => {
    const { stdout } = await run(process.execPath, ['run-clients.mjs', service.url], { cwd: PEERS });
    const results = JSON.parse(lastLine(stdout)) as Record<string, Record<string, unknown>>;
    const expected = {
      add: 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o',
      addAll: ['d/a', 'd/b', 'd'],
      cat: 'hello world\n',
      'cat range': 'world',
      get: true,
      ls: ['a', 'b'],
      'block.put': 'bafkreiadsbmmn4waznesyuz3bjgrj33xzqhxrk6mz3ksq7meugrachh3qe',
      'block.get': [1, 2, 3],
      'block.stat': 3,
      'block.rm': ['bafkreiadsbmmn4waznesyuz3bjgrj33xzqhxrk6mz3ksq7meugrachh3qe'],
      'dag.get': 'world',
      'dag.resolve': 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o',
      'pin.ls': ['recursive'],
      'repo.stat': true,
      version: '0.27.0',
      id: '12D3KooW',
      'bad CID': expect.stringMatching(/^error: /) as unknown,
      // These clients accept two thirds of a file as the whole file, without an error.
      'cat of a file without its last leaf': 2 * 262144,
    };
    for (const result of Object.values(results)) {
      expect(result).toMatchObject(expected);
      expect(result['dag.import']).toEqual([result['dag.put']]);
      expect([result['pin.add'], result['pin.rm']]).toEqual([result['dag.put'], result['dag.put']]);
    }
    // Our client reports an error.
    const client = new StorageClient({ url: service.url });
    const cid = 'QmSoQKwARWg6fhqd1kC6uQQVFQQvfFMwxTsnCjBqG2xz8A';
    await expect(client.read(cid)).rejects.toMatchObject({ kind: 'refused' });
    await expect(client.read(cid, { verify: false })).rejects.toMatchObject({ kind: 'truncated' });
  });
});
