import { type Browser, type BrowserContextOptions } from 'playwright-core';
import { encodeAbiParameters, type Hex, pad } from 'viem';

import { GUARD_SLOT, HANDLER_SLOT, MODULE_4337, SINGLETON } from '../../../src/core/safe/contracts';
import { THRESHOLD_SLOT } from '../../../src/core/safe/owners/owners';
import { RECOVERY_MODULES, recoveryModuleAt } from '../../../src/core/safe/recovery/modules';
import { SIGNER_FACTORIES } from '../../../src/core/safe/passkey/signer';
import { addAxe, FOR_AXE, problemsByWidth } from '../../support/browser/axe';
import { SnapPage } from '../../support/browser/snap-page';
import { describeWithChromium, startChromium } from '../../support/chromium';
import { PROXY_CODE } from '../../support/prepared-code';
import { answersOf, answerTo, type Chain, GUARDED, MODULE, MODULE_CODE, NOW, party } from '../../support/recovery-node';
import { NoAnswer, type SimulatedNode, startSimulatedNode } from '../../support/simulated-node';
import { SnapInProcess } from '../../support/wallet/in-process';
import { WalletDouble } from '../../support/wallet/wallet-double';

const CHAIN = 'eip155:31337';
const UNKNOWN = party('7');
const DELAY = party('8');
/** A proxy of Zodiac's Delay modifier 1.1.0, which accepts forged signatures. */
const DELAY_CODE = '0x363d3d373d3d3d363d734a97e65188a950dd4b0f21f9b5434daee0bbf9f55af43d82803e903d91602b57fd5bf3';
const MODULE_AT = MODULE.address.toLowerCase() as Hex;
const ERC4337 = MODULE_4337.toLowerCase() as Hex;
const QUIET: Chain = { ...GUARDED, modules: [ERC4337, MODULE_AT] };
const BEGUN: Chain = {
  ...QUIET,
  nonce: 1n,
  approvals: 2n,
  newThreshold: 1n,
  executeAfter: NOW + 3600n,
  newOwners: [party('b')],
};
const RECOVERED = party('5');
/** The answer of a Safe to `VERSION()`. */
const VERSION = encodeAbiParameters([{ type: 'string' }], ['1.4.1']);
const FACTORY = SIGNER_FACTORIES[0]!.address.toLowerCase();

/** The receipt of a user operation, as a bundler gives it. */
const receiptOf = (userOpHash: Hex, success: boolean) => ({
  ...{ userOpHash, success, sender: party('5'), entryPoint: party('4'), nonce: '0x0', logs: [] },
  ...{ actualGasCost: '0x1', actualGasUsed: '0x1' },
  receipt: {
    ...{ transactionHash: pad('0x1'), blockHash: pad('0x2'), blockNumber: '0x11', transactionIndex: '0x0' },
    ...{ from: party('4'), to: party('4'), gasUsed: '0x1', cumulativeGasUsed: '0x1', effectiveGasPrice: '0x1' },
    ...{ logs: [], logsBloom: '0x', status: '0x1', type: '0x2', contractAddress: null },
  },
});

describeWithChromium('recoveries on the companion page', () => {
  let browser: Browser;
  let node: SimulatedNode;
  let opened: SnapPage | undefined;
  /** What the contracts have; their owners are the account's key and these. */
  let chain: Chain;
  let owner: Hex;
  let others: readonly Hex[];
  let threshold: number;
  /** What is at the addresses of the module and of the signer factory, if not what Keystead knows. */
  let foreign: Hex | undefined;

  beforeAll(async () => {
    SnapPage.build();
    browser = await startChromium();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    [chain, owner, others, threshold, foreign] = [QUIET, party('a'), [], 1, undefined];
    const codes: Readonly<Record<string, Hex>> = { [MODULE_AT]: MODULE_CODE, [DELAY]: DELAY_CODE };
    node = await startSimulatedNode({
      eth_getBlockByNumber: () => ({
        ...{ number: '0x10', timestamp: `0x${NOW.toString(16)}`, baseFeePerGas: '0x3b9aca00' },
      }),
      eth_getBalance: () => '0xde0b6b3a7640000',
      eth_getCode: ([address]) => {
        const at = String(address).toLowerCase();
        if (foreign !== undefined && (at === MODULE_AT || at === FACTORY)) return foreign;
        return codes[at] ?? (recoveryModuleAt(at as Hex) === undefined ? PROXY_CODE : '0x');
      },
      eth_getStorageAt: ([, slot]) =>
        slot === THRESHOLD_SLOT
          ? pad(`0x${threshold}`)
          : pad(slot === GUARD_SLOT ? '0x0' : slot === HANDLER_SLOT ? MODULE_4337 : SINGLETON),
      eth_call: ([call]) => {
        const { to, data } = call as { to: Hex; data: Hex };
        if (data.startsWith('0xdcafac09')) return pad('0x15180');
        if (data === '0xffa1ad74') return VERSION;
        if (data.startsWith('0xe75235b8')) return pad(`0x${threshold}`);
        if (recoveryModuleAt(to) !== undefined) return '0x';
        return answerTo(data, { '': pad('0x0'), ...answersOf({ ...chain, owners: [owner, ...others] }) });
      },
      eth_estimateUserOperationGas: () => ({
        ...{ callGasLimit: '0x10000', verificationGasLimit: '0x60000', preVerificationGas: '0xc000' },
      }),
      eth_sendUserOperation: () => pad('0xab'),
      eth_getUserOperationReceipt: () => null,
    });
  });
  afterEach(async () => {
    const faults = opened?.faults ?? [];
    await opened?.close();
    opened = undefined;
    await node.stop();
    expect(faults).toEqual([]);
  });

  /** The page of a wallet with Safes, whose owner approves everything. */
  async function open({
    safes = 1,
    account,
    ...options
  }: BrowserContextOptions & { readonly safes?: number; readonly account?: Hex } = {}) {
    const wallet = new WalletDouble();
    wallet.services = [new URL(node.url).origin];
    const snap = new SnapInProcess(wallet);
    await snap.keyring('keystead_setChain', {
      chainId: CHAIN,
      name: 'Testnet',
      rpcUrl: node.url,
      bundlerUrl: node.url,
    });
    const addresses: Hex[] = [];
    for (let index = 0; index < safes; index += 1) {
      const account = { type: 'eip155:erc4337', chainId: CHAIN, kind: 'safe-0.7', index };
      const made = (await snap.keyring('keyring_createAccount', { options: account })) as {
        address: Hex;
        options: { owner: Hex };
      };
      addresses.push(made.address);
      owner = made.options.owner;
    }
    wallet.dialogs.length = 0;
    let onLooked: () => void = () => undefined;
    const looked = new Promise<void>((resolve) => {
      onLooked = resolve;
    });
    opened = await SnapPage.open(
      browser,
      {
        ...{ snap, nodeUrl: node.url, account },
        chain: { chainId: CHAIN, name: 'Testnet', rpcUrl: node.url, bundlerUrl: node.url },
        recoveryModule: { ...MODULE, period: Number(MODULE.period) },
        onAnswered: (method) => {
          if (method === 'keystead_getRecoveries') onLooked();
        },
      },
      options,
    );
    return { wallet, address: addresses[0]!, shown: opened, page: opened.page, looked };
  }
  /** The call data of the next user operation. */
  const nextOperation = (): Promise<Hex> =>
    new Promise((resolve) => {
      node.answers.eth_sendUserOperation = ([operation]) => {
        resolve((operation as { callData: Hex }).callData);
        return pad('0xab');
      };
    });

  it('are looked for again after a change of the page, and said first', async () => {
    const { address, shown, page, looked } = await open();
    await shown.go(`account/${address}`, 'Safe 1');
    await looked;
    const alarm = page.getByRole('region', { name: /^A recovery of .* has begun/u });
    expect(await alarm.count()).toBe(0);
    chain = BEGUN;
    await page.getByText('Rename', { exact: false }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Savings');
    await shown.press('Rename');
    await page.getByRole('region', { name: 'A recovery of Savings has begun' }).waitFor();
    expect((await page.locator('main').innerText()).trim()).toMatch(/^A recovery of Savings has begun/u);
  });

  it('are looked for again at once when the network has included the cancellation', async () => {
    chain = BEGUN;
    const { shown, page } = await open();
    const alarm = page.getByRole('region', { name: 'A recovery of Safe 1 has begun' });
    const operation = nextOperation();
    await shown.press('Cancel recovery');
    expect(await operation).toContain('0ba234d6');
    await alarm.getByText('Sent. The recovery is cancelled once Testnet has included it.').waitFor();
    chain = { ...QUIET, nonce: 1n };
    node.answers.eth_getUserOperationReceipt = ([hash]) => receiptOf(hash as Hex, true);
    await page
      .getByText(/Your key is still an owner of Safe 1 .*, the node at 127.* says\. If you did not cancel/u)
      .waitFor();
    expect(await alarm.count()).toBe(0);
  });

  it('are the first line of the check-up, which says what is due otherwise', async () => {
    chain = BEGUN;
    node.answers.eth_getBalance = () => '0x1';
    node.answers.eth_gasPrice = () => '0x3b9aca00';
    const { shown, page } = await open();
    await shown.go('recovery', 'Recovery');
    const checkUp = page.getByRole('region', { name: 'Check-up of Safe 1' });
    await checkUp.getByText('It may be unable to pay for cancelling a recovery').waitFor();
    await checkUp.getByText(/Says the node at 127\.0\.0\.1:\d+\./u).waitFor();
    expect(await checkUp.getByRole('listitem').first().innerText()).toContain('A recovery has begun: from');
    // The other drills are remembered.
    const drills = page.getByRole('region', { name: 'Drills' });
    await drills.getByText('Your phrase: never seen to work here. Due now.').waitFor();
    await shown.press('The three words are the same');
    await drills.getByText(/Your phrase: seen to work on \d+ \w+ \d+\./u).waitFor();
    await shown.go('backup', 'Backup');
    const saving = page.waitForEvent('download');
    await shown.press('Make a backup file');
    await page.getByRole('link', { name: 'Download the file' }).click();
    await page.getByLabel('Backup file').setInputFiles(await (await saving).path());
    await shown.press('Restore file');
    await page.getByText('Nothing was missing.').waitFor();
    await shown.go('recovery', 'Recovery');
    await drills.getByText(/Your backup: seen to work on \d+ \w+ \d+\./u).waitFor();
  });

  it('are still said if the cancellation was included but reverted', async () => {
    chain = BEGUN;
    node.answers.eth_getUserOperationReceipt = ([hash]) => receiptOf(hash as Hex, false);
    const { shown, page } = await open();
    await shown.press('Cancel recovery');
    const alarm = page.getByRole('region', { name: 'A recovery of Safe 1 has begun' });
    await alarm.getByText('The cancellation was included but reverted, so nothing was done.').waitFor();
    await alarm.getByRole('button', { name: 'Cancel recovery' }).waitFor();
  });

  it('are not called cancelled while other owners have to sign for that', async () => {
    [chain, others, threshold] = [BEGUN, [party('c')], 2];
    const { shown, page } = await open();
    await shown.press('Cancel recovery');
    await page.getByText('You have signed, but other owners have to sign too').waitFor();
    await page.getByRole('link', { name: 'Collect their signatures' }).waitFor();
    expect(await page.getByText('Sent. The recovery is cancelled').count()).toBe(0);
    expect(node.asked.map(({ method }) => method)).not.toContain('eth_sendUserOperation');
  });

  it('have guardians who are not called set while other owners have to sign for that', async () => {
    [others, threshold] = [[party('c')], 2];
    const { address, shown, page } = await open();
    await shown.go(`guardians/${address}`, 'Guardians of Safe 1');
    await page.getByLabel('Guardians', { exact: true }).fill(`${party('1')}\n${party('3')}`);
    await shown.press('Change guardians');
    await page.getByText('Other owners of the account have to sign too').waitFor();
    expect(await page.getByText('Done: ').count()).toBe(0);
  });

  it.each([1, 3])('that could not be seen are said in one line for the network: %i accounts', async (safes) => {
    node.answers.eth_call = () => {
      throw new NoAnswer();
    };
    const { page } = await open({ safes });
    const line = page.getByText('Keystead could not check');
    await line.waitFor();
    expect(await line.allInnerTexts()).toEqual([
      `Recoveries not checked. Keystead could not check whether a recovery has begun on Testnet: the node at ${new URL(node.url).host} does not answer. It will try again.`,
    ]);
  });

  it('of two modules of an account are each said and cancelled on their own, beside the form of the guardians', async () => {
    const other = RECOVERY_MODULES[1]!.address.toLowerCase() as Hex;
    chain = { ...QUIET, modules: [ERC4337, MODULE_AT, other] };
    const answer = node.answers.eth_call!;
    let begun: Readonly<Record<string, Chain>> = { [other]: BEGUN };
    node.answers.eth_call = (params) => {
      const [{ to, data }] = params as [{ to: Hex; data: Hex }];
      if (!data.startsWith('0x4f9a28b9')) return answer(params);
      if (to !== other && recoveryModuleAt(to) !== undefined) return '0x';
      return answersOf(begun[to.toLowerCase()] ?? QUIET).getRecoveryRequest!;
    };
    const { address, shown, page } = await open(FOR_AXE);
    const alarms = page.getByRole('region', { name: 'A recovery of Safe 1 has begun' });
    await alarms.getByText(other).waitFor();
    expect(await alarms.count()).toBe(1);
    await shown.go(`guardians/${address}`, 'Guardians of Safe 1');
    const guardians = page.getByRole('region', { name: 'Guardians on Testnet' });
    await guardians.getByLabel('Guardians', { exact: true }).waitFor();
    // The page counts on a module only with its code. The alarm does not depend on that.
    await guardians
      .locator('.item')
      .filter({ hasText: other })
      .getByText('Keystead does not know this module')
      .waitFor();
    begun = { [MODULE_AT]: { ...BEGUN, newOwners: [party('c')] }, [other]: BEGUN };
    await shown.go('home', 'Home');
    await page.reload();
    await page.getByText(party('c')).waitFor();
    await addAxe(shown);
    expect(await alarms.count()).toBe(2);
    expect(await problemsByWidth(shown)).toEqual({});
    const operation = nextOperation();
    await alarms.filter({ hasText: other }).getByRole('button', { name: 'Cancel recovery' }).click();
    const sent = await operation;
    expect(sent).toContain(other.slice(2));
    expect(sent).not.toContain(MODULE_AT.slice(2));
  });

  it.each<[string, Hex]>([
    ['no contract', '0x'],
    ['other code', '0x6002'],
  ])(
    'need a module and a signer factory that Keystead knows: a network with %s there is told so',
    async (_what, code) => {
      chain = { ...QUIET, modules: [ERC4337] };
      foreign = code;
      const { address, shown, page } = await open();
      await shown.go(`guardians/${address}`, 'Guardians of Safe 1');
      await page
        .getByText('Testnet does not have a recovery module that Keystead knows, so the account cannot')
        .waitFor();
      expect(await page.getByRole('button', { name: 'Turn on recovery' }).count()).toBe(0);
      await shown.go(`owners/${address}`, 'Owners');
      await page.getByText('Add a passkey').click();
      await page.evaluate(
        `navigator.credentials.create = () => { globalThis.wasAsked = true; return Promise.reject(Error()); }`,
      );
      await shown.press('Create a passkey');
      await page
        .getByText(/This network does not have Safe’s signer factory 0\.2\.0.*so a passkey cannot be an owner/u)
        .waitFor();
      expect(await page.evaluate('globalThis.wasAsked')).toBeUndefined();
    },
  );

  it('show every module of an account, and remove an unknown one', async () => {
    chain = { ...QUIET, modules: [ERC4337, MODULE_AT, UNKNOWN, DELAY] };
    const { address, wallet, shown, page } = await open(FOR_AXE);
    await addAxe(shown);
    await shown.go(`guardians/${address}`, 'Guardians of Safe 1');
    const guardians = page.getByRole('region', { name: 'Guardians on Testnet' });
    await guardians.getByRole('heading', { name: 'Others that can act for this account' }).waitFor();
    expect(await guardians.getByLabel('Guardians', { exact: true }).inputValue()).toBe(GUARDED.guardians.join('\n'));
    const item = (module: Hex) => guardians.locator('.item').filter({ hasText: module });
    expect(await item(UNKNOWN).innerText()).toContain(
      'Keystead does not know this module. It can do anything with the account, without your signature.',
    );
    expect(await item(DELAY).innerText()).toContain('Delay modifier 1.1.0 accepts forged signatures');
    expect(await problemsByWidth(shown)).toEqual({});
    const operation = nextOperation();
    await item(UNKNOWN)
      .getByRole('button', { name: `Remove module ${UNKNOWN}` })
      .click();
    const words = [{ type: 'address' }, { type: 'address' }] as const;
    const disabled = `e009cfde${encodeAbiParameters(words, [MODULE_AT, UNKNOWN]).slice(2)}`;
    expect(await operation).toContain(disabled);
    expect(wallet.dialogs.at(-1)!.text.toLowerCase()).toContain(UNKNOWN);

    await shown.go('recovery', 'Recovery');
    const checkUp = page.getByRole('region', { name: 'Check-up of Safe 1' });
    await checkUp.getByText(`Module ${UNKNOWN} may act for this account without your signature`).waitFor();
    await checkUp.getByText('which accepts forged signatures: anyone could act for the account.').waitFor();
    await checkUp.getByText('2 guardians have to confirm a recovery').waitFor();
    expect(await problemsByWidth(shown)).toEqual({});
  });

  it('give an account that is added by its address, if its one owner is a key of the wallet', async () => {
    const { wallet, shown, page } = await open();
    await shown.go('add-account', 'Add an account');
    await page.getByText('Add a recovered account by its address').click();
    const form = page.locator('form').filter({ has: page.getByLabel('Address of the recovered account') });
    const add = async (): Promise<void> => {
      await form.getByRole('button', { name: 'Add the account' }).click();
    };
    await form.getByLabel('Address of the recovered account').fill('0x12');
    await add();
    await form.getByText('Address: must be an address').waitFor();
    await form.getByLabel('Address of the recovered account').fill(RECOVERED);
    others = [party('c')];
    await add();
    await form.getByText('must be a Safe without other owners, who could take what it holds').waitFor();
    expect(wallet.dialogs).toEqual([]);
    [chain, others] = [{ ...QUIET, modules: [ERC4337] }, []];
    await add();
    await form.getByText('Added, with its old address.').waitFor();
    expect(wallet.dialogs.map(({ text }) => text)).toEqual([expect.stringContaining('Compare the whole address')]);
    await shown.go('home', 'Home');
    await page.getByRole('heading', { name: 'Safe 1 (5555)' }).waitFor();
  });

  it('say to a guardian what each step costs, when it can be done, and at the end that nothing is left to do', async () => {
    const account = party('1');
    const { shown, page } = await open({ account, timezoneId: 'Europe/Berlin', locale: 'en-GB' });
    owner = party('a');
    chain = { ...QUIET, threshold: 1n };
    node.answers.eth_gasPrice = () => '0x3b9aca00';
    node.answers.eth_getTransactionReceipt = () => ({ status: '0x1' });
    const fee = page.getByText(
      'Its network fee, about 0.000021 ETH now, is yours to pay, unless your wallet says that it is sponsored.',
    );
    const sent = (change: () => void): void => {
      node.answers.eth_sendTransaction = () => {
        change();
        return pad('0xcd');
      };
    };
    await shown.go(`recover/31337/${RECOVERED}/${MODULE.address}/1/${party('b')}/Ann/-`, 'Recover an account');
    await page.getByText('This link asks the guardians').waitFor();
    await shown.press('Connect MetaMask Flask');
    await fee.waitFor();
    const begun = { ...BEGUN, threshold: 1n, approvals: 1n };
    sent(() => {
      chain = begun;
    });
    await shown.press('Confirm as guardian');
    await page.getByText('Confirmed. The delay has begun.').waitFor();
    await page.getByRole('timer').getByText('from 15 Jan 2027, 10:00 CET on').waitFor();
    expect(await page.getByText('This link asks').count()).toBe(0);
    chain = { ...begun, executeAfter: NOW };
    await shown.press('Look again');
    await fee.waitFor();
    expect(await page.getByText('Confirmed. The delay has begun.').count()).toBe(0);
    sent(() => {
      owner = party('b');
      chain = { ...QUIET, threshold: 1n, nonce: 1n };
    });
    await shown.press('Finish the recovery');
    await page.getByText('Finished: the account has new owners.').waitFor();
    await page.getByText('This recovery is finished').waitFor();
    expect(await page.getByText(/This link asks|call the person/u).count()).toBe(0);
    expect(await fee.count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Look again' }).count()).toBe(0);
  });

  it('have a sheet that is printed whole, and alone; without it, the page is printed', async () => {
    const { address, shown, page } = await open();
    await shown.go(`guardians/${address}`, 'Guardians of Safe 1');
    const summary = page.getByText('Sheet for the day on which the phrase is lost', { exact: true });
    await summary.waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('heading', { name: 'Guardians of Safe 1', level: 1 }).isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    await summary.click();
    const written = await page.locator('.sheet pre').innerText();
    expect(written).toMatch(/What to do:[^]*add the account\.\s*$/u);
    await page.emulateMedia({ media: 'print' });
    expect((await page.locator('body').innerText()).trim()).toBe(written.trim());
    expect(await page.locator('.sheet .qr').isVisible()).toBe(true);
    const pdf = (await page.pdf({ format: 'A4', margin: { top: '1cm', bottom: '1cm' } })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/gu)).toHaveLength(1);
  });

  describe('begin on a sheet', () => {
    const lost = (...parts: readonly string[]): string => ['lost', ...parts.map(encodeURIComponent)].join('/');
    const title = 'I lost my recovery phrase';

    it.each<[string, readonly string[], string]>([
      ['with a broken checksum', ['31337', '0x70997970C51812dc3A010C7d01b50e0d17dc79c8'], 'right checksum'],
      ['with a node without encryption', ['10', RECOVERED, '-', '-', 'http://node.example'], 'must be an https URL'],
      ['with a script as node', ['10', RECOVERED, '-', '-', 'javascript:alert(1)'], 'must be an https URL'],
      ['that names an account without guardians', ['31337', RECOVERED], 'must be an account with guardians'],
      ['that names an unknown module', ['31337', RECOVERED, UNKNOWN], 'does not have the account with the recovery'],
    ])('is refused %s', async (_what, parts, rule) => {
      chain = { ...GUARDED, modules: [ERC4337], guardians: [], threshold: 0n };
      const { shown, page } = await open();
      await shown.go(lost(...parts), title);
      await page.getByText(rule).waitFor();
      expect(await page.getByRole('button', { name: 'Make the link for guardians' }).count()).toBe(0);
    });

    it('that names other guardians than the network says so', async () => {
      const { shown, page } = await open(FOR_AXE);
      await shown.go(lost('31337', RECOVERED, MODULE.address, 'Savings', '-', '-', `${party('9')} Mallory`), title);
      await page.getByText('The sheet names other guardians than the node does.').waitFor();
      const facts = (await page.locator('dl.facts').allInnerTexts()).join('\n');
      expect(facts).not.toContain('Mallory');
      // Only the link says so.
      expect(facts).toContain('“Savings”');
      await addAxe(shown);
      expect(await problemsByWidth(shown)).toEqual({});
      await shown.go('lost', title);
      expect(await problemsByWidth(shown)).toEqual({});
      await shown.go(`practice/31337/${RECOVERED}/${MODULE.address}/Savings`, 'A guardian’s practice run');
      expect(await problemsByWidth(shown)).toEqual({});
    });

    it('asks before a node is used that the sheet names, which has to be of the network', async () => {
      const { wallet, shown, page } = await open();
      owner = party('a');
      const asked = node.asked.length;
      await shown.go(lost('10', RECOVERED, MODULE.address, 'Savings', node.url), title);
      await page.getByText(`The sheet names the node at ${new URL(node.url).host}.`).waitFor();
      expect(wallet.dialogs).toEqual([]);
      expect(node.asked.slice(asked).map(({ method }) => method)).not.toContain('eth_getLogs');
      await shown.press('Save network');
      await page.locator('form .status.error').waitFor();
      expect(await page.getByRole('button', { name: 'Make the link for guardians' }).count()).toBe(0);
      node.answers.eth_chainId = () => '0xa';
      await shown.press('Save network');
      await page.getByText('the delay is over at').waitFor();
      expect(wallet.dialogs.map(({ text }) => text)).toEqual([expect.stringContaining(new URL(node.url).host)]);
      await shown.press('Make the link for guardians');
      const link = await page.getByLabel('Link for your guardians', { exact: true }).innerText();
      expect(decodeURIComponent(link)).toContain(`recover/10/${RECOVERED}/${MODULE.address}/1/`);
    });
  });
});
