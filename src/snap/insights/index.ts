import {
  type OnCronjobHandler,
  type OnHomePageHandler,
  type OnTransactionHandler,
  type OnUserInputHandler,
} from '@metamask/snaps-sdk';

import { answerBackgroundEvent, answerUserInput, insightIntoSignature, insightIntoTransaction, showHome } from './wire';

export const onTransaction: OnTransactionHandler = insightIntoTransaction;

// The SDK's type for this handler allows only the old components. MetaMask accepts both.
export const onSignature = insightIntoSignature;

export const onCronjob: OnCronjobHandler = ({ request }) => answerBackgroundEvent(request);

export const onHomePage: OnHomePageHandler = async () => ({ content: await showHome() });

export const onUserInput: OnUserInputHandler = ({ id, event }) => answerUserInput(id, event);
