import {
  type Hex,
  parseEther,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  serializeTransaction,
} from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';

import { addAxe, FOR_AXE, problemsByWidth } from '../../support/browser/axe';
import { KINDS } from '../../support/browser/companion';
import { nodeOf } from '../../support/browser/devnet-node';
import { describeCompanion } from '../../support/browser/fixture';
import { addAuthenticator, addPasskeyOwner, leaveWallet } from '../../support/browser/passkey';

describeCompanion('the companion page with the simulated wallet', (fixture) => {
  it('creates accounts of every type and shows their balances', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const created: string[] = [];
    for (const kind of KINDS) created.push(await companion.createAccount(kind));
    expect(await companion.addresses()).toEqual(created);
    expect(new Set(created).size).toBe(KINDS.length);
    await companion.askFaucet(created[0]!);
    const balance = (address: string) => companion.row(address).locator('.balance');
    await balance(created[0]!).getByText('10 ETH', { exact: true }).waitFor();
    expect(await balance(created[1]!).innerText()).toBe('0 ETH');
    await page.getByRole('region', { name: 'Total balance' }).getByText('10 ETH').waitFor();
    const list = page.getByRole('list', { name: 'Accounts' });
    expect(await list.getByRole('heading').allInnerTexts()).toEqual([
      'Keystead 1',
      'Smart account 1 (0.6)',
      'Smart account 1',
      'Smart account 1 (0.8)',
      'Smart account 1 (0.9)',
      'Safe 1',
    ]);
    expect(await list.locator('.who > .hint').allInnerTexts()).toEqual([
      'Standard account',
      'SimpleAccount 0.6',
      'SimpleAccount 0.7',
      'SimpleAccount 0.8',
      'SimpleAccount 0.9',
      'Safe',
    ]);
  });

  it('signs a message, typed data and a transaction; viem recovers the signer of each', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const address = (await companion.createAccount('eoa')) as Hex;
    await companion.view('Sign');
    await page.getByLabel('Message', { exact: true }).fill('Hello, Ünïcode');
    await companion.press('Sign');
    await companion.connect(address);
    await companion.answer('Hello, Ünïcode', 'Approve');
    const message = (await page.getByLabel('Signature').innerText()) as Hex;
    expect(await recoverMessageAddress({ message: 'Hello, Ünïcode', signature: message })).toBe(address);

    await page.getByLabel('What to sign').selectOption('typed');
    await page.getByText('Signed.').waitFor({ state: 'hidden' });
    const typedData = JSON.parse(await page.getByLabel('Typed data', { exact: true }).inputValue()) as never;
    await companion.press('Sign');
    await companion.answer('Keystead companion', 'Approve');
    const typed = (await page.getByLabel('Signature').innerText()) as Hex;
    expect(await recoverTypedDataAddress({ ...(typedData as object), signature: typed } as never)).toBe(address);

    await companion.askFaucet(address);
    await companion.view('Sign');
    await page.getByLabel('What to sign').selectOption('transaction');
    await page.getByLabel('To', { exact: true }).fill('0x00000000000000000000000000000000000000A1');
    await page.getByLabel('Amount (ETH)').fill('0.25');
    await companion.press('Sign');
    await companion.answer('0x00000000000000000000000000000000000000A1', 'Approve');
    const tx = JSON.parse(await page.getByLabel('Signature').innerText()) as Record<string, Hex>;
    expect([tx.from, tx.value]).toEqual([address, '0x3782dace9d90000']);
    const serialized = serializeTransaction(
      {
        type: 'eip1559',
        chainId: Number(tx.chainId),
        nonce: Number(tx.nonce),
        gas: BigInt(tx.gasLimit!),
        maxFeePerGas: BigInt(tx.maxFeePerGas!),
        maxPriorityFeePerGas: BigInt(tx.maxPriorityFeePerGas!),
        to: tx.to!,
        value: BigInt(tx.value!),
        data: tx.data!,
      },
      { r: tx.r!, s: tx.s!, yParity: Number(tx.v) },
    );
    expect(await recoverTransactionAddress({ serializedTransaction: serialized as `0x02${string}` })).toBe(address);
  });

  it('does nothing when a dialog is rejected, and says so', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const form = page.getByRole('region', { name: 'New account' }).locator('form');
    await companion.press('Create account', form);
    await companion.answer('Add the account', 'Cancel');
    await form.getByRole('status').getByText('denied').waitFor();
    expect(await companion.stored()).toEqual([]);

    const address = await companion.createAccount('eoa');
    await companion.view('Sign');
    await companion.press('Sign');
    await companion.connect(address);
    // Escape rejects.
    await page.getByRole('dialog').filter({ hasText: 'Hello from Keystead' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('You rejected the request.').waitFor();
    expect(await page.getByLabel('Signature').count()).toBe(0);
  });

  it('keeps everything after a reload', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const created = [await companion.createAccount('eoa'), await companion.createAccount('0.8')];
    await companion.setUpStorage();
    await companion.reload();
    expect(await companion.addresses()).toEqual(created);
    await companion.view('Settings');
    expect(await page.getByRole('heading', { name: 'Keystead devnet' }).count()).toBe(1);
    await companion.view('Backup');
    await page.getByRole('button', { name: 'Back up now' }).waitFor();
  });

  it('adds a file, reads it back, and looks up an uncle', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    await companion.view('Files');
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'note.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('kept by its hash'),
    });
    await companion.press('Add');
    await page.getByText('Added and pinned note.txt.').waitFor();
    await companion.press('Read');
    await page.getByText('Read 16 bytes').waitFor();
    expect(await page.getByLabel('Content', { exact: true }).innerText()).toBe('kept by its hash');

    await companion.view('Uncles');
    await companion.press('Look up uncle');
    await page.getByRole('heading', { name: 'Uncle', exact: true }).waitFor();
    // The uncle is from block 668 of mainnet.
    const facts = page.getByRole('term').filter({ hasText: /^parentHash$/u });
    expect(await facts.count()).toBe(1);
  });

  describe('with a bundler', () => {
    it.each(['0.7', '0.8'] as const)('sends a batch from a smart account %s as one user operation', async (kind) => {
      const companion = await fixture().ready();
      const { page } = companion;
      const address = await companion.createAccount(kind);
      await companion.askFaucet(address);
      await companion.view('Send');
      await companion.press('Add a call');
      await page.getByRole('group', { name: 'Call 2' }).locator('input:focus').waitFor();
      const recipients = [privateKeyToAddress(generatePrivateKey()), privateKeyToAddress(generatePrivateKey())];
      for (const [index, recipient] of recipients.entries()) {
        const call = page.getByRole('group', { name: `Call ${index + 1}` });
        await call.getByLabel('To', { exact: true }).fill(recipient);
        await call.getByLabel('Amount (ETH)').fill('0.5');
      }
      await companion.press('Review');
      await page.getByText('Keystead first asks whether this page may use').waitFor();
      await companion.press('Send 2 calls');
      await page.locator('[aria-current="step"]', { hasText: 'Connect this page' }).waitFor();
      await companion.connect(address);
      await page.locator('[aria-current="step"]', { hasText: 'Approve in Keystead' }).waitFor();
      await companion.answer(recipients[0]!, 'Approve');
      await page.getByText('Confirmed.').waitFor({ timeout: 60_000 });
      await page.getByText(/as one user operation\. Network fee: [\d.]+ ETH, paid by the paymaster 0x/u).waitFor();

      const node = await nodeOf(fixture().world);
      for (const recipient of recipients) expect(await node.getBalance({ address: recipient })).toBe(parseEther('0.5'));

      await page.getByRole('link', { name: 'View transaction' }).click();
      await page.locator('dl > div', { hasText: 'User operation' }).getByRole('link').click();
      await page.getByRole('heading', { name: 'User operation' }).waitFor();
      await page.getByText('Succeeded').waitFor();
      await page.getByText('the paymaster 0x').waitFor();
      await page.getByText(address.toLowerCase()).or(page.getByText(address)).first().waitFor();
    });

    it('opens a Safe by a passkey alone, without a wallet, and refuses one whose user was not verified', async () => {
      const companion = await fixture().ready(FOR_AXE);
      await addAxe(companion);
      const { page } = companion;
      const { verifyUser } = await addAuthenticator(companion);
      const address = await companion.createAccount('safe-0.7');
      await companion.askFaucet(address);
      await companion.view('Send');
      await page.getByLabel('To', { exact: true }).fill(privateKeyToAddress(generatePrivateKey()));
      await page.getByLabel('Amount (ETH)').fill('0.5');
      await companion.press('Review');
      await companion.press('Send');
      await companion.connect(address);
      await companion.answer(/0\.5 ETH/u, 'Approve');
      await page.getByText('Confirmed.').waitFor({ timeout: 60_000 });

      await addPasskeyOwner(companion, address);

      // Nothing may depend on a passkey that has not signed.
      await companion.press('Try the passkey');
      await page.getByText('This passkey has not signed here yet.').waitFor();
      expect(await problemsByWidth(companion)).toEqual({});
      await companion.press('Change how many must sign');
      await page.getByLabel('Required signatures').selectOption('2');
      await companion.press('Review');
      await page.getByText('Required signatures: must be at most 1').waitFor();
      await companion.press('Back');
      await companion.press('Try the passkey');
      await page.getByText('A contract verifies its signatures, and accepted one on this network.').waitFor();
      await companion.press('Change how many must sign');
      await page.getByLabel('Required signatures').selectOption('2');
      await companion.press('Review');
      await page.getByText('All owners must sign.').waitFor();

      await leaveWallet(companion);
      await page.getByRole('link', { name: /^Safe 1 on / }).click();
      await page.getByText('2, of which 1 must sign').waitFor();
      await addAxe(companion);
      expect(await problemsByWidth(companion)).toEqual({});
      const recipient = privateKeyToAddress(generatePrivateKey());
      await page.getByLabel('To', { exact: true }).fill(recipient);
      await page.getByLabel('Amount (ETH)').fill('0.25');
      await companion.press('Review');
      await page.getByText(recipient).first().waitFor();
      await page.getByText(/^Simulated by [^ ]+\.$/u).waitFor();
      expect(await problemsByWidth(companion)).toEqual({});
      await verifyUser(false);
      await companion.press('Approve with the passkey');
      await page.locator('.status.error').filter({ hasText: /\S/u }).waitFor();
      await verifyUser(true);
      await companion.press('Approve with the passkey');
      await page.getByText('Confirmed.').waitFor({ timeout: 60_000 });
      const node = await nodeOf(fixture().world);
      expect(await node.getBalance({ address: recipient })).toBe(parseEther('0.25'));
    });
  });
});
