import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { announceKeystead } from 'keystead/provider';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { defineChain, formatEther, parseEther } from 'viem';
import { devnet } from 'virtual:devnet';
import {
  createConfig,
  http,
  useBalance,
  useCallsStatus,
  useConnect,
  useConnection,
  useConnectors,
  useDisconnect,
  useSendCalls,
  WagmiProvider,
} from 'wagmi';

const chain = defineChain({
  id: 31337,
  name: devnet.chain.name,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [devnet.chain.rpcUrl] } },
});

const { provider } = announceKeystead({ snapId: devnet.snapId, chainId: chain.id });
/** Wagmi finds announced wallets by itself, so there is no connector to configure. */
const config = createConfig({ chains: [chain], transports: { [chain.id]: http() } });

const PEOPLE = ['0x14dC79964da2C08b23698B3D3cc7Ca32193d9955', '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f'];

function Connect() {
  const connectors = useConnectors();
  const { mutate: connect, error, isPending } = useConnect();
  const keystead = connectors.find(({ id }) => id === 'app.keystead');
  const onClick = async () => {
    const { chainId, rpcUrl, bundlerUrl, name } = devnet.chain;
    // Keystead needs a bundler to send what a smart account does; wallet_addEthereumChain cannot name one.
    await provider.request({ method: 'keystead_setChain', params: { chainId, rpcUrl, bundlerUrl, name } });
    connect({ connector: keystead });
  };
  return (
    <>
      <button disabled={keystead === undefined || isPending} onClick={onClick}>
        Connect
      </button>
      <output>{error?.message ?? 'Press Connect.'}</output>
    </>
  );
}

function Account({ address }) {
  const { data: balance, refetch } = useBalance({ address });
  const { mutate: disconnect } = useDisconnect();
  const { mutate: sendCalls, data: sent, error, isPending } = useSendCalls();
  const { data: calls } = useCallsStatus({
    id: sent?.id ?? '',
    query: {
      enabled: sent !== undefined,
      refetchInterval: ({ state }) => (state.data?.status === 'success' ? false : 1000),
    },
  });
  const [refusal, setRefusal] = useState();

  const fund = async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch('/faucet', { method: 'POST', headers, body: JSON.stringify({ address }) });
    setRefusal((await answer.json()).error);
    await refetch();
  };
  const pay = () => sendCalls({ calls: PEOPLE.map((to, index) => ({ to, value: parseEther(`0.${index + 1}`) })) });

  const transaction = calls?.receipts?.[0]?.transactionHash;
  const progress =
    error?.message ??
    refusal ??
    (transaction && `The payments: ${calls.status} in transaction ${transaction}.`) ??
    (sent && 'Sent. Waiting until it is included…');
  return (
    <>
      <p>
        {address} has {balance === undefined ? '…' : formatEther(balance.value)} ETH.
      </p>
      <button onClick={fund}>Get test ether</button> <button onClick={() => disconnect()}>Disconnect</button>{' '}
      <button disabled={isPending} onClick={pay}>
        Pay two people
      </button>
      <output>{progress}</output>
    </>
  );
}

function App() {
  const { address } = useConnection();
  return (
    <>
      <h1>Two payments, one confirmation</h1>
      {address === undefined ? <Connect /> : <Account address={address} />}
    </>
  );
}

createRoot(document.querySelector('#root')).render(
  <StrictMode>
    <WagmiProvider config={config}>
      <QueryClientProvider client={new QueryClient()}>
        <App />
      </QueryClientProvider>
    </WagmiProvider>
  </StrictMode>,
);
