import { type JSXElement } from '@metamask/snaps-sdk/jsx';

import { UserRejectedError } from '../../core/errors';
import { enums, type } from '../../core/schemas/struct';
import { type Consent, type Redraw } from '../platform/dialogs';
import { type RecipientRepository } from '../recipients/repository';
import { type ShownTransactionRepository } from '../recipients/shown-transactions';
import { FORGET, ForgetScreen, InsightsHomeScreen } from '../ui/insights-home';

/** The dependencies of the home page of Keystead Insights. */
export type InsightsHomeDeps = {
  readonly recipients: RecipientRepository;
  readonly shown: ShownTransactionRepository;
  readonly consent: Consent;
  readonly redraw: Redraw;
};

/** Renders the home page from the current state. */
export async function drawInsightsHome({ recipients, shown }: InsightsHomeDeps): Promise<JSXElement> {
  const [accounts, waiting] = await Promise.all([recipients.counts(), shown.list()]);
  return InsightsHomeScreen({ accounts, waiting: waiting.length });
}

const ForgetEventStruct = type({ type: enums(['ButtonClickEvent']), name: enums([FORGET]) });

/** Handles the button of the home page, which deletes everything that is remembered. Other input has no effect. */
export async function onInsightsHomeInput(deps: InsightsHomeDeps, interfaceId: string, event: unknown): Promise<void> {
  if (!ForgetEventStruct.is(event)) return;
  try {
    await deps.consent(ForgetScreen());
  } catch (error) {
    if (error instanceof UserRejectedError) return;
    throw error;
  }
  await deps.shown.clear();
  await deps.recipients.clear();
  await deps.redraw(interfaceId, await drawInsightsHome(deps));
}
