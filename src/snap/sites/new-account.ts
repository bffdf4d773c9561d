import { type CreationDeps } from '../account/deps';
import { recommendedKind } from '../../core/accounts/choices';
import { KIND_NAMES } from '../../core/kinds';
import { networkTitle } from '../../core/networks/network';
import { chainIdOf } from '../../core/schemas/chain';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { enums, string, type } from '../../core/structs/struct';
import { createAccount } from '../account/create-account';
import { LabelStruct } from '../account/options';
import { ACCOUNT_TYPES, CreateAccountScreen, KIND, NAME, type NewAccount, TYPE } from '../screens/create-account';
import { type SiteDeps } from './site';

const FieldStruct = type({ type: enums(['InputChangeEvent']), name: string(), value: string() });
const TypeStruct = enums(ACCOUNT_TYPES);
const KindStruct = enums(KIND_NAMES);

/** @returns What the form proposes. */
export const recommendedAccount = (network: ChainConfiguration | undefined): NewAccount => ({
  type: recommendedKind(network) === 'eoa' ? 'eip155:eoa' : 'eip155:erc4337',
  kind: 'safe-0.7',
  name: '',
});

/** @returns The account as the form describes it after an input event. */
export function changedAccount(created: NewAccount, event: unknown): NewAccount {
  if (!FieldStruct.is(event)) return created;
  const { name, value } = event;
  if (name === NAME) return { ...created, name: value };
  if (name === TYPE && TypeStruct.is(value)) return { ...created, type: value };
  if (name === KIND && KindStruct.is(value)) return { ...created, kind: value };
  return created;
}

/** @returns The account for the screen, which says whether its name can be used. */
export const shownNewAccount = (created: NewAccount) => ({
  ...created,
  isNameGood: created.name === '' || LabelStruct.is(created.name),
});

export const networkTitleOf = (network: ChainConfiguration | undefined): string | undefined =>
  network && networkTitle(chainIdOf(network.chainId), network);

/** The network of a new smart account: the site's, or else the first one, among those with a bundler. */
export async function networkForSmartAccounts(
  origin: string,
  { chains, permissions }: Pick<SiteDeps, 'chains' | 'permissions'>,
): Promise<ChainConfiguration | undefined> {
  const usable = (await chains.list()).filter(({ bundlerUrl }) => bundlerUrl !== undefined);
  const current = (await permissions.find(origin))?.chainId;
  return usable.find(({ chainId }) => chainId === current) ?? usable[0];
}

/** Creates the account that the user asked for in the dialog. @returns Its id. */
export async function createAsked(
  { type: accountType, kind, name }: NewAccount,
  network: ChainConfiguration | undefined,
  origin: string,
  deps: CreationDeps,
): Promise<string> {
  const options =
    accountType === 'eip155:erc4337' && network !== undefined
      ? { type: accountType, chainId: network.chainId, kind }
      : { type: 'eip155:eoa' };
  const label = LabelStruct.is(name) && { label: name };
  const { id } = await createAccount({ ...options, ...label }, deps, origin);
  return id;
}

/**
 * Has the user choose an account in a dialog, and creates it.
 *
 * @param origin - Keystead's own page that asks.
 * @throws {UserRejectedError} If the user rejects it.
 * @throws {WalletRefusedError} If MetaMask does not add the account.
 */
export async function createByForm(origin: string, deps: CreationDeps & Pick<SiteDeps, 'permissions'>): Promise<void> {
  const network = await networkForSmartAccounts(origin, deps);
  const created = await deps.ask({
    initial: recommendedAccount(network),
    draw: (wish) => CreateAccountScreen({ created: shownNewAccount(wish), network: networkTitleOf(network) }),
    change: changedAccount,
  });
  await createAsked(created, network, origin, deps);
}
