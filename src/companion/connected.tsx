import { type VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { readContacts } from './model/contacts';
import { isSafe, withNames } from './model/account-name';
import { onUnlocked } from './model/look-again';
import { useRoute } from './model/route';
import { type Session, SessionContext } from './model/session';
import { readSnapData, type SnapClient } from './model/snap-client';
import { type Tabs, watchTabs } from './model/tabs';
import { type Devnet, type SnapData } from './model/types';
import { lazy } from './parts/lazy';
import { Locked } from './parts/locked';
import { titleOf } from './parts/sections';
import { Shell } from './parts/shell';
import { Home } from './views/home';

const AccountView = lazy(async () => (await import('./views/everyday')).AccountView);
const Activity = lazy(async () => (await import('./views/everyday')).Activity);
const AddAccount = lazy(async () => (await import('./views/add-account')).AddAccount);
const Backup = lazy(async () => (await import('./views/backup')).Backup);
const Connections = lazy(async () => (await import('./views/connections')).Connections);
const Contacts = lazy(async () => (await import('./views/everyday')).Contacts);
const Developer = lazy(async () => (await import('./views/developer')).Developer);
const Explorer = lazy(async () => (await import('./views/explorer')).Explorer);
const Files = lazy(async () => (await import('./views/files')).Files);
const GuardiansView = lazy(async () => (await import('./views/guardians')).GuardiansView);
const Lost = lazy(async () => (await import('./views/away')).Lost);
const Practice = lazy(async () => (await import('./views/away')).Practice);
const PractisedView = lazy(async () => (await import('./views/away')).PractisedView);
const Recover = lazy(async () => (await import('./views/away')).Recover);
const Recovery = lazy(async () => (await import('./views/recovery')).Recovery);
const RecoveryAlarms = lazy(async () => (await import('./parts/recovery-alarms')).RecoveryAlarms);
const Owners = lazy(async () => (await import('./views/everyday')).Owners);
const PasskeyAccount = lazy(async () => (await import('./views/everyday')).PasskeyAccount);
const Permissions = lazy(async () => (await import('./views/permissions')).Permissions);
const Proposals = lazy(async () => (await import('./views/everyday')).Proposals);
const Send = lazy(async () => (await import('./views/everyday')).Send);
const Settings = lazy(async () => (await import('./views/settings')).Settings);
const Sign = lazy(async () => (await import('./views/sign')).Sign);
const Uncles = lazy(async () => (await import('./views/uncles')).Uncles);

/** Each view by its name in the link, made from the parts that follow the name. */
const VIEWS = new Map<string, (parts: readonly string[], devnet: Devnet | undefined) => VNode>([
  ['account', ([address]) => <AccountView address={address} />],
  ['add-account', () => <AddAccount />],
  ['owners', ([address, chainId]) => <Owners address={address} chainId={chainId} />],
  ['passkey', (parts, devnet) => <PasskeyAccount parts={parts} devnet={devnet} />],
  ['permissions', ([address]) => <Permissions address={address} />],
  ['proposals', ([step, which]) => <Proposals step={step} which={which} />],
  ['send', ([address, token]) => <Send address={address} token={token} />],
  ['activity', () => <Activity />],
  ['recovery', () => <Recovery />],
  ['guardians', ([address]) => <GuardiansView address={address} />],
  ['recover', (parts, devnet) => <Recover parts={parts} devnet={devnet} />],
  ['practice', (parts, devnet) => <Practice parts={parts} devnet={devnet} />],
  ['practised', (parts) => <PractisedView parts={parts} />],
  ['lost', (parts, devnet) => <Lost parts={parts} devnet={devnet} />],
  ['connections', () => <Connections />],
  ['settings', () => <Settings />],
  ['backup', () => <Backup />],
  ['contacts', () => <Contacts />],
  ['developer', () => <Developer />],
  ['sign', ([address]) => <Sign address={address} />],
  ['explorer', ([kind, id]) => <Explorer kind={kind} id={id} />],
  ['files', () => <Files />],
  ['uncles', () => <Uncles />],
]);

type ViewProps = { readonly route: readonly string[]; readonly devnet: Devnet | undefined };

const View = ({ route: [view = 'home', ...parts], devnet }: ViewProps): VNode =>
  VIEWS.get(view)?.(parts, devnet) ?? <Home />;

type Props = { readonly client: SnapClient; readonly devnet: Devnet | undefined; readonly first: SnapData };

const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const named = (data: SnapData) => ({ ...data, accounts: withNames(data.accounts) });

/** The page with a connected wallet. */
export function Connected({ client, devnet, first }: Props): VNode {
  const route = useRoute();
  const [data, setData] = useState(() => named(first));
  const [isLocked, setLocked] = useState(false);
  const [unlocks, setUnlocks] = useState(0);
  const [changes, setChanges] = useState(0);
  const tabs = useRef<Tabs | undefined>(undefined);
  const session = useMemo<Session>(
    () => ({
      client,
      devnet,
      ...data,
      unlocks,
      changes,
      changed: () => tabs.current?.tell(),
      refresh: async () => {
        const latest = named(await readSnapData(client));
        setData(latest);
        tabs.current?.tell();
        return latest;
      },
    }),
    [client, data, devnet, unlocks, changes],
  );
  useEffect(() => void readContacts(client), [client, data]);
  useEffect(() => {
    const watched = watchTabs(() => {
      setChanges((before) => before + 1);
      readSnapData(client).then(
        (latest) => {
          // The same data must not render everything again.
          setData((before) => (isSameJson(before, named(latest)) ? before : named(latest)));
        },
        () => undefined,
      );
    });
    tabs.current = watched;
    return () => watched.close();
  }, [client]);
  useEffect(() => {
    client.onLocked = () => setLocked(true);
    return () => {
      client.onLocked = undefined;
    };
  }, [client]);
  useEffect(() => {
    if (!isLocked) return undefined;
    return onUnlocked(client, () => {
      setLocked(false);
      setUnlocks((before) => before + 1);
      session.refresh().catch(() => undefined);
    });
  }, [client, isLocked]);
  const [view = 'home'] = route;
  return (
    <SessionContext.Provider value={session}>
      <Shell current={titleOf(view) === undefined ? 'home' : view}>
        {isLocked ? <Locked wallet={client.wallet} /> : null}
        {data.accounts.some(isSafe) ? <RecoveryAlarms /> : null}
        <View route={route} devnet={devnet} key={route.join('/')} />
      </Shell>
    </SessionContext.Provider>
  );
}
