import { boolean, enums, string, type } from '../../core/schemas/struct';
import { UserRejectedError } from '../../core/errors';
import { type Hex } from '../../core/eth/bytes';
import { type AccountEntry } from '../accounts/account';
import { storedName } from '../accounts/account-name';
import { type ChainRepository } from '../networks/repository';
import { type Ask, type Tell } from '../platform/dialogs';
import { type Mutex } from '../platform/mutex';
import { ConnectScreen, MORE, NoAccountScreen } from '../ui/connect';
import { defaultChain } from './network-of-site';
import { type SiteDeps } from './site';

/** A screen holds so many accounts, until the person wants to see more. */
const ACCOUNTS_AT_ONCE = 50;

const ChoiceStruct = type({ type: enums(['InputChangeEvent']), name: string(), value: boolean() });
const MoreStruct = type({ type: enums(['ButtonClickEvent']), name: enums([MORE]) });

export type ConnectDeps = SiteDeps & {
  readonly chains: ChainRepository;
  readonly ask: Ask;
  readonly tell: Tell;
  /** Held while what is stored is read and changed. */
  readonly mutations: Mutex;
};

/** The ids of the accounts that are chosen, and how many can be. */
type FilledIn = { readonly chosen: readonly string[]; readonly most: number };

/** What is filled in after a box was ticked or cleared, or more accounts were asked for. */
function change({ chosen, most }: FilledIn, event: unknown): FilledIn {
  if (MoreStruct.is(event)) return { chosen, most: most + ACCOUNTS_AT_ONCE };
  if (!ChoiceStruct.is(event)) return { chosen, most };
  const others = chosen.filter((id) => id !== event.name);
  return { chosen: event.value ? [...others, event.name] : others, most };
}

/**
 * Has the person choose which accounts a site may use, and remembers it in place of what the site had before.
 * Without an account there is nothing to choose: the person is told, and the site hears the same as if they had refused.
 *
 * @param wanted - Addresses that are chosen when the dialog opens, besides those that the site has. Others are passed over.
 * @throws {UserRejectedError} If the person refuses, or chooses none.
 */
export async function connect(origin: string, deps: ConnectDeps, wanted: readonly Hex[] = []): Promise<void> {
  const { accounts, ask, mutations, permissions, tell } = deps;
  // Kept in memory, without imported keys: nothing is signed here.
  const offered = (await accounts.entries()).filter(({ announced }) => announced);
  const [first] = offered;
  if (first === undefined) {
    await tell(NoAccountScreen({ origin }));
    throw new UserRejectedError();
  }
  const had = (await permissions.find(origin))?.accounts;
  const named = new Set(wanted.map((address) => address.toLowerCase()));
  const initial = offered
    .filter(({ account }) => had?.includes(account.id) || named.has(account.address.toLowerCase()))
    .map(({ account }) => account.id);
  const { chosen } = await ask<FilledIn>({
    initial: { chosen: initial.length > 0 ? initial : [first.account.id], most: ACCOUNTS_AT_ONCE },
    draw: ({ chosen: ids, most }) =>
      ConnectScreen({ origin, accounts: offered.map((stored) => choice(stored, ids)), most }),
    change,
  });
  await mutations.runExclusive(async () => {
    // In the order of the screen; an account may have been deleted while it was open.
    const kept = offered.map(({ account }) => account.id).filter((id) => chosen.includes(id));
    const there = (await Promise.all(kept.map((id) => accounts.entry(id)))).filter((stored) => stored !== undefined);
    if (there.length === 0) throw new UserRejectedError();
    const chainId = (await permissions.find(origin))?.chainId ?? (await defaultChain(deps, there[0]));
    // In one go: cut short, a site is connected as it was chosen, or not at all.
    await permissions.put(origin, {
      accounts: there.map(({ account }) => account.id),
      ...(chainId !== undefined && { chainId }),
    });
  });
}

const choice = (stored: AccountEntry, chosen: readonly string[]) => ({
  id: stored.account.id,
  name: storedName(stored),
  address: stored.account.address,
  isChosen: chosen.includes(stored.account.id),
});
