import { type KeyringAccount } from '@metamask/keyring-api';
import { type Json, type JsonRpcRequest } from '@metamask/snaps-sdk';

import { type Around, type Keystead, type Screen } from './installed';

type Settings = { readonly confirmSignatures: 'always' | 'never' };

/** The settings of a new snap. */
const DEFAULTS: Settings = { confirmSignatures: 'never' };

/** Parts of the state that no request empties. */
type LastingPart = 'batches' | 'prepared' | 'storage' | 'backup';

/** The wallet of one test, and what the test needs of the snap. */
export type ForOneTest = Pick<Around, 'manageAccounts' | 'answer'> & {
  /** Without it, the settings are those of a new snap. */
  readonly settings?: Settings;
  /**
   * What earlier tests may have left, because this test does not depend on it: sent batches, prepared operations, the
   * storage service, or the last backup. Starting the snap again is the only way to remove it.
   */
  readonly mayKeep?: readonly LastingPart[];
};

type SettingsPage = Screen & {
  readonly selectInDropdown: (name: string, value: string) => Promise<void>;
  readonly clickElement: (name: string) => Promise<void>;
};

/**
 * The parts of the state that `empty` and `save` reset. Without accounts there are no connected sites and recipients.
 */
const RESET: readonly string[] = [
  'version',
  'accounts',
  'grants',
  'histories',
  'historyOrder',
  'ends',
  'chains',
  'settings',
];

/** Deletes all accounts, which also disconnects their sites and forgets their recipients, and removes all networks. */
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

/** A snap that tests share, with the test that runs now and what it has stored: the last value of each part. */
type Shared<Installed> = { installed?: Installed; current: ForOneTest; readonly written: Map<string, Json> };

/** The snap of each way to install it, for all tests of a file. */
const SHARED = new Map<unknown, Shared<Keystead>>();

/**
 * Installs one snap for all tests of a file, because starting the runtime takes longer than most tests. It is installed
 * again only for a test that must not find what earlier ones left and no request removes.
 *
 * @param install - `installKeystead` or `installForDapps`.
 * @returns Each test calls this first. It gives the snap without anything stored or recorded by the tests before it,
 * except what the test allows with `mayKeep`.
 */
export function useEmptiedSnap<Installed extends Keystead>(
  install: (around: Around) => Promise<Installed>,
): (test?: ForOneTest) => Promise<Installed> {
  const shared = (SHARED.get(install) ?? { current: {}, written: new Map<string, Json>() }) as Shared<Installed>;
  SHARED.set(install, shared);
  const { written } = shared;

  const answer = async (request: JsonRpcRequest): Promise<Json | undefined> => {
    const answered = await shared.current.answer?.(request);
    if (request.method === 'snap_setState' && answered === undefined) {
      const { key, value } = request.params as { key: string; value: Json };
      written.set(key.split('.')[0]!, value);
    }
    return answered;
  };
  const installAgain = async (): Promise<Installed> => {
    written.clear();
    const manageAccounts: Around['manageAccounts'] = (message) => shared.current.manageAccounts?.(message) ?? null;
    shared.installed = await install({ manageAccounts, answer });
    return shared.installed;
  };
  const keepsOnly = (parts: readonly string[]): boolean => [...written.keys()].every((part) => parts.includes(part));

  /** What the files beside this one left, no test of this file allows. */
  beforeAll(async () => {
    if (shared.installed === undefined || !keepsOnly(RESET)) await installAgain();
  });
  return async (test = {}) => {
    shared.current = {};
    const installed = keepsOnly([...RESET, ...(test.mayKeep ?? [])]) ? shared.installed! : await installAgain();
    await empty(installed);
    const settings = test.settings ?? DEFAULTS;
    if (settings.confirmSignatures !== ((written.get('settings') ?? DEFAULTS) as Settings).confirmSignatures)
      await save(installed, settings);
    shared.current = test;
    return installed;
  };
}
