import { readFileSync } from 'node:fs';

import { devnetOf } from '../../support/browser/devnet-node';
import { describeCompanion } from '../../support/browser/fixture';

const BOB = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e';

describeCompanion('names, networks and backup files on the companion page', (fixture) => {
  it('saves a contact behind a dialog, which later dialogs call by name, and a file brings it back', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const account = await companion.createAccount('eoa');
    await companion.view('Contacts');
    const save = async (name: string): Promise<void> => {
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('Address', { exact: true }).fill(BOB.toLowerCase());
      await companion.press('Save contact');
    };
    await save('0x742d…f44e');
    await page.locator('.status.error').getByText('not look like an address').waitFor();
    await save('Bob');
    await companion.answer('Save a contact', 'Reject');
    await page.getByText('You rejected the request.').waitFor();
    await companion.press('Save contact');
    await companion.answer('Save a contact', 'Approve');
    await page.getByText('Saved Bob.').waitFor();
    await page.getByText(BOB, { exact: true }).waitFor();

    await companion.view('Backup');
    await companion.press('Make a backup file');
    await companion.answer('Saved as', 'Approve');
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download the file' }).click();
    const file = await (await downloading).path();
    expect(readFileSync(file).subarray(0, 8).toString()).toBe('KEYSTEAD');

    const phrase = await companion.phrase();
    await companion.recover(phrase);
    await companion.install();
    await companion.view('Contacts');
    await page.getByText('No contacts yet').waitFor();
    await companion.view('Backup');
    await page.getByLabel('Backup file').setInputFiles(file);
    await companion.press('Restore file');
    await companion.answer('Restore a backup', 'Approve');
    await companion.answer(account, 'Add account');
    await page.getByText(/^Added 1 account and 1 network\./u).waitFor();
    await companion.view('Contacts');
    await page.getByRole('heading', { name: 'Bob' }).waitFor();
  });

  it('keeps what only this browser has in Keystead, once the person agrees', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    await page.evaluate(`localStorage.setItem('keystead.contacts', '[{"name":"Bob","address":"${BOB}"}]')`);
    await companion.view('Contacts');
    await companion.press('Save in Keystead');
    await companion.answer('Save a contact', 'Approve');
    await page.getByText('Saved in Keystead.').waitFor();
    await page.getByText('Only in this browser').waitFor({ state: 'hidden' });
  });

  it('adds a network by its name, refuses a node of another network, and edits one without changing which it is', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    await companion.view('Settings');
    const networks = page.getByRole('region', { name: 'Networks' });
    const node = networks.locator('dl > div').filter({ has: page.getByRole('term').filter({ hasText: /^Node$/u }) });
    const url = (await devnetOf(fixture().world)).chain.rpcUrl.replace('127.0.0.1', 'localhost');
    await networks.getByText('Add a network').click();
    await networks.getByLabel('Network name or chain ID').fill('Bace');
    await networks.getByLabel('Node (RPC URL)', { exact: true }).fill(url);
    await companion.press('Add network', networks);
    await networks.getByText('choose one from the list').waitFor();
    await networks.getByLabel('Network name or chain ID').fill('base');
    await companion.press('Add network', networks);
    await networks.locator('.status.error').getByText('must be a node for chain 8453').waitFor();
    await networks.getByText('Add a network').click();

    await companion.press('Edit Keystead devnet', networks);
    const form = networks.locator('.item form');
    expect(await form.getByLabel('Network name or chain ID').count()).toBe(0);
    await form.getByLabel('Node (RPC URL)', { exact: true }).fill(url);
    await companion.press('Save network', form);
    await companion.answer('Change network', 'Approve');
    await node.getByText(new URL(url).host).waitFor();
    await networks.getByRole('heading', { name: 'Keystead devnet' }).waitFor();
  });
});
