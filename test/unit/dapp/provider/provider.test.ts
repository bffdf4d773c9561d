import { version } from '../../../../package.json';
import {
  createKeysteadProvider,
  type KeysteadOptions,
  type KeysteadProvider,
  type ProviderEvent,
  ProviderRpcError,
  type RequestArguments,
} from '../../../../src/dapp/provider';
import { reply, serveJsonRpc } from '../../../helpers/json-rpc-server';
import { openPage } from '../../../helpers/page';
import { snapWallet } from '../../../helpers/snap-wallet-double';

const SNAP = 'npm:keystead';
const THERE = { [SNAP]: { version, enabled: true, blocked: false } };
const ALICE = '0x19d9fbD1eAc05da79914F7e0525D1C5B2EDc6c25';
const BOB = '0x3535353535353535353535353535353535353535';

/** A snap that knows a page's chain and accounts, and answers what it is told to. */
function simulatedSnap(answers: Record<string, (params: unknown) => unknown> = {}) {
  const state = { chainId: '0x7a69', accounts: [] as string[] };
  const snap = ({ method, params }: RequestArguments): unknown => {
    if (answers[method] !== undefined) return answers[method](params);
    if (method === 'eth_chainId') return state.chainId;
    if (method === 'eth_accounts') return state.accounts;
    if (method === 'eth_requestAccounts') return (state.accounts = [ALICE]);
    if (method === 'wallet_switchEthereumChain') {
      state.chainId = (params as [{ chainId: string }])[0].chainId;
      return null;
    }
    if (method === 'wallet_revokePermissions') {
      state.accounts = [];
      return null;
    }
    return `${method} of the snap`;
  };
  return { state, snap };
}

async function failureOf(request: Promise<unknown>): Promise<ProviderRpcError> {
  const error: unknown = await request.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ProviderRpcError);
  return error as ProviderRpcError;
}

/** Everything that a provider tells, in order. */
function eventsOf(provider: KeysteadProvider): unknown[] {
  const heard: unknown[] = [];
  for (const event of ['connect', 'disconnect', 'chainChanged', 'accountsChanged', 'message'] satisfies ProviderEvent[])
    provider.on(event, (value: unknown) => heard.push([event, value]));
  return heard;
}

const connected = (answers?: Record<string, (params: unknown) => unknown>, options: KeysteadOptions = {}) => {
  const simulated = simulatedSnap(answers);
  const wallet = snapWallet('io.metamask.flask', { installed: THERE, snap: simulated.snap });
  const provider = createKeysteadProvider({ wallet: wallet.provider, ...options });
  return { ...simulated, wallet, provider };
};

describe('before the page is connected', () => {
  const alone = (options: KeysteadOptions = {}) => {
    const wallet = snapWallet('io.metamask.flask', { snap: simulatedSnap().snap });
    return { wallet, provider: createKeysteadProvider({ wallet: wallet.provider, ...options }) };
  };

  it('tells no accounts, no permissions, and the chain it was told', async () => {
    const { wallet, provider } = alone({ chainId: 10 });
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([]);
    expect(await provider.request({ method: 'wallet_getPermissions' })).toEqual([]);
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0xa');
    expect(new Set(wallet.methods())).toEqual(new Set(['wallet_getSnaps']));
  });

  it('is on the first chain of its nodes, or on mainnet', async () => {
    const node = { request: () => Promise.resolve(null) };
    expect(await alone({ nodes: { 137: node } }).provider.request({ method: 'eth_chainId' })).toBe('0x89');
    expect(await alone().provider.request({ method: 'eth_chainId' })).toBe('0x1');
  });

  it('refuses what needs an account with 4100, and what needs a chain with 4900', async () => {
    const { wallet, provider } = alone();
    const account = await failureOf(provider.request({ method: 'personal_sign', params: ['0x00', ALICE] }));
    expect([account.code, account.message]).toEqual([4100, expect.stringContaining('call eth_requestAccounts first')]);
    expect((await failureOf(provider.request({ method: 'eth_blockNumber' }))).code).toBe(4900);
    expect(wallet.methods()).not.toContain('wallet_requestSnaps');
  });

  it('tells who connects that there is no wallet', async () => {
    jest.useFakeTimers();
    const page = openPage();
    const provider = createKeysteadProvider();
    const connecting = failureOf(provider.request({ method: 'eth_requestAccounts' }));
    await jest.advanceTimersByTimeAsync(1000);
    expect(await connecting).toMatchObject({
      code: 4900,
      message: expect.stringContaining('MetaMask Flask') as string,
    });
    const looking = provider.request({ method: 'eth_accounts' });
    await jest.advanceTimersByTimeAsync(1000);
    expect(await looking).toEqual([]);
    page.close();
    jest.useRealTimers();
  });
});

describe('connecting', () => {
  const fresh = (options: KeysteadOptions = {}, install?: () => unknown) => {
    const { snap } = simulatedSnap();
    const wallet = snapWallet('io.metamask.flask', { snap, ...(install && { install }) });
    return { wallet, provider: createKeysteadProvider({ wallet: wallet.provider, ...options }) };
  };
  const installsOf = (wallet: ReturnType<typeof snapWallet>) =>
    wallet.calls.filter(({ method }) => method === 'wallet_requestSnaps').map(({ params }) => params);

  it('installs the snap in the versions that fit this package, and tells what is new', async () => {
    const { wallet, provider } = fresh();
    const heard = eventsOf(provider);
    expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([ALICE]);
    expect(installsOf(wallet)).toEqual([{ [SNAP]: { version: `^${version}` } }]);
    expect(heard).toEqual([
      ['connect', { chainId: '0x7a69' }],
      ['chainChanged', '0x7a69'],
      ['accountsChanged', [ALICE]],
    ]);
  });

  it('installs what it is told to', async () => {
    const { wallet, provider } = fresh({ snapId: 'npm:other', version: '2.x' });
    await provider.request({ method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] });
    expect(installsOf(wallet)).toEqual([{ 'npm:other': { version: '2.x' } }]);
  });

  it('has a local snap installed once: the wallet would install it anew each time', async () => {
    const { wallet, provider } = fresh({ snapId: 'local:http://localhost:8080' });
    await provider.request({ method: 'eth_requestAccounts' });
    await provider.request({ method: 'eth_requestAccounts' });
    expect(installsOf(wallet)).toEqual([{ 'local:http://localhost:8080': {} }]);
  });

  it.each([
    ['the no of the person', { code: 4001, message: 'User rejected the request.', data: { a: 1 } }],
    ['an error of the wallet', Object.assign(new Error('Failed to fetch'), { code: -32603 })],
  ])('passes on %s', async (_name, refusal) => {
    const { provider } = fresh({}, () => {
      throw refusal;
    });
    const { name: _class, message, ...plain } = await failureOf(provider.request({ method: 'eth_requestAccounts' }));
    expect({ ...plain, message }).toEqual({ ...refusal, message: refusal.message });
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([]);
  });

  it.each([
    [
      'an error in the result',
      { [SNAP]: { error: { code: -32602, message: 'bad' } } },
      { code: -32602, message: 'bad' },
    ],
    ['a snap that is switched off', { [SNAP]: { enabled: false } }, { code: 4900, message: /switch it on/u }],
    ['a snap that is blocked', { [SNAP]: { blocked: true } }, { code: 4900, message: /did not install npm:keystead/u }],
    ['nothing', {}, { code: 4900, message: /did not install npm:keystead/u }],
  ])('refuses %s', async (_name, result, { code, message }) => {
    const error = await failureOf(fresh({}, () => result).provider.request({ method: 'eth_requestAccounts' }));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  it('asks once when it is asked twice', async () => {
    const { wallet, provider } = fresh();
    const request = () => provider.request({ method: 'eth_requestAccounts' });
    expect(await Promise.all([request(), request()])).toEqual([[ALICE], [ALICE]]);
    expect(installsOf(wallet)).toHaveLength(1);
    const asked = wallet.calls.filter(({ params }) => JSON.stringify(params)?.includes('eth_requestAccounts'));
    expect(asked).toHaveLength(1);
  });

  it('installs where the page chooses', async () => {
    const page = openPage();
    const flask = snapWallet('io.metamask.flask');
    const other = snapWallet('org.other', { snap: simulatedSnap().snap });
    page.announce(flask);
    page.announce(other);
    const provider = createKeysteadProvider({
      chooseWallet: (wallets) => wallets.find(({ info }) => info.rdns === 'org.other') ?? wallets[0],
    });
    expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([ALICE]);
    expect(flask.methods()).not.toContain('wallet_requestSnaps');
    page.close();
  });

  it('connects to a snap on which no chain is set up', async () => {
    const { provider } = connected({
      eth_chainId: () => {
        throw Object.assign(new Error('No chain is set up'), { code: 4900 });
      },
    });
    const heard = eventsOf(provider);
    expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([ALICE]);
    expect(heard).toEqual([['accountsChanged', [ALICE]]]);
    expect((await failureOf(provider.request({ method: 'eth_chainId' }))).code).toBe(4900);
  });
});

describe('requests', () => {
  it('of accounts go to the snap, as JSON', async () => {
    const seen: unknown[] = [];
    const { provider } = connected({ wallet_sendCalls: (params) => seen.push(params) && { id: '0x1' } });
    const params = [{ version: '2.0.0', id: undefined, calls: [{ to: BOB, data: undefined }] }];
    await provider.request({ method: 'wallet_sendCalls', params } as never);
    expect(seen).toStrictEqual([[{ version: '2.0.0', calls: [{ to: BOB }] }]]);
  });

  it.each([
    [{ method: 'eth_call', params: [{ value: 1n }] }, -32602, /must be JSON/u],
    [{}, -32602, /method: must be a string/u],
    [undefined, -32602, /must be an object/u],
    [{ method: 'wallet_invokeSnap', params: { snapId: SNAP } }, 4200, /wallet_invokeSnap/u],
    [{ method: 'wallet_getSnaps' }, 4200, /wallet_getSnaps/u],
    [{ method: 'wallet_invokeKeyring' }, 4200, /wallet_invokeKeyring/u],
    [{ method: 'keyring_listAccounts' }, 4200, /keyring_listAccounts/u],
    [{ method: 'snap_getEntropy' }, 4200, /snap_getEntropy/u],
  ])('%o is refused here', async (args, code, message) => {
    const { wallet, provider } = connected();
    const error = await failureOf(provider.request(args as never));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(wallet.calls).toEqual([]);
  });

  it.each([
    [
      { code: 4001, message: 'no', data: { code: 'user-rejected' } },
      { code: 4001, message: 'no' },
    ],
    [Object.assign(new Error('reverted'), { code: 3, data: '0x08c379a0' }), { code: 3, message: 'reverted' }],
    [new Error('no code'), { code: -32603, message: 'no code' }],
    ['a string', { code: -32603, message: 'The wallet failed without saying why.' }],
    [undefined, { code: -32603, message: 'The wallet failed without saying why.' }],
  ])('keep code, message and data of %o', async (thrown, expected) => {
    const { provider } = connected({
      personal_sign: () => {
        throw thrown as Error;
      },
    });
    const error = await failureOf(provider.request({ method: 'personal_sign', params: ['0x00', ALICE] }));
    expect(error).toMatchObject(expected);
    expect(error.data).toEqual((thrown as { data?: unknown } | undefined)?.data);
  });

  it('that may ask the person are made one after the other; others do not wait', async () => {
    const order: string[] = [];
    let answerFirst: (() => void) | undefined;
    const { provider } = connected({
      personal_sign: (params) => {
        const [message] = params as [string];
        order.push(`asked ${message}`);
        if (message !== '0x01') return 'signed';
        return new Promise((_resolve, reject) => {
          answerFirst = () => {
            order.push('refused 0x01');
            reject(Object.assign(new Error('no'), { code: 4001 }));
          };
        });
      },
    });
    const first = failureOf(provider.request({ method: 'personal_sign', params: ['0x01', ALICE] }));
    const second = provider.request({ method: 'personal_sign', params: ['0x02', ALICE] });
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a69');
    expect(order).toEqual(['asked 0x01']);
    answerFirst?.();
    expect((await first).code).toBe(4001);
    expect(await second).toBe('signed');
    expect(order).toEqual(['asked 0x01', 'refused 0x01', 'asked 0x02']);
  });

  it('that only read go to the snap where no node is configured', async () => {
    const { provider } = connected();
    expect(await provider.request({ method: 'eth_getUncleByBlockHashAndIndex', params: ['0x00', '0x0'] })).toBe(
      'eth_getUncleByBlockHashAndIndex of the snap',
    );
  });

  it('that only read go to the node of the chain that the page is on', async () => {
    const nodeOf = (chain: string) => ({
      request: ({ method }: RequestArguments) => Promise.resolve(`${method} of ${chain}`),
    });
    const { provider } = connected({}, { nodes: { 31337: nodeOf('31337'), 10: nodeOf('10') } });
    expect(await provider.request({ method: 'eth_blockNumber' })).toBe('eth_blockNumber of 31337');
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0xa' }] });
    expect(await provider.request({ method: 'eth_blockNumber' })).toBe('eth_blockNumber of 10');
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x1' }] });
    expect(await provider.request({ method: 'eth_blockNumber' })).toBe('eth_blockNumber of the snap');
    const method = 'eth_signTypedData_v4';
    expect(await provider.request({ method, params: [ALICE, '{}'] })).toBe(`${method} of the snap`);
  });

  it('for a transaction that the node does not know are the snap’s to answer: it may be a user operation', async () => {
    const hash = `0x${'ab'.repeat(32)}`;
    const node = { request: ({ method }: RequestArguments) => Promise.resolve(method === 'eth_call' ? '0x' : null) };
    const answers = { eth_getTransactionReceipt: () => ({ status: '0x1' }) };
    const { provider } = connected(answers, { nodes: { 31337: node } });
    expect(await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] })).toEqual({ status: '0x1' });
    expect(await provider.request({ method: 'eth_getBlockByHash', params: [hash, false] })).toBeNull();
    const alone = createKeysteadProvider({ wallet: snapWallet('io.metamask').provider, nodes: { 1: node } });
    expect(await alone.request({ method: 'eth_getTransactionReceipt', params: [hash] })).toBeNull();
  });

  it('to a URL come back with what the node says, its errors too', async () => {
    const seen: unknown[] = [];
    const server = await serveJsonRpc(({ id, method, params }, response) => {
      seen.push([method, params]);
      if (method === 'eth_blockNumber') reply(response, { id, result: '0x10' });
      else reply(response, { id, error: { code: 3, message: 'execution reverted: no', data: '0x08c379a0' } });
    });
    const { provider } = connected({}, { nodes: { 31337: server.url } });
    expect(await provider.request({ method: 'eth_blockNumber' })).toBe('0x10');
    const error = await failureOf(provider.request({ method: 'eth_call', params: [{ to: BOB }, 'latest'] }));
    expect(error).toMatchObject({ code: 3, message: 'execution reverted: no', data: '0x08c379a0' });
    const byName = await failureOf(provider.request({ method: 'eth_call', params: { to: BOB } }));
    expect(byName).toMatchObject({ code: -32602, message: 'params: must be a list' });
    await server.stop();
    const gone = await failureOf(provider.request({ method: 'eth_blockNumber' }));
    expect(gone).toMatchObject({ code: -32002, message: expect.stringContaining('could not be reached') as string });
    expect(seen).toEqual([
      ['eth_blockNumber', []],
      ['eth_call', [{ to: BOB }, 'latest']],
    ]);
  });

  it('cannot go to a node that nobody should talk to', () => {
    expect(() => createKeysteadProvider({ nodes: { 1: 'http://node.example' } })).toThrow(/url: must be an https URL/u);
  });
});

describe('a wallet that answers anything', () => {
  const NO_CHAIN = [null, 5, {}, '', '0x', '0x0', '0x01', '0xA', '31337', '0x1\n', `0x${'f'.repeat(17)}`, ['0x1']];
  const NO_ACCOUNTS = [null, 'x', {}, { length: 1 }, [5], [null], ['0x'], [ALICE, 'x'], [`${ALICE}00`], [[ALICE]]];

  it.each(NO_CHAIN)('is told that %j is no chain, and changes none', async (answer) => {
    const answers: Record<string, () => unknown> = {};
    const { provider } = connected(answers, { chainId: 10 });
    answers.eth_chainId = () => answer;
    const heard = eventsOf(provider);
    const error = await failureOf(provider.request({ method: 'eth_chainId' }));
    expect(error).toMatchObject({
      code: -32603,
      message: expect.stringContaining('eth_chainId: the wallet') as string,
    });
    expect(heard).toEqual([]);
    // The page stays on the chain that it was on, and hears of the next that is one.
    answers.eth_chainId = () => '0x7a69';
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a69');
    expect(heard).toEqual([
      ['connect', { chainId: '0x7a69' }],
      ['chainChanged', '0x7a69'],
    ]);
  });

  it.each(NO_ACCOUNTS)('is told that %j are no accounts, and changes none', async (answer) => {
    const answers: Record<string, () => unknown> = {};
    const { provider, state } = connected(answers);
    await provider.request({ method: 'eth_requestAccounts' });
    const heard = eventsOf(provider);
    for (const method of ['eth_accounts', 'eth_requestAccounts'] as const) {
      answers[method] = () => answer;
      const error = await failureOf(provider.request({ method }));
      expect(error).toMatchObject({
        code: -32603,
        message: expect.stringContaining(`${method}: the wallet`) as string,
      });
    }
    expect(heard).toEqual([]);
    Reflect.deleteProperty(answers, 'eth_accounts');
    state.accounts = [BOB];
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([BOB]);
    expect(heard).toEqual([['accountsChanged', [BOB]]]);
  });

  it('has its node asked on the chain that was the last', async () => {
    const answers: Record<string, () => unknown> = {};
    const node = { request: () => Promise.resolve('of the node') };
    const { provider } = connected(answers, { nodes: { 31337: node } });
    await provider.request({ method: 'eth_requestAccounts' });
    answers.eth_chainId = () => 'nonsense';
    await failureOf(provider.request({ method: 'eth_chainId' }));
    expect(await provider.request({ method: 'eth_blockNumber' })).toBe('of the node');
  });

  it.each([null, 5, 'x'])('has no snap where it says %j', async (snap) => {
    const installed = { [SNAP]: snap } as never;
    const wallet = snapWallet('io.metamask.flask', { installed, install: () => ({ [SNAP]: snap }) });
    const provider = createKeysteadProvider({ wallet: wallet.provider });
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([]);
    expect(await failureOf(provider.request({ method: 'eth_requestAccounts' }))).toMatchObject({
      code: 4900,
      message: `The wallet did not install ${SNAP}.`,
    });
  });
});

describe('events', () => {
  it('tell of another chain and other accounts', async () => {
    const { provider, state } = connected();
    await provider.request({ method: 'eth_requestAccounts' });
    const heard = eventsOf(provider);
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0xa' }] });
    state.accounts = [BOB, ALICE];
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([BOB, ALICE]);
    await provider.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] });
    expect(heard).toEqual([
      ['chainChanged', '0xa'],
      ['accountsChanged', [BOB, ALICE]],
      ['accountsChanged', []],
    ]);
  });

  it('tell nothing that is not new: neither the first look nor the same again', async () => {
    const { provider, state } = connected({}, { chainId: 31337 });
    state.accounts = [ALICE];
    const heard = eventsOf(provider);
    for (let time = 0; time < 2; time++) {
      await provider.request({ method: 'eth_accounts' });
      await provider.request({ method: 'eth_chainId' });
    }
    expect(heard).toEqual([['connect', { chainId: '0x7a69' }]]);
  });

  it.each([
    new Error('The Snap "npm:keystead" is not installed.'),
    { code: -32600, message: 'The snap "npm:keystead" is not connected to "https://dapp.example".' },
    { code: 4100, message: 'Unauthorized' },
  ])('tell that the snap was removed, once, and that it is back: %o', async (refusal) => {
    const { wallet, provider } = connected({
      personal_sign: () => {
        throw refusal as Error;
      },
    });
    await provider.request({ method: 'eth_requestAccounts' });
    const heard = eventsOf(provider);
    Reflect.deleteProperty(wallet.snaps, SNAP);
    const sign = () => provider.request({ method: 'personal_sign', params: ['0x00', ALICE] });
    const error = await failureOf(sign());
    expect(error).toMatchObject({ code: 4900, message: expect.stringContaining('was removed') as string });
    expect((await failureOf(sign())).code).toBe(4100);
    expect(heard).toEqual([
      ['accountsChanged', []],
      ['disconnect', error],
    ]);
    await provider.request({ method: 'eth_requestAccounts' });
    expect(heard.slice(2)).toEqual([
      ['connect', { chainId: '0x7a69' }],
      ['accountsChanged', [ALICE]],
    ]);
  });

  it('come when the page gets the focus back, as long as somebody listens', async () => {
    const page = openPage();
    const { provider, state, wallet } = connected();
    await provider.request({ method: 'eth_requestAccounts' });
    const news = new Promise((resolve) => {
      const listener = (accounts: readonly string[]): void => {
        provider.removeListener('accountsChanged', listener);
        resolve(accounts);
      };
      provider.on('accountsChanged', listener);
    });
    state.accounts = [];
    page.page.dispatchEvent(new Event('focus'));
    expect(await news).toEqual([]);
    const before = wallet.calls.length;
    page.page.dispatchEvent(new Event('focus'));
    expect(wallet.calls).toHaveLength(before);
    page.close();
  });

  it('of a node are passed on while somebody listens', () => {
    const listeners = new Set<(message: never) => void>();
    const node = {
      request: () => Promise.resolve(null),
      on: (_event: string, listener: (message: never) => void) => listeners.add(listener),
      removeListener: (_event: string, listener: (message: never) => void) => listeners.delete(listener),
    };
    const { provider } = connected({}, { nodes: { 1: node } });
    const heard: unknown[] = [];
    const listener = (message: unknown): void => {
      heard.push(message);
    };
    provider.on('message', listener);
    const news = { type: 'eth_subscription', data: { subscription: '0x1', result: {} } };
    for (const tell of listeners) tell(news as never);
    provider.removeListener('message', listener);
    expect([heard, listeners.size]).toEqual([[news], 0]);
  });

  it('reach every listener, also when one of them throws', async () => {
    jest.useFakeTimers();
    const { provider } = connected();
    const heard: unknown[] = [];
    provider.on('connect', () => {
      throw new Error('of the page');
    });
    provider.on('connect', (info) => heard.push(info));
    await provider.request({ method: 'eth_chainId' });
    expect(heard).toEqual([{ chainId: '0x7a69' }]);
    expect(() => jest.runAllTimers()).toThrow('of the page');
    jest.useRealTimers();
  });
});
