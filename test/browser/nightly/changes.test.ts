import { type Hex, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';

import { DELEGATES } from '../../../src/core/erc4337/delegates';
import { delegationCode } from '../../../src/core/eth/authorization';
import { type Companion } from '../../support/browser/companion';
import { devnetOf, nodeOf } from '../../support/browser/devnet-node';
import { describeCompanion } from '../../support/browser/fixture';
import { type World } from '../../support/browser/world';

const newAddress = (): Hex => privateKeyToAddress(generatePrivateKey());

/** Sets the devnet's network up again, without its paymaster service. */
async function removePaymaster(companion: Companion, world: World): Promise<void> {
  const { chain } = await devnetOf(world);
  await companion.view('Settings');
  const networks = companion.page.getByRole('region', { name: 'Networks' });
  await networks.getByText('Add a network').click();
  await networks.getByLabel('Chain ID').fill('31337');
  await networks.getByLabel('Node (RPC URL)', { exact: true }).fill(chain.rpcUrl);
  await networks.getByLabel('Bundler URL').fill(chain.bundlerUrl!);
  await companion.press('Add network', networks);
  await companion.answer('Change network', 'Approve');
  await networks.getByText('Network saved.').waitFor();
}

/** Fills in a call of 0.5 ETH to each, and sends them. */
async function sendHalves(companion: Companion, from: string, recipients: readonly Hex[]): Promise<void> {
  await companion.view('Send');
  for (const [index, recipient] of recipients.entries()) {
    if (index > 0) await companion.press('Add a call');
    await companion.call(index).getByLabel('To', { exact: true }).fill(recipient);
    await companion.call(index).getByLabel('Amount (ETH)').fill('0.5');
  }
  await companion.press('Review');
  await companion.press(recipients.length === 1 ? 'Send' : `Send ${recipients.length} calls`);
  await companion.connect(from);
}

describeCompanion('changing and sending on the companion page', (fixture) => {
  it('renames an account and removes the name again', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const address = await companion.createAccount('eoa');
    await companion.account(address);
    const rename = async (name: string): Promise<void> => {
      await page.getByLabel('Name', { exact: true }).fill(name);
      await companion.press('Rename');
    };
    await page.getByText('Rename Keystead 1').click();
    await rename('Savings');
    await page.getByRole('heading', { name: 'Savings', level: 1, exact: true }).waitFor();
    await rename('x'.repeat(65));
    await page.getByText(/Name: must be 1 to 64 characters/u).waitFor();
    await companion.reload();
    await page.getByRole('heading', { name: 'Savings', level: 1, exact: true }).waitFor();
    await page.getByText('Rename Savings').click();
    await rename('');
    await page.getByRole('heading', { name: 'Keystead 1', level: 1, exact: true }).waitFor();
    expect(await page.getByText('Savings').count()).toBe(0);
  });

  it('deletes a derived account at once, but asks before it deletes an imported one', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const derived = await companion.createAccount('eoa');
    await companion.account(derived);
    await companion.press('Delete Keystead 1');
    await page.getByText('No such account').waitFor();
    expect(await companion.createAccount('eoa')).toBe(derived);

    const imported = await companion.importKey(generatePrivateKey());
    await companion.account(imported);
    const remove = page.getByRole('button', { name: /^Delete/u });
    await remove.click();
    await companion.answer('Delete an imported account', 'Reject');
    await page.getByText('You rejected the request.').waitFor();
    await remove.click();
    await companion.answer('Delete an imported account', 'Approve');
    await page.getByText('No such account').waitFor();
    expect(await companion.addresses()).toEqual([derived]);
  });

  it('shows the private key of an account once it is approved, until it is hidden', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const privateKey = generatePrivateKey();
    const derived = await companion.createAccount('eoa');
    const imported = await companion.importKey(privateKey);
    const shown = page.getByLabel('Private key', { exact: true });
    const open = async (address: string): Promise<void> => {
      await companion.account(address);
      await page.getByText('Export private key').click();
      await companion.press('Show private key');
    };
    await open(imported);
    await companion.answer('Export a private key', 'Reject');
    await page.getByText('You rejected the request.').waitFor();
    expect(await page.content()).not.toContain(privateKey.slice(2));
    await companion.press('Show private key');
    await companion.answer(imported, 'Approve');
    expect(await shown.innerText()).toBe(privateKey);
    await companion.press('Hide');
    await shown.waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain(privateKey.slice(2));

    await open(derived);
    await companion.answer(derived, 'Approve');
    const derivedKey = await shown.innerText();
    expect(privateKeyToAddress(derivedKey as Hex)).toBe(derived);
    await page.getByText('Export private key').click();
    await page.getByText(derivedKey).waitFor({ state: 'detached' });
  });

  it('reports what a node claims that calls every account used, and adds only the selected accounts', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const { chain } = await devnetOf(fixture().world);
    await companion.go('add-account', 'Add an account');
    await companion.press('Find used accounts');
    await page.getByText('Your nodes report no used accounts among the first 3 of each type.').waitFor();
    await companion.context.route(chain.rpcUrl, async (route) => {
      const { id, method } = route.request().postDataJSON() as { id: number; method: string };
      if (method !== 'eth_getBalance') return route.continue();
      const headers = { 'access-control-allow-origin': '*' };
      return route.fulfill({ headers, json: { jsonrpc: '2.0', id, result: '0x1' } });
    });
    await companion.press('Find used accounts');
    await page
      .getByText('Your nodes report 60 used accounts among the first 10 of each type. 60 can be added')
      .waitFor();
    const choices = page.getByRole('group', { name: 'Accounts to add' }).getByRole('checkbox');
    expect(await choices.count()).toBe(60);
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    await companion.press('Add selected accounts');
    await page.getByText('Select at least one account.').waitFor();
    await companion.press('Search further');
    await page.getByText('among the first 20 of each type').waitFor();
    await page.getByRole('checkbox', { name: /^Smart account 12 used/u }).check();
    await companion.press('Add selected accounts');
    await companion.answer('Add the account', 'Add account');
    await page.getByText('Added: Smart account 12.').waitFor();
    expect(await companion.stored()).toHaveLength(1);
    expect(await choices.count()).toBe(119);
  });

  it.each([1, 2])(
    'sends %i calls from an externally owned account, confirms each and follows it to its receipt',
    async (n) => {
      const companion = await fixture().ready();
      const { page } = companion;
      await removePaymaster(companion, fixture().world);
      const address = await companion.createAccount('eoa');
      await companion.askFaucet(address);
      const recipients = Array.from({ length: n }, newAddress);
      await sendHalves(companion, address, recipients);
      for (const recipient of recipients) await companion.answer(recipient, 'Approve');
      await page.getByText('Confirmed.').waitFor();
      await page
        .getByText(/^In block \d+\. Network fee: [\d.]+ ETH, paid by the account\.$/u)
        .nth(n - 1)
        .waitFor();
      expect(await page.getByRole('link', { name: 'View transaction' }).count()).toBe(n);
      const node = await nodeOf(fixture().world);
      for (const address of recipients) expect(await node.getBalance({ address })).toBe(parseEther('0.5'));
    },
  );

  it('sends two calls from an externally owned account at once, and the network’s paymaster service pays', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const address = (await companion.createAccount('eoa')) as Hex;
    await companion.askFaucet(address);
    const recipients = [newAddress(), newAddress()];
    await sendHalves(companion, address, recipients);
    await companion.answer('This upgrades your account', 'Approve');
    await page.getByText('Confirmed.').waitFor();
    await page.getByText(/as one user operation\. Network fee: [\d.]+ ETH, paid by the paymaster 0x/u).waitFor();
    expect(await page.getByRole('link', { name: 'View transaction' }).count()).toBe(1);
    const node = await nodeOf(fixture().world);
    for (const recipient of recipients) expect(await node.getBalance({ address: recipient })).toBe(parseEther('0.5'));
    expect(await node.getBalance({ address })).toBe(parseEther('9'));
    expect(await node.getCode({ address })).toBe(delegationCode(DELEGATES['0.8']));
  });

  it('names the field and the call of wrong input', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const address = await companion.createAccount('eoa');
    await companion.view('Sign');
    await page.getByLabel('What to sign').selectOption('transaction');
    for (const [to, value, data, message] of [
      ['someone.eth', '0', '0x', 'To: must be an address: 0x followed by 40 hex digits'],
      [address, '1,5', '0x', 'Amount: must be an amount of ETH, such as 0.1'],
      [address, '0', '0x1', 'Data: must be hex bytes: 0x followed by an even number of hex digits'],
    ] as const) {
      await page.getByLabel('To', { exact: true }).fill(to);
      await page.getByLabel('Amount (ETH)').fill(value);
      await page.getByLabel('Data').fill(data);
      await companion.press('Sign');
      await page.getByText(message, { exact: true }).waitFor();
    }

    await companion.view('Send');
    await companion.press('Add a call');
    await companion.press('Add a call');
    await companion.press('Remove call 1');
    for (const [index, to] of [address, '0x12'].entries()) {
      await companion.call(index).getByLabel('To', { exact: true }).fill(to);
      await companion.call(index).getByLabel('Amount (ETH)').fill('0');
    }
    await companion.press('Review');
    await page.getByText('To (call 2): must be an address', { exact: false }).waitFor();

    await companion.view('Uncles');
    await page.getByLabel('Block').fill('abc');
    await companion.press('Look up uncle');
    await page.getByText('Block: must be a number in digits, or 0x followed by hex digits').waitFor();
  });

  it('sends no transaction of a batch if one is rejected', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    await removePaymaster(companion, fixture().world);
    const address = (await companion.createAccount('eoa')) as Hex;
    await companion.askFaucet(address);
    const recipients = [newAddress(), newAddress()] as const;
    await sendHalves(companion, address, recipients);
    await companion.answer(recipients[0], 'Approve');
    await companion.answer(recipients[1], 'Reject');
    await page.getByText('You rejected the request.').waitFor();
    expect(await (await nodeOf(fixture().world)).getTransactionCount({ address, blockTag: 'pending' })).toBe(0);
  });

  describe('with a bundler', () => {
    it('changes and removes a network, but not after a rejection or with a node of another chain', async () => {
      const companion = await fixture().ready();
      const { page } = companion;
      const { chain } = await devnetOf(fixture().world);
      await companion.view('Settings');
      const networks = page.getByRole('region', { name: 'Networks' });
      await networks.getByRole('heading', { name: 'Keystead devnet' }).waitFor();
      const node = networks.locator('dl > div').filter({ has: page.getByRole('term').filter({ hasText: /^Node$/u }) });
      const host = new URL(chain.rpcUrl).host;
      expect(await node.innerText()).toContain(host);

      await networks.getByText('Add a network').click();
      const other = chain.rpcUrl.replace('127.0.0.1', 'localhost');
      const setChain = async (chainId: string): Promise<void> => {
        await networks.getByLabel('Chain ID').fill(chainId);
        await networks.getByLabel('Node (RPC URL)', { exact: true }).fill(other);
        await networks.getByLabel('Bundler URL').fill(chain.bundlerUrl!);
        await companion.press('Add network', networks);
      };
      await setChain('eip155:5');
      const wrong = networks.locator('.status.error');
      await wrong.waitFor();
      expect(await wrong.innerText()).toContain('must be a node for chain 5');
      await setChain('eip155:31337');
      await companion.answer(other, 'Reject');
      await networks.getByText('You rejected the request.').waitFor();
      expect(await node.innerText()).toContain(host);
      await setChain('eip155:31337');
      await companion.answer(other, 'Approve');
      await networks.getByText('Network saved.').waitFor();
      await node.getByText(new URL(other).host).waitFor();
      // It was not given this time, so it was removed.
      expect(
        await networks
          .getByRole('term')
          .filter({ hasText: /^Paymaster service$/u })
          .count(),
      ).toBe(0);

      await companion.press('Remove Network 31337', networks);
      await companion.answer('Remove network 31337', 'Reject');
      await networks.getByText('You rejected the request.').waitFor();
      await companion.press('Remove Network 31337', networks);
      await companion.answer('Remove network 31337', 'Approve');
      await networks.getByText('No networks yet.').waitFor();
      await companion.view('Send');
      await page.getByRole('link', { name: 'Create an account' }).waitFor();
    });

    it('sends one call from a smart account and follows the user operation to its receipt', async () => {
      const companion = await fixture().ready();
      const { page } = companion;
      const address = await companion.createAccount('0.7');
      await companion.askFaucet(address);
      await companion.view('Send');
      const to = newAddress();
      await page.getByLabel('To', { exact: true }).fill(to);
      await page.getByLabel('Amount (ETH)').fill('0.5');
      await companion.press('Review');
      await companion.press('Send');
      await companion.connect(address);
      await companion.answer(to, 'Approve');
      await page.getByText('Confirmed.').waitFor({ timeout: 60_000 });
      await page.getByRole('link', { name: 'View transaction' }).click();
      await page.locator('dl > div', { hasText: 'User operation' }).getByRole('link').click();
      await page.getByText('Succeeded').waitFor();
    });
  });
});
