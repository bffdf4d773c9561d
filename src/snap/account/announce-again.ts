import type { KeyringAccount } from '@metamask/keyring-api';

import { type OwnMethods } from '../../core/methods/own';
import { object, parse, type Struct } from '../../core/structs/struct';
import { UuidStruct } from './account';
import { announceAccount } from './announce-account';
import { type AccountDeps } from './deps';

const ParamsStruct: Struct<OwnMethods['keystead_announceAccount']['params']> = object({ id: UuidStruct });

/** @returns The ids of the accounts that MetaMask never confirmed, or was about to delete. It may lack them. */
export const getUnannounced = async (
  _params: unknown,
  { accounts }: Pick<AccountDeps, 'accounts'>,
): Promise<string[]> =>
  (await accounts.entries()).filter(({ announced }) => !announced).map(({ account }) => account.id);

/**
 * `keystead_announceAccount`: announces an account that MetaMask lacks. MetaMask asks the user, unless it has the
 * account.
 *
 * @returns The account.
 * @throws {NotFoundError} If the account does not exist.
 * @throws {WalletRefusedError} If MetaMask does not add the account. It is kept here.
 */
export async function announceAgain(
  params: unknown,
  deps: Pick<AccountDeps, 'accounts' | 'creations' | 'deleting' | 'events' | 'mutations'>,
): Promise<KeyringAccount> {
  const { id } = parse(ParamsStruct, params, 'params');
  // One at a time: MetaMask confuses dialogs about accounts that overlap.
  return deps.creations.runExclusive(async () => announceAccount(await deps.accounts.get(id), deps, { isKept: true }));
}
