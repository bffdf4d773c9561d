import { resolve } from 'node:path';

import { parseConfig } from '../../../src/service/cli/config';
import { missingParts } from '../../../src/service/cli/missing';
import { runCli } from '../../support/service/cli';
import { makeFolder } from '../../support/service/folder';
import { startService } from '../../support/service/service';

/** The program in a clone, which finds the sample next to it. */
const PROGRAM = resolve(__dirname, '../../../bin/keystead.js');

describe('what a new service cannot do yet', () => {
  const missing = (config: object, dataDir = makeFolder()) => missingParts(parseConfig(config), dataDir, {});

  it('is listed with the commands that add it, for the same data and configuration', () => {
    const options = { dataDir: '/data', config: 'service.json' };
    expect(missingParts(parseConfig({}), makeFolder(), options)).toEqual([
      'mainnet: has no archive and no node (networks[].upstream), so it answers no look-ups yet. To add an archive: ' +
        'keystead archive import PATH --network mainnet --data-dir /data --config service.json, or to try it out: ' +
        'keystead archive import --sample --data-dir /data --config service.json',
    ]);
  });

  it('is nothing if there is a node', () => {
    expect(missing({ networks: [{ name: 'mainnet', chainId: 1, upstream: { url: 'http://node.example' } }] })).toEqual(
      [],
    );
  });

  it('names networks that have no archive by choice, and offers the sample for mainnet only', () => {
    const networks = [
      { name: 'mainnet', chainId: 1, archive: false, port: 1 },
      { name: 'sepolia', chainId: 11_155_111, port: 2 },
    ];
    const [mainnet, sepolia] = missing({ networks });
    expect(mainnet).toBe('mainnet: has no archive and no node (networks[].upstream), so it answers no look-ups.');
    expect(sepolia).toMatch(/archive import PATH --network sepolia$/u);
  });
});

describe('keystead archive import --sample', () => {
  it('imports the first blocks of mainnet, and a look-up is answered', async () => {
    const dataDir = makeFolder();
    const { code, stdout, stderr } = await runCli(dataDir, ['archive', 'import', '--sample'], PROGRAM);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^mainnet-0-670\.rlp\.gz: 671 blocks, 199 uncles\n/u);
    const service = await startService({}, { dataDir });
    const request = { jsonrpc: '2.0', id: 1, method: 'eth_getUncleByBlockNumberAndIndex', params: ['0x29c', '0x0'] };
    expect((await service.post(JSON.stringify(request))).body).toMatchObject({ result: { number: '0x299' } });
  });

  it.each([
    [['--sample', 'a.era1'], '--sample: cannot be combined with files'],
    [['--sample', '--network', 'sepolia'], '--sample: holds blocks of mainnet, not of sepolia'],
    [[], 'name the files or folders to import, or use --sample'],
  ])('%j is refused with the reason', async (args, why) => {
    expect(await runCli(makeFolder(), ['archive', 'import', ...args])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(why) as string,
    });
  });
});
