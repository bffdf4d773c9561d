import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { type Hex, parseEther, type PublicClient } from 'viem';

import { AGREEING } from '../../support/browser/agreeing';
import { type Companion } from '../../support/browser/companion';
import { nodeOf } from '../../support/browser/devnet-node';
import { Fixture } from '../../support/browser/fixture';
import { describeWithDevnet } from '../../support/browser/world';

const EXAMPLES = join(__dirname, '../../../examples');
const ALICE: Hex = '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955';
const BOB: Hex = '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f';

const isInstalled = ['viem', 'wagmi-react', 'user-operations'].every((name) =>
  existsSync(join(EXAMPLES, name, 'node_modules/vite')),
);
const skipped = isInstalled ? '' : ' (skipped: run scripts/install-examples.sh)';

describeWithDevnet(`the examples${skipped}`, () => {
  const example = isInstalled ? it : it.skip;
  const started: { readonly child: ChildProcess; readonly output: () => string }[] = [];
  let fixture: Fixture;
  let node: PublicClient;

  beforeAll(async () => {
    fixture = await Fixture.start();
    node = await nodeOf(fixture.world);
  }, 300_000);
  afterEach(async () => {
    for (const { child, output } of started.splice(0)) {
      const ended = once(child, 'close');
      process.kill(-child.pid!, 'SIGTERM');
      await ended;
      // A page that is loaded again forgets what was pressed.
      expect(output()).not.toContain('reloading');
    }
    expect(await fixture.closePages()).toEqual([]);
  });
  afterAll(() => fixture.stop());

  /** Starts an example with its own command. @returns Its page, in a wallet that agrees to everything. */
  async function open(name: string): Promise<Companion> {
    const child = spawn('npm', ['start', '--', '--port', '0'], {
      cwd: join(EXAMPLES, name),
      detached: true,
      env: { ...process.env, KEYSTEAD_DEVNET: fixture.world.url, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    started.push({ child, output: () => output });
    const url = await new Promise<string>((resolve, reject) => {
      const read = (chunk: Buffer): void => {
        output += chunk.toString();
        const [, found] = /Local: +(http:\S+)/u.exec(output) ?? [];
        if (found !== undefined) resolve(found);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('close', () => {
        reject(new Error(`The example ${name} ended:\n${output}`));
      });
    });
    const companion = await fixture.open({}, 'about:blank');
    await companion.context.addInitScript({ content: AGREEING });
    await companion.page.goto(url);
    return companion;
  }

  /** Waits until the page says it. @returns What it says. */
  async function says({ page }: Companion, text: RegExp): Promise<string> {
    const output = page.locator('output').filter({ hasText: text });
    await output.waitFor().catch(async (error: Error) => {
      const shown = await page.locator('body').innerText();
      const dialogs = await page.locator('keystead-simulated-wallet dialog[open]').allInnerTexts();
      throw new Error(`${error.message}\nThe page says:\n${shown}\nOpen dialogs:\n${dialogs.join('\n---\n')}`);
    });
    return output.innerText();
  }

  const balances = () => Promise.all([ALICE, BOB].map((address) => node.getBalance({ address })));

  /** @returns What Alice and Bob have got since `before`. */
  async function paidSince(before: readonly bigint[]): Promise<bigint[]> {
    return (await balances()).map((balance, index) => balance - before[index]!);
  }

  example('viem: connects, gets ether, and pays two people at once', async () => {
    const page = await open('viem');
    const before = await balances();
    await page.press('Connect');
    await says(page, /^Connected to 0x[0-9a-fA-F]{40}\.$/u);
    await page.press('Get test ether');
    await says(page, /^You have 10 ETH\.$/u);
    await page.press('Pay two people');
    const said = await says(page, /^Both are paid/u);
    expect(said).toMatch(/in transaction 0x[0-9a-f]{64}\. You have 9\.69\d* ETH left\.$/u);
    expect(await paidSince(before)).toEqual([parseEther('0.1'), parseEther('0.2')]);
  });

  example('wagmi-react: finds Keystead by itself, and pays two people at once', async () => {
    const page = await open('wagmi-react');
    const before = await balances();
    await page.press('Connect');
    await page.press('Get test ether');
    await page.page.getByText(/has 10 ETH/u).waitFor();
    await page.press('Pay two people');
    await says(page, /^The payments: success in transaction 0x[0-9a-f]{64}\.$/u);
    expect(await paidSince(before)).toEqual([parseEther('0.1'), parseEther('0.2')]);
    await page.press('Disconnect');
    await says(page, /^Press Connect\.$/u);
  });

  example('user-operations: prepares, patches, signs and sends one step after the other', async () => {
    const page = await open('user-operations');
    const before = await balances();
    await page.press('Connect a smart account');
    await says(page, /The faucet sent it 10 test ether\./u);
    await page.press('Prepare, patch, sign and send');
    const said = await says(page, /Included|refused/u);
    expect(said).toMatch(
      /^Prepared: .*\nPatched: the account pays\.\nSigned\.\nSent to the bundler: 0x[0-9a-f]{64}\.\nIncluded: transaction 0x[0-9a-f]{64}\.\s*$/u,
    );
    expect(await paidSince(before)).toEqual([parseEther('0.1'), 0n]);
  });
});
