import { ConnectButton, RainbowKitProvider } from '@rainbow-me/rainbowkit';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { announceKeystead } from 'keystead/provider';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createConfig, http, useAccount, WagmiProvider } from 'wagmi';
import { foundry } from 'wagmi/chains';

const { snapId, rpcUrl } = globalThis.devnet;
announceKeystead({ snapId });
const chain = { ...foundry, rpcUrls: { default: { http: [rpcUrl] } } };
const config = createConfig({ chains: [chain], transports: { [chain.id]: http() } });

function Account() {
  const { address, chainId, status } = useAccount();
  return createElement('output', null, `${status} ${address ?? ''} ${chainId ?? ''}`);
}

const inside = createElement(RainbowKitProvider, null, createElement(ConnectButton), createElement(Account));
const queries = createElement(QueryClientProvider, { client: new QueryClient() }, inside);
createRoot(globalThis.document.querySelector('main')).render(createElement(WagmiProvider, { config }, queries));
