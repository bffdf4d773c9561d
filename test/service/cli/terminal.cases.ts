import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

import { makeChain } from '../../support/service/chain';
import { PROGRAM, runCli } from '../../support/service/cli';
import { era1File } from '../../support/service/era1-writer';
import { makeFolder, writeFile } from '../../support/service/folder';

const CTRL_C = '\x03';

/** Whether `script` of util-linux, which gives a program a terminal, is installed. */
const hasTerminal = spawnSync('script', ['--version']).stdout?.includes('util-linux') ?? false;
const maybe = hasTerminal ? test : test.skip;
const skipped = hasTerminal ? '' : ' (skipped: script, of util-linux, is not installed)';

/** Runs an `archive` command on its own terminal. `onBar` is called once the progress bar is drawn. */
async function onTerminal(args: string[], dataDir: string, onBar?: (type: (keys: string) => void) => void) {
  const command = [process.execPath, PROGRAM, 'archive', ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...process.env, KEYSTEAD_DATA_DIR: dataDir, TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let screen = '';
  let isDrawn = false;
  child.stdout.on('data', (data: Buffer) => {
    screen += data.toString();
    if (isDrawn || !screen.includes('blocks/s')) return;
    isDrawn = true;
    onBar?.((keys) => child.stdin.write(keys));
  });
  // Writing keys after the program has ended fails, which does no harm.
  child.stdin.on('error', () => undefined);
  const [code] = (await once(child, 'close')) as [number];
  return { screen, code };
}

const importOnTerminal = (args: string[], onBar?: (type: (keys: string) => void) => void) =>
  onTerminal(['import', ...args], makeFolder(), onBar);

const SET_MODE = new RegExp(`${String.fromCharCode(27)}\\[\\?(\\d+)([hl])`, 'gu');

/** Modes of the terminal (DECSET, DECRST) as a program left them, in the order they were last touched. */
function modesOf(screen: string): string[] {
  const modes = new Map<string, string>();
  for (const [, mode = '', set = ''] of screen.matchAll(SET_MODE)) modes.set(mode, set);
  return [...modes].map(([mode, set]) => mode + set);
}

const chain = makeChain({ length: 2048 });
const files = [0, 512, 1024, 1536].map((at) => writeFile(`${at}.era1`, era1File(chain.slice(at, at + 512))));
const network = ['--network', 'testnet'];

maybe(`an import draws its bar and leaves the terminal as it was${skipped}`, async () => {
  const { screen, code } = await importOnTerminal([...files, ...network]);
  expect({ code, modes: modesOf(screen) }).toEqual({ code: 0, modes: [] });
  // The bar fits into the 80 columns of this terminal.
  expect(screen).toMatch(/100% \| 4\/4 files \| 0s left \| 2,048 blocks \| [\d,]+ blocks\/s/u);
  expect(screen).not.toMatch(/[A-Z]s left/u);
  expect(screen).toContain('2,048 blocks and ');
});

maybe(`so does one that is interrupted${skipped}`, async () => {
  const { screen } = await importOnTerminal([...files, ...network, '--jobs', '1'], (type) => {
    type(CTRL_C);
  });
  expect(modesOf(screen)).toEqual([]);
});

maybe(`so does one that refuses a file${skipped}`, async () => {
  const broken = writeFile('broken.era1', era1File(chain.slice(0, 512)).subarray(0, 20_000));
  const { screen, code } = await importOnTerminal([...files.slice(1), broken, ...network]);
  expect({ code, modes: modesOf(screen) }).toEqual({ code: 1, modes: [] });
  expect(screen).toMatch(/\n\S*broken\.era1: refused: /u);
});

maybe(`a verification draws the same bar${skipped}`, async () => {
  const dataDir = makeFolder();
  await runCli(dataDir, ['archive', 'import', ...files, ...network, '--jobs', '1']);
  const { screen, code } = await onTerminal(['verify', ...network], dataDir);
  expect({ code, modes: modesOf(screen) }).toEqual({ code: 0, modes: [] });
  expect(screen).toMatch(/100% \| 4\/4 files \| 0s left \| 2,048 blocks \| [\d,]+ blocks\/s/u);
  expect(screen).toMatch(/\n2,048 blocks and \d+ uncles in 4 segments\r\nNo problems found\.\r\n$/u);
});

maybe(`there is no bar beside JSON${skipped}`, async () => {
  const dataDir = makeFolder();
  await runCli(dataDir, ['archive', 'import', ...files, ...network, '--jobs', '1']);
  const { screen } = await onTerminal(['verify', ...network, '--json'], dataDir);
  expect(JSON.parse(screen)).toMatchObject({ segments: 4, blocks: 2048, problems: [] });
});
