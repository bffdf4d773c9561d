import { expect } from '@jest/globals';
import { type Json } from '@metamask/snaps-sdk';

import { type Permission } from '../../../src/provider';
import { DAPP, installForDapps, seenByPage } from '../../support/dapp';
import { textOf } from '../../support/screen-text';
import { useEmptiedSnap } from '../../support/wallet/emptied';

const OTHER = 'https://other.example';
const THIRD = 'https://third.example';
/** An unknown address. */
const STRANGER = '0x00000000000000000000000000000000000000aa';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';

const start = useEmptiedSnap(installForDapps);

describe('connecting a site', () => {
  it('asks, and returns the chosen accounts; approving and rejecting both work', async () => {
    const { ask, create, dapp } = await start();
    const { address } = await create();
    expect(await ask('eth_accounts')).toEqual({ result: [] });
    const refused = dapp('eth_requestAccounts');
    const screen = await refused.getInterface();
    expect(screen.type).toBe('confirmation');
    for (const part of ['Connect a site', DAPP, address, 'Accounts for this site'])
      expect(textOf(screen.content)).toContain(part);
    await screen.cancel();
    expect((await refused).response.error).toMatchObject({ code: 4001 });
    expect(await ask('eth_accounts')).toEqual({ result: [] });

    const approved = dapp('eth_requestAccounts');
    await (await approved.getInterface()).ok();
    expect((await approved).response).toEqual({ result: [address] });
    expect(await ask('eth_accounts')).toEqual({ result: [address] });
    expect(await ask('eth_requestAccounts')).toEqual({ result: [address] });
    expect(await ask('eth_accounts', [], OTHER)).toEqual({ result: [] });
  });

  it('returns only the chosen accounts, in the order of the screen, and shows the choice', async () => {
    const { ask, create, connect, dapp } = await start();
    const [first, second, third] = [await create(), await create(), await create()];
    const request = dapp('eth_requestAccounts');
    const screen = await request.getInterface();
    await screen.clickElement(third.id);
    await screen.clickElement(second.id);
    await screen.clickElement(first.id);
    await screen.ok();
    expect((await request).response).toEqual({ result: [second.address, third.address] });
    expect(await connect(DAPP, [second.id, first.id])).toEqual([first.address, third.address]);
    expect(await ask('wallet_getPermissions')).toEqual({
      result: [
        {
          invoker: DAPP,
          parentCapability: 'eth_accounts',
          caveats: [{ type: 'restrictReturnedAccounts', value: [first.address, third.address] }],
          date: expect.any(Number) as unknown,
        },
      ],
    });
  });

  it('dates a permission from the last choice of accounts, not from a change of network', async () => {
    const { approve, ask, create } = await start();
    await create();
    const before = Date.now();
    const [given] = (await approve<Permission[]>('wallet_requestPermissions', [{ eth_accounts: {} }])).result!;
    expect(given!.date).toBeGreaterThanOrEqual(before);
    expect(given!.date).toBeLessThanOrEqual(Date.now());
    expect(await ask('wallet_getPermissions')).toEqual({ result: [given] });
    const [later] = (await approve<Permission[]>('wallet_requestPermissions', [{ eth_accounts: {} }])).result!;
    expect(later!.date).toBeGreaterThanOrEqual(given!.date!);
  });

  it('preselects the accounts that a site names, in addition to those it already has', async () => {
    const { ask, connect, create, dapp } = await start();
    const [first, second, third] = [await create(), await create(), await create()];
    const naming = (value: readonly Json[]): Json[] => [
      { eth_accounts: { caveats: [{ type: 'any', value: [...value] }] } },
    ];
    const request = dapp('wallet_requestPermissions', naming([third.address.toLowerCase(), STRANGER]));
    const screen = await request.getInterface();
    expect(textOf(screen.content).split('Accounts for this site')[1]).not.toContain(first.address);
    await screen.ok();
    await request;
    expect(await ask('eth_accounts')).toEqual({ result: [third.address] });

    const more = dapp('wallet_requestPermissions', naming([second.address]));
    await (await more.getInterface()).ok();
    await more;
    expect(await ask('eth_accounts')).toEqual({ result: [second.address, third.address] });
    // The form of EIP-2255's own requests.
    const named = dapp(
      'wallet_requestPermissions',
      [{ eth_accounts: { restrictReturnedAccounts: [third.address] } }],
      THIRD,
    );
    await (await named.getInterface()).ok();
    await named;
    expect(await ask('eth_accounts', [], THIRD)).toEqual({ result: [third.address] });
    // A value that is not a list of addresses preselects nothing.
    const odd = dapp('wallet_requestPermissions', naming(['nobody', null]), OTHER);
    await (await odd.getInterface()).ok();
    await odd;
    expect(await ask('eth_accounts', [], OTHER)).toEqual({ result: [first.address] });
    expect(await connect(OTHER, [second.id])).toEqual([first.address, second.address]);
  });

  it('ticks at most one of the accounts that a site names, and says which ones it asks for', async () => {
    const { ask, create, connect, dapp } = await start();
    const [first, second, third, fourth] = [await create(), await create(), await create(), await create()];
    const naming = [second, third, fourth].map(({ address }) => address);
    const opened = async (value: readonly string[]) => {
      const request = dapp('wallet_requestPermissions', [{ eth_accounts: { restrictReturnedAccounts: [...value] } }]);
      const screen = await request.getInterface();
      const [offered, chosen] = textOf(screen.content).split('Accounts for this site');
      return { request, screen, offered: offered!, chosen: chosen! };
    };
    const asksFor = (offered: string): number => offered.split('The site asks for this account.').length - 1;
    for (const value of [naming, [...naming].reverse(), [...naming, ...naming], [first.address, ...naming]]) {
      const { request, screen, offered, chosen } = await opened(value);
      expect([first, second, third, fourth].filter(({ address }) => chosen.includes(address))).toEqual([
        [first, second, third, fourth].find(({ address }) => address === value[0]),
      ]);
      expect(asksFor(offered)).toBe(new Set(value).size);
      await screen.cancel();
      await request;
    }
    // Those that the person chose stay chosen, and one more of those that the site names.
    expect(await connect(undefined, [second.id])).toEqual([first.address, second.address]);
    const { request, screen, chosen } = await opened(naming);
    expect([first, second, third, fourth].filter(({ address }) => chosen.includes(address))).toEqual([
      first,
      second,
      third,
    ]);
    await screen.ok();
    await request;
    expect(await ask('eth_accounts')).toEqual({ result: [first, second, third].map(({ address }) => address) });
    const plain = dapp('wallet_requestPermissions', [{ eth_accounts: {} }]);
    const without = await plain.getInterface();
    expect(asksFor(textOf(without.content))).toBe(0);
    await without.cancel();
    await plain;
  });

  it('fails with an error of its own if it is approved without an account', async () => {
    const { ask, create, dapp } = await start();
    const none = dapp('eth_requestAccounts');
    const without = await none.getInterface();
    expect(textOf(without.content)).toContain('You have no Keystead account yet');
    await without.clickElement('create');
    await without.ok();
    const answerWithout = (await none).response.error;
    const { id } = await create();
    const request = dapp('eth_requestAccounts');
    const screen = await request.getInterface();
    await screen.clickElement(id);
    expect(textOf((await request.getInterface()).content)).toContain('If you approve now, the site is not connected');
    await screen.ok();
    expect(seenByPage((await request).response.error!)).toEqual(seenByPage(answerWithout!));
    expect(answerWithout).toMatchObject({ code: -32010, data: { code: 'no-account' } });
    expect(await ask('eth_accounts')).toEqual({ result: [] });
  });

  it('ends when the site revokes it, when the user disconnects it on the home page, and with the account', async () => {
    const { ask, call, connect, create, snap } = await start();
    const account = await create({ privateKey: KEY });
    await connect();
    expect(await ask('wallet_revokePermissions', [{ eth_accounts: {} }])).toEqual({ result: null });
    expect(await ask('eth_accounts')).toEqual({ result: [] });

    await connect();
    await connect(OTHER);
    const page = (await snap.onHomePage()).getInterface();
    expect(textOf(page.content)).toContain('Connected sites');
    expect(textOf(page.content)).toContain(DAPP);
    await page.clickElement(`disconnect:${DAPP}`);
    expect(await ask('eth_accounts')).toEqual({ result: [] });
    expect(await ask('eth_accounts', [], OTHER)).toEqual({ result: [account.address] });
    expect(textOf((await snap.onHomePage()).getInterface().content)).not.toContain(DAPP);

    await call('keyring_deleteAccount', { id: account.id });
    expect(await ask('eth_accounts', [], OTHER)).toEqual({ result: [] });
    // The site is not connected to the same account when it is created again.
    await create({ privateKey: KEY });
    expect(await ask('eth_accounts', [], OTHER)).toEqual({ result: [] });
    expect(await ask('wallet_getPermissions', [], OTHER)).toEqual({ result: [] });
  });

  it('warns of a name that may imitate another', async () => {
    const { create, dapp } = await start();
    await create();
    for (const [origin, caution] of [
      ['https://xn--mtamask-9za.io', 'It may imitate another site.'],
      ['https://metamask.io.login.attacker.example', 'This site belongs to attacker.example'],
      ['http://dapp.example', 'is not encrypted'],
      ['https://203.0.113.7', 'has no name, only a number'],
    ] as const) {
      const request = dapp('eth_requestAccounts', [], origin);
      const screen = await request.getInterface();
      expect(textOf(screen.content)).toContain(origin);
      expect(textOf(screen.content)).toContain(caution);
      await screen.cancel();
      await request;
    }
  });
});

describe('a site that is not connected', () => {
  const ME = '0x29C76e6aD8f28BB1004902578Fb108c507Be341b';
  const STRANGER = `0x${'11'.repeat(20)}`;
  const CALLS = { version: '2.0.0', chainId: '0x1', atomicRequired: false, calls: [{ to: STRANGER }] };
  const operation = (sender: string) => ({ sender });

  /** Every method that concerns an account or a node, for a given account. */
  const requests = (address: string): [string, unknown[]][] => [
    ['personal_sign', ['0x00', address]],
    ['eth_signTypedData_v4', [address, {}]],
    ['eth_signTransaction', [{ from: address }]],
    ['eth_prepareUserOperation', [{ to: address, value: '0x0', data: '0x' }]],
    ['eth_patchUserOperation', [operation(address)]],
    ['eth_signUserOperation', [operation(address)]],
    ['eth_decodeUserOperationCallData', ['0x']],
    ['eth_sendTransaction', [{ from: address, to: STRANGER }]],
    ['wallet_sendCalls', [{ ...CALLS, from: address }]],
    ['wallet_getCapabilities', [address]],
    ['wallet_getCallsStatus', ['0x12']],
    ['wallet_showCallsStatus', ['0x12']],
    ['wallet_switchEthereumChain', [{ chainId: '0x1' }]],
    ['eth_call', [{ to: address }]],
    ['eth_getBalance', [address]],
    ['eth_blockNumber', []],
    ['keystead_getChains', []],
    ['keystead_removeChain', [{ chainId: '0x1' }]],
  ];

  it('gets 4100 for everything, whether or not the account exists', async () => {
    const { ask, create } = await start();
    const before = [];
    for (const [method, params] of requests(ME)) before.push(await ask(method, params as never));
    await create({ privateKey: KEY });
    for (const [index, [method, params]] of requests(ME).entries()) {
      const answer = await ask(method, params as never);
      expect([method, answer.error?.code]).toEqual([method, 4100]);
      expect(seenByPage(answer)).toEqual(seenByPage(before[index]!));
      expect(JSON.stringify(answer)).not.toContain(ME);
    }
  });

  it('gets the same for an account that it was not given, whether or not it exists', async () => {
    const { ask, connect, create } = await start();
    await create();
    await create({ privateKey: KEY });
    await connect();
    for (const [method, params] of requests(ME).filter(([, list]) => JSON.stringify(list).includes(ME))) {
      if (['eth_prepareUserOperation', 'eth_call', 'eth_getBalance'].includes(method)) continue;
      const theirs = await ask(method, params as never);
      const unknown = await ask(method, JSON.parse(JSON.stringify(params).replaceAll(ME, STRANGER)) as never);
      expect([method, theirs.error?.code]).toEqual([method, 4100]);
      expect(seenByPage(theirs)).toEqual(seenByPage(unknown));
    }
  });

  it.each([
    'metamask',
    'npm:@example/snap',
    'local:http://localhost:8080',
    'null',
    '',
    'file://',
    'chrome-extension://abcdefghijklmnop',
    'https://dapp.example/',
    'https://dapp.example:443',
    'https://DAPP.example',
    'https://dapp.example ',
    'https://user@dapp.example',
    'https://dаpp.example',
    'https://dapp.example\u202e',
  ])('is no site at all: %j', async (origin) => {
    const { ask } = await start();
    for (const method of ['eth_accounts', 'eth_requestAccounts', 'keystead_setChain', 'eth_chainId'])
      expect((await ask(method, [], origin)).error).toMatchObject({ code: 4100 });
  });

  it('reaches no keyring method and no unknown method', async () => {
    const { ask, connect, create } = await start();
    await create();
    await connect();
    for (const method of ['keyring_listAccounts', 'keyring_exportAccount', 'keyring_submitRequest', 'keyring_x'])
      expect((await ask(method, {})).error).toMatchObject({ code: 4100 });
    for (const method of [
      'eth_sign',
      'eth_sendRawTransaction',
      'toString',
      '__proto__',
      'constructor',
      'x'.repeat(5000),
    ]) {
      const { error } = await ask(method, []);
      expect(error).toMatchObject({ code: 4200 });
      expect(error!.message.length).toBeLessThan(100);
    }
  });
});
