import { type VNode } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';

import { readSnapData, SnapClient } from './model/snap-client';
import { type Devnet, type SnapData } from './model/types';
import { type HostWallet, watchWallets } from './model/wallets';
import { Shell } from './parts/shell';
import { Connect } from './views/connect';

/** Remembers the wallet and snap in use, so that a reload reconnects. */
const LAST_WALLET = 'keystead.last-wallet';
/** The development build that `npm start` serves. */
const DEFAULT_SNAP = 'local:http://localhost:8080';

type LastWallet = { readonly rdns: string; readonly snapId: string };

function readLastWallet(): LastWallet | undefined {
  const stored = localStorage.getItem(LAST_WALLET);
  return stored === null ? undefined : (JSON.parse(stored) as LastWallet);
}

/** Everything behind the first screen, which stays small without it. */
const loadConnected = () => import('./connected');

type Started = {
  readonly client: SnapClient;
  readonly data: SnapData;
  readonly Connected: Awaited<ReturnType<typeof loadConnected>>['Connected'];
};

/** The companion page: the first screen until a wallet is connected, then the views. */
export function App({ devnet }: { readonly devnet: Devnet | undefined }): VNode {
  const [wallets, setWallets] = useState<readonly HostWallet[]>([]);
  const [started, setStarted] = useState<Started>();
  const snapId = devnet?.snapId ?? DEFAULT_SNAP;

  const start = useCallback(async (client: SnapClient) => {
    const [data, { Connected }] = await Promise.all([readSnapData(client), loadConnected()]);
    localStorage.setItem(LAST_WALLET, JSON.stringify({ rdns: client.wallet.rdns, snapId: client.snapId }));
    setStarted({ client, data, Connected });
  }, []);

  useEffect(
    () =>
      watchWallets((wallet) => {
        setWallets((before) => [...before.filter(({ rdns }) => rdns !== wallet.rdns), wallet]);
        const last = readLastWallet();
        if (last?.rdns !== wallet.rdns) return;
        const previous = new SnapClient(wallet, last.snapId);
        // Reconnecting is silent: if it fails, the first screen stays and its buttons report the error.
        previous.isConnected().then(
          (isConnected) => (isConnected ? start(previous) : undefined),
          () => undefined,
        );
      }),
    [start],
  );

  if (started !== undefined) {
    const { client, data, Connected } = started;
    return <Connected client={client} devnet={devnet} first={data} />;
  }
  return (
    <Shell>
      <Connect
        wallets={wallets}
        snapId={snapId}
        onConnect={async (wallet, id) => {
          const client = new SnapClient(wallet, id);
          await client.connect();
          await start(client);
        }}
      />
    </Shell>
  );
}
