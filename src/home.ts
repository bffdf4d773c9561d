import { type JSXElement } from '@metamask/snaps-sdk/jsx';
import { enums, is, type } from '@metamask/superstruct';

import { type KeyringDeps } from './keyring/deps';
import { type StoredAccount } from './keyring/account';
import { type Redraw } from './platform/dialogs';
import { CONFIRM_FIELD, type HomeAccount, HomeScreen, SETTINGS_FORM } from './ui/home';

const homeAccount = ({ account: { address, options }, key }: StoredAccount): HomeAccount => ({
  address: address as HomeAccount['address'],
  ...(typeof options.label === 'string' && { label: options.label }),
  recoverable: key.source === 'derived',
});

/** The home page as it is now. */
export async function drawHome({ accounts }: KeyringDeps, saved = false): Promise<JSXElement> {
  const [stored, { confirmSignatures }] = await Promise.all([accounts.list(), accounts.settings()]);
  return HomeScreen({ accounts: stored.map(homeAccount), confirmSignatures, saved });
}

const SettingsEventStruct = type({
  type: enums(['FormSubmitEvent']),
  name: enums([SETTINGS_FORM]),
  value: type({ [CONFIRM_FIELD]: enums(['never', 'always']) }),
});

/** Saves the settings when their form is sent; other input on the page changes nothing. */
export async function onHomeInput(
  deps: KeyringDeps,
  redraw: Redraw,
  interfaceId: string,
  event: unknown,
): Promise<void> {
  if (!is(event, SettingsEventStruct)) return;
  await deps.mutations.runExclusive(() =>
    deps.accounts.changeSettings({ confirmSignatures: event.value[CONFIRM_FIELD] }),
  );
  await redraw(interfaceId, await drawHome(deps, true));
}
