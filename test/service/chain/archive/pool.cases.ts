import childProcess, { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';

import { importArchive } from '../../../../src/service/chain/archive/import';
import { type Job, type JobEvent } from '../../../../src/service/chain/archive/job';
import { processPool } from '../../../../src/service/chain/archive/pool';
import { findSources } from '../../../../src/service/chain/archive/sniff';
import { filesIn, testArchive } from '../../../support/service/archive';
import { makeChain } from '../../../support/service/chain';
import { PROGRAM, runCli } from '../../../support/service/cli';
import { era1File } from '../../../support/service/era1-writer';
import { expectBlocks } from '../../../support/service/expect-archive';
import { writeFile } from '../../../support/service/folder';

const chain = makeChain({ length: 600 });
const paths = [0, 200, 400].map((at) => writeFile(`from-${at}.era1`, era1File(chain.slice(at, at + 200))));

/** An archive of the first file, and a way to import all files into it with worker processes. */
async function start() {
  const archive = testArchive();
  await archive.import(paths[0]!);
  const { dir } = archive;
  const importWith = (program: string, jobs = 2) =>
    importArchive({ dir, network: 'testnet', found: findSources(paths), pool: processPool(jobs, program) });
  return { archive, importWith };
}

type Started = Awaited<ReturnType<typeof start>>;

/** The archive holds what it held before and nothing else, and an import with a working program completes it. */
async function expectUnharmed({ archive, importWith }: Started): Promise<void> {
  expect(filesIn(archive.dir)).toEqual(['0000000000-0000000199.uncles']);
  const { files } = await importWith(PROGRAM);
  expect(files.map(({ outcome }) => outcome)).toEqual(['held', 'imported', 'imported']);
  const opened = await archive.open();
  expectBlocks(opened, chain, 'known');
  opened.close();
}

test.each([
  ['killed', "process.kill(process.pid, 'SIGKILL')", 'SIGKILL'],
  ['ended', 'process.exit(3)', 'exit code 3'],
  ['cut off, and ends', 'setImmediate(() => { process.disconnect(); process.exitCode = 4; })', 'exit code 4'],
])('a worker that is %s in the middle of a file ends the import with that file named', async (_, end, how) => {
  const started = await start();
  const program = writeFile('worker.mjs', `process.once('message', () => { ${end}; });`);
  const reason = `the worker process exited early (${how})`;
  expect((await started.importWith(program)).files).toMatchObject([
    { file: 'from-0.era1', outcome: 'held' },
    { file: 'from-200.era1', outcome: 'refused', reason },
    { file: 'from-400.era1', outcome: 'refused', reason },
  ]);
  await expectUnharmed(started);
});

test('segments that a worker delivered before it died are kept', async () => {
  const { archive, importWith } = await start();
  const program = writeFile(
    'worker.mjs',
    `import { fork } from 'node:child_process';
    process.once('message', (job) => {
      const worker = fork(${JSON.stringify(PROGRAM)}, ['archive-import-worker'], { serialization: 'advanced' });
      worker.on('message', (event) => {
        if (event.type === 'done') process.disconnect();
        else process.send(event, () => undefined);
      });
      worker.send(job);
      process.once('disconnect', () => worker.disconnect());
    });`,
  );
  expect((await importWith(program, 2)).files).toMatchObject([
    { file: 'from-0.era1', outcome: 'held' },
    { file: 'from-200.era1', outcome: 'refused', blocks: 200 },
    { file: 'from-400.era1', outcome: 'refused', blocks: 200 },
  ]);
  const opened = await archive.open();
  expectBlocks(opened, chain, 'known');
  opened.close();
});

test('a worker whose last messages arrive after its exit gets no other file, and its exit is not attributed to this one', async () => {
  // The worker passes its channel to an heir. The heir sends once the worker has ended, and answers later messages.
  const heir = writeFile(
    'heir.mjs',
    `process.on('message', () => process.send({ type: 'refused', reason: 'sent to a worker that had ended' }));
    process.on('disconnect', () => process.exit());
    const isThere = () => { try { return process.kill(Number(process.argv[2]), 0); } catch { return false; } };
    const look = () => (isThere() ? setTimeout(look, 5) : process.send({ type: 'done' }));
    look();`,
  );
  const program = writeFile(
    'worker.mjs',
    `import { spawn } from 'node:child_process';
    process.once('message', () => {
      spawn(process.execPath, [${JSON.stringify(heir)}, String(process.pid)], {
        env: { ...process.env, NODE_CHANNEL_FD: '3', NODE_CHANNEL_SERIALIZATION_MODE: 'advanced' },
        stdio: ['ignore', 'ignore', 'inherit', 3],
      }).once('spawn', () => process.exit());
    });`,
  );
  const forks = jest.spyOn(childProcess, 'fork');
  const pool = processPool(1, program);
  const job: Job = {
    id: 0,
    source: { kind: 'era1', path: paths[0]!, name: 'from-0.era1', bytes: 0 },
    network: 'testnet',
    dir: testArchive().dir,
    checksums: undefined,
  };
  const events: JobEvent[] = [];
  for (let run = 0; run < 2; run++)
    await pool.run(job, (event) => {
      events.push(event);
    });
  const workers = forks.mock.results.map(({ value }) => value as ChildProcess);
  for (const worker of workers) {
    const left = once(worker, 'disconnect');
    worker.disconnect();
    await left;
  }
  expect(events).toEqual([{ type: 'done' }, { type: 'done' }]);
  expect(workers).toHaveLength(2);
});

test('workers that cannot be started end the import with every file named', async () => {
  const { archive } = await start();
  const program = writeFile(
    'no-node.mjs',
    `process.execPath = '/nowhere/node'; await import(${JSON.stringify(pathToFileURL(PROGRAM).href)});`,
  );
  const args = ['archive', 'import', ...paths, '--network', 'testnet', '--jobs', '2'];
  const why = 'refused: the worker process failed \\(ENOENT\\)';
  expect(await runCli(archive.dataDir, args, program)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      `^from-0.era1: already in the archive\nfrom-200.era1: ${why}\nfrom-400.era1: ${why}\n0 blocks`,
    ) as string,
    stderr: '',
  });
  expect(filesIn(archive.dir)).toEqual(['0000000000-0000000199.uncles']);
});
