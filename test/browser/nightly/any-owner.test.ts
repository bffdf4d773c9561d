import { join } from 'node:path';

import { build } from 'esbuild';
import {
  createTestClient,
  getAddress,
  hashMessage,
  type Hex,
  http,
  parseAbi,
  parseEther,
  stringToHex,
  walletActions,
} from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { createSiweMessage, verifySiweMessage } from 'viem/siwe';

import { portsFrom } from '../../../src/devnet/ports';
import { type Companion } from '../../support/browser/companion';
import { devnetOf, nodeOf } from '../../support/browser/devnet-node';
import { describeCompanion } from '../../support/browser/fixture';
import { addOtherWallet } from '../../support/browser/other-wallet';
import { addAuthenticator, addPasskeyOwner, type Kept } from '../../support/browser/passkey';

/** In milliseconds; until the devnet includes an operation. */
const INCLUSION = { timeout: 60_000 };

const SAFE = parseAbi([
  'function addOwnerWithThreshold(address owner, uint256 _threshold)',
  'function getOwners() view returns (address[])',
]);

const lower = (addresses: readonly string[]): string[] => addresses.map((each) => each.toLowerCase()).sort();

describeCompanion('a Safe of which two of three owners must sign', (fixture) => {
  const confirmed = ({ page }: Companion): Promise<void> => page.getByText('Confirmed.').waitFor(INCLUSION);

  const ownersOf = async (address: Hex): Promise<readonly Hex[]> =>
    (await nodeOf(fixture().world)).readContract({ address, abi: SAFE, functionName: 'getOwners' });

  /** Has the Safe add an owner, as another wallet of its owners could. */
  async function addOwner(safe: Hex, owner: Hex, threshold: bigint): Promise<void> {
    const { chain } = portsFrom(Number(new URL(fixture().world.url).port));
    const transport = http(`http://127.0.0.1:${chain}`);
    const client = createTestClient({ mode: 'anvil', chain: foundry, transport }).extend(walletActions);
    await client.impersonateAccount({ address: safe });
    await client.writeContract({
      ...{ account: safe, address: safe, abi: SAFE, functionName: 'addOwnerWithThreshold', args: [owner, threshold] },
    });
    await client.stopImpersonatingAccount({ address: safe });
    await client.mine({ blocks: 1 });
  }

  /** The Safe of a phrase, with a passkey and a key of another wallet as its other owners. */
  async function twoOfThree(other: Hex) {
    const owner = await fixture().ready();
    const authenticator = await addAuthenticator(owner);
    const safe = (await owner.createAccount('safe-0.7')) as Hex;
    await owner.askFaucet(safe);
    await owner.view('Send');
    await owner.page.getByLabel('To', { exact: true }).fill(other);
    await owner.page.getByLabel('Amount (ETH)').fill('0.5');
    await owner.press('Review');
    await owner.press('Send');
    await owner.connect(safe);
    await owner.answer(/0\.5 ETH/u, 'Approve');
    await confirmed(owner);
    await addPasskeyOwner(owner, safe);
    const [passkey] = await authenticator.passkeys();
    await addOwner(safe, other, 2n);
    return { owner, safe, passkey: passkey! };
  }

  /** An empty browser of somebody who has the other two owners, and a wallet with a phrase of its own. */
  async function withoutTheKey(key: Hex, passkey: Kept): Promise<Companion> {
    const heir = await fixture().open();
    await addOtherWallet(heir, key);
    await (await addAuthenticator(heir)).take(passkey);
    await heir.install();
    await heir.setUp();
    return heir;
  }

  /** Ticks that the dangers of what is shown were read, if there are any. */
  async function acceptDangers({ page }: Companion): Promise<void> {
    const box = page.getByRole('checkbox', { name: 'I have read the dangers above' });
    if ((await box.count()) > 0) await box.check();
  }

  /** The link to the proposal that is shown. */
  async function linkIn({ page }: Companion): Promise<string> {
    const href = await page.getByRole('link', { name: 'Download the file' }).getAttribute('href');
    const text = decodeURIComponent(href!.slice(href!.indexOf(',') + 1));
    return `proposals/open/${Buffer.from(JSON.stringify(JSON.parse(text))).toString('base64url')}`;
  }

  it('own key lost: the other two open it by its address, and give it to a new key', async () => {
    const key = generatePrivateKey();
    const { owner, safe, passkey } = await twoOfThree(privateKeyToAddress(key));
    const before = await ownersOf(safe);
    // The contract puts new owners first.
    const lost = before.at(-1)!;
    await owner.close();

    const heir = await withoutTheKey(key, passkey);
    const { page } = heir;
    const newKey = await heir.createAccount('eoa');
    const name = await page.getByRole('heading', { level: 1 }).innerText();
    await heir.view('Home');
    await page.getByRole('link', { name: 'Add an account' }).click();
    await page.getByLabel('Address of the Safe').fill(safe);
    await heir.press('Open the Safe');
    await page.getByRole('heading', { name: '2 of 3 must sign' }).waitFor();
    await page.getByText(/The owners are those that the node at \S+:\d+ says\./u).waitFor();

    await page
      .getByRole('listitem')
      .filter({ hasText: lost })
      .getByRole('button', { name: /^Replace/u })
      .click();
    await page.getByLabel('New owner').fill(name);
    await heir.press('Review');
    await heir.press('Propose the change');
    await page.getByRole('heading', { name: '2 signatures missing: 2 of 3 owners must sign' }).waitFor();
    await acceptDangers(heir);
    await heir.press('Sign with an account of Other wallet');
    await page.getByRole('heading', { name: '1 signature missing: 2 of 3 owners must sign' }).waitFor();
    await acceptDangers(heir);
    await heir.press('Sign with a passkey');
    await page.getByRole('heading', { name: 'Ready to send' }).waitFor();
    await acceptDangers(heir);
    await heir.press('Send');
    await confirmed(heir);
    expect(lower(await ownersOf(safe))).toEqual(lower([...before.filter((each) => each !== lost), newKey]));

    // From then on, the new key and one of the others pay.
    const recipient = privateKeyToAddress(generatePrivateKey());
    await heir.go(`owners/${safe}`, 'Owners');
    await page.getByLabel('To', { exact: true }).fill(recipient);
    await page.getByLabel('Amount').fill('0.5');
    await heir.press('Propose');
    await heir.press(`Sign with ${name}`);
    await heir.connect(newKey);
    await heir.answer(recipient, 'Approve');
    await heir.press('Sign with an account of Other wallet');
    await page.getByRole('heading', { name: 'Ready to send' }).waitFor();
    await heir.press('Send');
    await confirmed(heir);
    expect(await (await nodeOf(fixture().world)).getBalance({ address: recipient })).toBe(parseEther('0.5'));
  });

  it('signs in to a site, which waits for the other owner; its own key co-signs what another proposed', async () => {
    const key = generatePrivateKey();
    const { owner, safe } = await twoOfThree(privateKeyToAddress(key));
    const { page } = owner;
    const { snapId } = await devnetOf(fixture().world);
    const { outputFiles } = await build({
      entryPoints: [join(__dirname, '../../../src/provider/index.ts')],
      bundle: true,
      format: 'iife',
      globalName: 'Keystead',
      write: false,
    });
    await page.evaluate(
      `${outputFiles[0]!.text}; globalThis.site = Keystead.createKeysteadProvider(${JSON.stringify({ snapId })});`,
    );
    const { origin, host: domain } = new URL(page.url());
    const request = (method: string, ...params: unknown[]) =>
      page.evaluate(`globalThis.answer = site.request(${JSON.stringify({ method, params })}); undefined`);
    await request('eth_requestAccounts');
    expect(await page.evaluate('globalThis.answer')).toEqual([safe]);
    const message = createSiweMessage({
      ...{ address: getAddress(safe), chainId: 31_337, domain, nonce: 'a1b2c3d4e5', uri: origin, version: '1' },
    });
    await request('personal_sign', stringToHex(message), safe);
    await owner.answer(/2 of 3 owners must sign before the site gets it/u, 'Approve');
    await owner.go('proposals', 'Proposals');
    await page.getByText(`Message for ${origin}`).waitFor();
    await page.getByRole('link', { name: /^Open the proposal/ }).click();
    await page.getByRole('heading', { name: '1 signature missing: 2 of 3 owners must sign' }).waitFor();
    const link = await linkIn(owner);

    // The other owner has an empty browser, and a wallet of its own.
    const other = await fixture().open();
    const wallet = await addOtherWallet(other, key);
    await other.install();
    await other.setUp();
    await other.go(link, 'Proposal');
    await other.page.getByText('Nonce: a1b2c3d4e5').first().waitFor();
    await acceptDangers(other);
    // The other wallet shows only a hash, so the page shows it first.
    const hash = hashMessage(message);
    await other.page.getByText('Another wallet shows only SafeMessage').filter({ hasText: hash }).waitFor();
    await other.press('Sign with an account of Other wallet');
    await other.page.getByRole('heading', { name: 'All needed owners have signed' }).waitFor();
    const shown = { domain: { chainId: 31_337 }, message: { message: hash } };
    expect(wallet.signed).toMatchObject([{ primaryType: 'SafeMessage', ...shown }]);
    const signed = await linkIn(other);

    await page.getByText('Add a signature that was made elsewhere').click();
    await page.getByLabel('Signature or copy of the proposal').fill(new URL(`#/${signed}`, page.url()).href);
    await owner.press('Add');
    await acceptDangers(owner);
    await owner.press(`Give the signature to ${origin}`);
    const signature = await page.evaluate<Hex>('globalThis.answer');
    const node = await nodeOf(fixture().world);
    expect(await verifySiweMessage(node, { message, signature, domain, nonce: 'a1b2c3d4e5' })).toBe(true);

    // The other owner proposes a payment; the key of the account's own phrase co-signs it.
    const recipient = privateKeyToAddress(generatePrivateKey());
    await other.go('proposals', 'Proposals');
    await other.page.getByLabel('Address of the Safe').fill(safe);
    await other.press('Open the Safe');
    await other.page.getByLabel('To', { exact: true }).fill(recipient);
    await other.page.getByLabel('Amount').fill('0.25');
    await other.press('Propose');
    await other.press('Sign with an account of Other wallet');
    await other.page.getByRole('heading', { name: '1 signature missing: 2 of 3 owners must sign' }).waitFor();
    await owner.go(await linkIn(other), 'Proposal');
    await page.getByText(recipient).first().waitFor();
    await acceptDangers(owner);
    await owner.press(/^Sign with Safe 1’s own key$/u);
    await owner.answer(recipient, 'Approve');
    await page.getByRole('heading', { name: 'Ready to send' }).waitFor();
    await acceptDangers(owner);
    await owner.press('Send');
    await confirmed(owner);
    expect(await node.getBalance({ address: recipient })).toBe(parseEther('0.25'));
  });
});
