import { join } from 'node:path';

import { expect } from '@jest/globals';
import { type Json } from '@metamask/snaps-sdk';
import { Row, Text } from '@metamask/snaps-sdk/jsx';
import { encodeErrorResult, encodeFunctionData, type Hex, maxUint256, parseAbi, stringToHex } from 'viem';

import { ADVICE } from '../../../src/core/decode/effects/dangers';
import { serveSnap, type SnapServer } from '../../../src/devnet/snap-server';
import { ALICE, BOB, ME, USDC } from '../../support/explaining';
import { dataOf, PROTOCOLS } from '../../support/protocols';
import { danger, elementsOf } from '../../support/screen-elements';
import { flat, textOf } from '../../support/screen-text';
import { type Around, installKeystead, type Keystead } from '../../support/wallet/installed';
import { MinedChain } from '../../support/wallet/mined-chain';
import { nodeError, WalletNetworks } from '../../support/wallet/wallet-networks';

const ETHER = 10n ** 18n;
const SITE = 'https://example.com';

const APPROVE = encodeFunctionData({ abi: parseAbi(['function approve(address,uint256)']), args: [BOB, 5_500_000n] });
const UNLIMITED = encodeFunctionData({ abi: parseAbi(['function approve(address,uint256)']), args: [BOB, maxUint256] });

const TRANSFER = encodeFunctionData({ abi: parseAbi(['function transfer(address,uint256)']), args: [BOB, ETHER] });

/** Aave's pool on Ethereum, which the registry describes. */
const POOL = '0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2';
const REPAY = encodeFunctionData({
  abi: parseAbi(['function repay(address,uint256,uint256,address)']),
  args: [USDC, 5_500_000n, 2n, BOB],
});

const signIn = (account: string, domain: string) =>
  stringToHex(
    `${domain} wants you to sign in with your Ethereum account:\n${account}\n\nI **agree** to [terms](https://a.com)\n\nURI: https://example.com/\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00Z`,
  );

/** The insight into a transaction: its text, and whether the wallet adds a warning of its own. */
async function insight({ snap }: Keystead, transaction: object) {
  const { response, getInterface } = await snap.onTransaction({ origin: SITE, from: ME, ...transaction });
  const { severity } = (response as { result: { severity?: string } }).result;
  return { text: flat(getInterface().content), severity };
}

/** The insights of an edition, which do not depend on the wallet's node. */
function describeInsights(start: () => Keystead): void {
  it('explain a transaction, and are critical if there is a danger', async () => {
    const { snap } = start();
    const harmless = await snap.onTransaction({ origin: SITE, from: ME, to: USDC, data: APPROVE });
    expect(textOf(harmless.getInterface().content)).toContain('5.5 USDC');
    expect(harmless.response).toMatchObject({ result: { content: expect.anything() as unknown } });
    expect(harmless.response).not.toHaveProperty('result.severity');
    const dangerous = await snap.onTransaction({ origin: SITE, from: ME, to: USDC, data: UNLIMITED });
    expect(elementsOf(dangerous.getInterface().content)).toContainEqual(
      danger(`This lets 0x742d…f44e spend all of your USDC, now and in the future. ${ADVICE['unlimited-approval']}`),
    );
    expect(dangerous.response).toHaveProperty('result.severity', 'critical');
  });

  it('repeat a message, which the wallet shows itself, only if something about it is wrong', async () => {
    const { snap } = start();
    const said = async (message: string) => {
      const data = stringToHex(message);
      const shown = await snap.onSignature({ origin: SITE, from: ME, data, signatureMethod: 'personal_sign' });
      return flat(shown.getInterface().content);
    };
    expect(await said('send 1 ETH to\u202ebob')).toContain('send 1 ETH to');
    const plain = await said('Good morning');
    expect(plain).toContain('Sign a message');
    expect(plain).not.toContain('Good morning');
  });

  it('compare a sign-in with the origin of the site', async () => {
    const { snap } = start();
    const ask = (origin: string) =>
      snap.onSignature({ origin, from: ME, data: signIn(ME, 'example.com'), signatureMethod: 'personal_sign' });
    const same = await ask(SITE);
    expect(same.response).not.toHaveProperty('result.severity');
    expect(elementsOf(same.getInterface().content)).toContainEqual(
      <Row label="Sign-in domain">
        <Text>example.com</Text>
      </Row>,
    );
    const other = await ask('https://examp1e.com');
    expect(other.response).toHaveProperty('result.severity', 'critical');
    expect(textOf(other.getInterface().content)).toContain('It could use your signature to act as you there.');
  });

  it(`explain typed data, of each of ${PROTOCOLS.length} protocols`, async () => {
    const { snap } = start();
    for (const protocol of PROTOCOLS) {
      const { response, getInterface } = await snap.onSignature({
        origin: SITE,
        from: ME,
        data: dataOf(protocol) as never,
        signatureMethod: 'eth_signTypedData_v4',
      });
      const dangers = elementsOf(getInterface().content).filter(
        ({ type, props }) => type === 'Banner' && (props as { severity?: string }).severity === 'danger',
      );
      expect(dangers).toHaveLength(protocol.dangers?.length ?? 0);
      expect((response as { result: { severity?: string } }).result.severity).toBe(
        dangers.length > 0 ? 'critical' : undefined,
      );
    }
  });

  it('answer for requests that they do not know, too', async () => {
    const { snap } = start();
    const old = await snap.onSignature({
      origin: SITE,
      from: ME,
      data: [{ type: 'string', name: 'a', value: 'b' }] as never,
      signatureMethod: 'eth_signTypedData',
    });
    expect(textOf(old.getInterface().content)).toContain('Keystead cannot tell what this does.');
    expect(old.response).not.toHaveProperty('error');
  });

  it('show a call that the ERC-7730 registry describes', async () => {
    expect((await insight(start(), { to: POOL, data: REPAY })).text).toContain('“Amount to repay” 5.5 USDC');
  });

  it('call a recipient new', async () => {
    const { text, severity } = await insight(start(), { to: ALICE, value: ETHER });
    expect(text).toContain('Send 1 ETH to 0xd8dA…6045');
    expect(text).toContain('First time you send to 0xd8dA…6045.');
    expect(severity).toBeUndefined();
  });
}

describe('the insights of Keystead', () => {
  let keystead: Keystead;
  beforeAll(async () => {
    keystead = await installKeystead();
  });

  describeInsights(() => keystead);
});

/** The wallet around the built snap of `dist-insights`. Each test has networks of its own. */
let networks = new WalletNetworks();
let chain = new MinedChain();
let locked = false;
let agrees = true;
/** The requests for the wallet itself: all of them, the delays of scheduled events, and the dialogs. */
const asked: string[] = [];
const scheduled: string[] = [];
const dialogs: string[] = [];

const respond: NonNullable<Around['answer']> = async ({ method, params }) => {
  asked.push(method);
  const given = (params ?? {}) as Record<string, Json>;
  if (method === 'snap_getClientStatus') return { locked, active: true };
  if (method === 'snap_getBackgroundEvents') return [];
  if (method === 'snap_scheduleBackgroundEvent') {
    scheduled.push(given.duration as string);
    return 'event';
  }
  if (method === 'snap_dialog') {
    dialogs.push(flat(given.content));
    return agrees;
  }
  return networks.request({ method, params });
};

describe('the insights of Keystead Insights', () => {
  let server: SnapServer;
  let keystead: Keystead;
  beforeAll(async () => {
    server = await serveSnap(join(__dirname, '../../../dist-insights'), 0);
    keystead = await installKeystead({ snapId: `local:${server.url}`, answer: respond });
  });
  afterAll(() => server.stop());

  type Home = { readonly content: unknown; readonly clickElement: (name: string) => Promise<void> };
  const home = async () => (await keystead.snap.onHomePage()).getInterface() as unknown as Home;
  const homeText = async () => flat((await home()).content);
  const event = async (method: string) => {
    const { response } = (await keystead.snap.onCronjob({ method })) as unknown as { response: object };
    return response;
  };
  const lookUp = () => event('lookUpSent');

  beforeEach(async () => {
    networks = new WalletNetworks();
    chain = new MinedChain();
    networks.answers = { ...chain.answers, eth_getCode: () => '0x60', eth_call: () => '0x' };
    [locked, agrees] = [false, true];
    const page = await home();
    const isForget = ({ type, props }: { type: string; props: object }) =>
      type === 'Button' && (props as { name?: string }).name === 'forget';
    if (elementsOf(page.content).some(isForget)) await page.clickElement('forget');
    asked.length = scheduled.length = dialogs.length = 0;
  });

  const send = (to: Hex, more: object = {}) => insight(keystead, { to, value: ETHER, ...more });
  const shownAs = (to: Hex) => ({ from: ME, to, value: '0xde0b6b3a7640000' });

  describeInsights(() => keystead);

  describe('simulate on the node of the wallet', () => {
    const SUCCESS = { status: '0x1', returnData: '0x', gasUsed: '0x5208', logs: [] };
    const results = (balance: (at: number, all: number) => bigint) => (params: readonly Json[]) => {
      const [{ blockStateCalls }] = params as unknown as [{ blockStateCalls: [{ calls: Json[] }] }];
      const { calls } = blockStateCalls[0];
      const word = (at: number) => `0x${balance(at, calls.length).toString(16).padStart(64, '0')}`;
      return [{ calls: calls.map((_call, at) => ({ ...SUCCESS, returnData: word(at) })) }];
    };

    it('with eth_simulateV1, where that is passed on', async () => {
      networks.answers.eth_simulateV1 = results((at) => (at === 0 ? 5n * ETHER : 3n * ETHER));
      const { text } = await send(ALICE, { chainId: 'eip155:8453' });
      expect(text).toContain("Simulated by your wallet's node.");
      expect(text).toContain('You send 2 ETH');
    });

    it('with eth_call elsewhere, and say that changes are not known', async () => {
      const { text, severity } = await send(ALICE);
      expect(text).toContain('It would succeed now, but this node cannot say what changes.');
      expect(severity).toBeUndefined();
    });

    it('and say why a transaction fails', async () => {
      const data = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['paused'] });
      networks.answers.eth_call = () => nodeError(3, 'execution reverted: paused', data);
      const { text, severity } = await send(ALICE);
      expect(text).toContain('This fails in a simulation: “paused”.');
      expect(severity).toBe('critical');
    });

    it('of the network of the transaction, which they select', async () => {
      networks.answers.eth_call = (_params, chainId) => (chainId === 10n ? '0x' : nodeError(3, 'execution reverted'));
      const { text } = await send(ALICE, { chainId: 'eip155:10' });
      expect(text).toContain('It would succeed now');
      expect(new Set(networks.asked.filter(({ method }) => method === 'eth_call'))).toEqual(
        new Set([{ method: 'eth_call', chainId: 10n }]),
      );
      expect(asked).not.toContain('snap_dialog');
    });
  });

  describe('never wait for the node of the wallet, and say that changes could not be simulated', () => {
    const FAILED = /Changes could not be simulated: (.*?)\. (?:Network|Details)/u;

    it.each<[string, string, () => void, number?]>([
      [
        'refuses everything',
        'the node refused: “no”',
        () => (networks.answers.eth_call = () => nodeError(-32000, 'no')),
      ],
      [
        'is not offered for this network',
        'the wallet does not let Keystead use this network',
        () => (networks.known = []),
      ],
      [
        'stays on another network',
        'the wallet stayed on another network',
        () => (networks.answers.wallet_switchEthereumChain = () => null),
      ],
      [
        'says that it is of another network after all',
        'the node serves another network',
        () => {
          let times = 0;
          networks.answers.eth_chainId = () => (++times === 1 ? '0xa' : '0x1');
        },
      ],
      [
        'answers with too much',
        "the wallet's node returned more than 4194304 characters for eth_call",
        () => (networks.answers.eth_call = () => `0x${'00'.repeat(2 * 1024 * 1024)}`),
      ],
      [
        'answers with something else',
        "the wallet's node returned a malformed result for eth_call",
        () => (networks.answers.eth_call = () => ({ toString: 'no' })),
      ],
      [
        'answers simulations with nonsense',
        "the node's answer makes no sense",
        () => (networks.answers.eth_simulateV1 = () => [{ calls: 'all' }]),
        // A network of its own, because nodes without this method are not asked for it again.
        42161,
      ],
    ])('if it %s', async (_what, why, fail, chainId = 10) => {
      fail();
      const { text, severity } = await send(BOB, { chainId: `eip155:${chainId}` });
      expect(FAILED.exec(text)?.[1]).toBe(why);
      expect(text).toContain('Send 1 ETH to 0x742d…f44e');
      expect(severity).toBeUndefined();
    });

    it.each<[string, object, string]>([
      ['coins', { to: BOB, value: ETHER }, 'Send 1 ETH to 0x742d…f44e'],
      ['an unknown token', { to: ALICE, data: TRANSFER }, 'to 0x742d…f44e'],
    ])('if it never answers about %s', async (_what, transaction, title) => {
      for (const method of ['eth_chainId', 'eth_call', 'eth_getTransactionCount', 'eth_blockNumber', 'eth_getCode'])
        networks.answers[method] = () => new Promise<never>(() => undefined);
      const { text } = await insight(keystead, transaction);
      expect(text).toContain(title);
      expect(text).toMatch(/Changes could not be simulated: the (?:wallet's )?node did not respond within 2\.5 s\./u);
      networks.answers = { ...chain.answers, eth_getCode: () => '0x60', eth_call: () => '0x' };
      expect((await insight(keystead, transaction)).text).toContain('It would succeed now');
    });

    it('and quote its words in quotation marks, on one line and without markup', async () => {
      networks.answers.eth_call = () => nodeError(-32000, '”**Safe**\n\u202eto sign');
      const { text } = await send(BOB);
      expect(text).toContain('Changes could not be simulated: the node refused: “');
      expect(text).not.toMatch(/[\u202e\n]/u);
      expect(/refused: (.*?)\. Network/u.exec(text)?.[1]?.match(/”/gu)).toHaveLength(1);
    });
  });

  describe('remember who was sent something', () => {
    const LOOK_ALIKE: Hex = `0xd8da${'ab'.repeat(16)}6045`;

    it('once the transaction is mined', async () => {
      await send(ALICE);
      expect(scheduled).toEqual(['PT60S']);
      await lookUp();
      expect((await send(ALICE)).text).toContain('First time you send to');
      chain.mine(shownAs(ALICE));
      await lookUp();
      const { text } = await send(ALICE);
      expect(text).not.toContain('First time you send to');
      expect(await homeText()).toContain('Remembered 1 recipient');
    });

    it('and warn of an address that looks like it', async () => {
      expect((await send(LOOK_ALIKE)).severity).toBeUndefined();
      await send(ALICE);
      chain.mine(shownAs(ALICE));
      await lookUp();
      const { text, severity } = await send(LOOK_ALIKE);
      expect(text).toContain('which you have sent to before');
      expect(severity).toBe('critical');
    });

    it('but not who a page only had shown, whatever is sent in its place', async () => {
      await send(ALICE);
      chain.mine(shownAs(ALICE));
      await lookUp();
      // The person rejects it, and sends something that no insight is shown for.
      await send(LOOK_ALIKE);
      chain.mine(shownAs(BOB));
      await lookUp();
      const { text, severity } = await send(LOOK_ALIKE);
      expect(text).toContain('First time you send to');
      expect(severity).toBe('critical');
    });

    it('and know the accounts of the person by it', async () => {
      await send(ALICE);
      chain.mine(shownAs(ALICE));
      await lookUp();
      const { text } = await insight(keystead, { from: BOB, to: ME, value: ETHER });
      expect(text).toContain('Send 1 ETH to your account');
      expect(text).not.toContain('First time');
    });

    it('in encrypted state, which is not read while the wallet is locked', async () => {
      await send(ALICE);
      chain.mine(shownAs(ALICE));
      locked = true;
      asked.length = scheduled.length = 0;
      expect(await lookUp()).toEqual({ result: null });
      expect(asked.filter((method) => /State$/u.test(method))).toEqual([]);
      expect(scheduled).toEqual(['PT600S']);
    });
  });

  describe('have a home page', () => {
    it('that says what they do and that nothing is remembered yet', async () => {
      const text = await homeText();
      expect(text).toContain('It cannot sign or send anything');
      expect(text).toContain('Nothing yet.');
      expect(text).not.toContain('Forget everything');
      // Accounts can be watched on networks that are not selected.
      expect(JSON.stringify((await home()).content)).toContain('"value":"eip155:10"');
    });

    it('that forgets everything, if the person agrees', async () => {
      await send(ALICE);
      chain.mine(shownAs(ALICE));
      await lookUp();
      await send(BOB);
      expect(await homeText()).toContain('whether you sent 1 transaction');
      agrees = false;
      await (await home()).clickElement('forget');
      expect(dialogs).toEqual([expect.stringContaining('Keystead Insights will treat every recipient as new.')]);
      expect(await homeText()).toContain('Remembered 1 recipient');
      agrees = true;
      await (await home()).clickElement('forget');
      expect(await homeText()).toContain('Nothing yet.');
      expect((await send(ALICE)).text).toContain('First time you send to');
    });
  });

  it('are all that there is: nobody can ask for accounts, keys or signatures', async () => {
    const { response } = (await keystead.snap.request({ origin: SITE, method: 'eth_accounts' })) as unknown as {
      response: object;
    };
    for (const answer of [await keystead.call('keyring_listAccounts'), response])
      expect(answer).toHaveProperty('error');
    expect(await lookUp()).toEqual({ result: null });
    expect(await event('lookUpBatches')).toMatchObject({ error: { code: -32601 } });
  });
});
