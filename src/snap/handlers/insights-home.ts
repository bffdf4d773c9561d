import { type JSXElement } from '@metamask/snaps-sdk/jsx';

import { KeysteadError, UserRejectedError } from '../../core/errors';
import { type Hex } from '../../core/eth/bytes';
import { type Kept } from '../../core/ledger/signed/kept';
import { scanStateOf } from '../../core/ledger/stored-scan';
import { KNOWN_NETWORKS } from '../../core/networks/known';
import { AddressStruct } from '../../core/schemas/address';
import { type ChainName, chainNameOf, ChainNameStruct } from '../../core/schemas/chain';
import { enums, string, type } from '../../core/structs/struct';
import { checkSigned } from '../account/ledger/check-signed';
import { type FindDeps, findPermissions } from '../account/ledger/find';
import { type Consent, type Redraw } from '../wallet/dialogs';
import { type RecipientRepository } from '../explain/recipients/repository';
import { type ShownTransactionRepository } from '../explain/recipients/shown-transactions';
import { type SignedRepository } from '../account/signed/repository';
import { type HomeSigned } from '../screens/home/signed';
import { CHECK, NOT_SIGNED } from '../screens/insights-home/explained';
import { BACK, PermissionsScreen, SEARCH, SearchingScreen } from '../screens/insights-home/permissions';
import { FORGET, ForgetScreen, InsightsHomeScreen } from '../screens/insights-home';
import { ADDRESS_FIELD, NETWORK_FIELD, SEEN, UNWATCH, WATCH_FORM } from '../screens/watch';
import { homeSigned } from './home-signed';
import { beginToWatch } from '../account/watch/begin';
import { type WatchDeps } from '../account/watch/look';

/** The dependencies of the home page of Keystead Insights. */
export type InsightsHomeDeps = Omit<WatchDeps, 'nodeOf'> &
  FindDeps & {
    readonly recipients: RecipientRepository;
    readonly shown: ShownTransactionRepository;
    readonly signed: SignedRepository;
    readonly consent: Consent;
    readonly redraw: Redraw;
  };

/** What the page says of the last input: why an account is not watched, and why a node checked nothing. */
type Failures = { readonly refusal?: string | undefined; readonly unchecked?: string | undefined };

/** Sites choose the networks of what they ask for, so there is an end. */
const MAX_NETWORKS = 10;

/** The networks of what may still count, as it is listed; then those of what a node calls used, which may be wrong. */
const networksOf = ({ open }: HomeSigned, all: readonly Kept[]): readonly ChainName[] =>
  [...new Set([...open.map(({ kept }) => kept), ...all].flatMap(({ chainId }) => chainId ?? []))].slice(
    0,
    MAX_NETWORKS,
  );

/** Renders the home page from the current state. */
export async function drawInsightsHome(
  deps: InsightsHomeDeps,
  { refusal, unchecked }: Failures = {},
): Promise<JSXElement> {
  const { recipients, shown, watched, signed, ledger, selectedNetwork, now } = deps;
  const [accounts, waiting, watching, kept, asked, selected] = await Promise.all([
    recipients.counts(),
    shown.read(),
    watched.read(),
    signed.read(),
    ledger.accounts(),
    selectedNetwork(),
  ]);
  const known = KNOWN_NETWORKS.keys();
  const networks = new Set([...(selected === undefined ? [] : [selected]), ...known]);
  const chainId = selected === undefined ? undefined : chainNameOf(selected);
  const explained = homeSigned(kept, { names: {}, networks: {} }, BigInt(Math.floor(now() / 1000)));
  return InsightsHomeScreen({
    accounts,
    waiting: waiting.length,
    watching: { watched: watching, now: now(), networks: [...networks].map(chainNameOf), refusal },
    explained: { signed: explained, networks: networksOf(explained, kept), failure: unchecked },
    asked: {
      asked: await Promise.all(
        asked.map(async (account) => {
          const scan = chainId && (await ledger.scanOf(account, chainId));
          return { account, searched: scan === undefined ? [] : scanStateOf(scan).searched };
        }),
      ),
      chainId,
    },
  });
}

/** @returns The screen of what a search found. */
async function searched(account: Hex, chainId: ChainName, from: number, deps: InsightsHomeDeps): Promise<JSXElement> {
  try {
    return PermissionsScreen({ account, chainId, found: await findPermissions(account, chainId, from, deps) });
  } catch (error) {
    if (!(error instanceof KeysteadError)) throw error;
    return PermissionsScreen({ account, chainId, found: { failure: error.message } });
  }
}

const ButtonEventStruct = type({ type: enums(['ButtonClickEvent']), name: string() });
const WatchEventStruct = type({
  type: enums(['FormSubmitEvent']),
  name: enums([WATCH_FORM]),
  value: type({ [ADDRESS_FIELD]: string(), [NETWORK_FIELD]: ChainNameStruct }),
});

/** @returns Whether everything that is remembered was deleted. */
async function forget({ consent, shown, recipients, signed, ledger }: InsightsHomeDeps): Promise<boolean> {
  try {
    await consent(ForgetScreen());
  } catch (error) {
    if (error instanceof UserRejectedError) return false;
    throw error;
  }
  await shown.clear();
  await recipients.clear();
  await ledger.clear();
  for (const { account } of await signed.read()) await signed.forget(account);
  return true;
}

const PREFIXES = [SEEN, UNWATCH, CHECK, NOT_SIGNED, SEARCH] as const;

/** @returns What the page shows after a button was pressed; undefined if it is none of the page. */
async function onButton(name: string, interfaceId: string, deps: InsightsHomeDeps): Promise<JSXElement | undefined> {
  if (name === BACK) return drawInsightsHome(deps);
  if (name === FORGET) return (await forget(deps)) ? drawInsightsHome(deps) : undefined;
  const prefix = PREFIXES.find((one) => name.startsWith(one));
  if (prefix === undefined) return undefined;
  const [first, account, third] = name.slice(prefix.length).split(' ');
  if (prefix === NOT_SIGNED) {
    const one = (await deps.signed.read()).find((kept) => kept.hash === first && kept.account === account);
    if (one !== undefined) await deps.signed.remove(one);
    return drawInsightsHome(deps);
  }
  if (!ChainNameStruct.is(first)) return undefined;
  if (prefix === CHECK) return drawInsightsHome(deps, { unchecked: await checkSigned(first, deps) });
  if (!AddressStruct.is(account)) return undefined;
  if (prefix === SEARCH) {
    await deps.redraw(interfaceId, SearchingScreen());
    return searched(account, first, Number(third), deps);
  }
  if (prefix === SEEN) await deps.watched.acknowledge(account, first, Number(third));
  else await deps.watched.remove(account, first);
  return drawInsightsHome(deps);
}

/** Handles the buttons and the form of the home page. Other input has no effect. */
export async function onInsightsHomeInput(deps: InsightsHomeDeps, interfaceId: string, event: unknown): Promise<void> {
  const next = ButtonEventStruct.is(event) ? await onButton(event.name, interfaceId, deps) : undefined;
  if (next !== undefined) await deps.redraw(interfaceId, next);
  if (!WatchEventStruct.is(event)) return;
  const { [ADDRESS_FIELD]: address, [NETWORK_FIELD]: chainId } = event.value;
  const refusal = await beginToWatch({ address, chainId }, deps);
  await deps.redraw(interfaceId, await drawInsightsHome(deps, { refusal }));
}
