import { type Browser, type Locator } from 'playwright-core';
import { type Hex } from 'viem';

import { Companion } from '../../test/support/browser/companion';
import * as people from '../recovery/people';
import { Camera, PHONE } from './picture';

const OPTIONS = { timezoneId: 'UTC', locale: 'en-GB', viewport: { width: PHONE.width, height: PHONE.least } };

/** A guardian who is not asked. */
const DANA = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** Parts of a page may be lower than a phone's screen. */
const PART = { width: PHONE.width, least: 200 };

/** The pictures are many and of plain text; what is below the most important is cut, unless the whole part is taken. */
const QUALITY = 35;
const MOST = 900;

type Guardian = { readonly companion: Companion; readonly address: Hex };

/** The people of the recovery, each with a browser of their own, and what they know by now. */
type Cast = {
  readonly url: string;
  readonly open: () => Promise<Companion>;
  readonly take: (
    companion: Companion,
    name: string,
    part?: Locator,
    keep?: 'start' | 'end' | 'whole',
  ) => Promise<void>;
  owner?: Companion;
  ben?: Guardian;
  cleo?: Guardian;
  heir?: Companion;
  safe?: Hex;
  sheet?: string;
  link?: string;
};

/** @throws If an earlier scene did not leave it. */
function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The scenes must be played in order.');
  return value;
}

const main = ({ page }: Companion): Locator => page.getByRole('main');
const region = ({ page }: Companion, name: string): Locator => page.getByRole('region', { name });

async function openAccount(companion: Companion, safe: string): Promise<void> {
  await companion.view('Home');
  await companion.row(safe).getByRole('link').first().click();
  await companion.page.getByRole('heading', { name: 'Manage' }).waitFor();
}

async function startGuardian({ url, open }: Cast): Promise<Guardian> {
  const companion = await open();
  await companion.install();
  const address = (await companion.createAccount('eoa')) as Hex;
  await people.pay(url, address);
  return { companion, address };
}

/** Everyone has a wallet; the owner has a Safe and contacts. */
async function prepare(cast: Cast): Promise<void> {
  cast.ben = await startGuardian(cast);
  cast.cleo = await startGuardian(cast);
  const owner = await cast.open();
  cast.owner = owner;
  await owner.install();
  await owner.setUp();
  const safe = (await owner.createAccount('safe-0.7')) as Hex;
  cast.safe = safe;
  await owner.page.getByText('Rename', { exact: false }).first().click();
  await owner.page.getByLabel('Name', { exact: true }).fill('Savings');
  await owner.press('Rename');
  await owner.page.getByRole('heading', { name: 'Savings', level: 1 }).waitFor();
  await people.saveContact(owner, 'Ben', cast.ben.address);
  await people.saveContact(owner, 'Cleo', cast.cleo.address);
  await people.saveContact(owner, 'Dana', DANA);
}

/** The owner chooses guardians. */
async function choose(cast: Cast): Promise<void> {
  const [owner, safe] = [given(cast.owner), given(cast.safe)];
  await openAccount(owner, safe);
  await cast.take(owner, 'account', region(owner, 'Manage'));
  await people.openGuardians(owner, safe);
  for (const name of ['Ben', 'Cleo', 'Dana']) await owner.press(name);
  await cast.take(owner, 'choose-guardians', owner.page.getByRole('form', { name: /^Guardians, / }));
  await owner.press('Turn on recovery');
  await owner.connect(safe);
  const dialog = owner.page.getByRole('dialog').filter({ hasText: 'act for your account' });
  await dialog.waitFor();
  await cast.take(owner, 'confirmation', dialog);
  await owner.answer('act for your account', 'Approve');
  await owner.page.getByRole('button', { name: 'Change guardians' }).waitFor(people.INCLUSION);
}

/** The owner keeps the sheet, a guardian practises, and the check-up says what is due. */
async function rehearse(cast: Cast): Promise<void> {
  const [owner, safe, ben] = [given(cast.owner), given(cast.safe), given(cast.ben)];
  const details = (name: string): Locator => owner.page.locator('details:not(:has(details))').filter({ hasText: name });
  const runs = details('Practice runs');
  await runs.getByText('Practice runs', { exact: true }).click();
  await cast.take(owner, 'practice-link', runs);
  const invitation = await people.copyable(owner, 'Link to the practice run');
  await runs.getByText('Practice runs', { exact: true }).click();
  await people.follow(ben.companion, invitation, 'A guardian’s practice run');
  await people.connectEmpty(ben.companion, ben.address);
  await ben.companion.page.getByRole('button', { name: 'Sign the practice run' }).waitFor();
  await cast.take(ben.companion, 'practice-run', main(ben.companion));
  const reply = await people.practise(ben.companion);
  const sheet = details('Sheet for the day on which the phrase is lost');
  await sheet.getByText('Sheet for the day on which the phrase is lost', { exact: true }).click();
  await owner.page.emulateMedia({ media: 'print' });
  await cast.take(owner, 'sheet', owner.page.locator('.sheet'), 'whole');
  await owner.page.emulateMedia({ media: 'screen' });
  const saving = owner.page.waitForEvent('download');
  await people.link(owner, 'Save the sheet');
  cast.sheet = await (await saving).path();
  await people.follow(owner, reply, 'A guardian’s practice run');
  await owner.page.getByText(/^Ben had the key on /u).waitFor();
  await openAccount(owner, safe);
  await people.link(owner, 'How could this account be lost?');
  await region(owner, 'Check-up of Savings').getByText('Ask 2 of them').waitFor();
  await cast.take(owner, 'check-up', main(owner), 'end');
}

/** Without the phrase, on another device: to the link for the guardians. */
async function lose(cast: Cast): Promise<void> {
  const heir = await cast.open();
  cast.heir = heir;
  await heir.page.getByRole('button', { name: 'Use the simulated wallet' }).waitFor();
  await cast.take(heir, 'first-screen');
  await people.link(heir, 'I lost my recovery phrase');
  await heir.page.getByLabel('Saved sheet').waitFor();
  await cast.take(heir, 'ways', main(heir));
  await heir.page.getByLabel('Saved sheet').setInputFiles(given(cast.sheet));
  await people.connectNew(heir);
  await heir.page.getByRole('button', { name: 'Make the new key' }).waitFor();
  await cast.take(heir, 'new-owner', main(heir));
  await heir.press('Save the names of the guardians');
  await heir.answer('Ben', 'Approve');
  await people.makeKey(heir);
  cast.link = await people.askGuardians(heir, 'Ann');
  await cast.take(heir, 'link-for-guardians', region(heir, 'The account'), 'end');
}

/** Two guardians confirm, one of them for the first time; the owner is warned, and it is finished. */
async function recover(cast: Cast): Promise<void> {
  const [owner, ben, cleo, link] = [given(cast.owner), given(cast.ben), given(cast.cleo), given(cast.link)];
  const { companion: guardian } = cleo;
  await people.follow(guardian, link, 'Recover an account');
  await cast.take(guardian, 'first-visit', main(guardian), 'whole');
  await guardian.page.getByRole('button', { name: /^Connect / }).click();
  await guardian.answerWallet('Connect accounts', cleo.address, 'Connect');
  const dialog = guardian.page.getByRole('dialog').filter({ hasText: 'Add a network' });
  await dialog.waitFor();
  await cast.take(guardian, 'network-added', dialog);
  await guardian.answer('Add a network', 'Add network');
  await guardian.page.getByRole('button', { name: 'Confirm as guardian' }).waitFor();
  await cast.take(guardian, 'six-words', region(guardian, 'Progress'));
  await people.confirm(guardian, 'Confirmed.');
  await guardian.page.getByText('You have confirmed.').waitFor();
  await cast.take(guardian, 'one-of-two', region(guardian, 'Progress'));
  await people.follow(ben.companion, link, 'Recover an account');
  await ben.companion.page.getByRole('button', { name: /^Connect / }).click();
  await people.confirm(ben.companion, 'Confirmed. The delay has begun.');
  await ben.companion.page.getByRole('timer').waitFor();
  await cast.take(ben.companion, 'delay', region(ben.companion, 'Progress'));
  await owner.reload();
  const alarm = region(owner, 'A recovery of Savings has begun');
  await alarm.waitFor();
  await cast.take(owner, 'alarm', alarm);
  await people.passDelay(cast.url);
  await ben.companion.press('Look again');
  await ben.companion.page.getByRole('button', { name: 'Finish the recovery' }).waitFor();
  await cast.take(ben.companion, 'finish', region(ben.companion, 'Progress'));
  await people.finish(ben.companion);
}

/** The account is in the new wallet, with its name and the names of its guardians. */
async function comeBack(cast: Cast): Promise<void> {
  const [heir, safe] = [given(cast.heir), given(cast.safe)];
  await people.link(heir, 'Open it here');
  const [own = ''] = await heir.stored();
  await people.connectEmpty(heir, own);
  await heir.page.getByRole('button', { name: 'Add the account to this wallet' }).waitFor();
  await people.addRecovered(heir, safe);
  await cast.take(heir, 'recovered', main(heir), 'whole');
  await people.openGuardians(heir, safe);
  await heir.page.getByText(/^By name: .*Ben/u).waitFor();
  await cast.take(heir, 'names-back', heir.page.getByRole('form', { name: /^Guardians, / }));
}

const SCENES = [prepare, choose, rehearse, lose, recover, comeBack] as const;

/** @returns The cast before the first scene. */
function castFor(browser: Browser, url: string): Cast {
  let taken = 0;
  return {
    url,
    open: () => Companion.open(browser, url, OPTIONS),
    take: async ({ page }, name, part, keep = 'start') => {
      taken += 1;
      const numbered = `${String(taken).padStart(2, '0')}-${name}`;
      console.log(numbered);
      await page.mouse.move(0, 0);
      const size = part === undefined ? PHONE : PART;
      const cut = keep === 'whole' ? undefined : { most: MOST, keep };
      await new Camera(page, 'recovery', QUALITY).take(numbered, size, 'light', part, cut);
      await page.setViewportSize(OPTIONS.viewport);
    },
  };
}

/** Takes the pictures of one recovery, from choosing guardians to the recovered account, in order. */
export async function takeRecovery(browser: Browser, url: string): Promise<void> {
  const cast = castFor(browser, url);
  for (const scene of SCENES) await scene(cast);
  const companions = [cast.owner, cast.heir, cast.ben?.companion, cast.cleo?.companion];
  const faults = companions.flatMap((companion) => companion?.faults ?? []);
  if (faults.length > 0) throw new Error(`The page has faults: ${faults.join('; ')}`);
}
