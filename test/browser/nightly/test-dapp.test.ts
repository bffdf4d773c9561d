import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Browser } from 'playwright-core';
import { type Hex, type PublicClient } from 'viem';

import { DELEGATES } from '../../../src/core/erc4337/delegates';
import { delegateIn } from '../../../src/core/eth/authorization';
import { listenOnLoopback, type LoopbackServer } from '../../../src/devnet/loopback';
import { sendFile } from '../../../src/devnet/static-files';
import { cleanUp } from '../../support/devnet/npm-start';
import { startChromium } from '../../support/chromium';
import {
  type Button,
  type DappAccount,
  type DappRequest,
  deployToken,
  type Outcome,
  TEST_DAPP,
  TestDapp,
} from '../../support/browser/test-dapp';
import { nodeOf } from '../../support/browser/devnet-node';
import { describeWithDevnet, startWorld, type World } from '../../support/browser/world';

/** What each button is known to do: for all kinds of accounts, or for each in the order of `ACCOUNTS`. */
const OUTCOMES = join(__dirname, 'test-dapp.json');
/** The same as a table, which the nightly run keeps. */
const ARTIFACTS = join(__dirname, '../../../artifacts');

/** The kinds of accounts, one column each. */
const ACCOUNTS: Readonly<Record<string, DappAccount>> = {
  'Standard account': { type: 'eip155:eoa', title: 'New standard account' },
  'Delegated account': { type: 'eip155:eoa', title: 'New standard account', isDelegated: true },
  'Delegated account, sponsored': {
    type: 'eip155:eoa',
    title: 'New standard account',
    isDelegated: true,
    isSponsored: true,
  },
  'Smart account (Safe)': { type: 'eip155:erc4337', kind: 'safe-0.7', title: ': Safe', needsContract: true },
};

/** They connect to another wallet through somebody else's service. */
const NOT_OURS = ['walletConnect', 'sdkConnect'];
/**
 * The batches, and what follows from them: the first one upgrades a standard account, so they come after the others.
 */
const BATCH = /^(?:eip5792|ppomSend|ppomGetCalls)/u;
/** They change what the buttons before them send, or end the connection. */
const LAST = [
  'eip5792SendCallsEdit',
  'eip5792AddCall',
  'addEthereumChain',
  'switchEthereumChain',
  'revokeAccountsPermission',
  'useWindowProviderButton',
];
/** Pressed a second time, in another way. The dapp's own batches have several calls. */
const ONE_CALL = { id: 'eip5792SendCallsButton', key: 'eip5792SendCallsButton:one', name: 'Send Calls, one call' };

const SOMEBODY = '0x2f318C334780961FB129D2a6c30D0763d9a5C970';
const FEE = '0x12a05f200';

/** What a person fills in before pressing a button. */
const fieldsFor = (address: Hex, token: Hex): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  approveTokens: { approveTo: address },
  getAllowance: { allowanceOwner: address, allowanceSpender: address },
  transferFromTokens: { transferFromSenderInput: address, transferFromRecipientInput: SOMEBODY },
  eip747WatchButton: { eip747ContractAddress: token, eip747Symbol: 'TST', eip747Decimals: '4' },
  submitForm: {
    typeInput: '0x2',
    toInput: SOMEBODY,
    amountInput: '0x1',
    maxFeeInput: FEE,
    maxPriorityFeeInput: FEE,
    dataInput: '0x',
  },
  ensSubmit: { ensInput: 'keystead.eth' },
});

/** What must work whatever the table says: the outcome for every kind of account. */
const MUST_WORK: Readonly<Record<string, string>> = {
  connectButton: 'eth_requestAccounts: answered',
  personalSign: 'personal_sign: answered',
  siwe: 'personal_sign: answered',
  signTypedDataV4: 'eth_signTypedData_v4: answered',
  signPermit: 'eth_signTypedData_v4: answered',
  sendButton: 'eth_sendTransaction: succeeded',
  sendEIP1559Button: 'eth_sendTransaction: succeeded',
  transferTokens: 'eth_sendTransaction: succeeded',
  submitForm: 'eth_sendTransaction: succeeded',
  watchAssets: 'wallet_watchAsset: true',
  eip747WatchButton: 'wallet_watchAsset: true',
  eip5792SendCallsButton: 'wallet_sendCalls: confirmed',
  eip5792SendCallsApprovalButton: 'wallet_sendCalls: confirmed',
  [ONE_CALL.key]: 'wallet_sendCalls: confirmed',
  eip5792GetCallsStatusButton: 'wallet_getCallsStatus: answered',
  eip5792GetCapabilitiesButton: 'wallet_getCapabilities: answered',
  addEthereumChain: 'wallet_addEthereumChain: null',
  switchEthereumChain: 'wallet_switchEthereumChain: null',
  revokeAccountsPermission: 'wallet_revokePermissions: null',
};

/** Requests that only read. What a button asks of the wallet is what remains. */
const READ =
  /^(?:eth_(?:accounts|chainId|blockNumber|call|get(?!Encryption)\w+|estimateGas|gasPrice|feeHistory|maxPriorityFeePerGas)|net_version|web3_\w+)$/u;

/** Addresses, hashes and amounts of gas differ from run to run. */
const withoutHex = (text: string): string =>
  text
    .replace(/0x[0-9a-fA-F]{8,}/gu, '0x…')
    .replace(/[\d.]+ ETH/gu, '… ETH')
    .replace(/\d{6,}/gu, '…')
    .replace(/\s+/gu, ' ');

async function resultOf({ method, result = '' }: DappRequest, dapp: TestDapp): Promise<string> {
  if (method === 'eth_sendTransaction') return (await dapp.succeeded(result)) ? 'succeeded' : 'failed on the chain';
  if (method === 'wallet_sendCalls') {
    const { id } = JSON.parse(result) as { readonly id: string };
    const status = await dapp.statusOf(id);
    return status === 200 ? 'confirmed' : `status ${status}`;
  }
  return /^(?:null|true)$/u.test(result) ? result : 'answered';
}

const sentenceOf = async (request: DappRequest, dapp: TestDapp): Promise<string> =>
  `${request.method}: ${
    request.code === undefined
      ? await resultOf(request, dapp)
      : `${request.code} ${withoutHex(request.message ?? 'no reason')}`
  }`;

async function textOf(outcome: Outcome | string, dapp: TestDapp): Promise<string> {
  if (typeof outcome === 'string') return outcome;
  if (outcome.failure === 'unanswered') return 'unanswered';
  const { requests } = outcome;
  const asked = requests.filter(({ method }) => !READ.test(method));
  const failedReads = requests.filter(({ method, code }) => READ.test(method) && code !== undefined);
  const sentences = await Promise.all(
    (asked.length > 0 ? asked : failedReads).map((request) => sentenceOf(request, dapp)),
  );
  return sentences.length === 0 ? 'asks nothing of the wallet' : [...new Set(sentences)].sort().join('<br>');
}

type Row = Button & { readonly key: string };

/** What each button did for a kind of account, and its delegate (EIP-7702) before and after the batches. */
type Column = {
  readonly rows: readonly Row[];
  readonly outcomes: ReadonlyMap<string, string>;
  readonly delegates: { readonly before: Hex | undefined; readonly after: Hex | undefined };
};

const rowsOf = (buttons: readonly Button[]): Row[] =>
  buttons.flatMap((button) => [{ ...button, key: button.id }, ...(button.id === ONE_CALL.id ? [ONE_CALL] : [])]);

const ABOUT = `# MetaMask's test dapp

\`@metamask/test-dapp\` in Chromium with the provider of Keystead, the simulated wallet and the devnet. Every form is filled in, every
button is pressed and every dialog is approved. A cell has what the button requested, and the result: the transaction or batch
\`succeeded\` or was \`confirmed\`, or the request was refused with this code and message. The batches are pressed last, because the
first of them upgrades a standard account. A Safe creates no contracts, so the dapp is given a token (\`?contract=\`) in place of its own.
`;

const rowOf = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** What a button did, once if it did the same for all kinds of accounts. */
const toldOnce = (outcomes: readonly string[]): string | readonly string[] =>
  new Set(outcomes).size === 1 ? outcomes[0]! : outcomes;

describeWithDevnet("MetaMask's test dapp", () => {
  let world: World;
  let browser: Browser;
  let site: LoopbackServer;
  let node: PublicClient;
  let token: Awaited<ReturnType<typeof deployToken>>;
  beforeAll(async () => {
    [world, browser] = await Promise.all([startWorld(), startChromium()]);
    node = await nodeOf(world);
    token = await deployToken(world);
    site = await listenOnLoopback(0, (request, response) => {
      sendFile(TEST_DAPP, request, response);
    });
  }, 300_000);
  afterAll(async () => {
    await browser.close();
    await site.stop();
    await world.stop();
    await cleanUp();
  });

  /** Presses every button of the dapp with an account of its own. */
  async function pressEverything(account: DappAccount): Promise<Column> {
    const query = account.needsContract === true ? `?contract=${token.address}` : '';
    const dapp = await TestDapp.open(browser, world, `http://localhost:${site.port}/${query}`, account);
    const outcomes = new Map<string, string>();
    const press = async ({ id, key }: Row): Promise<void> => {
      outcomes.set(key, NOT_OURS.includes(id) ? 'not tried: another wallet' : await textOf(await dapp.press(id), dapp));
    };
    await press({ id: 'connectButton', key: 'connectButton', name: '' });
    const address = await dapp.address();
    await token.give(address);
    if (account.isDelegated === true) await dapp.delegate();
    const delegate = async (): Promise<Hex | undefined> => {
      const code = await node.getCode({ address });
      return code === undefined ? undefined : delegateIn(code);
    };

    const fields = fieldsFor(address, token.address);
    const rows = rowsOf(await dapp.buttons());
    // A token that cannot be created takes the place of the one that exists.
    const ids = account.needsContract === true ? ['createToken', ...LAST] : LAST;
    const first = rows.filter(({ id }) => ![...ids, 'connectButton'].includes(id));
    const batches = first.filter(({ id }) => BATCH.test(id));
    const last = ids.map((id) => rows.find((row) => row.id === id)!);
    const pressAll = async (some: readonly Row[]): Promise<void> => {
      for (const row of some) {
        await dapp.fill(fields[row.id] ?? {});
        if (row.key === ONE_CALL.key) {
          await dapp.press('eip5792SendCallsEdit');
          await dapp.click('.eip5792CallRemove');
        }
        await press(row);
        if (row.key === ONE_CALL.key) await dapp.press('eip5792SendCallsEdit');
      }
    };
    await pressAll(first.filter((row) => !batches.includes(row)));
    const before = await delegate();
    await pressAll([...batches, ...last]);
    const after = await delegate();
    await dapp.close();
    return { rows, outcomes, delegates: { before, after } };
  }

  /** All kinds at once, each in a browser profile of its own: most of the time they wait for blocks and dialogs. */
  let columns: ReadonlyMap<string, Promise<Column>>;
  beforeAll(() => {
    columns = new Map(Object.entries(ACCOUNTS).map(([title, account]) => [title, pressEverything(account)]));
    for (const column of columns.values()) column.catch(() => undefined);
  });

  it.each(Object.entries(ACCOUNTS))(
    'answers every button for a %s',
    async (title, account) => {
      const { outcomes, delegates } = await columns.get(title)!;
      expect(delegates).toEqual({
        before: account.isDelegated === true ? DELEGATES['0.8'] : undefined,
        after: account.type === 'eip155:eoa' ? DELEGATES['0.8'] : undefined,
      });
      expect([...outcomes.values()]).not.toContain('unanswered');
      expect(Object.fromEntries(outcomes)).toMatchObject(MUST_WORK);
    },
    900_000,
  );

  it('has the outcomes that are recorded', async () => {
    const titles = Object.keys(ACCOUNTS);
    const all = await Promise.all(titles.map((title) => columns.get(title)!));
    const rows = all[0]!.rows.map(({ key, id, name }): [string, string[]] => [
      `${name} (\`${id}\`)`,
      all.map(({ outcomes }) => outcomes.get(key) ?? ''),
    ]);
    const table = [['Button', ...titles], titles.concat('').map(() => '---'), ...rows.map((row) => row.flat())];
    mkdirSync(ARTIFACTS, { recursive: true });
    writeFileSync(join(ARTIFACTS, 'test-dapp.md'), `${ABOUT}\n${table.map(rowOf).join('\n')}\n`);
    const outcomes = Object.fromEntries(rows.map(([button, each]) => [button, toldOnce(each)]));
    if (process.env.KEYSTEAD_WRITE_OUTCOMES === '1')
      writeFileSync(OUTCOMES, `${JSON.stringify(outcomes, undefined, 2)}\n`);
    expect(outcomes).toEqual(JSON.parse(readFileSync(OUTCOMES, 'utf8')));
  });
});
