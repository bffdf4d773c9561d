import { perRun } from '../../support/nightly';
import { CODE_NAME, MACHINE_WORD } from '../../support/code-names';
import { addAxe, FOR_AXE, problemsOf } from '../../support/browser/axe';
import { describeCompanion } from '../../support/browser/fixture';

const VIEWS = [
  'Send',
  'Activity',
  'Connections',
  'Settings',
  'Backup',
  'Contacts',
  'Developer',
  'Sign',
  'Explorer',
  'Files',
  'Uncles',
];

/** Each colour and each width every day; each colour at each width in the nightly run. */
const LOOKS = [
  ['light', 320],
  ...perRun([], [
    ['light', 1100],
    ['dark', 320],
    ['dark', 1100],
  ] as const),
] as const;

describeCompanion('accessibility of the companion page', (fixture) => {
  it(`passes axe, names no code and does not scroll sideways: ${LOOKS.map((look) => `${look.join(' ')} px`).join(', ')}`, async () => {
    const companion = await fixture().open(FOR_AXE);
    const { page } = companion;
    await addAxe(companion);
    const found: Record<string, unknown> = {};
    const codeNames: string[] = [];
    const look = async (what: string): Promise<void> => {
      const lines = (await page.locator('body').innerText()).split('\n');
      codeNames.push(
        ...lines.filter((line) => CODE_NAME.test(line) || MACHINE_WORD.test(line)).map((line) => `${what}: ${line}`),
      );
      for (const [colorScheme, width] of LOOKS) {
        // Nothing fades from one colour to the other.
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize({ width, height: 740 });
        const problems = await problemsOf(companion);
        if (problems.length > 0) found[`${what}, ${colorScheme}, ${width} px`] = problems;
      }
    };
    await page.getByRole('button', { name: 'Use the simulated wallet' }).waitFor();
    await look('first screen');
    await companion.press('Use the simulated wallet');
    await page.getByRole('dialog').waitFor();
    await look('dialog of the wallet');
    await companion.answer('Permissions', 'Install');
    await page.getByRole('heading', { name: 'Welcome to Keystead', level: 1 }).waitFor();
    await look('second step');
    await companion.setUp();
    await look('third step');
    const address = await companion.createAccount('eoa');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await look('the account that was added');
    const smart = await companion.createAccount('0.7');
    await companion.view('Home');
    await companion.row(address).locator('.balance').getByText('0 ETH', { exact: true }).waitFor();
    await look('home');
    await companion.press('Add a token');
    await look('adding a token');
    await companion.press('Receive with Keystead 1', companion.row(address));
    await page.getByRole('img', { name: 'QR code of the address of Keystead 1' }).waitFor();
    await look('receiving');
    await page.keyboard.press('Escape');
    await companion.account(address);
    await page.getByText('Export private key').click();
    await look('account');
    await companion.go('proposals', 'Proposals');
    await look('proposals');
    await companion.go(`owners/${smart}`, 'Owners');
    await page.getByText('The account is not on this network yet.').waitFor();
    await look('owners');
    await companion.go('passkey/0x1/0x1', 'Open with a passkey');
    await look('passkey');
    await companion.go('passkey', 'Open with a passkey');
    await look('open with a passkey');
    await companion.go('home', 'Home');
    for (const view of VIEWS) {
      await companion.view(view);
      await look(view);
    }
    await companion.setUpStorage();
    await look('backup with a storage');
    await companion.view('Send');
    await page.getByLabel('To', { exact: true }).fill(address);
    await page.getByLabel('Amount (ETH)').fill('1');
    await companion.press('Review');
    await page.getByText('The account has 0 ETH').waitFor();
    await look('review');
    await companion.view('Sign');
    await companion.press('Sign');
    await page
      .getByRole('dialog')
      .filter({ hasText: /Connect (?:a site|this Keystead page)/u })
      .waitFor();
    await look('dialog of the snap with a form');
    await companion.connect(address);
    await page.getByRole('dialog').filter({ hasText: 'Hello from Keystead' }).waitFor();
    await look('dialog of the snap');
    await page.keyboard.press('Escape');
    await companion.press('Keystead');
    await page.getByRole('dialog').waitFor();
    await look('home page of the snap');
    await companion.press('Close');
    await companion.press('Wallet');
    await companion.press('Show recovery phrase');
    await look('menu of the wallet');
    expect(found).toEqual({});
    expect(codeNames).toEqual([]);
  });

  it('does not shift its layout while it loads', async () => {
    const companion = await fixture().open({}, 'about:blank');
    const { page } = companion;
    await page.addInitScript(`
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    await page.goto(fixture().world.url);
    await page.getByRole('button', { name: 'Use the simulated wallet' }).waitFor();
    expect(await page.evaluate('window.shift')).toBeLessThan(0.01);
  });
});
