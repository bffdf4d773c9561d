import { type JSXElement } from '@metamask/snaps-sdk/jsx';

import { UserRejectedError } from '../../core/errors';
import { KNOWN_NETWORKS } from '../../core/networks/known';
import { AddressStruct } from '../../core/schemas/address';
import { chainNameOf, ChainNameStruct } from '../../core/schemas/chain';
import { enums, string, type } from '../../core/schemas/struct';
import { type Consent, type Redraw } from '../platform/dialogs';
import { type RecipientRepository } from '../recipients/repository';
import { type ShownTransactionRepository } from '../recipients/shown-transactions';
import { FORGET, ForgetScreen, InsightsHomeScreen } from '../ui/insights-home';
import { ADDRESS_FIELD, NETWORK_FIELD, SEEN, UNWATCH, WATCH_FORM } from '../ui/watch';
import { beginToWatch } from '../watch/begin';
import { type WatchDeps } from '../watch/look';

/** The dependencies of the home page of Keystead Insights. */
export type InsightsHomeDeps = WatchDeps & {
  readonly recipients: RecipientRepository;
  readonly shown: ShownTransactionRepository;
  readonly consent: Consent;
  readonly redraw: Redraw;
};

/** Renders the home page from the current state. @param refusal - Why an account is not watched. */
export async function drawInsightsHome(deps: InsightsHomeDeps, refusal?: string): Promise<JSXElement> {
  const { recipients, shown, watched, selectedNetwork, now } = deps;
  const [accounts, waiting, watching, selected] = await Promise.all([
    recipients.counts(),
    shown.list(),
    watched.list(),
    selectedNetwork(),
  ]);
  const known = Object.keys(KNOWN_NETWORKS).map(BigInt);
  const networks = new Set([...(selected === undefined ? [] : [selected]), ...known]);
  return InsightsHomeScreen({
    accounts,
    waiting: waiting.length,
    watching: { watched: watching, now: now(), networks: [...networks].map(chainNameOf), refusal },
  });
}

const ButtonEventStruct = type({ type: enums(['ButtonClickEvent']), name: string() });
const WatchEventStruct = type({
  type: enums(['FormSubmitEvent']),
  name: enums([WATCH_FORM]),
  value: type({ [ADDRESS_FIELD]: string(), [NETWORK_FIELD]: ChainNameStruct }),
});

/** @returns Whether everything that is remembered was deleted. */
async function forget({ consent, shown, recipients }: InsightsHomeDeps): Promise<boolean> {
  try {
    await consent(ForgetScreen());
  } catch (error) {
    if (error instanceof UserRejectedError) return false;
    throw error;
  }
  await shown.clear();
  await recipients.clear();
  return true;
}

/** @returns Whether the page has changed. */
async function onButton(name: string, deps: InsightsHomeDeps): Promise<boolean> {
  if (name === FORGET) return forget(deps);
  const prefix = [SEEN, UNWATCH].find((one) => name.startsWith(one));
  if (prefix === undefined) return false;
  const [chainId, account, until] = name.slice(prefix.length).split(' ');
  if (!ChainNameStruct.is(chainId) || !AddressStruct.is(account)) return false;
  if (prefix === SEEN) await deps.watched.acknowledge(account, chainId, Number(until));
  else await deps.watched.remove(account, chainId);
  return true;
}

/** Handles the buttons and the form of the home page. Other input has no effect. */
export async function onInsightsHomeInput(deps: InsightsHomeDeps, interfaceId: string, event: unknown): Promise<void> {
  if (ButtonEventStruct.is(event) && (await onButton(event.name, deps)))
    await deps.redraw(interfaceId, await drawInsightsHome(deps));
  if (!WatchEventStruct.is(event)) return;
  const { [ADDRESS_FIELD]: address, [NETWORK_FIELD]: chainId } = event.value;
  const refusal = await beginToWatch({ address, chainId }, deps);
  await deps.redraw(interfaceId, await drawInsightsHome(deps, refusal));
}
