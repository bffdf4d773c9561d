import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Every command of the README, in shell blocks and in sentences. */
function commands(): string[] {
  const text = read('README.md');
  const lines = [...text.matchAll(/```sh\n([\s\S]*?)```/gu)].flatMap(([, block = '']) => block.trim().split('\n'));
  const named = [...text.matchAll(/`((?:npm|npx|node|bash|scripts\/)[^`\n]*)`/gu)].map(([, command = '']) => command);
  return [...new Set([...lines, ...named].map((line) => line.replace(/\s+#.*$/u, '').trim()))];
}

/**
 * The file that runs each command (a check of every change, or a test), and the text in it that shows this. Every new
 * command of the README must be added here.
 */
const RUN_BY: Readonly<Record<string, readonly [file: string, evidence: string]>> = {
  'npm ci': ['.ci/run', '\nstep install npm ci\n'],
  'npm test': ['.ci/run', '\nstep tests npx tsx scripts/hold-ports.ts npm run test:ci\n'],
  'npm run build': ['.ci/run', '\nstep build npm run build\n'],
  // Before the tests, unless the page was built of the same sources.
  'npm run build:page': ['package.json', ' && tsx scripts/build-page.ts --if-stale'],
  'npm start': ['test/support/devnet/npm-start.ts', 'exec npm start --silent -- "$@"'],
  'npm start -- --once': ['test/devnet/start.test.ts', "npmStart('--once')"],
  'npm start -- --no-bundler': ['test/devnet/start.test.ts', "start('--no-bundler')"],
  'npm start -- --port-base 9000': ['test/devnet/start.test.ts', "npmStart('--port-base', String(base), ...more)"],
  'npm start -- --data-dir DIR': ['test/devnet/start.test.ts', "'--data-dir', dataDir)"],
  'scripts/install-*.sh': ['.ci/install-peers', '  bash "scripts/install-$part.sh"'],
  '(cd ../keystead && npm run release -- --dry-run)': [
    'test/support/package/installed.ts',
    "run('npm', ['run', '--silent', 'release', '--', '--dry-run']",
  ],
  'npm init -y': ['test/support/package/readme-dapp.ts', "run('sh', ['-c', init], project)"],
  'npm install ../keystead/release/keystead-[0-9]*.tgz viem esbuild': [
    'test/support/package/readme-dapp.ts',
    "run('sh', ['-c', install.replace(",
  ],
  'npx esbuild main.js --bundle --outfile=bundle.js --servedir=.': [
    'test/support/package/readme-dapp.ts',
    "spawn('sh', ['-c', `${start} 2>&1`]",
  ],
  'npx keystead serve': ['test/devnet/readme.test.ts', "run('npx keystead serve'"],
};

const started = new Set<ChildProcess>();
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'keystead-'));
});
afterEach(async () => {
  for (const child of started) {
    if (child.pid === undefined) continue;
    const ended = once(child, 'close');
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  }
  started.clear();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Runs a command exactly as the README gives it, with more parameters at the end. */
function run(command: string, ...parameters: string[]): ChildProcess {
  const [program = '', ...rest] = command.split(' ');
  const child = spawn(program, [...rest, ...parameters], {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, KEYSTEAD_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  child.once('exit', () => started.delete(child));
  return child;
}

function output(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = '';
    const look = (chunk: Buffer): void => {
      text += chunk.toString();
      const match = pattern.exec(text);
      if (match !== null) resolve(match);
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('close', () => {
      reject(new Error(`ended before it said ${String(pattern)}:\n${text}`));
    });
  });
}

describe('the commands of the README', () => {
  it.each(commands())('are run by a test: %s', (command) => {
    const [file, evidence] = RUN_BY[command] ?? [];
    expect({ command, runBy: file }).toEqual({ command, runBy: expect.any(String) as string });
    expect(read(file!)).toContain(evidence);
  });

  it('start a service that accepts its first key', async () => {
    const service = run('npx keystead serve', '--rpc-port', '0', '--storage-port', '0');
    const [, url, key] = await output(service, /RPC +(http:\/\/\S+)[\s\S]*^key +(\w+)$/mu);
    const response = await fetch(`${url!}/v3/${key!}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }),
    });
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: '0x1' });
  });
});
