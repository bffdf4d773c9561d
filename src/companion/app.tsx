import { type VNode } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';

import { useRoute } from './model/route';
import { type Session, SessionContext, type SnapData } from './model/session';
import { SnapClient } from './model/snap-client';
import { type Account, type Chain, type Devnet, type Storage } from './model/types';
import { type HostWallet, watchWallets } from './model/wallets';
import { SetUp } from './parts/set-up';
import { Shell } from './parts/shell';
import { Accounts } from './views/accounts';
import { Backup } from './views/backup';
import { Connect } from './views/connect';
import { Connections } from './views/connections';
import { Explorer } from './views/explorer';
import { Files } from './views/files';
import { Send } from './views/send';
import { Settings } from './views/settings';
import { Sign } from './views/sign';
import { Uncles } from './views/uncles';

/** Remembers the wallet and snap in use, so that a reload reconnects. */
const LAST_WALLET = 'keystead.last-wallet';
/** The development build that `npm start` serves. */
const DEFAULT_SNAP = 'local:http://localhost:8080';

function View({ route: [view, first, second] }: { readonly route: readonly string[] }): VNode {
  switch (view) {
    case 'sign':
      return <Sign address={first} />;
    case 'send':
      return <Send address={first} />;
    case 'explorer':
      return <Explorer kind={first} id={second} />;
    case 'files':
      return <Files />;
    case 'backup':
      return <Backup />;
    case 'uncles':
      return <Uncles />;
    case 'connections':
      return <Connections />;
    case 'settings':
      return <Settings />;
    default:
      return (
        <>
          <SetUp />
          <Accounts />
        </>
      );
  }
}

type LastWallet = { readonly rdns: string; readonly snapId: string };

function readLastWallet(): LastWallet | undefined {
  const stored = localStorage.getItem(LAST_WALLET);
  return stored === null ? undefined : (JSON.parse(stored) as LastWallet);
}

async function readSnapData(client: SnapClient): Promise<SnapData> {
  const [accounts, chains, storage] = await Promise.all([
    client.keyring<readonly Account[]>('keyring_listAccounts'),
    client.dapp<readonly Chain[]>('keystead_getChains'),
    client.dapp<Storage | null>('keystead_getStorage'),
  ]);
  return { accounts, chains, storage };
}

/** The companion page: the first screen until a wallet is connected, then the views. */
export function App({ devnet }: { readonly devnet: Devnet | undefined }): VNode {
  const route = useRoute();
  const [wallets, setWallets] = useState<readonly HostWallet[]>([]);
  const [client, setClient] = useState<SnapClient>();
  const [data, setData] = useState<SnapData>();
  const snapId = devnet?.snapId ?? DEFAULT_SNAP;

  const start = useCallback(async (next: SnapClient) => {
    const first = await readSnapData(next);
    localStorage.setItem(LAST_WALLET, JSON.stringify({ rdns: next.wallet.rdns, snapId: next.snapId }));
    setData(first);
    setClient(next);
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

  const connect = async (wallet: HostWallet, id: string): Promise<void> => {
    const next = new SnapClient(wallet, id);
    await next.connect();
    await start(next);
  };

  const session = useMemo<Session | undefined>(
    () =>
      client === undefined || data === undefined
        ? undefined
        : {
            client,
            devnet,
            ...data,
            refresh: async () => {
              const latest = await readSnapData(client);
              setData(latest);
              return latest;
            },
          },
    [client, data, devnet],
  );

  if (session === undefined)
    return (
      <Shell current={undefined}>
        <Connect wallets={wallets} snapId={snapId} onConnect={connect} />
      </Shell>
    );
  return (
    <SessionContext.Provider value={session}>
      <Shell current={route[0] ?? 'accounts'}>
        <View route={route} key={route.join('/')} />
      </Shell>
    </SessionContext.Provider>
  );
}
