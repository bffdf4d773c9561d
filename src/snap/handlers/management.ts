import { type Json } from '@metamask/snaps-sdk';

import { type ManagementMethodName, type OwnMethods } from '../../core/methods/own';
import { announceAgain, getUnannounced } from '../account/announce-again';
import { findRecovered } from '../account/find-recovered';
import { explainMessage, signAsOwner } from '../account/sign-as-owner';
import { answerMessage } from '../account/sign-with-owners';
import { getActivity } from '../send/get-activity';
import { backUp } from '../account/backup/back-up';
import { type BackupDeps } from '../account/backup/deps';
import { restore } from '../account/backup/restore';
import { getStorage, setStorage } from '../account/backup/set-storage';
import { type BatchDeps } from '../send/deps';
import { cancelRecoveryOf, getRecoveries } from '../send/manage-recoveries';
import { replaceCallsOf } from '../send/replace-calls';
import { getProposals } from '../send/get-proposals';
import { getDelegations, takeBackDelegation } from '../send/manage-delegations';
import { type ContactDeps, removeContact, saveContacts } from '../account/contacts/manage-contacts';
import { addDelegate } from '../account/delegations/add-delegate';
import { removeDelegate } from '../account/delegations/remove-delegate';
import { removeChain } from '../network/remove-chain';
import { setChain } from '../network/set-chain';
import { type LookDeps } from '../account/recoveries/look';
import { getSignatures, noteSignature } from '../account/signed/manage-signatures';
import { removeToken } from '../network/tokens/remove-token';
import { type TokenRepository } from '../network/tokens/repository';
import { KEYRING_HANDLERS } from './keyring';

type ManagementDeps = BackupDeps & ContactDeps & BatchDeps & LookDeps & { readonly tokens: TokenRepository };

/** The handlers of the management methods, in which each validates its parameters. None can be left out. */
const HANDLERS: {
  readonly [M in ManagementMethodName]: (
    params: unknown,
    deps: ManagementDeps,
    origin: string,
  ) => Promise<OwnMethods[M]['result']>;
} = {
  keystead_setChain: setChain,
  /** URLs may contain API keys, so only origins that may change the configuration may read it. */
  keystead_getChains: (_params, { chains }) => chains.list(),
  keystead_removeChain: removeChain,
  keystead_addDelegate: addDelegate,
  keystead_getDelegates: (_params, { delegates }) => delegates.read(),
  keystead_removeDelegate: removeDelegate,
  keystead_getDelegations: getDelegations,
  keystead_takeBackDelegation: takeBackDelegation,
  keystead_findRecovered: findRecovered,
  keystead_getRecoveries: getRecoveries,
  keystead_cancelRecovery: cancelRecoveryOf,
  keystead_setStorage: setStorage,
  keystead_getStorage: getStorage,
  keystead_backUp: backUp,
  keystead_restore: restore,
  keystead_getTokens: (_params, { tokens }) => tokens.read(),
  keystead_removeToken: removeToken,
  keystead_getContacts: (_params, { contacts }) => contacts.read(),
  keystead_saveContacts: saveContacts,
  keystead_removeContact: removeContact,
  keystead_getActivity: getActivity,
  keystead_getSignatures: getSignatures,
  keystead_noteSignature: noteSignature,
  keystead_replaceCalls: replaceCallsOf,
  keystead_getProposals: getProposals,
  keystead_explainMessage: explainMessage,
  keystead_signAsOwner: signAsOwner,
  keystead_answerMessage: answerMessage,
  keystead_getUnannounced: getUnannounced,
  keystead_announceAccount: announceAgain,
  keystead_discoverAccounts: KEYRING_HANDLERS.keyring_discoverAccounts,
};

/**
 * Runs a method beyond the keyring API.
 *
 * @param origin - `metamask`, or the origin of a page.
 */
export const answerManagementMethod = async (
  name: ManagementMethodName,
  params: unknown,
  deps: ManagementDeps,
  origin: string,
): Promise<Json> => (await HANDLERS[name](params, deps, origin)) as Json;
