import { type Hex } from 'viem';

import { type Companion } from '../../test/support/browser/companion';
import { attack } from './attack';
import * as people from './people';
import { type Walk } from './walk';

const BEGUN = 'Confirmed. The delay has begun.';

type Guardian = { readonly companion: Companion; readonly address: Hex; readonly name: string };

/** Someone who keeps no key but that of a guardian, in a wallet that does not have the network yet. */
async function startGuardian(walk: Walk, owner: Companion, name: string): Promise<Guardian> {
  const companion = await walk.open();
  await companion.install();
  const address = (await companion.createAccount('eoa')) as Hex;
  await people.pay(walk.url, address);
  await people.saveContact(owner, name, address);
  return { companion, address, name };
}

/** Makes a Safe with one guardian, chosen by name. */
async function guardedSafe(owner: Companion, { name }: Guardian): Promise<Hex> {
  const safe = (await owner.createAccount('safe-0.7')) as Hex;
  await people.openGuardians(owner, safe);
  await owner.press(name);
  await owner.page.getByLabel('How many of them have to confirm').fill('1');
  await owner.press('Turn on recovery');
  await people.connectIfAsked(owner, safe);
  await owner.answer('act for your account', 'Approve');
  await owner.page.getByRole('button', { name: 'Change guardians' }).waitFor(people.INCLUSION);
  return safe;
}

/** The guardian opens a link for the first time: the wallet does not have the network yet. */
async function visit(walk: Walk, { companion, address }: Guardian, link: string): Promise<void> {
  await walk.follow(companion, link);
  await people.connectEmpty(companion, address);
  await people.confirm(companion, BEGUN);
}

/** The guardian opens a link with a wallet that has the network. */
async function visitAgain(walk: Walk, { companion }: Guardian, link: string): Promise<void> {
  await walk.follow(companion, link);
  await companion.page.getByRole('button', { name: /^Connect / }).click();
  await people.confirm(companion, BEGUN);
}

type Lost = { readonly heir: Companion; readonly safe: Hex; readonly guardian: Guardian };

/** From the page of the lost account to the recovered account. */
async function recover(walk: Walk, { heir, safe, guardian }: Lost, confirm: typeof visit): Promise<void> {
  await people.connectNew(heir);
  await people.makeKey(heir);
  await confirm(walk, guardian, await people.askGuardians(heir, 'Ann'));
  await walk.passDelay();
  await guardian.companion.press('Look again');
  await people.finish(guardian.companion);
  await people.link(heir, 'Open it here');
  const [own = ''] = await heir.stored();
  await people.connectEmpty(heir, own);
  await people.addRecovered(heir, safe);
  await walk.close(heir);
}

async function walkDrills(walk: Walk, owner: Companion): Promise<void> {
  const { page } = owner;
  await walk.way('Drill: the phrase', async () => {
    await owner.view('Settings');
    await people.link(owner, 'Recovery');
    await owner.press('The three words are the same');
    await page.getByText(/^Your phrase: seen to work on /u).waitFor();
  });
  await owner.view('Backup');
  await owner.press('Make a backup file');
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  const saving = page.waitForEvent('download');
  await people.link(owner, 'Download the file');
  const file = await (await saving).path();
  await walk.way('Drill: the backup', async () => {
    await people.link(owner, 'Recovery');
    await people.link(owner, 'Restore your last backup here');
    await page.getByLabel('Backup file').setInputFiles(file);
    await owner.press('Restore file');
    await page.getByText('Nothing was missing.').waitFor();
  });
}

/** The owner cancels what somebody has begun, on the page and in the wallet. */
async function walkAttacks(walk: Walk, owner: Companion, safe: Hex, guardian: Hex): Promise<void> {
  const alarm = owner.page.getByRole('region', { name: /^A recovery of .* has begun/u });
  await attack(walk.url, safe, guardian);
  await walk.way('Attack cancelled on the Keystead page', async () => {
    await owner.reload();
    await owner.press('Cancel recovery', alarm);
    await owner.answer('Cancel the recovery', 'Approve');
    await alarm.waitFor({ state: 'hidden' });
  });
  await attack(walk.url, safe, guardian);
  await walk.way('Attack cancelled in the wallet', async () => {
    await owner.press('Keystead', owner.page.getByRole('complementary', { name: 'Simulated wallet' }));
    await owner.press('Cancel recovery', owner.page.getByRole('dialog'));
    const question = owner.page.getByRole('dialog').filter({ hasText: 'Request from Keystead' });
    await owner.press('Approve', question);
    await question.waitFor({ state: 'hidden' });
    await owner.press('Close', owner.page.getByRole('dialog'));
  });
  await owner.reload();
}

/** The phrase is lost, and a guardian gives the account to another; before that, what can be tried with it. */
export async function walkPhrase(walk: Walk): Promise<void> {
  const owner = await walk.open();
  const { page } = owner;
  await owner.install();
  await owner.setUp();
  const ben = await startGuardian(walk, owner, 'Ben');
  const { companion } = ben;
  const known = await guardedSafe(owner, ben);
  const heir = await walk.open();
  const first: typeof visit = (...visited) => walk.way('A guardian’s first visit', () => visit(...visited));
  await walk.way(
    'Phrase lost, with the address',
    async () => {
      await people.link(heir, 'I lost my recovery phrase');
      await walk.paste(heir, 'Address of the account that you lost', known);
      await heir.press('Open the account');
      await recover(walk, { heir, safe: known, guardian: ben }, first);
    },
    { pastesAddress: true },
  );

  const safe = await guardedSafe(owner, ben);
  await page.getByText('Sheet for the day on which the phrase is lost').click();
  const saving = page.waitForEvent('download');
  await people.link(owner, 'Save the sheet');
  const sheet = await (await saving).path();
  await page.getByText('Practice runs', { exact: true }).click();
  const invitation = await people.copyable(owner, 'Link to the practice run');
  await walk.way('Drill: a guardian’s practice run', async () => {
    await walk.follow(companion, invitation);
    await companion.page.getByRole('button', { name: /^Connect / }).click();
    await walk.follow(owner, await people.practise(companion));
    await page.getByText(/^Ben had the key on /u).waitFor();
  });
  await walkAttacks(walk, owner, safe, ben.address);
  await walkDrills(walk, owner);
  const third = await walk.open();
  await walk.way('Phrase lost, with the sheet', async () => {
    await people.link(third, 'I lost my recovery phrase');
    await third.page.getByLabel('Saved sheet').setInputFiles(sheet);
    await recover(walk, { heir: third, safe, guardian: ben }, visitAgain);
  });

  const found = await guardedSafe(owner, ben);
  await walk.way('Phrase lost, with a guardian’s wallet only', async () => {
    await companion.view('Settings');
    await people.link(companion, 'Recovery');
    await companion.page.getByText('I lost my recovery phrase', { exact: true }).click();
    await people.link(companion, 'Find the account');
    await companion.page.getByRole('button', { name: /^Connect / }).click();
    const link = await people.copyable(companion, `Link to ${found}`);
    const other = await walk.open();
    await walk.follow(other, link);
    await recover(walk, { heir: other, safe: found, guardian: ben }, visitAgain);
  });
  await walk.close(owner);
  await walk.close(companion);
}
