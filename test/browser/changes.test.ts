import { type Hex, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';

import { devnetOf, nodeOf } from './support/devnet-node';
import { describeOnStage } from './support/stage';

const newAddress = (): Hex => privateKeyToAddress(generatePrivateKey());

describeOnStage('what a person changes and sends on the companion page', (stage) => {
  it('renames an account, and takes the name back', async () => {
    const companion = await stage().ready();
    const { page } = companion;
    const address = await companion.createAccount('eoa');
    const card = companion.card(address);
    const rename = async (name: string): Promise<void> => {
      await card.getByLabel('Name', { exact: true }).fill(name);
      await companion.press('Rename', card);
    };
    await card.getByText('Rename Account 1').click();
    await rename('Savings');
    await card.getByRole('heading', { name: 'Savings: Account 1' }).waitFor();
    await rename('x'.repeat(65));
    await card.getByText(/label.*must be 1 to 64 characters/u).waitFor();
    await companion.reload();
    await card.getByRole('heading', { name: 'Savings: Account 1' }).waitFor();
    await card.getByText('Rename Savings').click();
    await rename('');
    await card.getByRole('heading', { name: 'Account 1', exact: true }).waitFor();
    expect(await page.getByText('Savings').count()).toBe(0);
  });

  it('deletes an account that the phrase brings back at once, and asks first where a key would be lost', async () => {
    const companion = await stage().ready();
    const { page } = companion;
    const derived = await companion.createAccount('eoa');
    await companion.press('Delete Account 1', companion.card(derived));
    await page.getByText('No account yet').waitFor();
    expect(await companion.createAccount('eoa')).toBe(derived);

    const imported = await companion.importKey(generatePrivateKey());
    const card = companion.card(imported);
    const remove = card.getByRole('button', { name: /^Delete/u });
    await remove.click();
    await companion.answer('Delete an imported account', 'Reject');
    await card.getByText('You refused it in the wallet, so it was not done.').waitFor();
    await remove.click();
    await companion.answer('Delete an imported account', 'Approve');
    await card.waitFor({ state: 'hidden' });
    expect(await companion.addresses()).toEqual([derived]);
  });

  it('shows the private key of an account after the wallet has asked, until it is hidden', async () => {
    const companion = await stage().ready();
    const { page } = companion;
    const privateKey = generatePrivateKey();
    const derived = await companion.createAccount('eoa');
    const imported = await companion.importKey(privateKey);
    const open = async (address: string): Promise<void> => {
      await companion.card(address).getByText('Export the private key').click();
      await companion.press('Show the private key', companion.card(address));
    };
    await open(imported);
    await companion.answer('Hand out a private key', 'Reject');
    await page.getByText('You refused it in the wallet, so it was not done.').waitFor();
    expect(await page.content()).not.toContain(privateKey.slice(2));
    await companion.press('Show the private key', companion.card(imported));
    await companion.answer(imported, 'Approve');
    const shown = companion.card(imported).getByLabel('Private key');
    expect(await shown.innerText()).toBe(privateKey);
    await companion.press('Hide it', companion.card(imported));
    await shown.waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain(privateKey.slice(2));

    await open(derived);
    await companion.answer(derived, 'Approve');
    const derivedKey = await companion.card(derived).getByLabel('Private key').innerText();
    expect(privateKeyToAddress(derivedKey as Hex)).toBe(derived);
    await companion.card(derived).getByText('Export the private key').click();
    await page.getByText(derivedKey).waitFor({ state: 'detached' });
  });

  it('says what a node that calls every account used says, and adds what is chosen', async () => {
    const companion = await stage().ready();
    const { page } = companion;
    const { chain } = await devnetOf(stage().world);
    await companion.press('Look for used accounts');
    await page.getByText('Your nodes call none of the first 3 accounts of each kind used.').waitFor();
    await companion.context.route(chain.rpcUrl, async (route) => {
      const { id, method } = route.request().postDataJSON() as { id: number; method: string };
      if (method !== 'eth_getBalance') return route.continue();
      const headers = { 'access-control-allow-origin': '*' };
      return route.fulfill({ headers, json: { jsonrpc: '2.0', id, result: '0x1' } });
    });
    await companion.press('Look for used accounts');
    await page.getByText('Your nodes call 50 accounts used, of the first 10 of each kind. 50 to add').waitFor();
    const choices = page.getByRole('group', { name: 'Which to add' }).getByRole('checkbox');
    expect(await choices.count()).toBe(50);
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    await companion.press('Add the chosen accounts');
    await page.getByText('Choose at least one account.').waitFor();
    await companion.press('Look further');
    await page.getByText('of the first 20 of each kind').waitFor();
    await page.getByLabel('Smart account 12, entry point 0.7').check();
    await companion.press('Add the chosen accounts');
    await companion.answer('Add the account', 'Add account');
    await page.getByText('Added: Smart account 12, entry point 0.7.').waitFor();
    expect(await companion.addresses()).toHaveLength(1);
    expect(await choices.count()).toBe(99);
  });

  it.each([1, 2])(
    'sends %i calls of an externally owned account, each shown and followed to its receipt',
    async (n) => {
      const companion = await stage().ready();
      const { page } = companion;
      const address = await companion.createAccount('eoa');
      await companion.askFaucet(address);
      await companion.view('Send');
      const recipients = Array.from({ length: n }, newAddress);
      for (const [index, recipient] of recipients.entries()) {
        if (index > 0) await companion.press('Add a call');
        const call = page.getByRole('group').nth(index);
        await call.getByLabel('To', { exact: true }).fill(recipient);
        await call.getByLabel('Value in ETH').fill('0.5');
      }
      await companion.press(n === 1 ? 'Send transaction' : `Send ${n} calls`);
      await companion.connect(address);
      for (const recipient of recipients) await companion.answer(recipient, 'Approve');
      await page.getByText('Included: it succeeded.').waitFor();
      expect(await page.getByRole('link', { name: 'See the transaction' }).count()).toBe(n);
      const node = await nodeOf(stage().world);
      for (const address of recipients) expect(await node.getBalance({ address })).toBe(parseEther('0.5'));
    },
  );

  it('names the field, and which call it is of, where something is written wrongly', async () => {
    const companion = await stage().ready();
    const { page } = companion;
    const address = await companion.createAccount('eoa');
    await companion.view('Sign');
    await page.getByLabel('What').selectOption('transaction');
    for (const [to, value, data, said] of [
      ['someone.eth', '0', '0x', 'To: must be an address, 0x and 40 hex digits'],
      [address, '1,5', '0x', 'Value: must be an amount of ETH, such as 0.1'],
      [address, '0', '0x1', 'Data: must be bytes, 0x and an even number of hex digits'],
    ] as const) {
      await page.getByLabel('To', { exact: true }).fill(to);
      await page.getByLabel('Value in ETH').fill(value);
      await page.getByLabel('Data').fill(data);
      await companion.press('Sign');
      await page.getByText(said, { exact: true }).waitFor();
    }

    await companion.view('Send');
    await companion.press('Add a call');
    await companion.press('Add a call');
    await companion.press('Remove call 1');
    for (const [index, to] of [address, '0x12'].entries())
      await page.getByRole('group').nth(index).getByLabel('To', { exact: true }).fill(to);
    await companion.press('Send 2 calls');
    await page.getByText('To of call 2: must be an address', { exact: false }).waitFor();

    await companion.view('Uncles');
    await page.getByLabel('Block').fill('abc');
    await companion.press('Look up the uncle');
    await page.getByText('Block: must be a number, in digits or as 0x and hex digits').waitFor();
  });

  it('sends none of the transactions of a batch if one is refused', async () => {
    const companion = await stage().ready();
    const { page } = companion;
    const address = (await companion.createAccount('eoa')) as Hex;
    await companion.askFaucet(address);
    await companion.view('Send');
    await companion.press('Add a call');
    const recipients = [newAddress(), newAddress()] as const;
    for (const [index, recipient] of recipients.entries())
      await page.getByRole('group').nth(index).getByLabel('To', { exact: true }).fill(recipient);
    await companion.press('Send 2 calls');
    await companion.connect(address);
    await companion.answer(recipients[0], 'Approve');
    await companion.answer(recipients[1], 'Reject');
    await page.getByText('You refused it in the wallet, so it was not done.').waitFor();
    expect(await (await nodeOf(stage().world)).getTransactionCount({ address, blockTag: 'pending' })).toBe(0);
  });

  describe('and a bundler', () => {
    it('changes a chain and removes it; a refusal and a wrong chain leave it as it is', async () => {
      const companion = await stage().ready();
      const { page } = companion;
      const { chain } = await devnetOf(stage().world);
      await companion.view('Settings');
      const chains = page.getByRole('region', { name: 'Chains' });
      await chains.getByRole('heading', { name: 'eip155:31337' }).waitFor();
      const node = chains.locator('dl > div').filter({ has: page.getByRole('term').filter({ hasText: /^Node$/u }) });
      const host = new URL(chain.rpcUrl).host;
      expect(await node.innerText()).toContain(host);

      await chains.getByText('Set a chain up').click();
      const other = chain.rpcUrl.replace('127.0.0.1', 'localhost');
      const setChain = async (chainId: string): Promise<void> => {
        await chains.getByLabel('Chain', { exact: true }).fill(chainId);
        await chains.getByLabel('Node').fill(other);
        await chains.getByLabel('Bundler').fill(chain.bundlerUrl!);
        await companion.press('Set up', chains);
      };
      await setChain('eip155:5');
      const wrong = chains.locator('.status.error');
      await wrong.waitFor();
      expect(await wrong.innerText()).toContain('must be a node for chain 5');
      await setChain('eip155:31337');
      await companion.answer(other, 'Reject');
      await chains.getByText('You refused it in the wallet, so it was not done.').waitFor();
      expect(await node.innerText()).toContain(host);
      await setChain('eip155:31337');
      await companion.answer(other, 'Approve');
      await chains.getByText('The chain is set up.').waitFor();
      await node.getByText(new URL(other).host).waitFor();
      // Not given this time, so it is gone.
      expect(
        await chains
          .getByRole('term')
          .filter({ hasText: /^Paymaster service$/u })
          .count(),
      ).toBe(0);

      await companion.press('Remove eip155:31337', chains);
      await companion.answer('Remove the chain eip155:31337', 'Reject');
      await chains.getByText('You refused it in the wallet, so it was not done.').waitFor();
      await companion.press('Remove eip155:31337', chains);
      await companion.answer('Remove the chain eip155:31337', 'Approve');
      await chains.getByText('None is set up.').waitFor();
      await companion.view('Send');
      await page.getByRole('link', { name: 'Create an account' }).waitFor();
    });

    it('sends one call of a smart account, and follows the user operation to its receipt', async () => {
      const companion = await stage().ready();
      const { page } = companion;
      const address = await companion.createAccount('0.7');
      await companion.askFaucet(address);
      await companion.view('Send');
      const to = newAddress();
      await page.getByLabel('To', { exact: true }).fill(to);
      await page.getByLabel('Value in ETH').fill('0.5');
      await companion.press('Send transaction');
      await companion.connect(address);
      await companion.answer(to, 'Approve');
      await page.getByText('Included: it succeeded.').waitFor({ timeout: 60_000 });
      await page.getByRole('link', { name: 'See the transaction' }).click();
      await page.locator('dl > div', { hasText: 'User operation' }).getByRole('link').click();
      await page.getByText('Succeeded').waitFor();
    });
  });
});
