import { type Json, type JsonRpcRequest, type UserInputEvent } from '@metamask/snaps-sdk';
import { type JSXElement } from '@metamask/snaps-sdk/jsx';

import { NodeClient } from '../clients/node';
import { isManagementMethod } from '../core/methods/own';
import { HOME_PAGE } from '../core/schemas/origin';
import { namesIn } from './account/names';
import { shownAlarm, shownNotices } from './account/alarmed';
import { AccountRepository } from './account/repository';
import { StorageRepository } from './account/backup/repository';
import { StorageService } from './account/backup/storage-service';
import { BatchRepository } from './send/repository';
import { ContactRepository } from './account/contacts/repository';
import { contractLookUp } from './explain/metadata/contracts';
import { Library } from './explain/metadata/library';
import { assetLookUp, nameLookUp } from './network/tokens/look-up';
import { DelegateRepository } from './account/delegations/repository';
import { LOOK_UP_EVENT, onBackgroundEvent } from './handlers/background-event';
import { drawHome, onHomeInput } from './handlers/home';
import { type Insight, signatureInsight, transactionInsight } from './handlers/insights';
import { answerKeyringRequest } from './handlers/keyring';
import { withSnapErrors } from './handlers/error-boundary';
import { assertMayCall, assertSiteMayCall, assertUnlocked, isManaging } from './handlers/middleware';
import { answerManagementMethod } from './handlers/management';
import { answerRpcRequest } from './handlers/rpc';
import { recoveriesOf, type WatchedSafe } from './account/recoveries/look';
import { isAlarm, isNotice, type RecoveryEntry, RecoveryRepository } from './account/recoveries/repository';
import { PreparedLedger } from './network/prepared-operations';
import { ChainRepository } from './network/repository';
import { servicesOf } from './network/services';
import { PermissionRepository } from './sites/repository';
import { RequestQueue } from './sites/request-queue';
import { walletChain } from './wallet/chain';
import { isWalletLocked, scheduleEvent, snapEntropy, snapFile } from './wallet/client';
import { dialogsFor } from './sites/dialogs';
import { answerQuestion, snapRedraw } from './wallet/dialogs';
import { snapAccountEvents } from './wallet/events';
import { Mutex } from '../core/mutex';
import { previewedBy } from '../core/decode/previewed-by';
import { CheckedState, damagedParts, snapState } from './wallet/state';
import { RecipientRepository } from './explain/recipients/repository';
import { ShownInsightRepository } from './explain/recipients/shown-insights';
import { type PreviewSources } from './explain/preview';
import { MessageRepository } from './account/signed/messages';
import { SignedRepository } from './account/signed/repository';
import { partTitles, STORED_PARTS } from './stored-parts';
import { TokenRepository } from './network/tokens/repository';
import { AlarmScreen } from './screens/recovery-alarm';

/** Set by the build from the manifest, so that MetaMask's check and ours use the same list. */
const COMPANION_ORIGINS = JSON.parse(process.env.KEYSTEAD_COMPANION_ORIGINS ?? '[]') as string[];

/** The first layer: what the wallet gives. */
const wallet = {
  entropy: snapEntropy,
  events: snapAccountEvents,
  chain: walletChain,
  isLocked: isWalletLocked,
  unlock: () => snapState.read('version'),
  scheduleLookUp: (seconds: number) => scheduleEvent(LOOK_UP_EVENT, seconds),
  /** Seconds since 1970. */
  now: (): bigint => BigInt(Math.floor(Date.now() / 1000)),
};

const state = new CheckedState(snapState, STORED_PARTS);

/** The second layer: what is kept. Each part of the state has one owner. */
const kept = {
  accounts: new AccountRepository(state),
  batches: new BatchRepository(state),
  chains: new ChainRepository(state),
  contacts: new ContactRepository(state),
  delegates: new DelegateRepository(state),
  messages: new MessageRepository(state),
  permissions: new PermissionRepository(state),
  prepared: new PreparedLedger(state),
  recipients: new RecipientRepository(state),
  recoveries: new RecoveryRepository(state),
  shown: new ShownInsightRepository(state),
  signed: new SignedRepository(state),
  storage: new StorageRepository(state),
  tokens: new TokenRepository(state),
  damagedParts: async () => partTitles(await damagedParts(state, STORED_PARTS)),
};

const { chains, contacts, recipients, storage, tokens } = kept;

const sources: PreviewSources = {
  node: async (chainId) => {
    const chain = await chains.find(chainId);
    return chain && { node: servicesOf(chain).hints, by: previewedBy(chain) };
  },
  used: (account) => recipients.used(account).catch(() => []),
  contacts: () => contacts.names().catch(() => ({})),
};
const nodeOf = async (chainId: bigint) => (await sources.node(chainId))?.node;
const readAsset = assetLookUp(nodeOf);
const mutations = new Mutex();
const looking = { recoveries: kept.recoveries, chains, mutations };

/** MetaMask forwards only what its user has seen, and the other two are Keystead's own pages. */
const isSite = (origin: string): boolean =>
  origin !== 'metamask' && origin !== HOME_PAGE && !COMPANION_ORIGINS.includes(origin);
const requests = new RequestQueue(isSite);

/** The third layer: what looks up, and what waits for its turn. */
const services = {
  library: new Library(
    snapFile,
    contractLookUp({
      node: async (chainId) => {
        const chain = await chains.find(chainId);
        return chain && new NodeClient({ url: chain.rpcUrl });
      },
      files: async () => {
        const settings = await storage.settings();
        return settings && new StorageService(settings);
      },
    }),
    async (chainId, address) => (await tokens.find(chainId, address)) ?? readAsset(chainId, address),
    nameLookUp(nodeOf),
  ),
  sources,
  recoveriesOf: (safe: Omit<WatchedSafe, 'chainIds'>) => recoveriesOf(safe, looking),
  requests,
  mutations,
  creations: new Mutex(),
  deleting: new Map<string, Promise<void>>(),
  companions: COMPANION_ORIGINS,
};

const parts = { ...wallet, ...kept, ...services };

// The fourth layer: the entry points. Each function below them takes the parts that it uses.

/** The dependencies of a request, whose dialogs wait for those of other callers. */
const depsFor = (origin: string) => ({ ...parts, ...dialogsFor(origin, requests) });

async function answerManagementRequest(origin: string, request: JsonRpcRequest): Promise<Json> {
  const { method, params } = request;
  const deps = depsFor(origin);
  assertMayCall(origin, method, COMPANION_ORIGINS);
  await assertUnlocked(origin, method, deps);
  return isManagementMethod(method)
    ? answerManagementMethod(method, params, deps, origin)
    : answerKeyringRequest(request, deps, origin);
}

/** The keyring handler, for `metamask` and the companion page. */
export const onKeyring = (origin: string, request: JsonRpcRequest): Promise<Json> =>
  withSnapErrors(() => answerManagementRequest(origin, request));

/**
 * The RPC handler, for any web page. The companion page also uses it for methods that MetaMask does not forward to the
 * keyring handler.
 */
export const onRpc = (origin: string, request: JsonRpcRequest): Promise<Json> =>
  withSnapErrors(() => {
    if (isManaging(origin, request.method, COMPANION_ORIGINS)) return answerManagementRequest(origin, request);
    assertSiteMayCall(origin, request.method);
    return answerRpcRequest(origin, request, depsFor(origin));
  });

async function raise(news: readonly RecoveryEntry[]): Promise<void> {
  const names = await namesIn(parts);
  const alarms = news.filter(isAlarm).map((alarm) => shownAlarm(alarm, names, parts.now()));
  const notices = shownNotices(news.filter(isNotice), names);
  await dialogsFor(HOME_PAGE, requests).tell(AlarmScreen({ alarms, notices }));
}

export const answerBackgroundEvent = ({ method }: JsonRpcRequest): Promise<void> =>
  withSnapErrors(() => onBackgroundEvent(method, { ...parts, raise }));

export const showHome = (): Promise<JSXElement> => withSnapErrors(() => drawHome(depsFor(HOME_PAGE)));

export const answerUserInput = (interfaceId: string, event: UserInputEvent): Promise<void> =>
  withSnapErrors(async () => {
    if (!(await answerQuestion(interfaceId, event)))
      await onHomeInput(depsFor(HOME_PAGE), snapRedraw, interfaceId, event);
  });

const { library, shown, now } = parts;
const insightDeps = { library, sources, shown, now, names: () => namesIn(parts) };

/** Insights explain requests for every account in MetaMask, not only ours. They never fail. */
export const insightIntoTransaction = (request: unknown): Promise<Insight> =>
  withSnapErrors(() => transactionInsight(request, insightDeps));

export const insightIntoSignature = (request: unknown): Promise<Insight> =>
  withSnapErrors(() => signatureInsight(request, insightDeps));
