import { type Hex, parseAbi, parseEther } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';

import { MODULE_4337 } from '../../../src/core/safe/contracts';
import { confirmRecovery, setGuardians } from '../../../src/core/safe/recovery/calls';
import { addAxe, FOR_AXE, problemsByWidth } from '../../support/browser/axe';
import { type Companion } from '../../support/browser/companion';
import { devnetOf, nodeOf, sendAs } from '../../support/browser/devnet-node';
import { describeCompanion, type Fixture } from '../../support/browser/fixture';
import { addAuthenticator, addPasskeyOwner, type Kept, openOnAnotherDevice } from '../../support/browser/passkey';

/** In milliseconds; until the devnet includes an operation. */
const INCLUSION = { timeout: 60_000 };

const OWNERS = parseAbi(['function getOwners() view returns (address[])']);
const request = {
  abi: parseAbi([
    'struct Request { uint256 approvals; uint256 newThreshold; uint64 executeAfter; address[] newOwners; }',
    'function getRecoveryRequest(address wallet) view returns (Request request)',
  ]),
  functionName: 'getRecoveryRequest',
} as const;

const stranger = (): Hex => privateKeyToAddress(generatePrivateKey());

/** What the page keeps of passkeys. */
const kept = ({ page }: Companion): Promise<string | null> =>
  page.evaluate(`localStorage.getItem('keystead.passkeys')`);

describeCompanion('a passkey', (fixture) => {
  const ownersOf = async (address: Hex): Promise<readonly Hex[]> =>
    (await nodeOf(fixture().world)).readContract({ address, abi: OWNERS, functionName: 'getOwners' });

  /** @returns A Safe that is deployed and has money. */
  async function deployedSafe(companion: Companion): Promise<Hex> {
    const { page } = companion;
    const address = (await companion.createAccount('safe-0.7')) as Hex;
    await companion.askFaucet(address);
    await companion.view('Send');
    await page.getByLabel('To', { exact: true }).fill(stranger());
    await page.getByLabel('Amount (ETH)').fill('0.5');
    await companion.press('Review');
    await companion.press('Send');
    await companion.connect(address);
    await companion.answer(/0\.5 ETH/u, 'Approve');
    await page.getByText('Confirmed.').waitFor(INCLUSION);
    return address;
  }

  const onAnotherDevice = (world: Fixture, ...synced: readonly Kept[]): Promise<Companion> =>
    openOnAnotherDevice(world, FOR_AXE, ...synced);

  async function send(device: Companion, amount: string): Promise<void> {
    const { page } = device;
    const recipient = stranger();
    await page.getByLabel('To', { exact: true }).fill(recipient);
    await page.getByLabel('Amount (ETH)').fill(amount);
    await device.press('Review');
    await device.press('Approve with the passkey');
    await page.getByText('Confirmed.').waitFor(INCLUSION);
    const node = await nodeOf(fixture().world);
    expect(await node.getBalance({ address: recipient })).toBe(parseEther(amount));
  }

  it('finds its account in an empty browser, and no account of somebody else', async () => {
    const first = await fixture().ready(FOR_AXE);
    const { page } = first;
    const { passkeys } = await addAuthenticator(first);
    const address = await deployedSafe(first);
    await addPasskeyOwner(first, address);
    const [made] = await passkeys();
    const userId = Buffer.from(made!.userHandle!, 'base64');
    expect(userId.subarray(0, 28).toString('hex')).toBe(
      `${31_337n.toString(16).padStart(16, '0')}${address.slice(2).toLowerCase()}`,
    );

    // Another page of the domain made it, for an account that this passkey does not own.
    const forged = Buffer.concat([userId.subarray(0, 8), Buffer.from(stranger().slice(2), 'hex'), userId.subarray(28)]);
    const deceived = await onAnotherDevice(fixture(), { ...made!, userHandle: forged.toString('base64') });
    await deceived.page.getByText(/^This passkey does not own the Safe 0x.* says the node at 127\.0\.0\.1/u).waitFor();
    expect(await deceived.page.getByRole('button', { name: 'Open this account' }).count()).toBe(0);
    expect(await kept(deceived)).toBeNull();

    // On a device that syncs it.
    const device = await onAnotherDevice(fixture(), made!);
    await device.page.getByText(address).waitFor();
    await addAxe(device);
    expect(await problemsByWidth(device)).toEqual({});
    await device.press('Open this account');
    await device.page.getByText('2, of which 1 must sign').waitFor();
    await send(device, '0.25');

    // An older passkey does not say which account it is for.
    const older = await onAnotherDevice(fixture(), { ...made!, userHandle: Buffer.alloc(32, 7).toString('base64') });
    await older.press('Look for the account');
    await older.page.getByText(address).waitFor();
    await older.press('Open this account');
    await send(older, '0.125');

    // The storage of the first browser is cleared, which takes the wallet with it.
    await page.evaluate('localStorage.clear()');
    await page.evaluate(`location.hash = ''`);
    await page.reload();
    await page.getByRole('link', { name: 'Open an account with a passkey' }).click();
    await first.press('Use a passkey');
    await first.press('Open this account');
    await page.getByText('2, of which 1 must sign').waitFor();
  });

  it('beside another one of the same authenticator has its own name, and does not replace it', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const { passkeys } = await addAuthenticator(companion);
    const address = await deployedSafe(companion);
    await addPasskeyOwner(companion, address);
    await companion.go('home');
    await companion.go(`owners/${address}`, 'Owners');
    await page.getByText('Add a passkey').click();
    await page.getByLabel('Name of the passkey').fill('Blue key');
    await companion.press('Create a passkey');
    await page.getByText(/Add Passkey “Blue key” of .* as owner/u).waitFor();
    await companion.press('Change the owners');
    await companion.answer(/Create the signer of a passkey/u, 'Approve');
    await page.getByText('Confirmed.').waitFor(INCLUSION);
    const made = await passkeys();
    expect(new Set(made.map(({ userHandle }) => userHandle)).size).toBe(2);
    expect(await ownersOf(address)).toHaveLength(3);

    await companion.go('home');
    await companion.go(`owners/${address}`, 'Owners');
    for (const name of ['Passkey “1” of ', 'Passkey “Blue key” of '])
      await page.getByRole('heading', { name }).waitFor();
    // Each opens the account, under its own name.
    for (const each of made) {
      const device = await onAnotherDevice(fixture(), each);
      await device.press('Open this account');
      await device.page.getByText('3, of which 1 must sign').waitFor();
    }
  });

  it('sees that guardians have begun to replace the owners, and cancels that', async () => {
    const companion = await fixture().ready();
    const { passkeys } = await addAuthenticator(companion);
    const safe = await deployedSafe(companion);
    await addPasskeyOwner(companion, safe);
    const [guardian, thief] = [stranger(), stranger()];
    const { world } = fixture();
    const { address: module } = (await devnetOf(world)).recoveryModule!;
    const asOwned = { safe, module, modules: [MODULE_4337], owners: [], guardians: [], threshold: 0n };
    for (const { to, data } of setGuardians({ guardians: [guardian], threshold: 1n }, asOwned))
      await sendAs(world, safe, to, data);
    const device = await onAnotherDevice(fixture(), ...(await passkeys()));
    await device.press('Open this account');
    await device.page.getByText('2, of which 1 must sign').waitFor();
    const alarm = device.page.getByRole('region', { name: /^A recovery of Safe 0x.* has begun/u });
    expect(await alarm.count()).toBe(0);

    const confirmed = confirmRecovery(module, safe, { newOwners: [thief], newThreshold: 1n }, { begin: true });
    await sendAs(world, guardian, confirmed.to, confirmed.data);
    const begun = await (await nodeOf(world)).readContract({ ...request, address: module, args: [safe] });
    expect(begun.executeAfter).toBeGreaterThan(0n);
    await device.page.reload();
    await alarm.getByText(thief).waitFor();
    await device.press('Cancel recovery', alarm);
    await device.page
      .getByText(/Cancel the recovery/u)
      .first()
      .waitFor();
    await device.press('Approve with the passkey');
    await alarm.waitFor({ state: 'hidden' });
    expect(await ownersOf(safe)).not.toContain(thief);
    const ended = await (await nodeOf(world)).readContract({ ...request, address: module, args: [safe] });
    expect(ended.executeAfter).toBe(0n);
  });

  it('of a password manager is found out before it becomes an owner', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    await addAuthenticator(companion);
    const address = await deployedSafe(companion);
    const create = async (): Promise<void> => {
      await companion.go('home');
      await companion.go(`owners/${address}`, 'Owners');
      await page.getByText('Add a passkey').click();
      await companion.press('Create a passkey');
    };
    // One that writes the challenge before the type, as its extension puts itself in the place of the browser's.
    await page.evaluate(`(() => {
      const get = navigator.credentials.get.bind(navigator.credentials);
      navigator.credentials.get = async (options) => {
        const { rawId, response } = await get(options);
        const { type, challenge, ...others } = JSON.parse(new TextDecoder().decode(response.clientDataJSON));
        const clientDataJSON = new TextEncoder().encode(JSON.stringify({ challenge, type, ...others }));
        const { authenticatorData, signature, userHandle } = response;
        return { rawId, response: { clientDataJSON, authenticatorData, signature, userHandle } };
      };
      globalThis.repair = () => { navigator.credentials.get = get; };
    })()`);
    await create();
    await page.getByText(/can never sign for an account: it writes what it signs in another order/u).waitFor();
    expect(await kept(companion)).toBe('[]');
    expect(await ownersOf(address)).toHaveLength(1);

    // One that does not tell the key.
    await page.evaluate(`(() => {
      repair();
      for (const name of ['getPublicKey', 'getPublicKeyAlgorithm', 'getAuthenticatorData'])
        delete AuthenticatorAttestationResponse.prototype[name];
    })()`);
    await create();
    await page.getByRole('heading', { name: 'Review' }).waitFor();
    await companion.press('Change the owners');
    await companion.answer(/Create the signer of a passkey/u, 'Approve');
    await page.getByText('Confirmed.').waitFor(INCLUSION);
    await companion.press('Try the passkey');
    await companion.press('Try the passkey');
    await page.getByText('A contract verifies its signatures, and accepted one on this network.').waitFor();
  });
});
