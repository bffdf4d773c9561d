import { expect } from '@jest/globals';
import { type Json } from '@metamask/snaps-sdk';
import { encodeAbiParameters, toHex } from 'viem';

import { type SiteMethods } from '../../../src/core/methods/sites';
import { type ForDapps, fromLocalPage, installForDapps, LOCAL_PAGE, seenByPage } from '../../support/dapp';
import { flat } from '../../support/screen-text';
import { NoAnswer, type SimulatedNode } from '../../support/simulated-node';
import { useEmptiedSnap } from '../../support/wallet/emptied';
import { CHAIN, connectedTo, FUNDED, startTakingNode } from './sending';

const emptied = useEmptiedSnap(installForDapps);
/** The nodes of these tests are on this machine, so the page is, too. */
const start = async (): Promise<ForDapps> => fromLocalPage(await emptied());

let node: SimulatedNode;
beforeEach(async () => {
  node = await startTakingNode();
});
afterEach(() => node.stop());

/** The contract that the node knows nothing of. Answers about contracts are kept while the snap runs. */
const NO_TOKEN = '0x00000000000000000000000000000000000000aa';
const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

describe('wallet_addEthereumChain', () => {
  const gnosis = (more: Record<string, Json> = {}): Json => [
    {
      chainId: '0x64',
      chainName: 'Gnosis',
      nativeCurrency: { name: 'xDAI', symbol: 'xDAI', decimals: 18 },
      rpcUrls: ['wss://rpc.example', node.url],
      blockExplorerUrls: ['https://gnosisscan.io'],
      iconUrls: [],
      ...more,
    },
  ];

  it('follows a switch that answers 4902: adds the network without a bundler, and switches to it', async () => {
    const { ask, dapp } = await connectedTo(node, await start());
    expect(await ask('wallet_switchEthereumChain', [{ chainId: '0x64' }])).toMatchObject({ error: { code: 4902 } });
    node.answers.eth_chainId = () => '0x64';
    const added = dapp('wallet_addEthereumChain', gnosis());
    const screen = await added.getInterface();
    for (const part of ['Add network', LOCAL_PAGE, node.url, 'https://gnosisscan.io'])
      expect(flat(screen.content)).toContain(part);
    expect(flat(screen.content)).not.toContain('Entry point');
    // Nothing is sent to a node that a site names before the person agrees.
    expect(node.asked).toEqual([]);
    await screen.ok();
    expect((await added).response).toEqual({ result: null });
    expect(node.asked.map(({ method }) => method)).toEqual(['eth_chainId']);
    expect(await ask('eth_chainId')).toEqual({ result: '0x64' });
    expect(await ask('eth_blockNumber')).toEqual({ result: '0x10' });
    expect(await ask('wallet_switchEthereumChain', [{ chainId: '0x7a69' }])).toEqual({ result: null });
  });

  it('changes nothing of a network that is set up, and asks nothing', async () => {
    const { ask } = await connectedTo(node, await start());
    const before = (await ask('keystead_getChains')).result;
    expect(await ask('wallet_addEthereumChain', gnosis({ chainId: '0x7a69' }))).toEqual({ result: null });
    expect((await ask('keystead_getChains')).result).toEqual(before);
  });

  it('is refused by the person, or because the node serves another network', async () => {
    const { ask, approve, dapp } = await connectedTo(node, await start());
    const rejected = dapp('wallet_addEthereumChain', gnosis());
    await (await rejected.getInterface()).cancel();
    expect((await rejected).response).toMatchObject({ error: { code: 4001 } });
    expect(node.asked).toEqual([]);
    expect(await approve('wallet_addEthereumChain', gnosis())).toMatchObject({
      error: { code: -32002, data: { code: 'service-failed' } },
    });
    expect(await ask('eth_chainId')).toEqual({ result: '0x7a69' });
  });

  it('works before the site is connected', async () => {
    node.answers.eth_chainId = () => '0x64';
    const { approve, ask } = await start();
    expect(await approve('wallet_addEthereumChain', gnosis())).toEqual({ result: null });
    expect(await ask('eth_chainId')).toEqual({ result: '0x64' });
  });

  it.each(['ok', 'cancel'] as const)(
    'does not tell a site that is not connected whether the network is set up: %s',
    async (button) => {
      const { ask, call, dapp } = await connectedTo(node, await start());
      const before = (await call('keystead_getChains')).result as Json[];
      const seenBySite = async (chainId: string, served: string) => {
        node.asked.splice(0);
        node.answers.eth_chainId = () => served;
        const request = dapp('wallet_addEthereumChain', gnosis({ chainId }), 'http://localhost:1234');
        const screen = await request.getInterface();
        const text = flat(screen.content);
        await screen[button]();
        const { response } = await request;
        return { text, site: [seenByPage(response), node.asked.map(({ method }) => method)] };
      };
      for (const isServed of [false, true]) {
        const known = await seenBySite('0x7a69', isServed ? '0x7a69' : '0x1');
        const fresh = await seenBySite('0x64', isServed ? '0x64' : '0x1');
        const withoutChain = (seen: unknown): string => JSON.stringify(seen).replace(/\b(?:31337|100)\b/gu, 'N');
        expect(withoutChain(known.site)).toBe(withoutChain(fresh.site));
        expect(known.text).toContain('If you approve, your settings stay as they are.');
        expect(fresh.text).not.toContain('already');
      }
      const after = (await call('keystead_getChains')).result as Json[];
      expect(after.length).toBe(button === 'ok' ? before.length + 1 : before.length);
      expect(after).toEqual(expect.arrayContaining(before));
      expect(await ask('eth_chainId')).toEqual({ result: '0x7a69' });
    },
  );

  it.each<[string, Record<string, Json>]>([
    ['chain.chainId', { chainId: 100 }],
    ['chain.rpcUrls', { rpcUrls: [] }],
    ['chain.rpcUrls', { rpcUrls: ['http://rpc.example', 'wss://rpc.example'] }],
    ['chain.nativeCurrency.decimals', { nativeCurrency: { name: 'x', symbol: 'X', decimals: 8 } }],
    ['chain.nativeCurrency.symbol', { nativeCurrency: { name: 'x', symbol: '', decimals: 18 } }],
    ['chain.chainName', { chainName: 'Gn\u043esis' }],
  ])('names the field that is wrong: %s', async (field, more) => {
    const { ask } = await connectedTo(node, await start());
    expect((await ask('wallet_addEthereumChain', gnosis(more))).error).toMatchObject({
      code: -32602,
      data: { code: 'invalid-params', field },
    });
  });
});

describe('a node that a site added', () => {
  const nodeOf = (keystead: ForDapps) => async (): Promise<Json | undefined> =>
    ((await keystead.call('keystead_getChains')).result as Record<string, Json>[])[0]?.nodeFrom;
  const chain = () => ({ chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url });
  const screenOfPayment = async ({ ask, dapp }: ForDapps): Promise<string> => {
    const [from = ''] = (await ask<string[]>('eth_accounts', [])).result ?? [];
    const request = dapp('eth_sendTransaction', [{ from, to: TOKEN, value: '0x1', gas: '0x5208' }]);
    const screen = await request.getInterface();
    await screen.cancel();
    await request;
    return flat(screen.content);
  };

  it('says what it will tell, is named on every preview as what it is, and no more once the person vouches for it', async () => {
    const keystead = await start();
    const adding = keystead.dapp('keystead_setChain', chain());
    const screen = await adding.getInterface();
    expect(flat(screen.content)).toContain('what previews show, and it can say untrue things.');
    await screen.ok();
    // What the site gets says nothing of it.
    expect((await adding).response.result).not.toHaveProperty('nodeFrom');
    await keystead.create({});
    await keystead.connect();
    Object.assign(node.answers, {
      ...FUNDED,
      eth_gasPrice: () => '0x1',
      eth_call: () => '0x',
      eth_getCode: () => '0x',
    });
    const { host } = new URL(node.url);
    expect(await screenOfPayment(keystead)).toContain(`Simulated by ${host}, a node that ${LOCAL_PAGE} added`);

    const page = (await keystead.snap.onHomePage()).getInterface();
    const home = flat(page.content as never);
    for (const part of ['Nodes that sites added', host, LOCAL_PAGE]) expect(home).toContain(part);
    const button = /"(vouch:[^"]+)"/u.exec(JSON.stringify(page.content))?.[1] ?? '';
    expect(button).not.toContain(host);
    await page.clickElement(button);
    expect(await nodeOf(keystead)()).toBeUndefined();
    expect(flat((await keystead.snap.onHomePage()).getInterface().content as never)).not.toContain('Nodes that sites');
    expect(await screenOfPayment(keystead)).toContain(`Simulated by ${host}. It would succeed now`);
  });

  it('keeps its site while others change other settings, and is the person’s own if they set it up', async () => {
    const keystead = await start();
    const added = nodeOf(keystead);
    await keystead.approve('keystead_setChain', chain());
    expect(await added()).toBe(LOCAL_PAGE);
    await keystead.approve('keystead_setChain', { ...chain(), name: 'Mine' }, 'http://localhost:1234');
    expect(await added()).toBe(LOCAL_PAGE);
    const own = keystead.send('keystead_setChain', { ...chain(), name: 'My own' });
    await (await own.getInterface()).ok();
    await own;
    expect(await added()).toBeUndefined();
    await keystead.approve('keystead_setChain', { ...chain(), name: 'Mine' }, 'http://localhost:1234');
    expect(await added()).toBeUndefined();
  });

  it('does not get the trust that another one was shown with', async () => {
    const keystead = await start();
    await keystead.approve('keystead_setChain', chain());
    const page = (await keystead.snap.onHomePage()).getInterface();
    const button = /"(vouch:[^"]+)"/u.exec(JSON.stringify(page.content))?.[1] ?? '';
    await keystead.approve('keystead_setChain', { ...chain(), rpcUrl: `${node.url}/other` }, 'http://localhost:1234');
    await page.clickElement(button);
    expect(await nodeOf(keystead)()).toBe('http://localhost:1234');
  });
});

it('a network without a bundler is set up with keystead_setChain too, and smart accounts cannot send on it', async () => {
  const { approve, ask, connect, create } = await start();
  expect((await approve('keystead_setChain', { chainId: CHAIN, rpcUrl: node.url })).error).toBeUndefined();
  const { address } = await create({ type: 'eip155:erc4337', chainId: CHAIN });
  await connect();
  expect((await ask('eth_sendTransaction', [{ from: address, to: TOKEN, value: '0x1' }])).error).toMatchObject({
    code: 4901,
    message: expect.stringContaining('has no bundler') as unknown,
  });
});

it('settings that would not change are not asked about, for a connected site', async () => {
  const { ask, approve } = await connectedTo(node, await start());
  const params = { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url };
  expect(await ask('keystead_setChain', params)).toMatchObject({ result: { chainId: CHAIN, rpcUrl: node.url } });
  expect((await approve('keystead_setChain', { ...params, name: 'Mine' })).result).toMatchObject({ name: 'Mine' });
  // A site that is not connected must not learn what is set up.
  expect(
    (await approve('keystead_setChain', { ...params, name: 'Mine' }, 'http://localhost:1234')).error,
  ).toBeUndefined();
});

describe('wallet_watchAsset', () => {
  const says = (symbol: string, decimals: bigint) => {
    node.answers.eth_call = ([call]) =>
      (call as { data: string }).data === '0x95d89b41'
        ? encodeAbiParameters([{ type: 'string' }], [symbol])
        : toHex(decimals, { size: 32 });
  };
  const token = (options: Record<string, Json> = {}): Json => ({
    type: 'ERC20',
    options: { address: TOKEN, symbol: 'TST', decimals: 4, image: 'https://dapp.example/logo.png', ...options },
  });

  it('shows what the contract says, stores it, and asks nothing the second time', async () => {
    says('TST', 4n);
    const { ask, dapp, call } = await connectedTo(node, await start());
    const watched = dapp('wallet_watchAsset', token());
    const screen = await watched.getInterface();
    for (const part of ['Watch a token', LOCAL_PAGE, 'TST', TOKEN, 'Network Network 31337'])
      expect(flat(screen.content)).toContain(part);
    expect(flat(screen.content)).not.toContain('differently');
    await screen.ok();
    expect((await watched).response).toEqual({ result: true });
    expect(await ask('wallet_watchAsset', token())).toEqual({ result: true });
    expect(await ask('wallet_watchAsset', [token()] as Json)).toEqual({ result: true });
    // Under another name it is shown again, and not accepted in silence.
    const renamed = dapp('wallet_watchAsset', token({ symbol: 'USDC' }));
    await (await renamed.getInterface()).cancel();
    expect((await renamed).response).toMatchObject({ error: { code: 4001 } });
    const stored = [{ chainId: CHAIN, address: TOKEN, symbol: 'TST', decimals: 4 }];
    expect((await call('keystead_getTokens', {})).result).toEqual(stored);
    expect((await call('keystead_removeToken', { chainId: CHAIN, address: TOKEN })).result).toBeNull();
    expect((await call('keystead_getTokens', {})).result).toEqual([]);
    expect((await ask('keystead_getTokens')).error).toMatchObject({ code: 4200 });
  });

  it('shows where the site says something else, and keeps what the contract says', async () => {
    says('SCAM', 18n);
    const { dapp, call } = await connectedTo(node, await start());
    const watched = dapp('wallet_watchAsset', token());
    const screen = await watched.getInterface();
    expect(flat(screen.content)).toContain('The site calls it “TST”, its contract calls it “SCAM”.');
    expect(flat(screen.content)).toContain('The site says 4 decimals, its contract says 18.');
    await screen.ok();
    await watched;
    expect((await call('keystead_getTokens', {})).result).toMatchObject([{ symbol: 'SCAM', decimals: 18 }]);
  });

  it('takes decimals as text, as MetaMask does', async () => {
    says('TST', 4n);
    const { dapp } = await connectedTo(node, await start());
    const asset = { type: 'ERC20', options: { address: TOKEN, symbol: 'TST', decimals: '4' } } as const;
    // The table that the provider's types come from allows it, too.
    const watched = dapp('wallet_watchAsset', asset satisfies SiteMethods['wallet_watchAsset']['params']);
    const screen = await watched.getInterface();
    expect(flat(screen.content)).not.toContain('differently');
    await screen.ok();
    expect((await watched).response).toEqual({ result: true });
  });

  it('warns of a symbol that is the coin of the network or of a known token', async () => {
    const { approve, ask, dapp } = await connectedTo(node, await start());
    const textFor = async (symbol: string, address: string) => {
      says(symbol, 6n);
      const request = dapp('wallet_watchAsset', token({ address, symbol, decimals: 6 }));
      const screen = await request.getInterface();
      await screen.cancel();
      await request;
      return flat(screen.content);
    };
    const at = (last: string) => `0x00000000000000000000000000000000000001${last}`;
    expect(await textFor('ETH', at('01'))).toContain('Keystead knows a token with the symbol “ETH” at another address');
    expect(await textFor('USDC', at('02'))).not.toContain('Keystead knows');
    node.answers.eth_chainId = () => '0x1';
    await approve('keystead_setChain', { chainId: 'eip155:1', rpcUrl: node.url });
    expect(await ask('wallet_switchEthereumChain', [{ chainId: '0x1' }])).toEqual({ result: null });
    expect(await textFor('usdc', at('03'))).toContain(
      'Keystead knows a token with the symbol “usdc” at another address',
    );
    // Only the bundled file lists UNI.
    expect(await textFor('UNI', at('04'))).toContain('Keystead knows a token with the symbol “UNI” at another address');
    expect(await textFor('UNI', '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984')).not.toContain('Keystead knows');
  });

  it('does not say of a token that it is none because the node does not answer', async () => {
    node.answers.eth_call = () => {
      throw new NoAnswer('down');
    };
    const { ask } = await connectedTo(node, await start());
    expect((await ask('wallet_watchAsset', token())).error).toMatchObject({ code: -32002 });
  });

  it('is refused by the person, with nothing stored', async () => {
    says('TST', 4n);
    const { dapp, call } = await connectedTo(node, await start());
    const rejected = dapp('wallet_watchAsset', token());
    await (await rejected.getInterface()).cancel();
    expect((await rejected).response).toMatchObject({ error: { code: 4001 } });
    expect((await call('keystead_getTokens', {})).result).toEqual([]);
  });

  it.each<[string, Json]>([
    ['asset.type', { type: 'ERC721', options: { address: TOKEN } }],
    ['asset.options.address', { type: 'ERC20', options: { address: '0x12' } }],
    ['asset.options.address', { type: 'ERC20', options: { address: NO_TOKEN } }],
    ['asset.options.decimals', { type: 'ERC20', options: { address: NO_TOKEN, decimals: '256' } }],
    ['asset.options.chainId', { type: 'ERC20', options: { address: NO_TOKEN, chainId: 1 } }],
  ])('names the field that is wrong: %s in %j', async (field, params) => {
    const { ask } = await connectedTo(node, await start());
    expect((await ask('wallet_watchAsset', params)).error).toMatchObject({ code: -32602, data: { field } });
  });
});

describe('what a remote site may not name: a service on this machine', () => {
  const REMOTE = 'https://remote.example';
  const PORT = ':5001/api/v0/repo/gc?x=1';
  const LOCAL = [
    ...['http://127.0.0.1', 'https://127.0.0.1', 'http://127.1.2.3', 'http://localhost', 'https://localhost'],
    ...['http://[::1]', 'https://[::1]', 'HTTP://LOCALHOST', 'http://LocalHost'],
  ].map((host) => `${host}${PORT}`);
  /** Spellings and private hosts that no page may name. */
  const REFUSED = [
    ...['http://127.1', 'http://2130706433', 'http://0x7f.1', 'http://0177.0.0.1', 'http://127.0.0.1.'],
    ...['http://localhost.', 'http://foo.localhost', 'https://foo.localhost', 'http://0.0.0.0', 'https://0.0.0.0'],
    ...['https://[::]', 'https://[::ffff:127.0.0.1]', 'https://[::ffff:7f00:1]', 'https://[0:0:0:0:0:0:0:1]'],
    ...[
      'https://192.168.0.1',
      'https://10.0.0.1',
      'https://169.254.169.254',
      'https://router.local',
      'https://[fe80::1]',
    ],
    ...['https://１２７.0.0.1', 'https://user@localhost', 'https://localhost\\@node.example', 'https://printer'],
  ].map((host) => `${host}${PORT}`);
  const PUBLIC = 'https://node.example';

  it.each([...LOCAL, ...REFUSED])('%s, in keystead_setChain', async (url) => {
    const { ask } = await start();
    for (const member of ['rpcUrl', 'bundlerUrl', 'paymasterUrl', 'explorerUrl']) {
      const params = { chainId: '0x539f', rpcUrl: PUBLIC, [member]: url };
      expect((await ask('keystead_setChain', params, REMOTE)).error).toMatchObject({
        code: -32602,
        data: { field: `params.${member}` },
      });
    }
  });

  it.each([...LOCAL, ...REFUSED])('%s, in wallet_addEthereumChain', async (url) => {
    const { ask, dapp } = await start();
    expect((await ask('wallet_addEthereumChain', [{ chainId: '0x539f', rpcUrls: [url] }], REMOTE)).error).toMatchObject(
      { code: -32602, data: { field: 'chain.rpcUrls' } },
    );
    const chain = { chainId: '0x539f', rpcUrls: [url, PUBLIC], blockExplorerUrls: [url, 'https://scan.example'] };
    const request = dapp('wallet_addEthereumChain', [chain], REMOTE);
    const screen = await request.getInterface();
    expect(flat(screen.content)).toContain(PUBLIC);
    expect(flat(screen.content)).toContain('https://scan.example');
    expect(flat(screen.content)).not.toContain('5001');
    await screen.cancel();
    await request;
  });

  it('nor learn that it is set up, with a connection or without', async () => {
    const { ask, connect } = await connectedTo(node, await start());
    const params = { chainId: CHAIN, rpcUrl: node.url, bundlerUrl: node.url };
    const answers = [await ask('keystead_setChain', params, REMOTE)];
    await connect(REMOTE);
    answers.push(await ask('keystead_setChain', params, REMOTE));
    answers.push(await ask('keystead_setChain', { ...params, chainId: '0x539f' }, REMOTE));
    expect(new Set(answers.map((answer) => JSON.stringify(seenByPage(answer)))).size).toBe(1);
    expect(answers[0]!.error).toMatchObject({ data: { field: 'params.rpcUrl' } });
  });
});

describe('what a hostile site may try', () => {
  /** Reverses the text, hides in it, and starts a new line. */
  const TRICKS = ['\u202e', '\u200b', '\u2066', '\n'];
  const tricky = `US${TRICKS.join('')}DC`;
  const added = (more: Record<string, Json>): Json => [{ chainId: '0x539f', rpcUrls: [node.url], ...more }];

  it.each<[string, Record<string, Json>]>([
    ...TRICKS.map((trick): [string, Record<string, Json>] => ['chain.chainName', { chainName: `My${trick}chain` }]),
    ['chain.nativeCurrency.symbol', { nativeCurrency: { symbol: 'E\u200bTH', decimals: 18 } }],
    ['chain.nativeCurrency.symbol', { nativeCurrency: { symbol: '000', decimals: 18 } }],
    ['chain.rpcUrls', { rpcUrls: ['https://rpc.example/\u202e'] }],
    ['chain.rpcUrls', { rpcUrls: ['https://rpc.example\n@evil.example'] }],
    ['chain.rpcUrls', { rpcUrls: ['https://mainnet.example@evil.example'] }],
    ['chain.rpcUrls', { rpcUrls: ['https://192.168.1.1'] }],
  ])('names %s of %j, without a dialog', async (field, more) => {
    const { ask } = await connectedTo(node, await start());
    expect((await ask('wallet_addEthereumChain', added(more))).error).toMatchObject({ code: -32602, data: { field } });
  });

  it('a network cannot take the name of another, and its name is only what the site says', async () => {
    const { dapp } = await connectedTo(node, await start());
    const request = dapp(
      'wallet_addEthereumChain',
      added({ chainName: 'Ethereum Mainnet', blockExplorerUrls: ['javascript:alert(1)', 'https://a.example/?b'] }),
    );
    const screen = await request.getInterface();
    expect(flat(screen.content)).toContain(
      'Network 21407 (“Ethereum Mainnet” is ignored: it resembles Ethereum (chain 1))',
    );
    expect(flat(screen.content)).toContain('Its name and symbol are only what this request says.');
    expect(flat(screen.content)).not.toMatch(/javascript|a\.example/u);
    await screen.cancel();
    await request;
  });

  it.each(['Ethereum Mainnet (chain 1)', 'Etherium', 'Ethereum - main net, verified', 'The Ethereum'])(
    'a network called %s is shown by its number, also on later screens',
    async (chainName) => {
      const { ask, create, dapp } = await connectedTo(node, await start());
      const request = dapp('wallet_addEthereumChain', added({ chainName }));
      const screen = await request.getInterface();
      expect(flat(screen.content)).toContain(
        `Network 21407 (“${chainName}” is ignored: it resembles Ethereum (chain 1))`,
      );
      node.answers.eth_chainId = () => '0x539f';
      await screen.ok();
      await request;
      await create();
      const [from] = (await ask<string[]>('eth_accounts')).result!;
      const sending = dapp('eth_sendTransaction', [{ from: from!, to: TOKEN, value: '0x1' }]);
      const later = await sending.getInterface();
      expect(flat(later.content)).toContain('Network 21407');
      expect(flat(later.content)).not.toContain('Ether');
      await later.cancel();
      await sending;
    },
  );

  it('a node that answers for another network later is not sent anything', async () => {
    const { approve, ask, create } = await connectedTo(node, await start());
    node.answers.eth_chainId = () => '0x539f';
    await approve('wallet_addEthereumChain', added({}));
    node.answers.eth_chainId = () => '0x1';
    const { address } = await create();
    await approve('wallet_requestPermissions', [{ eth_accounts: { restrictReturnedAccounts: [address] } }]);
    expect(await ask('eth_chainId')).toEqual({ result: '0x539f' });
    expect((await ask('eth_sendTransaction', [{ from: address, to: TOKEN, value: '0x1' }])).error).toMatchObject({
      code: -32002,
    });
    expect(node.asked.map(({ method }) => method)).not.toContain('eth_sendRawTransaction');
  });

  it('text of the site and of the contract is written out and shortened', async () => {
    node.answers.eth_call = ([call]) =>
      (call as { data: string }).data === '0x95d89b41'
        ? encodeAbiParameters([{ type: 'string' }], [tricky])
        : toHex(6, { size: 32 });
    const { dapp } = await connectedTo(node, await start());
    const symbol = `${tricky}${'x'.repeat(1000)}`;
    const address = '0x00000000000000000000000000000000000000bb';
    const request = dapp('wallet_watchAsset', { type: 'ERC20', options: { address, symbol } });
    const screen = await request.getInterface();
    const shown = flat(screen.content);
    expect(TRICKS.slice(0, 3).filter((trick) => shown.includes(trick))).toEqual([]);
    expect(shown).toContain('The site calls it “US\\u{202e}\\u{200b}\\u{2066}\\u{a}DCxxx');
    expect(shown).not.toContain('x'.repeat(50));
    await screen.cancel();
    expect((await request).response.error).toMatchObject({ code: 4001 });
  });
});
