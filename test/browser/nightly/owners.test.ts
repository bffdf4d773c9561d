import { type Hex, parseAbi, parseEther, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';

import { addAxe, FOR_AXE, problemsByWidth } from '../../support/browser/axe';
import { type Companion } from '../../support/browser/companion';
import { devnetOf, nodeOf } from '../../support/browser/devnet-node';
import { describeCompanion } from '../../support/browser/fixture';
import { addAuthenticator, addPasskeyOwner, leaveWallet } from '../../support/browser/passkey';

/** In milliseconds; until the devnet includes an operation. */
const INCLUSION = { timeout: 60_000 };

const OWNERS = parseAbi(['function getOwners() view returns (address[])']);

const stranger = (): Hex => privateKeyToAddress(generatePrivateKey());

describeCompanion('a Safe with several owners', (fixture) => {
  const problems: Record<string, unknown> = {};
  const look = async (what: string, companion: Companion): Promise<void> => {
    const found = await problemsByWidth(companion);
    if (Object.keys(found).length > 0) problems[what] = found;
  };

  const confirmed = ({ page }: Companion): Promise<void> => page.getByText('Confirmed.').waitFor(INCLUSION);

  /** Opens the owners, as the account's page links to them. */
  async function owners(companion: Companion, address: string, heading: string): Promise<void> {
    await companion.account(address);
    await companion.page.getByRole('link', { name: /^Owners on / }).click();
    await companion.page.getByRole('heading', { name: heading }).waitFor();
  }

  async function addOwner(companion: Companion, owner: string, threshold: number): Promise<void> {
    const { page } = companion;
    await companion.press('Add an owner');
    await page.getByLabel('New owner').fill(owner);
    await page.getByLabel('Required signatures').selectOption(String(threshold));
    await companion.press('Review');
    await look('review of a change', companion);
    await companion.press('Change the owners');
    await companion.answer(/as owner: /u, 'Approve');
    await confirmed(companion);
    await companion.press('Back to the owners');
  }

  /** @returns The file of the proposal that is shown, and the link to it. */
  async function shared({ page }: Companion): Promise<{ readonly text: string; readonly link: string }> {
    const href = await page.getByRole('link', { name: 'Download the file' }).getAttribute('href');
    const text = decodeURIComponent(href!.slice(href!.indexOf(',') + 1));
    const part = Buffer.from(JSON.stringify(JSON.parse(text))).toString('base64url');
    return { text, link: `proposals/open/${part}` };
  }

  const kept = ({ page }: Companion): Promise<string | null> =>
    page.evaluate(`localStorage.getItem('keystead.proposals')`);

  it('2 of 3 sign what a site asked for, in two browsers, and replace an owner', async () => {
    const first = await fixture().ready(FOR_AXE);
    const second = await fixture().ready(FOR_AXE);
    await addAxe(first);
    await addAxe(second);
    const address = (await first.createAccount('safe-0.7')) as Hex;
    const coOwner = await second.importKey(generatePrivateKey());
    const third = privateKeyToAccount(generatePrivateKey());
    await first.askFaucet(address);
    await first.view('Send');
    await first.page.getByLabel('To', { exact: true }).fill(stranger());
    await first.page.getByLabel('Amount (ETH)').fill('0.5');
    await first.press('Review');
    await first.press('Send');
    await first.connect(address);
    await first.answer(/0\.5 ETH/u, 'Approve');
    await confirmed(first);

    await owners(first, address, '1 of 1 must sign');
    await first.page.getByText('Safe4337Module 0.3.0: it carries out').waitFor();
    await first.press('Add an owner');
    await look('form of a change', first);
    await first.page.getByLabel('New owner').fill(address);
    await first.press('Review');
    await first.page.getByText('Owner: must not be').waitFor();
    await first.press('Back');
    await addOwner(first, coOwner, 1);
    await addOwner(first, third.address, 2);
    await first.page.getByRole('heading', { name: '2 of 3 must sign' }).waitFor();
    await look('owners', first);

    // A site asks, and learns at once that signatures are missing.
    const { snapId } = await devnetOf(fixture().world);
    const site = (method: string, ...params: unknown[]) =>
      first.ask('wallet_invokeSnap', { snapId, request: { method, params } });
    const recipient = stranger();
    const calls = [{ to: recipient, value: toHex(parseEther('0.5')), data: '0x' }];
    const asking = site('wallet_sendCalls', {
      ...{ version: '2.0.0', chainId: '0x7a69', from: address, atomicRequired: true, calls },
    });
    await first.answer(/2 owners must sign before it can be sent/u, 'Approve');
    const { id } = (await asking).result as { readonly id: string };
    const statusOf = async () => (await site('wallet_getCallsStatus', id)).result;
    expect(await statusOf()).toMatchObject({
      status: 100,
      capabilities: { keystead: { remark: 'signatures-missing' } },
    });

    await first.go('proposals', 'Proposals');
    await first.page.getByRole('link', { name: /^Open the proposal/ }).click();
    await first.page.getByRole('heading', { name: '1 signature missing: 2 of 3 owners must sign' }).waitFor();
    await look('proposal', first);
    const payment = await shared(first);

    // Another change with the same nonce waits beside it.
    await owners(first, address, '2 of 3 must sign');
    const row = (owner: string) => first.page.getByRole('listitem').filter({ hasText: owner });
    const replace = async (): Promise<void> => {
      await row(third.address)
        .getByRole('button', { name: /^Replace/u })
        .click();
      await first.page.getByLabel('New owner').fill(fourth);
      await first.press('Review');
      await first.press('Propose the change');
      await first.answer(/2 owners must sign before it can be sent/u, 'Approve');
      await first.page.getByRole('link', { name: 'Collect their signatures' }).click();
      // The most recent comes first.
      const list = first.page.getByRole('list', { name: 'Proposals' });
      await list
        .getByRole('link', { name: /^Open the proposal/ })
        .first()
        .click();
      await first.page.getByText('Replace an owner').or(first.page.getByText(fourth)).first().waitFor();
    };
    const fourth = stranger();
    await replace();
    const other = await shared(first);

    // A deceiving copy is refused. An honest link is shown from memory.
    await second.go('proposals', 'Proposals');
    const pasted = second.page.getByLabel('Proposal', { exact: true });
    await pasted.fill(payment.text.replace('"31337"', '"1"').replace('31337', '1'));
    await second.press('Open');
    await second.page.getByText('Hash: must be the EIP-712 hash of typedData').waitFor();
    await second.go(other.link, 'Proposal');
    await second.page.getByText(fourth).first().waitFor();
    expect(await kept(second)).toBeNull();
    await look('opened proposal', second);
    await second.press('Keep');
    await second.page.getByRole('button', { name: 'Remove from this browser' }).waitFor();
    const [{ hash: otherHash }] = JSON.parse((await kept(second))!) as [{ hash: string }];

    await second.go(payment.link, 'Proposal');
    await second.page.getByText(recipient).first().waitFor();
    await second.press(/^Sign with Imported/u);
    await second.connect(coOwner);
    await second.answer(recipient, 'Approve');
    await second.page.getByRole('heading', { name: 'Ready to send' }).waitFor();
    expect(JSON.parse((await kept(second))!)).toHaveLength(2);
    await second.press('Send');
    await confirmed(second);
    const node = await nodeOf(fixture().world);
    expect(await node.getBalance({ address: recipient })).toBe(parseEther('0.5'));
    expect(await statusOf()).toMatchObject({ status: 200 });

    // What was shown of one proposal is not shown of the next.
    await second.go(`proposals/show/${otherHash}`);
    await second.page.getByText('It was sent already, or another operation of the account took its place.').waitFor();
    expect(await second.page.getByText('Confirmed.').count()).toBe(0);
    expect(await second.page.getByRole('button', { name: 'Send', exact: true }).count()).toBe(0);

    // The same change again, signed elsewhere by the third owner and sent from the first browser.
    await first.go('proposals', 'Proposals');
    await owners(first, address, '2 of 3 must sign');
    await replace();
    const { text } = await shared(first);
    const { hash } = JSON.parse(text) as { readonly hash: Hex };
    await first.page.getByText('Add a signature that was made elsewhere').click();
    await first.page.getByLabel('Owner who made it').selectOption(third.address.toLowerCase());
    const entered = first.page.getByLabel('Signature or copy of the proposal');
    await entered.fill(await privateKeyToAccount(generatePrivateKey()).sign({ hash }));
    await first.press('Add');
    await first.page.getByText(`must be the one of ${third.address}`).waitFor();
    await entered.fill(await third.sign({ hash }));
    await first.press('Add');
    await first.page.getByRole('heading', { name: 'Ready to send' }).waitFor();
    await first.page.getByRole('checkbox', { name: 'I have read the dangers above' }).check();
    await first.press('Send');
    await confirmed(first);
    await owners(first, address, '2 of 3 must sign');
    await row(fourth).first().waitFor();
    expect(await row(third.address).count()).toBe(0);
    expect(problems).toEqual({});
  });

  it('the phrase and a passkey each sign alone, until the passkey is replaced by another owner', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const node = await nodeOf(fixture().world);
    await addAuthenticator(companion);
    const address = (await companion.createAccount('safe-0.7')) as Hex;
    await companion.askFaucet(address);
    /** The account pays a stranger, signed for by the phrase. */
    const payByPhrase = async (onAsked?: () => Promise<void>): Promise<void> => {
      const recipient = stranger();
      await companion.view('Send');
      await page.getByLabel('To', { exact: true }).fill(recipient);
      await page.getByLabel('Amount (ETH)').fill('0.5');
      await companion.press('Review');
      await companion.press('Send');
      await onAsked?.();
      await companion.answer(/0\.5 ETH/u, 'Approve');
      await confirmed(companion);
      expect(await node.getBalance({ address: recipient })).toBe(parseEther('0.5'));
    };
    const openPasskey = async (): Promise<void> => {
      await page.getByRole('link', { name: /^Safe 1 on / }).click();
      await page.getByRole('heading', { name: 'Safe 1', level: 1 }).waitFor();
    };
    const ownersNow = (): Promise<readonly string[]> =>
      node.readContract({ address, abi: OWNERS, functionName: 'getOwners' });
    await payByPhrase(() => companion.connect(address));
    const [key] = await ownersNow();

    // The Safe has two owners, of which each signs alone.
    await addPasskeyOwner(companion, address);
    expect(await ownersNow()).toHaveLength(2);
    await payByPhrase();
    const withWallet = await leaveWallet(companion);
    await openPasskey();
    await page.getByText('2, of which 1 must sign').waitFor();
    const recipient = stranger();
    await page.getByLabel('To', { exact: true }).fill(recipient);
    await page.getByLabel('Amount (ETH)').fill('0.25');
    await companion.press('Review');
    await companion.press('Approve with the passkey');
    await confirmed(companion);
    expect(await node.getBalance({ address: recipient })).toBe(parseEther('0.25'));

    // Another owner takes the place of the passkey, which opens nothing from then on.
    await withWallet();
    const other = stranger();
    await owners(companion, address, '1 of 2 must sign');
    await companion.press(/^Replace Passkey “1” of/u);
    await page.getByLabel('New owner').fill(other);
    await companion.press('Review');
    await page.getByText(/^Replace owner Passkey “1” of .* with 0x/u).waitFor();
    await companion.press('Change the owners');
    await companion.answer(other, 'Approve');
    await confirmed(companion);
    expect(new Set(await ownersNow())).toEqual(new Set([key, other]));
    await payByPhrase();
    await leaveWallet(companion);
    await openPasskey();
    await page.getByText('This passkey is not an owner of the account').waitFor();
    expect(await page.getByLabel('To', { exact: true }).count()).toBe(0);
  });
});
