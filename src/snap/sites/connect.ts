import { type CreationDeps } from '../account/deps';
import { recommendedFor, signsMessages } from '../../core/accounts/choices';
import { ProviderError } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { boolean, enums, string, type } from '../../core/structs/struct';
import { type AccountEntry } from '../account/account';
import { accountNames } from '../account/account-name';
import { ConnectScreen, CREATE, MORE } from '../screens/connect';
import { type NewAccount } from '../screens/create-account';
import {
  changedAccount,
  createAsked,
  networkForSmartAccounts,
  networkTitleOf,
  recommendedAccount,
  shownNewAccount,
} from './new-account';
import { defaultChain } from './network-of-site';
import { type SiteDeps } from './site';

/** The number of accounts shown at first, and added each time the user asks for more. */
const ACCOUNTS_AT_ONCE = 50;

const BoxStruct = type({ type: enums(['InputChangeEvent']), name: string(), value: boolean() });
const MoreStruct = type({ type: enums(['ButtonClickEvent']), name: enums([MORE]) });

/** The ids of the selected accounts, the number of accounts shown, and the account to create. */
type FilledIn = {
  readonly chosen: readonly string[];
  readonly most: number;
  readonly isCreating: boolean;
  readonly created: NewAccount;
};

function changeOfBox(filledIn: FilledIn, name: string, value: boolean): FilledIn {
  if (name === CREATE) return { ...filledIn, isCreating: value };
  const others = filledIn.chosen.filter((id) => id !== name);
  return { ...filledIn, chosen: value ? [...others, name] : others };
}

/** Updates the form after an input event. */
function change(filledIn: FilledIn, event: unknown): FilledIn {
  if (MoreStruct.is(event)) return { ...filledIn, most: filledIn.most + ACCOUNTS_AT_ONCE };
  if (BoxStruct.is(event)) return changeOfBox(filledIn, event.name, event.value);
  return { ...filledIn, created: changedAccount(filledIn.created, event) };
}

/**
 * Asks the user which accounts a site may use, and stores the choice in place of the previous one. The user may have a
 * new account created for the site; without any account, that is what the dialog offers.
 *
 * @param wanted - The addresses that the site asks for; unknown ones are ignored. The first that the site does not have
 * is preselected, in addition to those that it has, and the screen says which accounts the site asks for.
 * @throws {UserRejectedError} If the user rejects the request.
 * @throws {ProviderError} -32010 if the user approves it without an account.
 * @throws {WalletRefusedError} If MetaMask does not add the new account.
 */
export async function connect(
  origin: string,
  deps: CreationDeps & Pick<SiteDeps, 'companions' | 'permissions'>,
  wanted: readonly Hex[] = [],
): Promise<void> {
  const { accounts, ask, mutations, permissions } = deps;
  // Nothing is signed here, so the cached entries without imported keys are enough.
  const all = await accounts.entries();
  const offered = all.filter(({ announced }) => announced);
  const names = accountNames(all);
  const before = await permissions.find(origin);
  const ids = offered.map(({ account }) => account.id);
  const had = ids.filter((id) => before?.accounts.includes(id));
  const named = wanted.flatMap(
    (address) => offered.find(({ account }) => isSameAddress(account.address, address)) ?? [],
  );
  const asked = named.map(({ account }) => account.id);
  const isOwnPage = deps.companions.includes(origin);
  // A site must not tick accounts for the user, one after another: each shows it more of what the user has. A page of
  // Keystead's own sees all of them anyway, and asks once.
  const preselected =
    isOwnPage && had.length === 0 ? ids : [...had, ...asked.filter((id) => !had.includes(id)).slice(0, 1)];
  const network = await networkForSmartAccounts(origin, deps);
  const recommended = recommendedFor(
    offered.map(({ account }) => account),
    before?.chainId ?? network?.chainId,
  );
  const { chosen, isCreating, created } = await ask<FilledIn>({
    initial: {
      chosen: preselected.length > 0 || recommended === undefined ? preselected : [recommended.id],
      most: ACCOUNTS_AT_ONCE,
      isCreating: offered.length === 0,
      created: recommendedAccount(network),
    },
    draw: ({ chosen: ticked, most, isCreating: isNew, created: wish }) =>
      ConnectScreen({
        origin,
        isOwnPage,
        accounts: offered.map((entry) => choice(entry, names, { ticked, asked })),
        most,
        created: isNew ? shownNewAccount(wish) : undefined,
        network: networkTitleOf(network),
      }),
    change,
  });
  const fresh = isCreating ? [await createAsked(created, network, origin, deps)] : [];
  await mutations.runExclusive(async () => {
    // Keep the order of the screen. An account may have been deleted while it was open.
    const kept = [...ids.filter((id) => chosen.includes(id)), ...fresh];
    const there = (await Promise.all([...new Set(kept)].map((id) => accounts.entry(id)))).filter(
      (entry) => entry !== undefined,
    );
    const [first] = there;
    if (first === undefined)
      throw new ProviderError(
        'no-account',
        'No account was chosen, so the site is not connected. Nothing was changed.',
      );
    const chainId = (await permissions.find(origin))?.chainId ?? (await defaultChain(deps, first));
    // Write everything at once, so that an interruption leaves the site either fully connected or not at all.
    await permissions.put(origin, {
      accounts: there.map(({ account }) => account.id),
      ...(chainId !== undefined && { chainId }),
      date: Date.now(),
    });
  });
}

const choice = (
  { account }: AccountEntry,
  names: ReturnType<typeof accountNames>,
  { ticked, asked }: Readonly<Record<'ticked' | 'asked', readonly string[]>>,
) => ({
  id: account.id,
  name: names[account.address.toLowerCase()] ?? '',
  address: account.address,
  isChosen: ticked.includes(account.id),
  isAskedFor: asked.includes(account.id),
  signsMessages: signsMessages(account),
});
