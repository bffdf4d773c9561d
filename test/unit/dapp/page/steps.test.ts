import { recoverAccounts } from '../../../../src/dapp/page/core/recover';
import { setUpDevnet } from '../../../../src/dapp/page/core/set-up';
import { SnapClient } from '../../../../src/dapp/page/core/snap-client';
import { type Devnet } from '../../../../src/dapp/page/core/types';

type Request = { readonly method: string; readonly params?: unknown };

/** The snap in a wallet that answers what it is told to, and what was asked of both. */
function recorded(answers: Readonly<Record<string, (params: never) => unknown>> = {}) {
  const asked: Request[] = [];
  const request = <T>(how: string, params?: unknown): Promise<T> => {
    const { request: inner = { method: how, params } } = (params ?? {}) as { readonly request?: Request };
    asked.push(inner);
    return Promise.resolve((answers[inner.method]?.(inner.params as never) ?? null) as T);
  };
  const wallet = { name: 'Wallet', rdns: 'io.metamask.flask', isSimulated: false, request };
  return { asked, client: new SnapClient(wallet, 'npm:keystead') };
}

const CHAIN = 'eip155:31337';

describe('recovering accounts', () => {
  it('creates every kind that was found, Safes too', async () => {
    const paths = ["m/0'", "m/4337'/7'/0'", "m/4337'/7'/1'/0'", "m/4337'/8'/0'"];
    const { asked, client } = recorded({
      keystead_discoverAccounts: ({ groupIndex }: { readonly groupIndex: number }) =>
        groupIndex > 0 ? [] : paths.map((derivationPath) => ({ scopes: [CHAIN], derivationPath })),
      keyring_listAccounts: () => [],
    });
    await recoverAccounts(client, [{ chainId: CHAIN, rpcUrl: 'http://localhost:1' }]);
    const smart = { type: 'eip155:erc4337', chainId: CHAIN, index: 0 };
    expect(asked.filter(({ method }) => method === 'keyring_createAccount').map(({ params }) => params)).toEqual([
      { options: { type: 'eip155:eoa' } },
      { options: { ...smart, entryPointVersion: '0.7' } },
      { options: { ...smart, kind: 'safe-0.7' } },
      { options: { ...smart, entryPointVersion: '0.8' } },
    ]);
  });
});

describe('setting a devnet up', () => {
  const storage = { url: 'http://127.0.0.1:5001', key: 'key', secret: 'secret' };
  const chain = {
    chainId: CHAIN,
    name: 'Devnet',
    rpcUrl: 'http://127.0.0.1:8545/key',
    bundlerUrl: 'http://127.0.0.1:4337',
  } as const;
  const devnet: Devnet = { snapId: 'local:', executorUrl: '', chain, storage };

  it.each([
    ['nothing', { chains: [], storage: null }, ['keystead_setChain', 'wallet_addEthereumChain', 'keystead_setStorage']],
    ['the storage', { chains: [], storage }, ['keystead_setChain', 'wallet_addEthereumChain']],
    ['the chain', { chains: [chain], storage: null }, ['wallet_addEthereumChain', 'keystead_setStorage']],
  ])('where %s is set up already does the rest', async (_what, known, methods) => {
    const { asked, client } = recorded();
    await setUpDevnet(client, devnet, known);
    expect(asked.map(({ method }) => method)).toEqual(methods);
  });
});
