import { type JsonRpcRequest, type UserInputEvent } from '@metamask/snaps-sdk';
import { type JSXElement } from '@metamask/snaps-sdk/jsx';

import { type Hex } from '../../core/eth/bytes';
import { Library } from '../explain/metadata/library';
import { assetLookUp, nameLookUp } from '../network/tokens/look-up';
import { type Insight, type InsightDeps, signatureInsight, transactionInsight } from '../handlers/insights';
import { drawInsightsHome, onInsightsHomeInput } from '../handlers/insights-home';
import { withSnapErrors } from '../handlers/error-boundary';
import { noteAsked } from '../handlers/note-asked';
import { LOOK_UP_EVENT, noteShown, onLookUpEvent } from '../handlers/sent-transactions';
import { isWalletLocked, notify, scheduleEvent, snapFile } from '../wallet/client';
import { snapConsent, snapRedraw } from '../wallet/dialogs';
import { CheckedState, openState, snapState } from '../wallet/state';
import { selectedNetwork } from '../wallet/wallet-provider';
import { LedgerRepository } from '../account/ledger/repository';
import { RecipientRepository } from '../explain/recipients/repository';
import { ShownTransactionRepository } from '../explain/recipients/shown-transactions';
import { SignedRepository } from '../account/signed/repository';
import { type PreviewSources } from '../explain/preview';
import { WALLET_NODE, walletNode } from '../explain/wallet-node';
import { lookAtWatched, WATCH_EVENT, type WatchDeps } from '../account/watch/look';
import { WatchRepository } from '../account/watch/repository';

/** Unlike the accounts of the other edition, the history is not worth a copy of what cannot be read. */
const state = new CheckedState(snapState);

const recipients = new RecipientRepository(state);
const shown = new ShownTransactionRepository(state);

const signed = new SignedRepository(state);
const ledger = new LedgerRepository(state);

const nodeOf = (chainId: bigint) => Promise.resolve(walletNode(chainId, { maySelect: true }));

const sources: PreviewSources = {
  node: async (chainId) => ({ node: await nodeOf(chainId), by: WALLET_NODE }),
  used: (account) => recipients.used(account).catch(() => []),
};

/** Published metadata would have to be fetched from a storage service, which this edition may not. */
const library = new Library(snapFile, () => Promise.resolve({}), assetLookUp(nodeOf), nameLookUp(nodeOf));

const sentDeps = {
  recipients,
  shown,
  walletNode,
  selectedNetwork,
  isLocked: isWalletLocked,
  scheduleLookUp: (seconds: number) => scheduleEvent(LOOK_UP_EVENT, seconds),
};

/** The wallet asks for signatures of the user's own accounts only. Their names in the wallet are not known. */
async function ownAccounts(): Promise<Record<Hex, string>> {
  const counts = await recipients.counts().catch(() => []);
  return Object.fromEntries(counts.map(({ account }) => [account, 'account']));
}

/** Seconds since 1970. */
const now = () => BigInt(Math.floor(Date.now() / 1000));

const insightDeps: InsightDeps = {
  library,
  sources,
  now,
  names: async () => ({ names: await ownAccounts() }),
  note: async (request, explaining) => {
    const { transaction } = request;
    await Promise.all([
      transaction && noteShown(transaction, explaining, sentDeps),
      noteAsked(request, explaining, { ledger, signed, now }),
    ]);
  },
};

export const insightIntoTransaction = (request: unknown): Promise<Insight> =>
  withSnapErrors(() => transactionInsight(request, insightDeps));

export const insightIntoSignature = (request: unknown): Promise<Insight> =>
  withSnapErrors(() => signatureInsight(request, insightDeps));

const watchDeps = {
  watched: new WatchRepository(openState),
  nodeOf: (chainId: bigint) => walletNode(chainId, { maySelect: true }),
  selectedNetwork,
  notify,
  now: Date.now,
} satisfies WatchDeps;

export const answerBackgroundEvent = ({ method }: JsonRpcRequest): Promise<void> =>
  withSnapErrors(() => (method === WATCH_EVENT ? lookAtWatched(watchDeps) : onLookUpEvent(method, sentDeps)));

const homeDeps = { ...watchDeps, recipients, shown, signed, ledger, library, consent: snapConsent, redraw: snapRedraw };

export const showHome = (): Promise<JSXElement> => withSnapErrors(() => drawInsightsHome(homeDeps));

export const answerUserInput = (interfaceId: string, event: UserInputEvent): Promise<void> =>
  withSnapErrors(() => onInsightsHomeInput(homeDeps, interfaceId, event));
