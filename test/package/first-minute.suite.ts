import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { REPOSITORY } from '../support/package/installed';
import { noPorts, type OwnNetwork, startOwnNetwork } from '../support/package/own-network';
import { type Registry, startRegistry } from '../support/package/registry';

const MODULES = join(REPOSITORY, 'node_modules');
const PEERS = join(REPOSITORY, 'test/service/storage/peers/node_modules');
const HELLO = 'QmT78zSuBmuS4z925WZfrqQ1qHaJ56DQaTfyMUF7F8ff5o';

const run = promisify(execFile);

type Block = { readonly language: string; readonly text: string };

/** The code blocks of a section, in their order. */
function blocksOf(page: string, title: string): Block[] {
  const text = readFileSync(join(REPOSITORY, 'docs', page), 'utf8');
  const [, section = ''] = new RegExp(`\\n## ${title}\\n([\\s\\S]*?)\\n## `, 'u').exec(text) ?? [];
  return [...section.matchAll(/```(\w+)\n([\s\S]*?)```/gu)].map(([, language = '', block = '']) => ({
    language,
    text: block,
  }));
}

/** A newcomer in an empty folder, who has what npm installs and nothing else. */
class Newcomer {
  readonly #home = mkdtempSync(join(tmpdir(), 'keystead-first-minute-'));
  readonly #folder = join(this.#home, 'first');
  readonly #env: NodeJS.ProcessEnv;
  readonly #network: OwnNetwork;
  #serving: ChildProcess | undefined;

  constructor(network: OwnNetwork, registry: Registry) {
    this.#network = network;
    mkdirSync(this.#folder);
    const quiet = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false' };
    const { PATH } = process.env;
    this.#env = { PATH, HOME: this.#home, npm_config_registry: registry.url, ...quiet };
  }

  /** Runs commands of npm, which reach the registry, to their end. */
  async npm(commands: string): Promise<void> {
    await run('bash', ['-euo', 'pipefail', '-c', commands], { cwd: this.#folder, env: this.#env });
  }

  /** Runs commands to their end. @returns What they printed. */
  async sh(commands: string): Promise<string> {
    const [program = '', ...args] = this.#network.command;
    const all = [...args, '-euo', 'pipefail', '-c', commands];
    return (await run(program, all, { cwd: this.#folder, env: this.#env })).stdout;
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.#folder, name), text);
  }

  /** The last line of a block starts the service; those before it end by themselves. */
  async startWith({ text }: Block): Promise<void> {
    const lines = text.trim().split('\n');
    const serve = lines.pop()!;
    expect(serve).toBe('npx keystead serve');
    await this.sh(lines.join('\n'));
    const [program = '', ...args] = this.#network.command;
    const child = spawn(program, [...args, '-c', serve], {
      cwd: this.#folder,
      env: this.#env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#serving = child;
    let said = '';
    await new Promise<void>((resolve, reject) => {
      const hear = (chunk: Buffer) => {
        said += chunk.toString();
        if (/RPC +http[\s\S]*storage +http\S+\n/iu.test(said)) resolve();
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.once('close', () => {
        reject(new Error(`the service ended:\n${said}`));
      });
    });
  }

  async leave(): Promise<void> {
    if (this.#serving !== undefined && this.#serving.exitCode === null) {
      const ended = once(this.#serving, 'close');
      process.kill(-this.#serving.pid!, 'SIGKILL');
      await ended;
    }
    await this.#network.stop();
    rmSync(this.#home, { recursive: true, force: true });
  }
}

/**
 * Runs the first commands of two pages as they are printed.
 *
 * @param tarballOf - The packed service.
 */
export function describeFirstMinute(tarballOf: () => string): void {
  describe('in an empty folder', () => {
    let registry: Registry;
    let newcomer: Newcomer;
    beforeAll(async () => {
      registry = await startRegistry([tarballOf()], [MODULES, PEERS]);
    });
    beforeEach(async () => {
      newcomer = new Newcomer(await startOwnNetwork(), registry);
    });
    afterEach(() => newcomer.leave());
    afterAll(() => {
      registry.stop();
    });

    const noFreePorts = noPorts([8545, 5001]);
    const testIf = (name: string, why: string | undefined, body: () => Promise<void>) =>
      why === undefined ? test(name, body) : test.skip(`${name} (${why})`, body);

    testIf(
      'the first commands of docs/service.md give the first uncle, by curl and over a WebSocket',
      noFreePorts,
      async () => {
        const [install, start, curl, socket, ...more] = blocksOf('service.md', 'Start');
        expect(more).toEqual([]);
        await newcomer.npm(install!.text);
        await newcomer.startWith(start!);
        for (const { text } of [curl!, socket!])
          expect(JSON.parse(await newcomer.sh(text))).toMatchObject({
            jsonrpc: '2.0',
            id: 1,
            result: { number: '0x299' },
          });
      },
    );

    const noClient = existsSync(join(PEERS, 'kubo-rpc-client'))
      ? undefined
      : 'skipped: run scripts/install-storage-peers.sh';

    testIf(
      'the first commands of docs/storage.md add a file and read it, by curl and with kubo-rpc-client',
      noFreePorts ?? noClient,
      async () => {
        const [install, start, curl, program, node, ...more] = blocksOf('storage.md', 'First file');
        expect(more).toEqual([]);
        expect(program!.language).toBe('js');
        await newcomer.npm(install!.text);
        await newcomer.startWith(start!);
        expect(await newcomer.sh(curl!.text)).toBe(`{"Name":"hello.txt","Hash":"${HELLO}","Size":"20"}\nhello world\n`);
        newcomer.write('hello.mjs', program!.text);
        const [installClient, ...commands] = node!.text.trim().split('\n');
        expect(installClient).toBe('npm install kubo-rpc-client');
        await newcomer.npm(installClient!);
        expect(await newcomer.sh(commands.join('\n'))).toBe(`${HELLO}\nhello world\n`);
      },
    );
  });
}
