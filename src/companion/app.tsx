import { type VNode } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';

import { connectFailure, versionIn } from './model/connect-failure';
import { connectSnap } from './model/connect-snap';
import { isRejection, LockedError, RemovedError } from './model/errors';
import { onRemovalEnded, onUnlocked } from './model/look-again';
import { PASSKEYS_KEY } from './model/passkeys-key';
import { linkTo, useRoute } from './model/route';
import { readSnapData, SnapClient } from './model/snap-client';
import { type Devnet, type SnapData } from './model/types';
import { type HostWallet, watchWallets } from './model/wallets';
import { lazy } from './parts/lazy';
import { Locked } from './parts/locked';
import { Removing } from './parts/removing';
import { Shell } from './parts/shell';
import { Connect } from './views/connect';

/** Remembers the wallet and snap in use, so that a reload reconnects. */
const LAST_WALLET = 'keystead.last-wallet';
/** The development build that `npm start` serves. */
const DEFAULT_SNAP = 'local:http://localhost:8080';

/** Wallets announce themselves at once. One that does not, within this many milliseconds, is gone. */
const ANNOUNCED_WITHIN = 3000;

type LastWallet = { readonly rdns: string; readonly snapId: string };

function readLastWallet(): LastWallet | undefined {
  const stored = localStorage.getItem(LAST_WALLET);
  return stored === null ? undefined : (JSON.parse(stored) as LastWallet);
}

/** A guardian confirms a recovery with any wallet, without Keystead. */
const Recover = lazy(async () => (await import('./views/away')).Recover);

const Practice = lazy(async () => (await import('./views/away')).Practice);
const Lost = lazy(async () => (await import('./views/away')).Lost);

/** Everything behind the first screen, which stays small without it. */
const loadConnected = () => import('./connected');

const PasskeyAccount = lazy(async () => (await import('./views/everyday')).PasskeyAccount);
const PasskeyChoice = lazy(async () => (await import('./parts/passkey-choice')).PasskeyChoice);
type Started = {
  readonly client: SnapClient;
  readonly data: SnapData;
  readonly Connected: Awaited<ReturnType<typeof loadConnected>>['Connected'];
};

/** @returns The version that a wallet reports; undefined if it does not. Never opens a dialog. */
const versionOf = (wallet: HostWallet): Promise<string | undefined> =>
  wallet.request('web3_clientVersion').then(versionIn, () => undefined);

/** The companion page: the first screen until a wallet is connected, then the views. */
export function App({ devnet }: { readonly devnet: Devnet | undefined }): VNode {
  const [wallets, setWallets] = useState<readonly HostWallet[]>([]);
  const [versions, setVersions] = useState<Readonly<Record<string, string | undefined>>>({});
  const [locked, setLocked] = useState<SnapClient>();
  const [removing, setRemoving] = useState<SnapClient>();
  const [started, setStarted] = useState<Started>();
  const [isReconnecting, setReconnecting] = useState(() => readLastWallet() !== undefined);
  const snapId = devnet?.snapId ?? DEFAULT_SNAP;
  const [view, ...parts] = useRoute();
  // Somebody who has lost the phrase connects a wallet with a new one.
  const isNewPhrase = view === 'passkey' && parts[2] === 'new-phrase';

  const start = useCallback(async (client: SnapClient) => {
    try {
      const [data, { Connected }] = await Promise.all([readSnapData(client), loadConnected()]);
      localStorage.setItem(LAST_WALLET, JSON.stringify({ rdns: client.wallet.rdns, snapId: client.snapId }));
      client.onRemoved = () => {
        setStarted(undefined);
        setRemoving(client);
      };
      setStarted({ client, data, Connected });
    } catch (error) {
      if (error instanceof LockedError) setLocked(client);
      else if (error instanceof RemovedError) setRemoving(client);
      else throw error;
    }
  }, []);

  useEffect(() => {
    if (locked === undefined) return undefined;
    return onUnlocked(locked, () => {
      setLocked(undefined);
      // If this fails, the first screen stays and its buttons report the error.
      start(locked).catch(() => undefined);
    });
  }, [locked, start]);

  useEffect(() => {
    if (started === undefined) return undefined;
    // Back from the wallet, where Keystead may have been removed. A request that fails says so by itself.
    const look = (): void => {
      started.client.isConnected().then(
        (isThere) => {
          if (!isThere) started.client.onRemoved?.();
        },
        () => undefined,
      );
    };
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [started]);

  useEffect(() => {
    if (removing === undefined) return undefined;
    return onRemovalEnded(removing, (isThere) => {
      setRemoving(undefined);
      if (isThere) start(removing).catch(() => undefined);
    });
  }, [removing, start]);

  useEffect(() => {
    // The wallet may be gone: no announcement comes then.
    const gone = setTimeout(() => setReconnecting(false), ANNOUNCED_WITHIN);
    const stop = watchWallets((wallet) => {
      setWallets((before) => [...before.filter(({ rdns }) => rdns !== wallet.rdns), wallet]);
      if (!wallet.isSimulated)
        void versionOf(wallet).then((version) => setVersions((before) => ({ ...before, [wallet.rdns]: version })));
      const last = readLastWallet();
      if (last?.rdns !== wallet.rdns) return;
      clearTimeout(gone);
      const previous = new SnapClient(wallet, last.snapId);
      // Reconnecting is silent: if it fails, the first screen stays and its buttons report the error.
      previous
        .isConnected()
        .then((isConnected) => (isConnected ? start(previous) : undefined))
        .catch(() => undefined)
        .finally(() => setReconnecting(false));
    });
    return () => {
      stop();
      clearTimeout(gone);
    };
  }, [start]);

  if (view === 'passkey' && !isNewPhrase)
    return (
      <Shell>
        <PasskeyAccount key={String([parts[0], parts[1], parts[3]])} parts={parts} devnet={devnet} />
      </Shell>
    );
  if (started !== undefined) {
    const { client, data, Connected } = started;
    return <Connected client={client} devnet={devnet} first={data} />;
  }
  const isGuardians = view === 'recover' || view === 'practice';
  if (isReconnecting && !isGuardians)
    return (
      <Shell>
        <p class="status" role="status">
          Opening your accounts…
        </p>
      </Shell>
    );
  const key = parts.join('/');
  const isLost = view === 'lost' || isNewPhrase;
  if (isGuardians) {
    const Asked = view === 'recover' ? Recover : Practice;
    return (
      <Shell>
        <Asked key={key} parts={parts} devnet={devnet} />
      </Shell>
    );
  }
  return (
    <Shell>
      {locked === undefined ? null : <Locked wallet={locked.wallet} />}
      {removing === undefined ? null : <Removing wallet={removing.wallet} />}
      {localStorage.getItem(PASSKEYS_KEY) === null || isLost ? null : <PasskeyChoice />}
      {isLost ? null : (
        <p>
          <a href={linkTo('passkey')}>Open an account with a passkey</a>
        </p>
      )}
      {isNewPhrase ? (
        <PasskeyAccount parts={parts} devnet={devnet} />
      ) : isLost ? (
        <Lost key={key} parts={parts} devnet={devnet} />
      ) : null}
      {/* Whoever has not found the account yet does not need a wallet. */}
      {isLost && parts.length === 0 ? null : (
        <Connect
          isLost={isLost}
          wallets={wallets}
          versions={versions}
          snapId={snapId}
          onConnect={async (wallet, id, tell) => {
            const client = new SnapClient(wallet, id);
            try {
              await connectSnap(client, tell);
              await start(client);
            } catch (error) {
              if (isRejection(error)) throw error;
              const { protocol } = location;
              const attempt = { wallet, version: versions[wallet.rdns], snapId: id, protocol };
              // Without its cause, whose words would be shown instead.
              throw new Error(connectFailure(error, attempt));
            }
          }}
        />
      )}
    </Shell>
  );
}
