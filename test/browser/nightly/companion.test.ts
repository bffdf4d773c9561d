import { type Hex } from 'viem';
import { generatePrivateKey } from 'viem/accounts';

import { nodeOf } from '../../support/browser/devnet-node';
import { describeCompanion } from '../../support/browser/fixture';

describeCompanion('the companion page: setting up, recovering, looking up, the keyboard', (fixture) => {
  it('offers to set up the devnet until that is done, and again for another devnet', async () => {
    const companion = await fixture().open();
    const { page } = companion;
    const offer = page.getByRole('heading', { name: 'Set up the development network' });
    await companion.install();
    await companion.press('Set up');
    await companion.answer('Add network 31337', 'Reject');
    await page.getByText('You rejected the request.').waitFor();
    await companion.press('Set up');
    await page.getByRole('dialog').filter({ hasText: 'Add network 31337' }).waitFor();
    await companion.reload();
    await offer.waitFor();
    await companion.press('Set up');
    await companion.answer('Add network 31337', 'Approve');
    await offer.waitFor({ state: 'hidden' });
    await page.getByText('Keystead devnet is set up.').waitFor();
    // The storage is offered where it is used.
    await companion.view('Backup');
    await page.getByText('No storage service').waitFor();
    await companion.press('Use the development storage');
    await companion.answer('Add a storage service', 'Reject');
    await page.getByText('You rejected the request.').waitFor();
    await companion.setUpStorage();
    expect(await page.getByRole('button', { name: 'Use the development storage' }).count()).toBe(0);
    // A devnet without saved state has a new key at each start.
    await page.route('**/devnet.json', async (route) => {
      const response = await route.fetch();
      const { chain, ...rest } = (await response.json()) as { chain: { rpcUrl: string } };
      await route.fulfill({ response, json: { ...rest, chain: { ...chain, rpcUrl: `${chain.rpcUrl}0` } } });
    });
    await companion.reload();
    await companion.view('Home');
    await offer.waitFor();
  });

  it('signs a message with a Safe, and lists no account that cannot sign', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    await companion.createAccount('0.7');
    await companion.view('Sign');
    const account = page.getByLabel('Account', { exact: true });
    expect(await account.getByRole('option').allInnerTexts()).toEqual(['No account can sign this']);
    await companion.press('Sign');
    await page.getByText('None of your accounts can sign this.').waitFor();
    const safe = (await companion.createAccount('safe-0.7')) as Hex;
    await companion.view('Sign');
    expect(await account.getByRole('option').allInnerTexts()).toEqual([expect.stringContaining('Safe 1')]);
    await companion.press('Sign');
    await companion.connect(safe);
    await companion.answer('Hello from Keystead', 'Approve');
    const signature = (await page.getByLabel('Signature').innerText()) as Hex;
    const node = await nodeOf(fixture().world);
    expect(await node.verifyMessage({ address: safe, message: 'Hello from Keystead', signature })).toBe(true);

    await page.getByLabel('What to sign').selectOption('transaction');
    expect(await account.getByRole('option').allInnerTexts()).toEqual(['No account can sign this']);
  });

  it('recovers the same accounts from the phrase after a wipe', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const created = [await companion.createAccount('eoa'), await companion.createAccount('0.7')];
    for (const address of created) await companion.askFaucet(address);
    const phrase = await companion.phrase();
    expect(phrase.split(' ')).toHaveLength(12);

    await companion.recover(phrase);
    await companion.install();
    expect(await companion.stored()).toEqual([]);
    await companion.setUp();
    await companion.go('add-account', 'Add an account');
    await companion.press('Find used accounts');
    await page.getByText('Your nodes report 2 used accounts among the first 4 of each type. 2 can be added').waitFor();
    await companion.press('Add selected accounts');
    for (const address of created) await companion.answer(address, 'Add account');
    await page.getByText('Added: Keystead 1; Smart account 1.').waitFor();
    await companion.press('Find used accounts');
    await page.getByText('You already have all of them.').waitFor();
    expect(await companion.addresses()).toEqual(created);
  });

  it('backs up an imported account and restores it with the phrase and the CID', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const privateKey = generatePrivateKey();
    const imported = await companion.importKey(privateKey);
    expect(await page.content()).not.toContain(privateKey.slice(2));

    await companion.setUpStorage();
    await companion.press('Back up now');
    await companion.answer('Create a backup', 'Approve');
    await page.getByText(/^Backed up 1 account /u).waitFor();
    const cid = await page.locator('output', { hasText: /^baf/u }).innerText();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download the file' }).click();
    const file = await (await downloading).path();
    const phrase = await companion.phrase();

    await companion.recover(phrase);
    await companion.install();
    await companion.setUp();
    await companion.setUpStorage();
    await page.getByRole('region', { name: 'Restore' }).getByLabel('CID of the backup').fill(cid);
    await companion.press('Restore');
    await companion.answer('Restore a backup', 'Approve');
    await companion.answer(imported, 'Add account');
    await page.getByText('Added 1 account. Already here: 1 network.').waitFor();
    await companion.press('Restore');
    await page.getByText('Nothing was missing. Already here: 1 account and 1 network.').waitFor();
    expect(await companion.addresses()).toEqual([imported]);

    // The file alone restores the same, without any storage.
    await companion.recover(phrase);
    await companion.install();
    await companion.view('Backup');
    await page.getByText('No storage service').waitFor();
    await page.getByLabel('Backup file').setInputFiles(file);
    await companion.press('Restore file');
    await companion.answer('Restore a backup', 'Approve');
    await companion.answer(imported, 'Add account');
    await page.getByText('Added 1 account and 1 network.').waitFor();
    expect(await companion.addresses()).toEqual([imported]);
  });

  it('connects the page to selected accounts, and disconnects it here and in the wallet', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const address = await companion.createAccount('eoa');
    await companion.view('Connections');
    await companion.press('Connect');
    await companion.connect(address);
    const connected = page.getByRole('list', { name: 'Connected accounts' }).getByRole('listitem');
    expect((await connected.first().innerText()).toLowerCase()).toContain(address.toLowerCase());
    await companion.press('Disconnect');
    await page.getByText('No accounts connected').waitFor();

    await companion.press('Connect');
    await companion.connect(address);
    await connected.first().waitFor();
    await companion.press('Keystead');
    const home = page.getByRole('dialog');
    await home.getByText(fixture().world.origin).first().waitFor();
    await home.getByRole('button', { name: /Disconnect/u }).click();
    await home.getByText(fixture().world.origin).waitFor({ state: 'hidden' });
    await companion.press('Close');
    await companion.reload();
    await page.getByText('No accounts connected').waitFor();
  });

  it('explains what can be looked up, and reports what is not found', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    await companion.view('Explorer');
    const lookUp = async (text: string): Promise<void> => {
      await page.getByRole('textbox', { name: 'Block number, transaction hash' }).fill(text);
      await companion.press('Search');
    };
    for (const text of ['latest', '0x12', '100%']) {
      await lookUp(text);
      await page.getByText('Enter a block number in digits, or a hash: 0x followed by 64 hex digits.').waitFor();
      await lookUp('0');
      await page.getByRole('heading', { name: 'Block', exact: true }).waitFor();
    }
    await lookUp(`0x${'ab'.repeat(32)}`);
    await page.getByText('Nothing found for this hash').waitFor();
    // No link leads to this malformed hash, but the page must survive it.
    await page.evaluate(`location.hash = '#/explorer/block/100%'`);
    await page.getByText('Enter a block number or a block hash.').waitFor();
    await companion.reload();
    await page.getByText('Enter a block number or a block hash.').waitFor();
  });

  it('works with the keyboard alone', async () => {
    const companion = await fixture().open();
    const { page } = companion;
    await page.getByRole('button', { name: 'Use the simulated wallet' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    // After the dialog's last element the focus moves to the browser's own controls and back, never to the page behind.
    const focusedOnPage = () => page.locator('#app:focus-within').count();
    const seen = new Set<number>();
    for (let press = 0; press < 8; press += 1) {
      seen.add(await focusedOnPage());
      await page.keyboard.press('Tab');
    }
    expect([...seen]).toEqual([0]);
    await page.getByRole('button', { name: 'Install' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Welcome to Keystead', level: 1 }).waitFor();
    expect(await page.title()).toBe('Home · Keystead');
    await page.getByRole('button', { name: 'Skip this step' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create account' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.locator('button:focus', { hasText: 'Create account' }).waitFor();
  });
});
