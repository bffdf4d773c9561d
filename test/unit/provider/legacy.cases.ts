import {
  createKeysteadProvider,
  type JsonRpcRequest,
  type JsonRpcResponse,
  ProviderRpcError,
} from '../../../src/provider';
import { pageWallet } from '../../support/wallet/page-wallet';
import { ALICE, BOB, connected, failureOf } from './connected';

const connectedToAlice = async () => {
  const page = connected({
    net_version: () => '31337',
    personal_sign: () => {
      throw Object.assign(new Error('no'), { code: 4001 });
    },
  });
  await page.provider.request({ method: 'eth_requestAccounts' });
  return page;
};

const accounts: JsonRpcRequest = { id: 7, jsonrpc: '2.0', method: 'eth_accounts', params: [] };
const sign: JsonRpcRequest = { id: 'x', method: 'personal_sign', params: ['0x00', ALICE] };

describe('the properties of a provider', () => {
  it('can be extended, as pages do', () => {
    const provider = connected().provider as unknown as Record<string, unknown>;
    provider.autoRefreshOnNetworkChange = false;
    expect(provider.autoRefreshOnNetworkChange).toBe(false);
  });

  it('say that it is Keystead, and that it is MetaMask only if an option says so', () => {
    expect(connected().provider).toMatchObject({ isKeystead: true });
    expect('isMetaMask' in connected().provider).toBe(false);
    expect('isMetaMask' in connected({}, { isMetaMask: false }).provider).toBe(false);
    expect(connected({}, { isMetaMask: true }).provider.isMetaMask).toBe(true);
  });

  it('follow the chain, the accounts and the connection', async () => {
    const { provider } = connected({}, { chainId: 10 });
    expect(provider).toMatchObject({ chainId: '0xa', networkVersion: '10', selectedAddress: null });
    expect(provider.isConnected()).toBe(false);
    expect(await provider.enable()).toEqual([ALICE]);
    expect(provider).toMatchObject({ chainId: '0x7a69', networkVersion: '31337', selectedAddress: ALICE });
    expect(provider.isConnected()).toBe(true);
  });
});

describe('send', () => {
  it('returns a promise of the response for a method and parameters', async () => {
    const { provider } = await connectedToAlice();
    expect(await provider.send('eth_accounts')).toEqual({ id: null, jsonrpc: '2.0', result: [ALICE] });
    expect((await failureOf(provider.send('personal_sign', ['0x00', ALICE]))).code).toBe(4001);
  });

  it('answers a request through a callback', async () => {
    const { provider } = await connectedToAlice();
    const answer = await new Promise((resolve) => {
      const isSent = provider.send(accounts, (error, response) => {
        resolve([error, response]);
      });
      expect(isSent).toBeUndefined();
    });
    expect(answer).toEqual([null, { id: 7, jsonrpc: '2.0', result: [ALICE] }]);
  });

  it('returns at once what the provider knows', async () => {
    const { provider } = await connectedToAlice();
    const resultOf = (method: string): unknown => provider.send({ id: 1, method }).result;
    expect(['eth_accounts', 'eth_chainId', 'eth_coinbase', 'net_version'].map(resultOf)).toEqual([
      [ALICE],
      '0x7a69',
      ALICE,
      '31337',
    ]);
    expect(connected().provider.send({ method: 'eth_coinbase' })).toEqual({ id: null, jsonrpc: '2.0', result: null });
  });

  it('says that it cannot return anything else at once', () => {
    expect(() => connected().provider.send({ method: 'eth_blockNumber' })).toThrow(
      new ProviderRpcError(
        4200,
        'send: cannot return the result of eth_blockNumber at once. Use request, which returns a promise.',
      ),
    );
  });
});

describe('every entry gives the same answer', () => {
  const METHODS = ['eth_accounts', 'eth_chainId', 'eth_coinbase', 'net_version'] as const;
  const answersOf = async (provider: Awaited<ReturnType<typeof connectedToAlice>>['provider'], method: string) => [
    await provider.request({ method }),
    (await provider.send(method)).result,
    (await provider.sendAsync({ method })).result,
    (await provider.sendAsync([{ method }]))[0]?.result,
    await new Promise((resolve) => {
      provider.send({ method }, (_error, { result }) => {
        resolve(result);
      });
    }),
    provider.send({ method }).result,
  ];

  it.each(METHODS)('to %s, connected or not', async (method) => {
    const alice = await connectedToAlice();
    const strangers = createKeysteadProvider({ wallet: pageWallet('io.metamask.flask').provider, chainId: 10 });
    const wanted = {
      eth_accounts: [[ALICE], []],
      eth_chainId: ['0x7a69', '0xa'],
      eth_coinbase: [ALICE, null],
      net_version: ['31337', '10'],
    }[method];
    expect(await answersOf(alice.provider, method)).toEqual(Array.from({ length: 6 }, () => wanted[0]));
    expect(await answersOf(strangers, method)).toEqual(Array.from({ length: 6 }, () => wanted[1]));
  });

  it('and eth_coinbase follows the accounts', async () => {
    const { provider, state } = await connectedToAlice();
    state.accounts = [BOB, ALICE];
    expect(await provider.request({ method: 'eth_coinbase' })).toBe(BOB);
    state.accounts = [];
    expect(await provider.request({ method: 'eth_coinbase' })).toBeNull();
  });
});

describe('sendAsync', () => {
  const answerTo = async (request: JsonRpcRequest) => {
    const { provider } = await connectedToAlice();
    return new Promise<[unknown, JsonRpcResponse]>((resolve) => {
      provider.sendAsync(request, (error, response) => {
        resolve([error, response]);
      });
    });
  };

  it('answers with the result', async () => {
    expect(await answerTo(accounts)).toEqual([null, { id: 7, jsonrpc: '2.0', result: [ALICE] }]);
  });

  it('answers with the error, which is in the response too', async () => {
    const [error, response] = await answerTo(sign);
    expect(error).toMatchObject({ code: 4001, message: 'no' });
    expect(response).toEqual({ id: 'x', jsonrpc: '2.0', error });
  });

  it('answers a batch with a response to each request', async () => {
    const { provider } = await connectedToAlice();
    const answer = await new Promise((resolve) => {
      provider.sendAsync([accounts, sign], (error, responses) => {
        resolve([error, responses]);
      });
    });
    expect(answer).toMatchObject([
      null,
      [
        { id: 7, result: [ALICE] },
        { id: 'x', error: { code: 4001 } },
      ],
    ]);
  });

  it('returns a promise of the responses if it has no callback', async () => {
    const { provider } = await connectedToAlice();
    expect(await provider.sendAsync(accounts)).toEqual({ id: 7, jsonrpc: '2.0', result: [ALICE] });
    expect(await provider.sendAsync([accounts, sign])).toMatchObject([
      { id: 7, result: [ALICE] },
      { id: 'x', error: { code: 4001 } },
    ]);
  });
});
