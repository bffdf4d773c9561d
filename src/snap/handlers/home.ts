import { type JSXElement } from '@metamask/snaps-sdk/jsx';

import { type StorageRepository } from '../backup/repository';
import { type SigningDeps } from '../accounts/sign-request';
import { takeBack } from '../batches/take-back';
import { findDelegations } from '../delegations/find-delegations';
import { type LookUpDeps } from '../batches/deps';
import { lookUpPending } from '../batches/look-up';
import { type PermissionRepository } from '../permissions/repository';
import { type Mutex } from '../platform/mutex';
import { utcTime } from '../../core/decode/time';
import { isSmart, type StoredAccount } from '../accounts/account';
import { storedName } from '../accounts/account-name';
import { unlessDamaged } from '../accounts/repository';
import { type Redraw } from '../platform/dialogs';
import { CONFIRM_FIELD, type HomeAccount, HomeScreen, SETTINGS_FORM } from '../ui/home';
import { TAKE_BACK } from '../ui/home/delegations';
import { DISCONNECT, type HomeSite, LOOK_UP } from '../ui/home/sites';
import { UserRejectedError } from '../../core/errors';
import { AddressStruct } from '../../core/schemas/address';
import { ChainNameStruct } from '../../core/schemas/chain';
import { enums, string, type } from '../../core/schemas/struct';

/** The dependencies of the home page. */
export type HomeDeps = LookUpDeps &
  SigningDeps & {
    readonly permissions: PermissionRepository;
    readonly mutations: Mutex;
    readonly storage: StorageRepository;
    /** @returns The parts of the state in which something cannot be read. */
    readonly damagedParts: () => Promise<string[]>;
  };

const homeAccount = (stored: StoredAccount): HomeAccount => ({
  address: stored.account.address,
  name: storedName(stored),
  recoverable: stored.key.source === 'derived',
});

/** The connected sites, each with the addresses of its accounts that still exist. */
async function homeSites({ permissions }: HomeDeps, stored: readonly StoredAccount[]): Promise<HomeSite[]> {
  return Object.entries(await permissions.all()).map(([origin, { accounts }]) => ({
    origin,
    addresses: stored.flatMap(({ account }) => (accounts.includes(account.id) ? [account.address] : [])),
  }));
}

/** Renders the home page from the current state. */
export async function drawHome(deps: HomeDeps, saved = false): Promise<JSXElement> {
  const { accounts, batches, chains, storage } = deps;
  const [stored, { confirmSignatures }, sent, backup, damaged, damagedParts] = await Promise.all([
    unlessDamaged(accounts.list(), []),
    accounts.settings(),
    batches.list(),
    storage.lastBackup(),
    chains.damaged(),
    deps.damagedParts(),
  ]);
  const eoas = stored.flatMap((one) => (isSmart(one) ? [] : [one.account.address]));
  const [sites, delegations] = await Promise.all([
    homeSites(deps, stored),
    chains.list().then((configured) => findDelegations(eoas, configured, deps.delegates)),
  ]);
  return HomeScreen({
    accounts: stored.map(homeAccount),
    delegations,
    sites,
    batches: sent.toReversed(),
    confirmSignatures,
    damaged,
    saved,
    damagedParts,
    ...(backup !== undefined && { backup: { cid: backup.cid, createdAt: utcTime(BigInt(backup.createdAt)) } }),
  });
}

const SettingsEventStruct = type({
  type: enums(['FormSubmitEvent']),
  name: enums([SETTINGS_FORM]),
  value: type({ [CONFIRM_FIELD]: enums(['never', 'always']) }),
});

const ButtonEventStruct = type({ type: enums(['ButtonClickEvent']), name: string() });

/** Rejecting the dialog only leaves things as they are. */
async function onTakeBack(deps: HomeDeps, named: string): Promise<void> {
  const [chainId, account] = named.split(' ');
  if (!ChainNameStruct.is(chainId) || !AddressStruct.is(account)) return;
  await takeBack(account, chainId, deps).catch((error: unknown) => {
    if (!(error instanceof UserRejectedError)) throw error;
  });
}

/** @returns Whether the button is one of the page's. */
async function onButton(deps: HomeDeps, name: string): Promise<boolean> {
  if (name === LOOK_UP) await lookUpPending(deps);
  else if (name.startsWith(DISCONNECT))
    await deps.mutations.runExclusive(() => deps.permissions.remove(name.slice(DISCONNECT.length)));
  else if (name.startsWith(TAKE_BACK)) await onTakeBack(deps, name.slice(TAKE_BACK.length));
  else return false;
  return true;
}

/**
 * Handles input on the home page: a button disconnects a site or checks the status of calls, and the form saves the
 * settings. Other input has no effect.
 */
export async function onHomeInput(deps: HomeDeps, redraw: Redraw, interfaceId: string, event: unknown): Promise<void> {
  if (ButtonEventStruct.is(event) && (await onButton(deps, event.name)))
    await redraw(interfaceId, await drawHome(deps));
  if (!SettingsEventStruct.is(event)) return;
  await deps.mutations.runExclusive(() =>
    deps.accounts.changeSettings({ confirmSignatures: event.value[CONFIRM_FIELD] }),
  );
  await redraw(interfaceId, await drawHome(deps, true));
}
