import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';

import { type Companion } from '../../test/support/browser/companion';
import { addOtherWallet } from '../../test/support/browser/other-wallet';
import { addAuthenticator, type Kept } from '../../test/support/browser/passkey';
import { attack } from './attack';
import * as people from './people';
import { type Walk } from './walk';

const SAFE = parseAbi([
  'function addOwnerWithThreshold(address owner, uint256 _threshold)',
  'function getOwners() view returns (address[])',
]);

/** Makes a Safe with a passkey and a guardian. */
async function safeWithPasskey(owner: Companion, guardian: Hex): Promise<Hex> {
  const { page } = owner;
  const safe = (await owner.createAccount('safe-0.7')) as Hex;
  await people.openGuardians(owner, safe);
  await page.getByText('Add a passkey').click();
  await owner.press('Create a passkey');
  await page.getByText('The new passkey becomes an owner in the same operation.').waitFor();
  await page.getByLabel('Guardians', { exact: true }).fill(guardian);
  await page.getByLabel('How many of them have to confirm').fill('1');
  await owner.press('Turn on recovery');
  await people.connectIfAsked(owner, safe);
  await owner.answer(/Create the signer of a passkey/u, 'Approve');
  await page.getByRole('button', { name: 'Change guardians' }).waitFor(people.INCLUSION);
  return safe;
}

/** From the first screen to the account of a passkey. */
async function openWithPasskey(device: Companion): Promise<void> {
  await people.link(device, 'Open an account with a passkey');
  await device.press('Use a passkey');
  await device.press('Open this account');
  await device.page.getByText('2, of which 1 must sign').waitFor();
}

/** Opens an empty browser to which a passkey was synced. */
async function openSynced(walk: Walk, passkey: Kept): Promise<Companion> {
  const device = await walk.open();
  await (await addAuthenticator(device)).take(passkey);
  return device;
}

async function giveToNewPhrase(device: Companion): Promise<void> {
  const { page } = device;
  await openWithPasskey(device);
  await page
    .getByRole('navigation', { name: 'Parts of the page' })
    .getByRole('link', { name: 'Owners', exact: true })
    .click();
  await people.link(device, 'Give it to a new recovery phrase');
  await people.connectNew(device);
  await people.makeKey(device);
  await device.press('Review');
  await page.getByRole('checkbox', { name: 'I have read the dangers above' }).click();
  await device.press('Approve with the passkey');
  await page.getByText('The account belongs to the new phrase').waitFor(people.INCLUSION);
}

/** Two owners who are left give a Safe to a new key. */
async function replaceLost(walk: Walk, heir: Companion, safe: Hex, lost: Hex): Promise<void> {
  const { page } = heir;
  await people.connectNew(heir);
  await people.link(heir, 'Recover, import or open them');
  await page.getByRole('heading', { name: 'Add an account', level: 1 }).waitFor();
  const form = page.getByRole('region', { name: 'New account' }).locator('form');
  await form.locator('input[name="kind"][value="eoa"]').click();
  await heir.press('Create account', form);
  await heir.answer('Add the account', 'Add account');
  await page.waitForURL(/#\/account\//u);
  const name = await page.getByRole('heading', { level: 1 }).innerText();
  await heir.view('Home');
  await people.link(heir, 'Add an account');
  await walk.paste(heir, 'Address of the Safe', safe);
  await heir.press('Open the Safe');
  await heir.press(/^Replace/u, page.getByRole('listitem').filter({ hasText: lost }));
  await page.getByLabel('New owner').fill(name);
  await heir.press('Review');
  await heir.press('Propose the change');
  const accept = async (heading: string): Promise<void> => {
    await page.getByRole('heading', { name: heading }).waitFor();
    const box = page.getByRole('checkbox', { name: 'I have read the dangers above' });
    if ((await box.count()) > 0 && !(await box.isChecked())) await box.click();
  };
  await accept('2 signatures missing: 2 of 3 owners must sign');
  await heir.press('Sign with an account of Other wallet');
  await accept('1 signature missing: 2 of 3 owners must sign');
  await heir.press('Sign with a passkey');
  await accept('Ready to send');
  await heir.press('Send');
  await page.getByText('Confirmed.').waitFor(people.INCLUSION);
}

/** What a passkey alone opens, and the owners who are left. */
export async function walkPasskeys(walk: Walk): Promise<void> {
  const { url } = walk;
  const owner = await walk.open();
  const { passkeys } = await addAuthenticator(owner);
  await owner.install();
  await owner.setUp();
  const [guardian, key] = [privateKeyToAddress(generatePrivateKey()), generatePrivateKey()];
  const shared = await safeWithPasskey(owner, guardian);
  const [ofShared] = await passkeys();
  const safe = await safeWithPasskey(owner, guardian);
  const ofSafe = (await passkeys()).find(({ credentialId }) => credentialId !== ofShared?.credentialId);
  if (ofShared === undefined || ofSafe === undefined) throw new Error('There must be two passkeys.');
  const args = [privateKeyToAddress(key), 2n] as const;
  await people.sendAs(
    url,
    shared,
    shared,
    encodeFunctionData({ abi: SAFE, functionName: 'addOwnerWithThreshold', args }),
  );
  const owners = await people.chainOf(url).readContract({ address: shared, abi: SAFE, functionName: 'getOwners' });
  // The contract puts new owners first.
  const lost = owners.at(-1)!;

  await owner.view('Settings');
  await people.link(owner, 'Recovery');
  await walk.way('Drill: a passkey', async () => {
    const drills = owner.page.getByRole('region', { name: 'Drills' });
    await drills.getByRole('button', { name: 'See whether it works' }).first().click();
    await drills.getByText('It works.').waitFor();
  });
  await walk.close(owner);

  const device = await openSynced(walk, ofSafe);
  await walk.way('Passkey only, on a new device', () => openWithPasskey(device));
  await attack(url, safe, guardian);
  await walk.way('Attack cancelled on the passkey’s page', async () => {
    await device.page.reload();
    const alarm = device.page.getByRole('region', { name: /^A recovery of .* has begun/u });
    await device.press('Cancel recovery', alarm);
    await device.press('Approve with the passkey');
    await alarm.waitFor({ state: 'hidden', ...people.INCLUSION });
  });
  await device.page.evaluate(`localStorage.clear(); location.hash = ''`);
  await device.page.reload();
  await walk.way('Storage of the browser cleared, with a synced passkey', () => openWithPasskey(device));
  await walk.close(device);
  const next = await openSynced(walk, ofSafe);
  await walk.way('Phrase lost, with a passkey: to a new phrase', () => giveToNewPhrase(next));
  await walk.close(next);

  const heir = await openSynced(walk, ofShared);
  await addOtherWallet(heir, key);
  await walk.way('Own key lost, 2 of 3 sign: to a new key', () => replaceLost(walk, heir, shared, lost), {
    pastesAddress: true,
  });
  await walk.close(heir);
}
