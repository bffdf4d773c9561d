import { type SigningDeps } from '../account/deps';
import { type JSXElement } from '@metamask/snaps-sdk/jsx';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';

import { type StorageRepository } from '../account/backup/repository';
import { takeBack } from '../send/take-back';
import { findDelegations } from '../account/delegations/find-delegations';
import { type BatchDeps } from '../send/deps';
import { lookUpPending } from '../send/look-up';
import { oneForEachHash } from '../send/one-for-each-hash';
import { HOME_PAGE } from '../../core/schemas/origin';
import { utcTime } from '../../core/decode/words/time';
import { isSmart, type StoredAccount } from '../account/account';
import { type DisplayNames, namesIn } from '../account/names';
import { cancelRecovery } from '../send/cancel-recovery';
import { type Replacement } from '../../core/calls/replacement';
import { replaceCalls } from '../send/replace-calls';
import { shownBatch } from './shown-batch';
import { networkTitle } from '../../core/networks/network';
import { shownAlarm, shownNotices } from '../account/alarmed';
import { lookAtSafes } from '../account/look-at-safes';
import { unlessDamaged } from '../account/repository';
import { type LookDeps } from '../account/recoveries/look';
import { isAlarm, isNotice } from '../account/recoveries/repository';
import { type Redraw, type Tell } from '../wallet/dialogs';
import { homeAccounts } from './home-accounts';
import { createByForm } from '../sites/new-account';
import { CONFIRM_FIELD, CREATE_ACCOUNT, HomeScreen, type HomeRecoveries, SETTINGS_FORM } from '../screens/home';
import { CANCEL_RECOVERY } from '../screens/recovery-alarm';
import { type HomeDelegation, TAKE_BACK } from '../screens/home/delegations';
import { type HomeNode, VOUCH } from '../screens/home/nodes';
import { NotDoneScreen } from '../screens/parts';
import { checkAuthorizations } from './check-authorizations';
import { homeSigned } from './home-signed';
import { CANCEL, DISCONNECT, type HomeSite, LOOK_UP, SPEED_UP } from '../screens/home/sites';
import { KeysteadError, UserRejectedError } from '../../core/errors';
import { toHex } from '../../core/eth/bytes';
import { AddressStruct } from '../../core/schemas/address';
import { chainIdOf, ChainNameStruct } from '../../core/schemas/chain';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { previewedBy } from '../../core/decode/previewed-by';
import { enums, string, type } from '../../core/structs/struct';

/** The dependencies of the home page. */
export type HomeDeps = BatchDeps &
  LookDeps & {
    readonly storage: StorageRepository;
    readonly tell: Tell;
    /** @returns The parts of the state in which something cannot be read, in a person's words. */
    readonly damagedParts: () => Promise<string[]>;
  };

/** The connected sites, each with its accounts that still exist. */
async function homeSites(
  { permissions }: Pick<HomeDeps, 'permissions'>,
  stored: readonly StoredAccount[],
  { names }: DisplayNames,
): Promise<HomeSite[]> {
  return Object.entries(await permissions.all()).map(([origin, { accounts }]) => ({
    origin,
    accounts: stored.flatMap(({ account: { address, id } }) =>
      accounts.includes(id) ? [names[address.toLowerCase()] ?? ''] : [],
    ),
  }));
}

/** The delegations of the externally owned accounts, by name. */
async function homeDelegations(
  { chains, delegates }: Pick<HomeDeps, 'chains' | 'delegates'>,
  stored: readonly StoredAccount[],
  { names, networks }: DisplayNames,
): Promise<HomeDelegation[]> {
  const eoas = stored.flatMap((one) => (isSmart(one) ? [] : [one.account.address]));
  const found = await findDelegations(eoas, await chains.list(), delegates);
  return found.map((delegation) => {
    const chainId = chainIdOf(delegation.chainId);
    return {
      ...delegation,
      accountName: names[delegation.account.toLowerCase()] ?? '',
      networkTitle: networkTitle(chainId, networks[chainId.toString()]),
    };
  });
}

/** Tells a node from others in the name of a button, without its URL, which may contain a key. */
const nodeDigest = ({ rpcUrl, nodeFrom }: ChainConfiguration): string =>
  toHex(keccak256(new TextEncoder().encode(`${nodeFrom} ${rpcUrl}`)));

/** The nodes that sites added, unless the person has vouched for them. */
const homeNodes = (configured: readonly ChainConfiguration[]): HomeNode[] =>
  configured.flatMap((chain) => {
    const { chainId, nodeFrom } = chain;
    return nodeFrom === undefined
      ? []
      : [
          {
            networkTitle: networkTitle(chainIdOf(chainId), chain),
            node: previewedBy(chain).name,
            site: nodeFrom,
            button: `${chainId} ${nodeDigest(chain)}`,
          },
        ];
  });

/** The recoveries that have begun, each with what its button cancels, and what else there is to say of them. */
async function homeRecoveries(
  deps: Pick<HomeDeps, 'accounts' | 'chains' | 'mutations' | 'now' | 'recoveries'>,
  names: DisplayNames,
): Promise<HomeRecoveries> {
  const found = await lookAtSafes(deps);
  return {
    alarms: found.filter(isAlarm).map((alarm) => ({
      shown: shownAlarm(alarm, names, deps.now()),
      button: [alarm.chainId, alarm.account, alarm.module].join(' '),
    })),
    notices: shownNotices(found.filter(isNotice), names),
  };
}

/** Renders the home page from the current state. */
export async function drawHome(deps: HomeDeps, saved = false): Promise<JSXElement> {
  const { accounts, batches, chains, storage } = deps;
  const [stored, names, { confirmSignatures }, sent, backup, damaged, configured, damagedParts] = await Promise.all([
    unlessDamaged(accounts.list(), []),
    namesIn(deps),
    accounts.settings(),
    batches.read(),
    storage.lastBackup(),
    chains.damaged(),
    chains.list(),
    deps.damagedParts(),
  ]);
  const [shownAccounts, sites, delegations, kept, recoveries] = await Promise.all([
    homeAccounts(stored, names, configured),
    homeSites(deps, stored, names),
    homeDelegations(deps, stored, names),
    checkAuthorizations(deps),
    homeRecoveries(deps, names),
  ]);
  return HomeScreen({
    ...recoveries,
    accounts: shownAccounts,
    delegations,
    nodes: homeNodes(configured),
    signed: homeSigned(kept, names, deps.now()),
    sites,
    batches: oneForEachHash(sent)
      .toReversed()
      .map((batch) => shownBatch(batch, names)),
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

/**
 * Rejecting the dialog only leaves things as they are. Any other failure is shown, because a page cannot receive it.
 */
const telling =
  ({ tell }: Pick<HomeDeps, 'tell'>, title: string) =>
  async (error: unknown): Promise<void> => {
    if (!(error instanceof KeysteadError)) throw error;
    if (!(error instanceof UserRejectedError)) await tell(NotDoneScreen({ title, why: error.message }));
  };

async function onTakeBack(
  deps: SigningDeps & Pick<HomeDeps, 'batches' | 'consent' | 'onApproved' | 'scheduleLookUp' | 'tell'>,
  named: string,
): Promise<void> {
  const [chainId, account] = named.split(' ');
  if (!ChainNameStruct.is(chainId) || !AddressStruct.is(account)) return;
  await takeBack({ address: account, chainId, origin: HOME_PAGE }, deps).catch(
    telling(deps, 'The account is still upgraded'),
  );
}

const onReplace = async (
  deps: SigningDeps & Pick<HomeDeps, 'batches' | 'companions' | 'consent' | 'scheduleLookUp' | 'tell'>,
  hash: string,
  how: Replacement,
): Promise<void> => {
  await replaceCalls({ hash, how, origin: HOME_PAGE }, deps).catch(telling(deps, 'Nothing was replaced'));
};

async function onCancelRecovery(deps: HomeDeps, named: string): Promise<void> {
  const [chainId, address, module] = named.split(' ');
  if (!ChainNameStruct.is(chainId) || !AddressStruct.is(address) || !AddressStruct.is(module)) return;
  const place = { chainId, address, module, origin: HOME_PAGE };
  await cancelRecovery(place, deps).catch(telling(deps, 'The recovery was not cancelled'));
}

/** Vouches for the node that the page showed, and for no other that a site put in its place since. */
async function onVouch({ chains, mutations }: Pick<HomeDeps, 'chains' | 'mutations'>, named: string): Promise<void> {
  const [chainId, digest] = named.split(' ');
  await mutations.runExclusive(async () => {
    const shown = (await chains.list()).find((chain) => chain.chainId === chainId && nodeDigest(chain) === digest);
    if (shown === undefined) return;
    const { nodeFrom: _vouchedFor, ...configuration } = shown;
    await chains.put(configuration);
  });
}

/** @returns Whether the button is one of the page's. */
async function onButton(deps: HomeDeps, name: string): Promise<boolean> {
  if (name === CREATE_ACCOUNT) await createByForm(HOME_PAGE, deps).catch(telling(deps, 'No account was created'));
  else if (name === LOOK_UP) await lookUpPending(deps);
  else if (name.startsWith(DISCONNECT))
    await deps.mutations.runExclusive(() => deps.permissions.remove(name.slice(DISCONNECT.length)));
  else if (name.startsWith(SPEED_UP)) await onReplace(deps, name.slice(SPEED_UP.length), 'speed-up');
  else if (name.startsWith(CANCEL)) await onReplace(deps, name.slice(CANCEL.length), 'cancel');
  else if (name.startsWith(CANCEL_RECOVERY)) await onCancelRecovery(deps, name.slice(CANCEL_RECOVERY.length));
  else if (name.startsWith(VOUCH)) await onVouch(deps, name.slice(VOUCH.length));
  else if (name.startsWith(TAKE_BACK)) await onTakeBack(deps, name.slice(TAKE_BACK.length));
  else return false;
  return true;
}

/**
 * Handles input on the home page: a button creates an account, disconnects a site or checks the status of calls, and
 * the form saves the settings. Other input has no effect.
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
