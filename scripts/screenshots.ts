import { startChromium } from '../test/support/chromium';
import { Companion } from '../test/support/browser/companion';
import { takeConfirmations } from './screenshots/confirmations';
import { deployContracts } from './screenshots/contracts';
import { devnetOf, startDevnet } from './screenshots/devnet';
import { LedgerViews } from './screenshots/ledger';
import { takeTerms } from './screenshots/terms';
import { Views } from './screenshots/views';

/**
 * Takes the pictures in the docs from the real page and the built snap on a real devnet: `npm run screenshots`. What
 * follows `--`, such as `--port-base 9000`, is passed to the devnet.
 */

/** The same accounts in every run, so that the pictures change only where the screens do. */
const PHRASE = 'test test test test test test test test test test test junk';

const OPTIONS = { timezoneId: 'UTC', locale: 'en-GB' };

type Address = `0x${string}`;

const devnet = await startDevnet(process.argv.slice(2));
const browser = await startChromium();
try {
  const { chain } = await devnetOf(devnet.url);
  const contracts = await deployContracts(chain.rpcUrl);
  const companion = await Companion.open(browser, devnet.url, OPTIONS);
  const views = new Views(companion);
  await views.take('connect');
  await companion.install();
  await companion.recover(PHRASE);
  await companion.install();
  await views.take('set-up');
  await companion.setUp();
  await views.take('first-account');
  const safe = (await companion.createAccount('safe-0.7')) as Address;
  const standard = (await companion.createAccount('eoa')) as Address;
  for (const address of [standard, safe]) {
    await companion.askFaucet(address);
    await contracts.give(address);
  }
  await companion.page.getByText('10 ETH', { exact: true }).nth(1).waitFor();
  await takeConfirmations(companion, { standard, safe }, contracts);
  await views.takeAll(safe, contracts);
  await new LedgerViews(companion).takeAll({ standard, safe }, contracts);
  const recovered = await Companion.open(browser, devnet.url, OPTIONS);
  await recovered.install();
  await recovered.recover(PHRASE);
  await recovered.install();
  await recovered.setUp();
  await recovered.createAccount('safe-0.7');
  await new LedgerViews(recovered).takeRecovered();
  await takeTerms(browser);
  if (companion.faults.length > 0) throw new Error(`The page has faults: ${companion.faults.join('; ')}`);
} finally {
  await browser.close();
  await devnet.stop();
}
