import { readFile } from 'node:fs/promises';

import { type Locator } from 'playwright-core';
import { createTestClient, getAddress, type Hex, http, parseAbi, parseEther, walletActions } from 'viem';
import { foundry } from 'viem/chains';

import { portsFrom } from '../../../src/devnet/ports';
import { STAND_IN_PERIOD } from '../../../src/devnet/chain/state';
import { type Companion } from '../../support/browser/companion';
import { nodeOf } from '../../support/browser/devnet-node';
import { describeCompanion } from '../../support/browser/fixture';

const MESSAGE = 'Hello from Keystead';
const OWNERS = parseAbi(['function getOwners() view returns (address[])']);
const MODULES = parseAbi([
  'function enableModule(address module)',
  'function isModuleEnabled(address module) view returns (bool)',
]);
const UNKNOWN: Hex = `0x${'7'.repeat(40)}`;

/** @returns The address with the case of one letter changed. */
const withBrokenChecksum = (address: string): string =>
  address.replace(/[a-fA-F](?=[^a-fA-F]*$)/u, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );

describeCompanion('guardians on the companion page', (fixture) => {
  /** A client of the devnet's chain that can change what it likes. */
  const chainItself = () => {
    const { chain } = portsFrom(Number(new URL(fixture().world.url).port));
    return createTestClient({
      mode: 'anvil',
      chain: foundry,
      transport: http(`http://127.0.0.1:${chain}`),
    }).extend(walletActions);
  };

  /** Lets time pass on the devnet's chain. */
  const passDelay = async (): Promise<void> => {
    await chainItself().increaseTime({ seconds: Number(STAND_IN_PERIOD) });
    await chainItself().mine({ blocks: 1 });
  };

  /** Has a Safe enable a module that nobody knows, as another wallet of its owner could. */
  const enableModule = async (safe: Hex, module: Hex): Promise<void> => {
    const client = chainItself();
    await client.setBalance({ address: safe, value: parseEther('1') });
    await client.impersonateAccount({ address: safe });
    await client.writeContract({
      ...{ account: safe, address: safe, abi: MODULES, functionName: 'enableModule', args: [module] },
    });
    await client.stopImpersonatingAccount({ address: safe });
    await client.mine({ blocks: 1 });
  };

  /** A guardian: an account with ETH in a wallet of its own, which does not have the network. */
  async function startGuardian(): Promise<{ guardian: Companion; address: Hex }> {
    const guardian = await fixture().open();
    await guardian.install();
    const address = (await guardian.createAccount('eoa')) as Hex;
    await chainItself().setBalance({ address, value: parseEther('10') });
    return { guardian, address };
  }

  /** Connects an empty wallet to the page, which adds the network to it. */
  async function connectEmpty(companion: Companion, address: string): Promise<void> {
    await companion.page.getByRole('button', { name: /^Connect / }).click();
    await companion.answerWallet('Connect accounts', address, 'Connect');
    await companion.answer('Add a network', 'Add network');
  }

  /** Opens a link that somebody sent. */
  const follow = (companion: Companion, link: string): Promise<void> =>
    companion.go(new URL(link).hash.slice(2), 'Recover an account');

  /** Opens the link to a recovery, and connects an empty wallet to it. */
  async function followEmpty(companion: Companion, link: string, address: string): Promise<void> {
    await follow(companion, link);
    await connectEmpty(companion, address);
    await companion.page.getByRole('heading', { name: 'Progress' }).waitFor();
  }

  /** The value of a fact on the page. */
  const fact = (companion: Companion, name: string): Promise<string> =>
    companion.page.locator('dl.facts > div').filter({ hasText: name }).locator('dd').first().innerText();

  /** Someone with an empty browser, who has lost the phrase. */
  async function loseThePhrase(): Promise<Companion> {
    const heir = await fixture().open();
    const offer = heir.page.getByRole('link', { name: 'I lost my recovery phrase' });
    // Without MetaMask, no other choice on the first screen outshines it.
    const looks = `({ backgroundColor, borderColor, color, fontSize, fontWeight }) =>
      [backgroundColor, borderColor, color, fontSize, fontWeight]`;
    const looksOf = (one: Locator) => one.evaluate(`(element) => (${looks})(getComputedStyle(element))`);
    const other = heir.page.getByRole('button', { name: 'Use the simulated wallet' });
    expect(await looksOf(offer)).toEqual(await looksOf(other));
    await offer.click();
    await heir.page.getByRole('heading', { name: 'I lost my recovery phrase', level: 1 }).waitFor();
    return heir;
  }

  /** Enters the address of the lost account. */
  async function openAddress(heir: Companion, address: string): Promise<void> {
    await heir.go('lost', 'I lost my recovery phrase');
    await heir.page.getByLabel('Address of the account that you lost').fill(address);
    await heir.press('Open the account');
  }

  /** Connects a new wallet to the page of a lost account, with the network that the page offers. */
  async function connectNew(heir: Companion): Promise<void> {
    await heir.press('Use the simulated wallet');
    await heir.answer('Permissions', 'Install');
  }

  /** @returns The words to compare, as the page shows them. */
  const sixWords = ({ page }: Companion): Promise<string> => page.locator('.words').innerText();

  /** Makes a key and the link for the guardians. @returns The link and its words. */
  async function askGuardians(heir: Companion, sender = ''): Promise<{ link: string; words: string }> {
    await heir.press('Make the new key');
    await heir.answer('Add the account', 'Add account');
    await heir.page.getByLabel('Your name (optional)').fill(sender);
    await heir.press('Make the link for guardians');
    const link = await heir.page.getByLabel('Link for your guardians', { exact: true }).innerText();
    return { link, words: await sixWords(heir) };
  }

  /** The owner turns recovery on. */
  async function turnOn(owner: Companion, safe: Hex, guardian: string): Promise<void> {
    await owner.go(`guardians/${safe}`, 'Guardians of Safe 1');
    await owner.page.getByLabel('Guardians', { exact: true }).fill(guardian);
    await owner.page.getByLabel('How many of them have to confirm').fill('1');
    await owner.press('Turn on recovery');
    await owner.connect(safe);
    await owner.answer('act for your account', 'Approve');
    await owner.page.getByRole('button', { name: 'Change guardians' }).waitFor();
  }

  async function finish(guardian: Companion): Promise<void> {
    await passDelay();
    await guardian.press('Look again');
    await guardian.page.getByRole('button', { name: 'Finish the recovery' }).waitFor();
    expect(await guardian.page.getByText('Confirmed. The delay has begun.').count()).toBe(0);
    await guardian.page.getByText(/Its network fee, about 0\.\d+ ETH now, is yours to pay/u).waitFor();
    await guardian.press('Finish the recovery');
    await guardian.answer('Send a transaction', 'Confirm');
    await guardian.page
      .getByRole('dialog')
      .filter({ hasText: 'replaces the owners' })
      .getByRole('button', { name: 'Approve' })
      .click();
    await guardian.page.getByText('Finished: the account has new owners.').waitFor();
  }

  async function confirm(guardian: Companion): Promise<void> {
    await guardian.press('Confirm as guardian');
    await guardian.answer('Send a transaction', 'Confirm');
    await guardian.page
      .getByRole('dialog')
      .filter({ hasText: 'helps to take' })
      .getByRole('button', { name: 'Approve' })
      .click();
    await guardian.page.getByText('Confirmed. The delay has begun.').waitFor();
  }

  it('give an account to a new phrase after the delay, which the owner can cancel', async () => {
    const { guardian, address } = await startGuardian();

    // The owner turns recovery on.
    const node = await nodeOf(fixture().world);
    const owner = await fixture().ready();
    const safe = (await owner.createAccount('safe-0.7')) as Hex;
    await turnOn(owner, safe, address);
    await owner.view('Settings');
    await owner.go('recovery', 'Recovery');
    await owner.page.getByText('Its one guardian alone can give the account to a new owner after 3 minutes.').waitFor();

    // Something else was given power over the account, and the owner removes it.
    await enableModule(safe, UNKNOWN);
    await owner.go(`guardians/${safe}`, 'Guardians of Safe 1');
    await owner.press(`Remove module ${UNKNOWN}`);
    await owner.answer(UNKNOWN, 'Approve');
    await owner.page.getByText('Removed.').waitFor();
    await owner.page.getByText('Keystead does not know this module').waitFor({ state: 'hidden' });
    expect(
      await node.readContract({ address: safe, abi: MODULES, functionName: 'isModuleEnabled', args: [UNKNOWN] }),
    ).toBe(false);

    // Somebody has lost the phrase, and knows the address.
    const heir = await loseThePhrase();
    await openAddress(heir, withBrokenChecksum(safe));
    await heir.page.getByText('Address: must be an address with the right checksum').waitFor();
    await openAddress(heir, UNKNOWN);
    await connectNew(heir);
    await heir.setUp();
    await heir.page.getByText('Address: must be an account with guardians').waitFor();
    await openAddress(heir, safe);
    const { link, words } = await askGuardians(heir, 'Ann');
    const [own] = await heir.stored();

    // Before guardians have recovered it, nobody can add it by its address.
    await heir.go('add-account', 'Add an account');
    await heir.page.getByText('Add a recovered account by its address').click();
    await heir.page.getByLabel('Address of the recovered account').fill(safe);
    await heir.press('Add the account');
    await heir.page.getByText('Has the recovery been finished?').waitFor();

    // Who asked is told to wait for the guardians.
    await followEmpty(heir, link, own!);
    await heir.page.getByText('There is nothing to do here yet.').waitFor();
    expect(await sixWords(heir)).toBe(words);
    // The home page leads back to it.
    await heir.go('', 'Home');
    await heir.page.getByRole('link', { name: 'See how far the recovery is' }).click();
    await heir.page.getByRole('heading', { name: 'I lost my recovery phrase' }).waitFor();

    // The guardian confirms, and the owner is told and cancels.
    await followEmpty(guardian, link, address);
    expect(await sixWords(guardian)).toBe(words);
    expect(await fact(guardian, 'Asked by')).toBe('“Ann”');
    expect(await fact(guardian, 'Account')).toBe(safe);
    const [before] = await node.readContract({ address: safe, abi: OWNERS, functionName: 'getOwners' });
    expect(await fact(guardian, 'Present owner')).toBe(before);
    expect(await guardian.page.locator('.warning').count()).toBe(0);
    // Whoever alters the owner alters the words.
    const owned = await fact(guardian, 'New owner');
    await follow(guardian, link.replace(owned, getAddress(UNKNOWN)));
    await guardian.page.getByRole('button', { name: /^Connect / }).click();
    await guardian.page.getByRole('heading', { name: 'Progress' }).waitFor();
    const others = (await sixWords(guardian)).split(' ');
    expect(others.filter((word) => words.split(' ').includes(word))).toEqual([]);
    await follow(guardian, link.replace(owned, withBrokenChecksum(owned)));
    await guardian.page.getByText('new owners: must be an address with the right checksum').waitFor();
    await follow(guardian, link);
    await guardian.page.getByRole('button', { name: /^Connect / }).click();
    await guardian.press('Use another account');
    await guardian.page.getByRole('button', { name: /^Connect / }).click();
    await guardian.answerWallet('Connect accounts', address, 'Connect');
    await guardian.page.getByRole('heading', { name: 'Progress' }).waitFor();
    await confirm(guardian);
    await owner.reload();
    const alarm = owner.page.getByRole('region', { name: 'A recovery of Safe 1 has begun' });
    await alarm.waitFor();
    await owner.view('Sign');
    await owner.press('Sign');
    await owner.answer('A recovery of an account has begun', 'Reject');
    await owner.press('Cancel recovery', alarm);
    await owner.answer('Cancel the recovery', 'Approve');
    // The page looks again once the network has included it.
    await alarm.waitFor({ state: 'hidden' });
    await owner.page
      .getByText(/A recovery has ended, the node at .* says\. Your key is still an owner of Safe 1/u)
      .waitFor();
    await guardian.page.getByRole('button', { name: 'Look again' }).click();
    await guardian.page.getByRole('button', { name: 'Confirm as guardian' }).waitFor();

    // Again, and nobody cancels.
    await confirm(guardian);
    await openAddress(heir, safe);
    await heir.page.getByText('A recovery to a key of this wallet has begun.').waitFor();
    await heir.page.getByRole('link', { name: 'Follow it' }).waitFor();
    expect(await heir.page.getByRole('button', { name: 'Make the link for guardians' }).count()).toBe(0);
    // The delay runs: nobody else is needed, and nothing is said of guardians who have not confirmed.
    await guardian.page.getByRole('timer').getByText('UTC').waitFor();
    expect(await guardian.page.getByText('None yet').count()).toBe(0);
    await finish(guardian);
    expect(await guardian.page.getByText('None yet').count()).toBe(0);
    expect(await guardian.page.locator('.warning').count()).toBe(0);

    // The account is in the new wallet, at its old address, and the old key signs for it no more.
    const owners = await node.readContract({ address: safe, abi: OWNERS, functionName: 'getOwners' });
    expect(owners).toHaveLength(1);
    await openAddress(heir, safe);
    await heir.page.getByRole('link', { name: 'Add the account to this wallet' }).waitFor();
    expect(await heir.page.getByRole('button', { name: 'Make the link for guardians' }).count()).toBe(0);
    await heir.go('add-account', 'Add an account');
    await heir.press('Find used accounts');
    await heir.page.getByLabel(new RegExp(safe, 'iu')).check();
    await heir.press('Add selected accounts');
    await heir.answer('Compare the whole address', 'Approve');
    await heir.answer(safe, 'Add account');
    expect(new Set(await heir.addresses())).toEqual(new Set([own, safe]));
    await heir.view('Sign');
    await heir.page.getByLabel('Account', { exact: true }).selectOption(safe);
    await heir.press('Sign');
    await heir.connect(safe);
    await heir.answer(MESSAGE, 'Approve');
    const signature = (await heir.page.getByLabel('Signature').innerText()) as Hex;
    expect(await node.verifyMessage({ address: safe, message: MESSAGE, signature })).toBe(true);
    await owner.reload();
    await owner.page.getByText(/Safe 1 on .* has other owners now, the node at .* says/u).waitFor();
    await owner.view('Sign');
    await owner.press('Sign');
    await owner.page.getByText("This account's own key is not one of its owners on this network").waitFor();
  });

  it('bring an account back with its sheet, or with the wallet of a guardian alone', async () => {
    const { guardian, address } = await startGuardian();
    const owner = await fixture().ready();
    const safe = (await owner.createAccount('safe-0.7')) as Hex;
    await owner.page.evaluate(
      `localStorage.setItem('keystead.contacts', ${JSON.stringify(JSON.stringify([{ name: 'Ben', address }]))})`,
    );
    await turnOn(owner, safe, address);
    await owner.page.getByText('Sheet for the day on which the phrase is lost').click();
    const saving = owner.page.waitForEvent('download');
    await owner.page.getByRole('link', { name: 'Save the sheet' }).click();
    const path = await (await saving).path();
    const sheet = await readFile(path, 'utf8');
    expect(sheet).toContain(`Ben: ${address}`);
    expect(sheet).toContain(safe);
    // The URLs of the devnet hold its key, and the phrase is nobody's business.
    const devnet = await owner.page.evaluate<{ chain: { rpcUrl: string } }>(
      `fetch('devnet.json').then((response) => response.json())`,
    );
    const { pathname } = new URL(devnet.chain.rpcUrl);
    expect(pathname.length).toBeGreaterThan(12);
    expect(decodeURIComponent(sheet)).not.toContain(pathname);
    const phrase = (await owner.phrase()).split(' ');
    expect(phrase).toHaveLength(12);
    const lines = sheet.split('\n').map((line) => line.split(/\W+/u));
    for (const line of lines) expect(line.filter((word) => phrase.includes(word)).length).toBeLessThan(4);

    // The guardian practises, and the owner remembers it.
    await owner.page.getByText('Practice runs', { exact: true }).click();
    const invitation = await owner.page.getByLabel('Link to the practice run', { exact: true }).innerText();
    await owner.page.getByText('Last practice: never').waitFor();
    await guardian.go(new URL(invitation).hash.slice(2), 'A guardian’s practice run');
    await connectEmpty(guardian, address);
    await guardian.press('Sign the practice run');
    await guardian.answerWallet('Sign a message', 'confirms no recovery and moves nothing', 'Confirm');
    const reply = await guardian.page.getByLabel('Link to send back', { exact: true }).innerText();
    await owner.go(new URL(reply.replace(/[0-9a-f]{40}$/u, '0'.repeat(40))).hash.slice(2));
    await owner.page.getByText('signature: must be the guardian’s own').waitFor();
    await owner.go(new URL(reply).hash.slice(2), 'A guardian’s practice run');
    await owner.page.getByText(/^Ben had the key on .*, as a guardian of Safe 1\./u).waitFor();
    await owner.go(`guardians/${safe}`, 'Guardians of Safe 1');
    await owner.page.getByText(/^Last practice: \d/u).waitFor({ state: 'attached' });

    // With the sheet, in an empty browser.
    const heir = await loseThePhrase();
    await heir.page.getByLabel('Saved sheet').setInputFiles(path);
    await heir.page.getByText('The account', { exact: true }).waitFor();
    await connectNew(heir);
    await heir.setUp();
    await heir.page.getByText('the delay is over at').waitFor();
    expect(await fact(heir, 'Guardian 1')).toContain('Ben');
    expect(await heir.page.locator('.warning').count()).toBe(0);
    await heir.press('Save the names of the guardians');
    await heir.answer('Ben', 'Approve');
    await heir.page.getByRole('button', { name: 'Save the names of the guardians' }).waitFor({ state: 'hidden' });
    await askGuardians(heir);

    // With nothing but a guardian, who has the wallet there.
    await guardian.go('lost', 'I lost my recovery phrase');
    await guardian.page.getByRole('button', { name: /^Connect / }).click();
    const found = await guardian.page.getByLabel(`Link to ${safe}`, { exact: true }).innerText();
    const other = await fixture().open({}, found);
    await connectNew(other);
    await other.setUp();
    const { link } = await askGuardians(other, 'Cleo');
    await follow(guardian, link);
    await guardian.page.getByRole('button', { name: /^Connect / }).click();
    await guardian.page.getByRole('heading', { name: 'Progress' }).waitFor();
    await confirm(guardian);
    await finish(guardian);

    // The link goes on to the account.
    await other.page.getByRole('link', { name: 'Open it here' }).click();
    const [own] = await other.stored();
    await connectEmpty(other, own!);
    await other.press('Add the account to this wallet');
    await other.answer('Compare the whole address', 'Approve');
    await other.answer(safe, 'Add account');
    await other.page.getByText('It is in this wallet as').waitFor();
    expect(new Set(await other.stored())).toEqual(new Set([own, safe]));
  });
});
