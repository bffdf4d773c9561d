import { type Json, type JsonRpcRequest, type UserInputEvent } from '@metamask/snaps-sdk';
import { type JSXElement } from '@metamask/snaps-sdk/jsx';
import { Mutex } from 'async-mutex';

import { PreparedLedger } from './chains/ledger';
import { answerChainMethod, isChainMethod } from './chains/methods';
import { ChainRepository } from './chains/repository';
import { drawHome, onHomeInput } from './home';
import { dispatchKeyringRequest } from './keyring/adapter';
import { type KeyringDeps } from './keyring/deps';
import { createKeyring } from './keyring/keyring';
import { AccountRepository } from './keyring/repository';
import { versionedState } from './keyring/state';
import { assertMayCall } from './permissions';
import { withSnapErrors } from './platform/boundary';
import { walletChain } from './platform/chain';
import { snapConsent, snapRedraw } from './platform/dialogs';
import { snapEntropy } from './platform/entropy';
import { snapAccountEvents } from './platform/events';
import { snapState } from './platform/state';

/** Set by the build from the manifest: one list for the wallet's check and for ours. */
const COMPANION_ORIGINS = JSON.parse(process.env.KEYSTEAD_COMPANION_ORIGINS ?? '[]') as string[];

const state = versionedState(snapState);

const deps: KeyringDeps = {
  accounts: new AccountRepository(state),
  entropy: snapEntropy,
  events: snapAccountEvents,
  consent: snapConsent,
  chain: walletChain,
  chains: new ChainRepository(state),
  prepared: new PreparedLedger(state),
  mutations: new Mutex(),
  creations: new Mutex(),
  deleting: new Map(),
};

/** The keyring door: `metamask`, and the companion page. */
export const answerKeyringRequest = (origin: string, request: JsonRpcRequest): Promise<Json> =>
  withSnapErrors(() => {
    assertMayCall(origin, request.method, COMPANION_ORIGINS);
    const { method, params } = request;
    return isChainMethod(method)
      ? answerChainMethod(method, params, { ...deps, origin })
      : dispatchKeyringRequest(createKeyring({ ...deps, origin }), request);
  });

export const showHome = (): Promise<JSXElement> => withSnapErrors(() => drawHome(deps));

export const answerUserInput = (interfaceId: string, event: UserInputEvent): Promise<void> =>
  withSnapErrors(() => onHomeInput(deps, snapRedraw, interfaceId, event));
