import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { runCli, runCommand } from '../../support/service/cli';
import { dataFile, makeFolder, writeFile } from '../../support/service/folder';

/** Each test runs the program several times, and each start may take seconds on a busy machine. */
jest.setTimeout(300_000);

const COMMANDS: string[][] = [
  ['serve', '--rpc-port', '0', '--storage-port', '0'],
  ['storage', 'stat'],
  ['keys', 'list'],
  ['archive', 'import', dataFile('hivechain.rlp')],
];
const READING: string[][] = [
  ['archive', 'verify'],
  ['archive', 'status'],
];

const refused = (why: string) => ({ code: 1, stdout: '', stderr: `error: ${why}\n` });

const canNotMake = process.platform === 'linux' && existsSync('/proc/self');

(canNotMake ? test : test.skip).each(COMMANDS)(
  '%s: a data directory that cannot be created is reported in one line, at once',
  async (...args) => {
    expect(await runCommand('/nowhere', [...args, '--data-dir', '/proc/keystead/data'])).toMatchObject(
      refused('--data-dir: /proc/keystead/data: cannot create the directory (ENOENT at /proc/keystead)'),
    );
  },
);

test.each([...COMMANDS, ...READING])('%s: a data directory that is a file is reported in one line', async (...args) => {
  const file = writeFile('data', 'a file');
  expect(await runCommand(file, args)).toMatchObject(refused(`KEYSTEAD_DATA_DIR: ${file}: not a directory`));
});

test('the error names the setting of the data directory, whichever it is', async () => {
  const file = writeFile('data', 'a file');
  const below = join(file, 'data');
  const why = `${below}: cannot create the directory (ENOTDIR at ${below})`;
  const config = writeFile('config.json', JSON.stringify({ dataDir: below }));
  const args = ['keys', 'list'];
  expect(await runCommand(below, args)).toMatchObject(refused(`KEYSTEAD_DATA_DIR: ${why}`));
  expect(await runCommand('/nowhere', [...args, '--config', config])).toMatchObject(
    refused(`${config}: dataDir: ${why}`),
  );
  jest.replaceProperty(process, 'env', { ...process.env, XDG_DATA_HOME: file });
  expect(await runCommand('', args)).toMatchObject({
    stderr: expect.stringContaining('error: the data directory (choose another with --data-dir): ') as string,
  });
});

test('a data directory that cannot be created completely is not created at all', async () => {
  const folder = makeFolder();
  const name = 'x'.repeat(300);
  const dataDir = join(folder, 'a', 'b', name);
  expect(await runCommand(dataDir, ['keys', 'list'])).toMatchObject(
    refused(`KEYSTEAD_DATA_DIR: ${dataDir}: cannot create the directory (ENAMETOOLONG at ${dataDir})`),
  );
  expect(readdirSync(folder)).toEqual([]);
});

test.each(READING)('%s: a data directory that cannot be inspected does not count as an empty one', async (...args) => {
  const loop = join(makeFolder(), 'loop');
  symlinkSync(loop, loop);
  expect(await runCommand(loop, args)).toMatchObject(
    refused(`KEYSTEAD_DATA_DIR: ${loop}: this user must be able to read it (ELOOP)`),
  );
});

// The superuser may read and write everywhere.
(process.getuid?.() === 0 ? test.skip : test).each([
  [0o000, COMMANDS, 'this user must be able to read and write in it (EACCES)'],
  [0o500, COMMANDS, 'this user must be able to read and write in it (EACCES)'],
  [0o000, READING, 'this user must be able to read it (EACCES)'],
] as const)(
  'a data directory with mode %s that a command needs (skipped for root, who may do everything)',
  async (mode, commands, why) => {
    const dataDir = makeFolder();
    chmodSync(dataDir, mode);
    for (const args of commands)
      expect(await runCommand(dataDir, args)).toMatchObject(refused(`KEYSTEAD_DATA_DIR: ${dataDir}: ${why}`));
    chmodSync(dataDir, 0o700);
    expect(readdirSync(dataDir)).toEqual([]);
  },
);

test('a file that is not a database is reported in one line, and so is an unreachable Redis', async () => {
  const noDatabase = makeFolder();
  writeFile('keys.sqlite', 'hello, this is no database. '.repeat(100), noDatabase);
  const { code, stderr } = await runCommand(noDatabase, ['keys', 'list']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^error: .*keys\.sqlite: cannot be opened \(SQLITE_NOTADB\)\n$/u) as string,
  });
  const config = writeFile('config.json', '{"ledger":"redis","redis":{"url":"redis://:password@127.0.0.1:1"}}');
  expect(await runCli(noDatabase, ['keys', 'list', '--config', config])).toMatchObject(
    refused('redis: cannot connect (ECONNREFUSED)'),
  );
});

test('an import without result leaves nothing behind', async () => {
  const folder = makeFolder();
  const dataDir = join(folder, 'data');
  const nothing = join(folder, 'nothing');
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const imported = await runCli(dataDir, [
    'archive',
    'import',
    nothing,
    empty,
    writeFile('note.txt', 'hello'),
    '--json',
  ]);
  expect(imported).toMatchObject({
    code: 1,
    json: [
      { file: nothing, outcome: 'refused', reason: 'no such file or folder' },
      { file: empty, outcome: 'refused', reason: 'no era1 file and no chain export in this folder' },
      { file: 'note.txt', outcome: 'refused' },
      { blocks: 0, uncles: 0 },
    ],
  });
  expect(readdirSync(folder)).toEqual(['empty']);
  expect(await runCli(dataDir, ['archive', 'import', dataFile('hivechain.rlp'), '--checksums', nothing])).toMatchObject(
    refused(`--checksums: ${nothing}: cannot be read (ENOENT)`),
  );
  expect(readdirSync(folder)).toEqual(['empty']);
});

test('an archive without blocks does not count as an archive', async () => {
  const dataDir = makeFolder();
  const broken = writeFile(
    'broken.era1',
    Buffer.concat([Buffer.from('6532000000000000', 'hex'), Buffer.alloc(100, 1)]),
  );
  expect(await runCli(dataDir, ['archive', 'import', broken])).toMatchObject({ code: 1 });
  for (const args of READING)
    expect(await runCommand(dataDir, args)).toMatchObject(
      refused('mainnet: no archive for this network yet; create one with keystead archive import'),
    );
});
