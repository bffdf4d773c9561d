import { addToWallet } from '../../../src/companion/model/network';
import { SnapClient } from '../../../src/companion/model/snap-client';

const CHAIN = { chainId: 'eip155:31337', name: 'Devnet', symbol: 'ETH', rpcUrl: 'http://127.0.0.1:8545/v3/secret' };
const DEFAULTS = { wallet_addEthereumChain: () => null, eth_chainId: () => '0x7a69', net_version: () => '31337' };

type Answers = Readonly<Record<string, () => unknown>>;

/** Adds a network to a wallet. @param answers - What the wallet answers, by method. */
const added = (answers: Answers, asked: unknown[] = [], chain: object = CHAIN): Promise<string> => {
  const request = (method: string, params?: unknown): Promise<unknown> =>
    new Promise((resolve) => {
      asked.push({ method, params });
      resolve({ ...DEFAULTS, ...answers }[method as keyof typeof DEFAULTS]());
    });
  const wallet = { name: 'MetaMask', rdns: 'io.metamask', isSimulated: false, isFlask: false, provider: { request } };
  return addToWallet(new SnapClient({ ...wallet, request } as never, 'npm:keystead'), chain as never);
};
const fail = (): never => {
  throw new Error('fetch failed');
};

it('says that the network was added once its node answers', async () => {
  expect(await added({})).toBe('Added Devnet to the wallet.');
});

it('gives the wallet all that is known of the network (EIP-3085)', async () => {
  const asked: unknown[] = [];
  const gnosis = { chainId: 'eip155:100', rpcUrl: 'https://rpc.example.org' };
  expect(await added({ eth_chainId: () => '0x64' }, asked, gnosis)).toBe('Added Gnosis to the wallet.');
  expect(asked[0]).toEqual({
    method: 'wallet_addEthereumChain',
    params: [
      {
        chainId: '0x64',
        chainName: 'Gnosis',
        rpcUrls: ['https://rpc.example.org'],
        nativeCurrency: { name: 'XDAI', symbol: 'XDAI', decimals: 18 },
        blockExplorerUrls: ['https://gnosisscan.io'],
      },
    ],
  });
});

it('says how to choose the new URL if the wallet reaches no node, without the key in the URL', async () => {
  const failure = await added({ net_version: fail }).catch(({ message }: Error) => message);
  expect(failure).toContain('edit Devnet and choose 127.0.0.1:8545 as the default RPC URL');
  expect(failure).not.toContain('secret');
});

it('waits for 15 seconds for the node', async () => {
  jest.useFakeTimers();
  const adding = added({ net_version: () => new Promise(() => undefined) });
  const failure = expect(adding).rejects.toThrow('does not answer');
  await jest.advanceTimersByTimeAsync(15_000);
  await failure;
  jest.useRealTimers();
});

it('does not take the answer of another network’s node for this one’s', async () => {
  const asked = jest.fn(() => '0x1');
  expect(await added({ eth_chainId: () => '0x1', net_version: asked })).toContain('another network is selected');
  expect(asked).not.toHaveBeenCalled();
});

it('passes on that the person rejected', async () => {
  await expect(added({ wallet_addEthereumChain: fail })).rejects.toThrow('fetch failed');
});
