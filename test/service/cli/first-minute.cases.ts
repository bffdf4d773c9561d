import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { makeFolder } from '../../support/service/folder';

const ROOT = join(__dirname, '../../..');
const CLIENT = join(ROOT, 'test/service/storage/peers/node_modules/kubo-rpc-client');
const HELLO = 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o';

const run = promisify(execFile);

type Block = { readonly language: string; readonly text: string };

/** The code blocks of a section, in their order. */
function blocksOf(page: string, title: string): Block[] {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
  const [, section = ''] = new RegExp(`\\n## ${title}\\n([\\s\\S]*?)\\n## `, 'u').exec(text) ?? [];
  return [...section.matchAll(/```(\w+)\n([\s\S]*?)```/gu)].map(([, language = '', block = '']) => ({
    language,
    text: block,
  }));
}

const started = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of started) {
    const ended = once(child, 'close');
    process.kill(-child.pid!, 'SIGKILL');
    await ended;
  }
  started.clear();
});

/** A folder in which `npx keystead` runs the program of this clone, as if its package were installed there. */
function firstFolder() {
  const folder = makeFolder();
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(join(ROOT, 'bin/keystead.js'), join(folder, 'node_modules/.bin/keystead'));
  const env = { ...process.env, KEYSTEAD_DATA_DIR: join(folder, 'data') };
  /** What the pages say, less the ports, which are free ones here. */
  const ports = new Map<string, string>();
  const here = (command: string) => command.replace(/127\.0\.0\.1:\d+/gu, (address) => ports.get(address) ?? address);
  return {
    write: (name: string, text: string) => {
      writeFileSync(join(folder, name), here(text));
    },
    link: (name: string, target: string) => {
      symlinkSync(target, join(folder, 'node_modules', name));
    },
    /** Runs commands to their end. */
    sh: async (commands: string) =>
      (await run('bash', ['-euo', 'pipefail', '-c', here(commands)], { cwd: folder, env })).stdout,
    /** Starts the service, and waits until it says where it is. */
    serve: async (command: string) => {
      const ready = `${command.trim()} --rpc-port 0 --storage-port 0`;
      const child = spawn('bash', ['-c', ready], {
        cwd: folder,
        env,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      started.add(child);
      child.once('exit', () => started.delete(child));
      let said = '';
      const text = await new Promise<string>((resolve, reject) => {
        const hear = (chunk: Buffer) => {
          said += chunk.toString();
          if (/RPC +http[\s\S]*storage +http\S+\n/iu.test(said)) resolve(said);
        };
        child.stdout.on('data', hear);
        child.stderr.on('data', hear);
        child.once('close', () => {
          reject(new Error(`the service ended:\n${said}`));
        });
      });
      for (const [label, printed] of [
        [/RPC +http:\/\/(\S+)/u, '127.0.0.1:8545'],
        [/storage +http:\/\/(\S+)/iu, '127.0.0.1:5001'],
      ] as const)
        ports.set(printed, label.exec(text)![1]!);
    },
  };
}

/** The last line of a block starts the service; those before it end by themselves. */
async function startWith(folder: ReturnType<typeof firstFolder>, { text }: Block): Promise<void> {
  const lines = text.trim().split('\n');
  const serve = lines.pop()!;
  expect(serve).toBe('npx keystead serve');
  await folder.sh(lines.join('\n'));
  await folder.serve(serve);
}

test('the first commands of docs/service.md give the first uncle, by curl and over a WebSocket', async () => {
  const [start, curl, socket, ...more] = blocksOf('service.md', 'Start');
  expect(more).toEqual([]);
  const folder = firstFolder();
  await startWith(folder, start!);
  for (const { text } of [curl!, socket!])
    expect(JSON.parse(await folder.sh(text))).toMatchObject({ jsonrpc: '2.0', id: 1, result: { number: '0x299' } });
});

const noClient = existsSync(CLIENT) ? undefined : 'skipped: run scripts/install-storage-peers.sh';

(noClient === undefined ? test : test.skip)(
  `the first commands of docs/storage.md add a file and read it, by curl and with kubo-rpc-client${noClient === undefined ? '' : ` (${noClient})`}`,
  async () => {
    const [start, curl, program, node, ...more] = blocksOf('storage.md', 'First file');
    expect(more).toEqual([]);
    expect(program!.language).toBe('js');
    const folder = firstFolder();
    await startWith(folder, start!);
    expect(await folder.sh(curl!.text)).toBe(`{"Name":"hello.txt","Hash":"${HELLO}","Size":"20"}\nhello world\n`);
    folder.write('hello.mjs', program!.text);
    const [install, ...commands] = node!.text.trim().split('\n');
    // The package comes from where the tests have it, without the network.
    expect(install).toBe('npm install kubo-rpc-client');
    folder.link('kubo-rpc-client', CLIENT);
    expect(await folder.sh(commands.join('\n'))).toBe(`${HELLO}\nhello world\n`);
  },
);
