import { type Hex, keccak256, parseEther } from 'viem';

import { type Companion } from '../../support/browser/companion';
import { devnetOf, nodeOf } from '../../support/browser/devnet-node';
import { describeCompanion } from '../../support/browser/fixture';

const RECIPIENT = '0x00000000000000000000000000000000000000A1';

describeCompanion('what became of what was sent', (fixture) => {
  async function sendHalf(companion: Companion): Promise<void> {
    const { page } = companion;

    await page.getByLabel('To', { exact: true }).fill(RECIPIENT);
    await page.getByLabel('Amount (ETH)').fill('0.5');
    await companion.press('Review');
    await companion.press('Send');
  }

  /**
   * What happens to a request of these methods: it is answered, its answer is lost, or it never arrives. Or the node
   * takes a transaction, and nobody includes it.
   */
  type Network = (methods: readonly string[]) => 'answers' | 'loses the answer' | 'is gone' | 'includes nothing';

  /** @returns Sets what the network does from now on, for the page and for Keystead. */
  async function unreliable({ context }: Companion): Promise<(network: Network) => void> {
    let now: Network = () => 'answers';
    const { chain } = await devnetOf(fixture().world);
    await context.route(chain.rpcUrl, async (route) => {
      type Request = { readonly id: number; readonly method: string; readonly params: readonly Hex[] };
      const requests = [route.request().postDataJSON() as Request | Request[]].flat();
      const what = now(requests.map(({ method }) => method));
      if (what === 'answers') return route.continue();
      if (what === 'includes nothing')
        return route.fulfill({
          json: { jsonrpc: '2.0', id: requests[0]!.id, result: keccak256(requests[0]!.params[0]!) },
        });
      if (what === 'loses the answer') await route.fetch();
      return route.abort();
    });
    return (network) => {
      now = network;
    };
  }

  /** Loses the network with the request that sends, and everything after it. */
  function lostWhileSending(whatHappens: 'loses the answer' | 'is gone'): Network {
    let isGone = false;
    return (methods) => {
      if (isGone) return 'is gone';
      isGone = methods.some((method) => method.startsWith('eth_send'));
      return isGone ? whatHappens : 'answers';
    };
  }

  const heading = ({ page }: Companion, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
  const rows = ({ page }: Companion) => page.getByRole('list', { name: 'Activity' }).getByRole('listitem');

  /**
   * A funded account.
   *
   * @returns Asks to send half an ETH from it, until its dialog is open. It is told if the page was connected
   * meanwhile.
   */
  async function sender(companion: Companion, kind: 'eoa' | '0.8'): Promise<(wasAsked?: boolean) => Promise<void>> {
    const address = await companion.createAccount(kind);
    await companion.askFaucet(address);
    let isConnected = false;
    return async (wasAsked = false) => {
      isConnected ||= wasAsked;
      await companion.view('Home');
      await companion.view('Send');
      await sendHalf(companion);
      if (!isConnected) await companion.connect(address);
      isConnected = true;
      await companion.page.getByRole('dialog').filter({ hasText: RECIPIENT }).waitFor();
    };
  }

  /** The development network without a bundler and a paymaster: accounts send plain transactions. */
  async function withPlainNetwork(): Promise<Companion> {
    const companion = await fixture().open();
    const { chain, ...devnet } = await devnetOf(fixture().world);
    const { bundlerUrl: _bundler, paymasterUrl: _paymaster, ...plain } = chain;
    await companion.context.route('**/devnet.json', (route) => route.fulfill({ json: { ...devnet, chain: plain } }));
    await companion.page.reload();
    await companion.install();
    await companion.setUp();
    return companion;
  }

  it('is nothing, and the page says so and why, if the network is lost before Keystead has signed', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const ask = await sender(companion, 'eoa');
    const set = await unreliable(companion);
    const saysSo = async (): Promise<void> => {
      await heading(companion, 'Not sent');
      const said = await page.getByRole('region', { name: 'Not sent' }).innerText();
      expect(said).toMatch(/The node at 127\.0\.0\.1:\d+ could not be reached\.\s+Nothing was sent\./u);
      set(() => 'answers');
      await companion.view('Activity');
      await page.getByText('Nothing signed or sent yet').waitFor();
    };
    await ask();
    set(() => 'is gone');
    await companion.answer(RECIPIENT, 'Approve');
    await saysSo();
    // Before the dialog.
    await companion.view('Send');
    await page.getByLabel('To', { exact: true }).fill(RECIPIENT);
    await page.getByLabel('Amount (ETH)').fill('0.5');
    await companion.press('Review');
    await heading(companion, 'Review');
    set(() => 'is gone');
    await companion.press('Send');
    await saysSo();
  });

  it('is unknown if the network is lost between dialog and approval of an operation, until it is back', async () => {
    const companion = await fixture().ready();
    const ask = await sender(companion, '0.8');
    const set = await unreliable(companion);
    await ask();
    set(() => 'is gone');
    await companion.answer(RECIPIENT, 'Approve');
    await heading(companion, 'Unknown whether it was sent');
    await companion.page.getByText('The node was asked, and does not answer.').waitFor();
    await companion.view('Activity');
    await rows(companion).getByText('The node was asked, and does not answer.').waitFor();
    set(() => 'answers');
    await ask();
    await companion.answer(RECIPIENT, 'Approve');
    await companion.page.getByText('Confirmed.').waitFor();
    await companion.view('Activity');
    // With the same fees, the second attempt is the same operation; with others, it took the first one's place.
    await rows(companion).getByText('Confirmed', { exact: true }).waitFor();
    await rows(companion).getByText('Unknown', { exact: true }).waitFor({ state: 'detached' });
    expect(await rows(companion).getByText('Confirmed', { exact: true }).count()).toBe(1);
  });

  it('is found out by itself if only answers were lost, and one transaction stays one row', async () => {
    const companion = await withPlainNetwork();
    const ask = await sender(companion, 'eoa');
    const set = await unreliable(companion);
    // The first attempt never arrives, so the second is the same bytes.
    for (const what of ['is gone', 'loses the answer'] as const) {
      set(() => 'answers');
      await ask();
      set(lostWhileSending(what));
      await companion.answer(RECIPIENT, 'Approve');
      await heading(companion, 'Unknown whether it was sent');
    }
    set(() => 'answers');
    await heading(companion, 'Sent');
    await companion.view('Activity');
    await rows(companion).getByText('Confirmed', { exact: true }).waitFor();
    expect(await rows(companion).count()).toBe(1);
  });

  it('is paid by whom the page said before: a paymaster that refuses in between leaves nothing to the account', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    const ask = await sender(companion, '0.8');
    const { chain } = await devnetOf(fixture().world);
    let refuses = true;
    await companion.context.route(`${chain.paymasterUrl}/**`, async (route) => {
      const { id } = route.request().postDataJSON() as { readonly id: number };
      if (!refuses) return route.continue();
      return route.fulfill({ json: { jsonrpc: '2.0', id, error: { code: -32000, message: 'out of funds' } } });
    });
    await companion.view('Send');
    await page.getByLabel('To', { exact: true }).fill(RECIPIENT);
    await page.getByLabel('Amount (ETH)').fill('0.5');
    await companion.press('Review');
    await page.getByText('Paid by the network’s paymaster service').waitFor();
    await companion.press('Send');
    await companion.connect((await companion.stored())[0]!);
    await heading(companion, 'Not sent');
    const said = await page.getByRole('region', { name: 'Not sent' }).innerText();
    expect(said).toMatch(/does not sponsor this operation: out of funds[^]*Nothing was sent\./u);
    refuses = false;
    await ask(true);
    await page
      .getByRole('dialog')
      .getByText(/^Sponsored by 0x/u)
      .waitFor();
    await companion.answer(RECIPIENT, 'Approve');
    await page.getByText(/paid by the paymaster 0x/u).waitFor();
  });

  it('can be sped up or cancelled while it is pending, and stays one row', async () => {
    const companion = await withPlainNetwork();
    const node = await nodeOf(fixture().world);
    const received = () => node.getBalance({ address: RECIPIENT });
    const before = await received();
    const ask = await sender(companion, 'eoa');
    const set = await unreliable(companion);
    for (const [button, title, end] of [
      ['Speed up', 'Speed up: Send', 'Confirmed'],
      ['Cancel', 'Cancel a pending transaction', 'Cancelled'],
    ] as const) {
      set((methods) => (methods.includes('eth_sendRawTransaction') ? 'includes nothing' : 'answers'));
      await ask();
      await companion.answer(RECIPIENT, 'Approve');
      await heading(companion, 'Sending');
      await companion.view('Activity');
      const replace = rows(companion)
        .first()
        .getByRole('button', { name: new RegExp(`^${button}`, 'u') });
      await replace.click();
      await companion.answer(title, 'Reject');
      await rows(companion).first().getByText('You rejected the request.').waitFor();
      set(() => 'answers');
      await replace.click();
      await companion.answer(title, 'Approve');
      await rows(companion).first().getByText(end, { exact: true }).waitFor();
      expect(await replace.count()).toBe(0);
      expect((await received()) - before).toBe(parseEther('0.5'));
    }
    expect(await rows(companion).count()).toBe(2);
  });

  it('is seen by two tabs at once: accounts, contacts and what was sent', async () => {
    const first = await fixture().ready();
    const second = await first.anotherTab();
    const sender = await first.createAccount('eoa');
    await first.page.waitForURL(new RegExp(`#/account/${sender}`, 'u'));
    await second.view('Home');
    await second.row(sender).waitFor();
    await first.askFaucet(sender);
    for (const [tab, name, address] of [
      [first, 'Ann', RECIPIENT],
      [second, 'Ben', '0x00000000000000000000000000000000000000b2'],
    ] as const) {
      await tab.view('Contacts');
      await tab.page.getByLabel('Name', { exact: true }).fill(name);
      await tab.page.getByLabel('Address', { exact: true }).fill(address);
      await tab.press('Save contact');
      await tab.answer('Save a contact', 'Approve');
    }
    for (const { page } of [first, second])
      for (const name of ['Ann', 'Ben']) await page.getByRole('heading', { name, exact: true }).waitFor();
    await second.view('Activity');
    await second.page.getByText('Nothing signed or sent yet').waitFor();
    await first.view('Send');
    await sendHalf(first);
    await first.connect(sender);
    await first.answer(RECIPIENT, 'Approve');
    await first.page.getByText('Confirmed.').waitFor();
    await second.page.getByText('Confirmed', { exact: true }).waitFor();
  });

  it('does not show the first visit after a reload', async () => {
    const companion = await fixture().ready();
    const { page } = companion;
    await companion.createAccount('eoa');
    await page.addInitScript(`window.seen = []; new MutationObserver(() => {
      const title = document.querySelector('main h1')?.textContent;
      if (title !== undefined && window.seen.at(-1) !== title) window.seen.push(title);
    }).observe(document, { childList: true, subtree: true });`);
    await companion.reload();
    await page.getByRole('heading', { name: 'Manage' }).waitFor();
    expect(await page.evaluate('window.seen')).toEqual(['Keystead 1']);
  });
});
