import {
  type OnCronjobHandler,
  type OnHomePageHandler,
  type OnKeyringRequestHandler,
  type OnRpcRequestHandler,
  type OnTransactionHandler,
  type OnUserInputHandler,
} from '@metamask/snaps-sdk';

import {
  answerBackgroundEvent,
  onRpc,
  onKeyring,
  answerUserInput,
  insightIntoSignature,
  insightIntoTransaction,
  showHome,
} from './wire';

export const onKeyringRequest: OnKeyringRequestHandler = ({ origin, request }) => onKeyring(origin, request);

export const onRpcRequest: OnRpcRequestHandler = ({ origin, request }) => onRpc(origin, request);

export const onCronjob: OnCronjobHandler = ({ request }) => answerBackgroundEvent(request);

export const onHomePage: OnHomePageHandler = async () => ({ content: await showHome() });

export const onUserInput: OnUserInputHandler = ({ id, event }) => answerUserInput(id, event);

export const onTransaction: OnTransactionHandler = insightIntoTransaction;

// The SDK's type for this handler allows only the old components. MetaMask accepts both.
export const onSignature = insightIntoSignature;
