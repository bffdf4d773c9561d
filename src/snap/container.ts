import { type Json, type JsonRpcRequest, type UserInputEvent } from '@metamask/snaps-sdk';
import { type JSXElement } from '@metamask/snaps-sdk/jsx';
import { answerBackupMethod, isBackupMethod } from './backup/methods';
import { StorageRepository } from './backup/repository';
import { StorageService } from './backup/storage-service';
import { PreparedLedger } from './networks/prepared-operations';
import { answerChainMethod, isChainMethod } from './networks/methods';
import { ChainRepository } from './networks/repository';
import { NodeClient } from '../clients/node';
import { damagedParts, keepingDamaged } from './storage/damage';
import { answerDapp } from './handlers/rpc';
import { LOOK_UP_EVENT, onBackgroundEvent } from './handlers/background-event';
import { BatchRepository } from './batches/repository';
import { GrantRepository } from './permissions/repository';
import { Turns } from './rpc/request-queue';
import { drawHome, type HomeDeps, onHomeInput } from './handlers/home';
import { type Insight, signatureInsight, transactionInsight } from './handlers/insights';
import { dispatchKeyringRequest } from './handlers/keyring';
import { createKeyring } from './accounts/keyring';
import { AccountRepository } from './accounts/repository';
import { versionedState } from './storage/versioned-state';
import { contractLookUp } from './contract-metadata/contracts';
import { Library } from './contract-metadata/library';
import { assertUnlocked } from './handlers/middleware/unlocked';
import { assertDappMayCall, assertMayCall, companionRequest } from './handlers/middleware/permissions';
import { withSnapErrors } from './handlers/middleware/error-boundary';
import { walletChain } from './platform/chain';
import { isWalletLocked, scheduleEvent } from './platform/client';
import { answerQuestion, snapAsk, snapConsent, snapRedraw, snapTell } from './platform/dialogs';
import { snapEntropy } from './platform/entropy';
import { snapAccountEvents } from './platform/events';
import { snapFile } from './platform/files';
import { Mutex } from './storage/mutex';
import { snapState } from './platform/state';

/** Set by the build from the manifest: one list for the wallet's check and for ours. */
const COMPANION_ORIGINS = JSON.parse(process.env.KEYSTEAD_COMPANION_ORIGINS ?? '[]') as string[];

const state = versionedState(snapState, keepingDamaged(snapState));

const now = (): bigint => BigInt(Math.floor(Date.now() / 1000));

const chains = new ChainRepository(state);
const storage = new StorageRepository(state);

const library = new Library(
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
);

const deps: HomeDeps = {
  accounts: new AccountRepository(state),
  entropy: snapEntropy,
  events: snapAccountEvents,
  consent: snapConsent,
  chain: walletChain,
  chains,
  prepared: new PreparedLedger(state),
  storage,
  grants: new GrantRepository(state),
  batches: new BatchRepository(state),
  library,
  now,
  mutations: new Mutex(),
  creations: new Mutex(),
  deleting: new Map(),
  turns: new Turns(),
  ask: snapAsk,
  tell: snapTell,
  damagedParts: () => damagedParts(state),
  isLocked: isWalletLocked,
  unlock: () => snapState.read('version'),
  lookAgainLater: (seconds) => scheduleEvent(LOOK_UP_EVENT, seconds),
};

async function answerManager(origin: string, request: JsonRpcRequest): Promise<Json> {
  const { method, params } = request;
  assertMayCall(origin, method, COMPANION_ORIGINS);
  await assertUnlocked(origin, method, deps);
  if (isBackupMethod(method)) return answerBackupMethod(method, params, { ...deps, origin });
  return isChainMethod(method)
    ? answerChainMethod(method, params, { ...deps, origin })
    : dispatchKeyringRequest(createKeyring({ ...deps, origin }), request);
}

/** The keyring door: `metamask`, and the companion page. */
export const answerKeyringRequest = (origin: string, request: JsonRpcRequest): Promise<Json> =>
  withSnapErrors(() => answerManager(origin, request));

/** The dapp door: any web page. What only the companion page may do, and MetaMask keeps from the keyring door, comes here. */
export const answerDappRequest = (origin: string, request: JsonRpcRequest): Promise<Json> =>
  withSnapErrors(() => {
    const managing = companionRequest(origin, request, COMPANION_ORIGINS);
    if (managing !== undefined) return answerManager(origin, managing);
    assertDappMayCall(origin, request.method);
    return answerDapp(origin, request, deps);
  });

export const answerBackgroundEvent = ({ method }: JsonRpcRequest): Promise<void> =>
  withSnapErrors(() => onBackgroundEvent(method, deps));

export const showHome = (): Promise<JSXElement> => withSnapErrors(() => drawHome(deps));

export const answerUserInput = (interfaceId: string, event: UserInputEvent): Promise<void> =>
  withSnapErrors(async () => {
    if (!(await answerQuestion(interfaceId, event))) await onHomeInput(deps, snapRedraw, interfaceId, event);
  });

/** Insights speak of every account of the wallet, and know the dapp's origin. They never fail. */
export const insightIntoTransaction = (request: unknown): Promise<Insight> =>
  withSnapErrors(() => transactionInsight(request, now(), library));

export const insightIntoSignature = (request: unknown): Promise<Insight> =>
  withSnapErrors(() => signatureInsight(request, now(), library));
