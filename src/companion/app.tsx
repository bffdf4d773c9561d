import { type VNode } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';

import { useRoute } from './model/route';
import { type Known, type Session, SessionContext } from './model/session';
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

/** Which wallet and snap were used last, so that a reload goes on where it was. */
const LAST = 'keystead.last-wallet';
const SERVED_SNAP = 'local:http://localhost:8080';

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

type Used = { readonly rdns: string; readonly snapId: string };

function lastUsed(): Used | undefined {
  const stored = localStorage.getItem(LAST);
  return stored === null ? undefined : (JSON.parse(stored) as Used);
}

async function readKnown(client: SnapClient): Promise<Known> {
  const [accounts, chains, storage] = await Promise.all([
    client.keyring<readonly Account[]>('keyring_listAccounts'),
    client.dapp<readonly Chain[]>('keystead_getChains'),
    client.dapp<Storage | null>('keystead_getStorage'),
  ]);
  return { accounts, chains, storage };
}

/** The page: not connected, or with everything that a connected wallet lets it do. */
export function App({ devnet }: { readonly devnet: Devnet | undefined }): VNode {
  const route = useRoute();
  const [wallets, setWallets] = useState<readonly HostWallet[]>([]);
  const [client, setClient] = useState<SnapClient>();
  const [known, setKnown] = useState<Known>();
  const snapId = devnet?.snapId ?? SERVED_SNAP;

  const use = useCallback(async (next: SnapClient) => {
    const first = await readKnown(next);
    localStorage.setItem(LAST, JSON.stringify({ rdns: next.wallet.rdns, snapId: next.snapId }));
    setKnown(first);
    setClient(next);
  }, []);

  useEffect(
    () =>
      watchWallets((wallet) => {
        setWallets((before) => [...before.filter(({ rdns }) => rdns !== wallet.rdns), wallet]);
        const last = lastUsed();
        if (last?.rdns !== wallet.rdns) return;
        const again = new SnapClient(wallet, last.snapId);
        // If it does not come up by itself, the first screen is there to say why.
        again.isConnected().then(
          (isConnected) => (isConnected ? use(again) : undefined),
          () => undefined,
        );
      }),
    [use],
  );

  const connect = async (wallet: HostWallet, id: string): Promise<void> => {
    const next = new SnapClient(wallet, id);
    await next.connect();
    await use(next);
  };

  const session = useMemo<Session | undefined>(
    () =>
      client === undefined || known === undefined
        ? undefined
        : {
            client,
            devnet,
            ...known,
            refresh: async () => {
              const now = await readKnown(client);
              setKnown(now);
              return now;
            },
          },
    [client, known, devnet],
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
