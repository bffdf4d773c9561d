import { type OnHomePageHandler, type OnKeyringRequestHandler, type OnUserInputHandler } from '@metamask/snaps-sdk';

import { answerKeyringRequest, answerUserInput, showHome } from './context';

export const onKeyringRequest: OnKeyringRequestHandler = ({ origin, request }) => answerKeyringRequest(origin, request);

export const onHomePage: OnHomePageHandler = async () => ({ content: await showHome() });

export const onUserInput: OnUserInputHandler = ({ id, event }) => answerUserInput(id, event);
