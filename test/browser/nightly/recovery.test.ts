import { createTestClient, type Hex, http, parseAbi, parseEther, walletActions } from 'viem';
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

  /** A guardian: an account with ETH in a wallet of its own. */
  async function startGuardian(): Promise<{ guardian: Companion; address: Hex }> {
    const guardian = await fixture().ready();
    await guardian.addToWallet();
    const address = (await guardian.createAccount('eoa')) as Hex;
    await guardian.askFaucet(address);
    return { guardian, address };
  }

  /** Opens the link, and connects the wallet to it. */
  async function follow(companion: Companion, link: string, address?: string): Promise<void> {
    await companion.page.evaluate(`location.hash = ${JSON.stringify(new URL(link).hash)}`);
    await companion.page.getByRole('heading', { name: 'Recover an account', level: 1 }).waitFor();
    await companion.page.getByRole('button', { name: /^Connect / }).click();
    if (address !== undefined) await companion.answerWallet('Connect accounts', address, 'Connect');
    await companion.page.getByRole('heading', { name: 'Progress' }).waitFor();
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
    const owner = await fixture().ready();
    const safe = (await owner.createAccount('safe-0.7')) as Hex;
    await owner.go(`guardians/${safe}`, 'Guardians of Safe 1');
    await owner.page.getByLabel('Guardians', { exact: true }).fill(address);
    await owner.page.getByLabel('How many of them have to confirm').fill('1');
    await owner.press('Turn on recovery');
    await owner.connect(safe);
    await owner.answer('act for your account', 'Approve');
    await owner.page.getByRole('button', { name: 'Change guardians' }).waitFor();
    await owner.view('Settings');
    await owner.go('recovery', 'Recovery');
    await owner.page.getByText('Its one guardian alone can give the account to a new owner after 3 minutes.').waitFor();

    // Something else was given power over the account, and the owner removes it.
    const node = await nodeOf(fixture().world);
    await enableModule(safe, UNKNOWN);
    await owner.go(`guardians/${safe}`, 'Guardians of Safe 1');
    await owner.press(`Remove module ${UNKNOWN}`);
    await owner.answer(UNKNOWN, 'Approve');
    await owner.page.getByText('Removed.').waitFor();
    await owner.page.getByText('Keystead does not know this module').waitFor({ state: 'hidden' });
    expect(
      await node.readContract({ address: safe, abi: MODULES, functionName: 'isModuleEnabled', args: [UNKNOWN] }),
    ).toBe(false);

    // Somebody has lost the phrase, and has a new one.
    const heir = await fixture().ready();
    const own = (await heir.createAccount('safe-0.7')) as Hex;
    await heir.go('recovery', 'Recovery');
    await heir.page.getByText('I lost my recovery phrase').click();
    await heir.page.getByLabel('Address of the account that you lost').fill(UNKNOWN);
    await heir.press('Make the link for guardians');
    await heir.page.getByText('Address: must be an account with guardians').waitFor();
    await heir.page.getByLabel('Address of the account that you lost').fill(safe);
    await heir.press('Make the link for guardians');
    const link = await heir.page.getByLabel('Link for your guardians').innerText();

    // Before guardians have recovered it, nobody can add it by its address.
    await heir.go('add-account', 'Add an account');
    await heir.page.getByText('Add a recovered account by its address').click();
    await heir.page.getByLabel('Address of the recovered account').fill(safe);
    await heir.press('Add the account');
    await heir.page.getByText('Has the recovery been finished?').waitFor();

    // The guardian confirms, and the owner is told and cancels.
    await follow(guardian, link, address);
    await guardian.press('Use another account');
    await guardian.page.getByRole('button', { name: /^Connect / }).click();
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
    await owner.page.getByText('A recovery has ended without effect. Your key is still an owner of Safe 1').waitFor();
    await guardian.page.getByRole('button', { name: 'Look again' }).click();
    await guardian.page.getByRole('button', { name: 'Confirm as guardian' }).waitFor();

    // Again, and nobody cancels.
    await confirm(guardian);
    await passDelay();
    await guardian.press('Look again');
    await guardian.press('Finish the recovery');
    await guardian.answer('Send a transaction', 'Confirm');
    await guardian.page
      .getByRole('dialog')
      .filter({ hasText: 'replaces the owners' })
      .getByRole('button', { name: 'Approve' })
      .click();
    await guardian.page.getByText('Finished: the account has new owners.').waitFor();

    // The account is in the new wallet, at its old address, and the old key signs for it no more.
    const owners = await node.readContract({ address: safe, abi: OWNERS, functionName: 'getOwners' });
    expect(owners).toHaveLength(1);
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
    await owner.page.getByText(/Your key no longer controls Safe 1 on .*: it has other owners now/u).waitFor();
    await owner.view('Sign');
    await owner.press('Sign');
    await owner.page.getByText("This account's own key is not one of its owners on this network").waitFor();
  });
});
