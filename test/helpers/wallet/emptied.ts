import { type KeyringAccount } from '@metamask/keyring-api';

import { type Around, type Keystead, type Screen } from './installed';

type Settings = { readonly confirmSignatures: 'always' | 'never' };

/** The wallet of one test, and the settings it needs. Settings that are not given stay as they are. */
export type ForOneTest = Pick<Around, 'manageAccounts' | 'answer'> & { readonly settings?: Settings };

type SettingsPage = Screen & {
  readonly selectInDropdown: (name: string, value: string) => Promise<void>;
  readonly clickElement: (name: string) => Promise<void>;
};

/** Deletes all accounts, which also disconnects their sites, and removes all networks. */
async function empty({ call, send, told }: Keystead): Promise<void> {
  for (const { id } of (await call<KeyringAccount[]>('keyring_listAccounts')).result!)
    await call('keyring_deleteAccount', { id });
  for (const { chainId } of (await call<{ chainId: string }[]>('keystead_getChains')).result!) {
    const request = send('keystead_removeChain', { chainId });
    await (await request.getInterface()).ok();
    await request;
  }
  told.length = 0;
}

async function save({ snap }: Keystead, { confirmSignatures }: Settings): Promise<void> {
  const page = (await snap.onHomePage()).getInterface() as unknown as SettingsPage;
  await page.selectInDropdown('confirmSignatures', confirmSignatures);
  await page.clickElement('save');
}

/**
 * Installs one snap for all tests of a file, because starting the runtime takes longer than most tests.
 *
 * @param install - `installKeystead` or `installForDapps`.
 * @returns Each test calls this first. It gives the snap without accounts, connected sites, networks and recorded
 * events, so that no test depends on the ones before it.
 */
export function useEmptiedSnap<Installed extends Keystead>(
  install: (around: Around) => Promise<Installed>,
): (test?: ForOneTest) => Promise<Installed> {
  let installed: Installed;
  let current: ForOneTest = {};
  beforeAll(async () => {
    installed = await install({
      manageAccounts: (message) => current.manageAccounts?.(message) ?? null,
      answer: (request) => current.answer?.(request),
    });
  });
  return async (test = {}) => {
    current = {};
    await empty(installed);
    if (test.settings !== undefined) await save(installed, test.settings);
    current = test;
    return installed;
  };
}
