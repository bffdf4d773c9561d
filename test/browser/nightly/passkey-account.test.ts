import { type Hex, parseAbi, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';

import { ownerChangeCall } from '../../../src/core/safe/owners/changes';
import { addAxe, FOR_AXE, problemsByWidth } from '../../support/browser/axe';
import { type Companion } from '../../support/browser/companion';
import { devnetOf, nodeOf, sendAs } from '../../support/browser/devnet-node';
import { describeCompanion } from '../../support/browser/fixture';
import { addAuthenticator, type Authenticator, type Kept, openOnAnotherDevice } from '../../support/browser/passkey';
import { deployToken } from '../../support/browser/test-dapp';

/** In milliseconds; until the devnet includes an operation. */
const INCLUSION = { timeout: 60_000 };

const OWNERS = parseAbi(['function getOwners() view returns (address[])']);
const GUARDIANS = parseAbi(['function getGuardians(address wallet) view returns (address[])']);

const stranger = (): Hex => privateKeyToAddress(generatePrivateKey());

describeCompanion('the account of a passkey', (fixture) => {
  const ownersOf = async (address: Hex): Promise<readonly Hex[]> =>
    (await nodeOf(fixture().world)).readContract({ address, abi: OWNERS, functionName: 'getOwners' });

  /** Makes a Safe that its first operation deploys with a passkey and a guardian, before anything was paid to it. */
  async function prepared(companion: Companion, guardian = stranger()): Promise<Hex> {
    const { page } = companion;
    const address = (await companion.createAccount('safe-0.7')) as Hex;
    await companion.account(address);
    await companion.go(`guardians/${address}`, 'Guardians of Safe 1');
    await page.getByText('Add a passkey').click();
    await page.getByLabel('Name of the passkey').fill('Phone');
    await companion.press('Create a passkey');
    await page.getByText('The new passkey becomes an owner in the same operation.').waitFor();
    await page.getByLabel('Guardians', { exact: true }).fill(guardian);
    await page.getByLabel('How many of them have to confirm').fill('1');
    await companion.press('Turn on recovery');
    await companion.connect(address);
    await companion.answer(/Create the signer of a passkey/u, 'Approve');
    await page.getByRole('button', { name: 'Change guardians' }).waitFor(INCLUSION);
    return address;
  }

  async function ready(): Promise<Companion & { readonly authenticator: Authenticator }> {
    const companion = await fixture().ready();
    return Object.assign(companion, { authenticator: await addAuthenticator(companion) });
  }

  /** The link to the proposal that is shown. */
  async function linkIn({ page }: Companion): Promise<string> {
    const href = await page.getByRole('link', { name: 'Download the file' }).getAttribute('href');
    const text = decodeURIComponent(href!.slice(href!.indexOf(',') + 1));
    return `proposals/open/${Buffer.from(JSON.stringify(JSON.parse(text))).toString('base64url')}`;
  }

  const confirmed = ({ page }: Companion): Promise<void> => page.getByText('Confirmed.').first().waitFor(INCLUSION);

  /** Opens the account in an empty browser. */
  async function opened(passkey: Kept): Promise<Companion & { readonly authenticator: Authenticator }> {
    const device = await openOnAnotherDevice(fixture(), FOR_AXE, passkey);
    await device.press('Open this account');
    await device.page.getByText('2, of which 1 must sign').waitFor();
    return device;
  }

  const part = (device: Companion, name: string): Promise<void> =>
    device.page.getByRole('navigation', { name: 'Parts of the page' }).getByRole('link', { name, exact: true }).click();

  it('is prepared in its first operation, with guardians, before anything was paid to it', async () => {
    const owner = await ready();
    const guardian = stranger();
    const address = await prepared(owner, guardian);
    const node = await nodeOf(fixture().world);
    expect(await node.getBalance({ address })).toBe(0n);
    expect(await ownersOf(address)).toHaveLength(2);
    const { address: module } = (await devnetOf(fixture().world)).recoveryModule!;
    expect(
      await node.readContract({ address: module, abi: GUARDIANS, functionName: 'getGuardians', args: [address] }),
    ).toEqual([guardian]);
    // One operation did all of it.
    const nonce = parseAbi(['function getNonce(address, uint192) view returns (uint256)']);
    expect(
      await node.readContract({
        address: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
        abi: nonce,
        functionName: 'getNonce',
        args: [address, 0n],
      }),
    ).toBe(1n);
    const [made] = await owner.authenticator.passkeys();
    await opened(made!);
  });

  it('shows what it holds and receives, pays several at once with a sponsor, and keeps contacts and history', async () => {
    const owner = await ready();
    const address = await prepared(owner);
    const token = await deployToken(fixture().world);
    await token.give(address);
    const device = await opened((await owner.authenticator.passkeys())[0]!);
    const { page } = device;
    await addAxe(device);
    await page.getByText('Add a token').click();
    await page.getByLabel('Token address').fill(token.address);
    await device.press('Find token');
    await device.press('Add TST');
    await page.getByText('5 TST', { exact: true }).waitFor();
    await device.press(/^Receive with /u);
    await page.getByRole('img', { name: 'QR code of the address' }).waitFor();
    await page.keyboard.press('Escape');

    // The contact is chosen by name, beside a recipient that becomes one.
    const [friend, shop] = [stranger(), stranger()];
    await part(device, 'Contacts');
    await page.getByLabel('Name', { exact: true }).fill('Ben');
    await page.getByLabel('Address', { exact: true }).fill(friend);
    await device.press('Save contact');
    await page.getByText('Saved Ben.').waitFor();
    await part(device, 'Send');
    await page.getByLabel('To', { exact: true }).fill('Ben');
    await page.getByLabel('Token', { exact: true }).selectOption({ label: 'TST' });
    await page.getByLabel('Amount (TST)').fill('2');
    await device.press('Add a call');
    await device.call(1).getByLabel('To', { exact: true }).fill(shop);
    await device.call(1).getByLabel('Amount (ETH)').fill('0.25');
    await page.getByText('The paymaster service of the network pays the network fee.').waitFor();
    const node = await nodeOf(fixture().world);
    const before = await node.getBalance({ address });
    await device.press('Review');
    await page.getByText(/Ben/u).first().waitFor();
    expect(await problemsByWidth(device)).toEqual({});
    await device.press('Approve with the passkey');
    await confirmed(device);
    expect(await node.getBalance({ address: shop })).toBe(parseEther('0.25'));
    // A sponsor paid the fee.
    expect(before - (await node.getBalance({ address }))).toBe(parseEther('0.25'));
    await page.getByText('3 TST', { exact: true }).waitFor();
    await page.getByText(/^Save 0x.* as a contact/u).click();
    await page.getByLabel('Name of the contact').fill('Shop');
    await device.press('Save contact');
    await page.getByText(/^Saved 0x/u).waitFor();

    await part(device, 'Activity');
    const row = page.getByRole('list', { name: 'Activity' }).getByRole('listitem').first();
    await row.getByText('Confirmed').waitFor();
    await device.press(/^Search /u);
    await row.getByText(/2 TST/u).first().waitFor();
    expect(await problemsByWidth(device)).toEqual({});
    // Links to views that need a wallet are dead ends here.
    expect(await page.getByRole('link', { name: /^View / }).count()).toBe(0);
  });

  it('is given to a new phrase when the old one is lost, by one signature of the passkey', async () => {
    const owner = await ready();
    const address = await prepared(owner);
    const [passkey] = await owner.authenticator.passkeys();
    const [, lost] = await ownersOf(address);

    // The wallet that has the old phrase is not one with a new phrase.
    await owner.go('');
    await owner.page.getByRole('heading', { name: 'Home' }).waitFor();
    const known = JSON.parse(await owner.page.evaluate<string>(`localStorage.getItem('keystead.passkeys')`)) as [
      { readonly signer: Hex },
    ];
    await owner.go(`passkey/${known[0].signer}/${address}/new-phrase`);
    await owner.page.getByText('so its phrase is not lost').waitFor();

    const device = await opened(passkey!);
    const { page } = device;
    await addAxe(device);
    await part(device, 'Owners');
    await page.getByRole('link', { name: 'Give it to a new recovery phrase' }).click();
    await page.getByRole('heading', { name: 'A new recovery phrase' }).waitFor();
    expect(await problemsByWidth(device)).toEqual({});
    await device.press('Use the simulated wallet');
    await device.answer('Permissions', 'Install');
    await device.press('Set up');
    await device.answer('Add network 31337', 'Approve');
    await device.press('Make the new key');
    await device.answer('Add the account', 'Add account');
    await page.getByText(`The lost key is ${lost!.toLowerCase()}.`).waitFor();
    await device.press('Review');
    await page
      .getByText(/Replace owner/u)
      .first()
      .waitFor();
    await page.getByRole('checkbox', { name: 'I have read the dangers above' }).setChecked(true);
    await device.press('Approve with the passkey');
    await page
      .getByText(`The node at 127.0.0.1`)
      .filter({ hasText: `${lost} is not an owner any more` })
      .waitFor(INCLUSION);
    await page.getByText('The account belongs to the new phrase').waitFor();
    expect(await problemsByWidth(device)).toEqual({});
    await page.getByRole('link', { name: 'See it in the new wallet' }).click();
    await page.getByRole('heading', { name: '1 of 2 must sign' }).waitFor();
    const owners = await ownersOf(address);
    expect(owners).toHaveLength(2);
    expect(owners).not.toContain(lost);
  });

  it('of which two owners must sign: the passkey signs first or last, without a wallet', async () => {
    const owner = await ready();
    const address = await prepared(owner);
    const now = { owners: await ownersOf(address), threshold: 1 };
    const device = await opened((await owner.authenticator.passkeys())[0]!);
    const { page } = device;
    const { to, data } = ownerChangeCall(address, now, { kind: 'threshold', threshold: 2 });
    // It gives the account money, too.
    await sendAs(fixture().world, address, to, data);
    await page.reload();
    await page.getByText('2, of which 2 must sign').waitFor();
    await page.getByText('This account takes 2 signatures: sign first').waitFor();
    expect(await page.getByText('Connect a wallet').count()).toBe(0);
    const node = await nodeOf(fixture().world);

    const first = stranger();
    await page.getByLabel('To', { exact: true }).fill(first);
    await page.getByLabel(/^Amount/u).fill('0.125');
    await device.press('Review');
    await device.press('Approve with the passkey');
    await page.getByText('You have signed. This account takes 2 signatures: 1 signature missing.').waitFor();
    await owner.go(await linkIn(device), 'Proposal');
    await owner.page.getByText(first).first().waitFor();
    await owner.press(/^Sign with Safe 1’s own key$/u);
    await owner.answer(first, 'Approve');
    await owner.press('Send');
    await confirmed(owner);
    expect(await node.getBalance({ address: first })).toBe(parseEther('0.125'));

    // The own key signs first.
    const second = stranger();
    await owner.view('Send');
    await owner.page.getByLabel('To', { exact: true }).fill(second);
    await owner.page.getByLabel(/^Amount/u).fill('0.0625');
    await owner.press('Review');
    await owner.press('Send');
    await owner.answer(/2 owners must sign before it can be sent/u, 'Approve');
    await owner.page.getByRole('link', { name: 'Collect their signatures' }).click();
    await owner.page
      .getByRole('link', { name: /^Open the proposal/u })
      .first()
      .click();
    await owner.page.getByRole('heading', { name: '1 signature missing: 2 of 2 owners must sign' }).waitFor();
    const link = new URL(`#/${await linkIn(owner)}`, owner.page.url()).href;
    await device.press('Back');
    await page.getByLabel('Proposal', { exact: true }).fill(link);
    await device.press('Open');
    await page.getByText(second).first().waitFor();
    await device.press('Approve with the passkey');
    await confirmed(device);
    expect(await node.getBalance({ address: second })).toBe(parseEther('0.0625'));
  });

  it('says when its passkey was last seen to work, after one signature that does nothing', async () => {
    const owner = await ready();
    const address = await prepared(owner);
    const { page } = owner;
    const due = page.getByText('It was never seen to work here. See whether it works, under Drills');
    await owner.go('recovery', 'Recovery');
    await due.waitFor();
    const drill = page.getByRole('region', { name: 'Drills' });
    await drill.getByRole('heading', { name: /^Passkey “Phone” of .* for Safe 1$/u }).waitFor();

    // A device that does not verify who it is proves nothing.
    await owner.authenticator.verifyUser(false);
    await owner.press('See whether it works', drill);
    await drill.getByText('The browser used no passkey').waitFor();
    await due.waitFor();
    await owner.authenticator.verifyUser(true);
    const node = await nodeOf(fixture().world);
    const block = await node.getBalance({ address });
    await owner.press('See whether it works', drill);
    await drill.getByText('It works.').waitFor();
    await drill.getByText(/^This passkey: seen to work on /u).waitFor();
    await page.getByText(/^It was seen to work on [^.]*\. Do not let it be/u).waitFor();
    expect(await node.getBalance({ address })).toBe(block);
  });

  it('is any Safe that the passkey owns, by its address, and none that it does not', async () => {
    const owner = await ready();
    const home = await prepared(owner);
    const [passkey] = await owner.authenticator.passkeys();
    const signer = (await ownersOf(home))[0]!;
    const other = await prepared(await ready());

    const device = await fixture().open();
    const { take } = await addAuthenticator(device);
    await take(passkey!);
    // A link says nothing in its own words.
    await device.go('passkey/lost/31337/Call%20us%20at%20555-0100', 'Open with a passkey');
    await device.page.getByText('account: must be an address').waitFor();
    expect(await device.page.getByText('555-0100').count()).toBe(0);
    const look = async (): Promise<void> => {
      await device.go('lost', 'I lost my recovery phrase');
      await device.page.getByLabel('Address of the account that you lost').fill(other);
      await device.press('Open the account');
      await device.page.getByRole('link', { name: 'Open it with the passkey' }).click();
      await device.press('Use a passkey');
    };
    await look();
    await device.page.getByText(`This passkey does not own the Safe ${other}`).waitFor();
    expect(await device.page.getByRole('button', { name: 'Open this account' }).count()).toBe(0);

    const before = { owners: await ownersOf(other), threshold: 1 };
    const { to, data } = ownerChangeCall(other, before, { kind: 'add', owner: signer, threshold: 1 });
    // It gives the account money, too.
    await sendAs(fixture().world, other, to, data);
    await look();
    await device.press('Open this account');
    await device.page.getByText('3, of which 1 must sign').waitFor();
    const recipient = stranger();
    await device.page.getByLabel('To', { exact: true }).fill(recipient);
    await device.page.getByLabel('Amount (ETH)').fill('0.125');
    await device.press('Review');
    await device.press('Approve with the passkey');
    await confirmed(device);
    expect(await (await nodeOf(fixture().world)).getBalance({ address: recipient })).toBe(parseEther('0.125'));
  });
});
