import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';
import { type Browser, type Page } from 'playwright-core';

import { listenOnLoopback, type LoopbackServer } from '../../src/devnet/loopback';
import { sendFile } from '../../src/devnet/static-files';
import { cleanUp } from '../devnet/support/npm-start';
import { startChromium } from '../helpers/chromium';
import { devnetOf } from './support/devnet-node';
import { describeWithDevnet, startWorld, type World } from './support/world';

const ROOT = join(__dirname, '../..');
const PAGE = join(ROOT, 'docs/test-dapp.md');
/** MetaMask's test dapp, as it is published. */
const DAPP = join(ROOT, 'node_modules/@metamask/test-dapp/dist');

type Request = { readonly method: string; readonly result?: string; readonly code?: number; readonly message?: string };
type Outcome = { readonly requests: readonly Request[]; readonly failure?: string };

/** The kinds of accounts, one column each. */
const ACCOUNTS = {
  'Standard account': { type: 'eip155:eoa', title: 'New standard account' },
  'Smart account (Safe)': { type: 'eip155:erc4337', kind: 'safe-0.7', title: '(Safe' },
} as const;
type Account = (typeof ACCOUNTS)[keyof typeof ACCOUNTS];

/** Every transfer of the dapp takes some of the 10 ether that the faucet sends at once. */
const FAUCET_TIMES = 10;

/** They connect to another wallet through somebody else's service. */
const NOT_OURS = ['walletConnect', 'sdkConnect'];
/** They end the connection, or leave the network or the provider, so they come last. */
const LAST = ['addEthereumChain', 'switchEthereumChain', 'revokeAccountsPermission', 'useWindowProviderButton'];

async function preludeFor(world: World, account: Account): Promise<string> {
  const { snapId } = await devnetOf(world);
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, 'src/provider/index.ts')],
    bundle: true,
    format: 'iife',
    globalName: 'Keystead',
    write: false,
  });
  const settings = { snapId, account, walletScript: `${snapId.replace('local:', '')}/wallet.js` };
  return [
    `${outputFiles[0]!.text}; globalThis.Keystead = Keystead;`,
    `globalThis.KEYSTEAD_SETTINGS = ${JSON.stringify(settings)};`,
    readFileSync(join(__dirname, 'support/test-dapp-page.js'), 'utf8'),
  ].join('\n');
}

/** Opens the dapp with an account of a kind. */
async function openDapp(browser: Browser, world: World, url: string, account: Account): Promise<Page> {
  const context = await browser.newContext();
  await context.addInitScript({ content: await preludeFor(world, account) });
  // The dapp loads fonts and styles from elsewhere.
  await context.route(
    (to) => !['localhost', '127.0.0.1'].includes(to.hostname),
    (route) => route.abort(),
  );
  const page = await context.newPage();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(url);
  const { chain } = await devnetOf(world);
  const setUp = { chainId: chain.chainId, rpcUrl: chain.rpcUrl, bundlerUrl: chain.bundlerUrl, name: chain.name };
  await page.evaluate(
    `testDapp.during(() => testDapp.provider.request(${JSON.stringify({ method: 'keystead_setChain', params: setUp })}))`,
  );
  return page;
}

const during = (page: Page, action: string): Promise<Outcome> => page.evaluate(`testDapp.during(() => ${action})`);

/** Requests that only read. What a button asks of the wallet is what remains. */
const isRead = ({ method }: Request): boolean =>
  /^(?:eth_(?:accounts|chainId|blockNumber|call|get\w+|estimateGas|gasPrice|feeHistory|maxPriorityFeePerGas)|net_version|web3_\w+)$/u.test(
    method,
  ) && !/Encryption/u.test(method);

/** Addresses, hashes and amounts of gas differ from run to run. */
const withoutHex = (text: string): string =>
  text
    .replace(/0x[0-9a-fA-F]{8,}/gu, '0x…')
    .replace(/[\d.]+ ETH/gu, '… ETH')
    .replace(/\d{6,}/gu, '…');

const sentence = ({ method, result, code, message }: Request): string =>
  code === undefined
    ? `${method}: ${/^(?:null|true)$/u.test(result ?? '') ? result : 'answered'}`
    : `${method}: ${code} ${withoutHex(message ?? '')
        .replace(/\s+/gu, ' ')
        .slice(0, 140)}`;

function outcomeOf({ requests, failure }: Outcome): string {
  if (failure === 'unanswered') return 'unanswered';
  const asked = [...new Set(requests.filter((request) => !isRead(request)).map(sentence))].sort();
  const failedReads = requests.filter((request) => isRead(request) && request.code !== undefined).map(sentence);
  const all = asked.length > 0 ? asked : [...new Set(failedReads)];
  return all.length === 0 ? 'asks nothing of the wallet' : all.join('<br>').replaceAll('|', '\\|');
}

type Button = { readonly id: string; readonly name: string };

const buttonsOf = (page: Page): Promise<Button[]> =>
  page.evaluate(`[...document.querySelectorAll('button[id]')].map(({ id, innerText, textContent, closest }) => ({
    id,
    name: (innerText || textContent).replace(/\\s+/g, ' ').trim(),
  }))`);

/** Presses a button, and says what came of it. */
async function outcomeOfButton(page: Page, id: string): Promise<string> {
  const element = `document.getElementById(${JSON.stringify(id)})`;
  if (await page.evaluate<boolean>(`${element} === null`)) return 'not shown';
  if (await page.evaluate<boolean>(`${element}.disabled`)) return 'disabled by the dapp';
  return outcomeOf(await during(page, `${element}.click()`));
}

describeWithDevnet("MetaMask's test dapp", () => {
  let world: World;
  let browser: Browser;
  let site: LoopbackServer;
  beforeAll(async () => {
    [world, browser] = await Promise.all([startWorld(), startChromium()]);
    site = await listenOnLoopback(0, (request, response) => {
      sendFile(DAPP, request, response);
    });
  }, 300_000);
  afterAll(async () => {
    await browser.close();
    await site.stop();
    await world.stop();
    await cleanUp();
  });

  const columns = new Map<string, Map<string, string>>();
  let buttons: readonly Button[] = [];

  it.each(Object.entries(ACCOUNTS))(
    'answers every button for a %s',
    async (title, account) => {
      const page = await openDapp(browser, world, `http://localhost:${site.port}/`, account);
      const outcomes = new Map([['connectButton', await outcomeOfButton(page, 'connectButton')]]);
      const address = await page.evaluate<string>('testDapp.provider.selectedAddress');
      for (let time = 0; time < FAUCET_TIMES; time++)
        await fetch(`${world.origin}/faucet`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ address }),
        });
      buttons = await buttonsOf(page);
      const middle = buttons.map(({ id }) => id).filter((id) => ![...LAST, 'connectButton'].includes(id));
      for (const id of [...middle, ...LAST])
        outcomes.set(id, NOT_OURS.includes(id) ? 'not tried: another wallet' : await outcomeOfButton(page, id));
      columns.set(title, outcomes);
      expect([...outcomes.values()]).not.toContain('unanswered');
      await page.context().close();
    },
    900_000,
  );

  it('has the outcomes that the documentation lists', () => {
    const titles = Object.keys(ACCOUNTS);
    const rows = buttons.map(({ id, name }) => [
      `${name} (\`${id}\`)`,
      ...titles.map((title) => columns.get(title)?.get(id) ?? ''),
    ]);
    const table = [['Button', ...titles], ['---', ...titles.map(() => '---')], ...rows];
    const text = table.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
    const page = readFileSync(PAGE, 'utf8');
    const [head = ''] = page.split('| Button');
    if (process.env.KEYSTEAD_WRITE_DOCS === '1') writeFileSync(PAGE, `${head}${text}\n`);
    else expect(page).toBe(`${head}${text}\n`);
  });
});
