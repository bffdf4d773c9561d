import { boolean, enums, string, type } from '../../core/schemas/struct';
import { UserRejectedError } from '../../core/errors';
import { type Hex } from '../../core/eth/bytes';
import { accountNames } from '../accounts/account-name';
import { type ChainRepository } from '../networks/repository';
import { type Ask, type Tell } from '../platform/dialogs';
import { type Mutex } from '../platform/mutex';
import { ConnectScreen, MORE, NoAccountScreen } from '../ui/connect';
import { defaultChain } from './network-of-site';
import { type SiteDeps } from './site';

/** The number of accounts shown at first, and added each time the user asks for more. */
const ACCOUNTS_AT_ONCE = 50;

const ChoiceStruct = type({ type: enums(['InputChangeEvent']), name: string(), value: boolean() });
const MoreStruct = type({ type: enums(['ButtonClickEvent']), name: enums([MORE]) });

export type ConnectDeps = SiteDeps & {
  readonly chains: ChainRepository;
  readonly ask: Ask;
  readonly tell: Tell;
  /** Held while stored values are read and changed. */
  readonly mutations: Mutex;
};

/** The ids of the selected accounts, and the number of accounts shown. */
type FilledIn = { readonly chosen: readonly string[]; readonly most: number };

/** Updates the form after a checkbox changed or more accounts were requested. */
function change({ chosen, most }: FilledIn, event: unknown): FilledIn {
  if (MoreStruct.is(event)) return { chosen, most: most + ACCOUNTS_AT_ONCE };
  if (!ChoiceStruct.is(event)) return { chosen, most };
  const others = chosen.filter((id) => id !== event.name);
  return { chosen: event.value ? [...others, event.name] : others, most };
}

/**
 * Asks the user which accounts a site may use, and stores the choice in place of the previous one. If there are no
 * accounts, the user is told so, and the site gets the same error as for a rejection.
 *
 * @param wanted - Addresses to preselect, in addition to the accounts that the site already has. Unknown addresses are
 * ignored.
 * @throws {UserRejectedError} If the user rejects the request or selects no account.
 */
export async function connect(origin: string, deps: ConnectDeps, wanted: readonly Hex[] = []): Promise<void> {
  const { accounts, ask, mutations, permissions, tell } = deps;
  // Nothing is signed here, so the cached entries without imported keys are enough.
  const all = await accounts.entries();
  const offered = all.filter(({ announced }) => announced);
  const [first] = offered;
  if (first === undefined) {
    await tell(NoAccountScreen({ origin }));
    throw new UserRejectedError();
  }
  const names = accountNames(all);
  const had = (await permissions.find(origin))?.accounts;
  const named = new Set(wanted.map((address) => address.toLowerCase()));
  const initial = offered
    .filter(({ account }) => had?.includes(account.id) || named.has(account.address.toLowerCase()))
    .map(({ account }) => account.id);
  const { chosen } = await ask<FilledIn>({
    initial: { chosen: initial.length > 0 ? initial : [first.account.id], most: ACCOUNTS_AT_ONCE },
    draw: ({ chosen: ids, most }) =>
      ConnectScreen({
        origin,
        accounts: offered.map(({ account: { id, address } }) => ({
          id,
          name: names[address.toLowerCase()] ?? '',
          address,
          isChosen: ids.includes(id),
        })),
        most,
      }),
    change,
  });
  await mutations.runExclusive(async () => {
    // Keep the order of the screen. An account may have been deleted while it was open.
    const kept = offered.map(({ account }) => account.id).filter((id) => chosen.includes(id));
    const there = (await Promise.all(kept.map((id) => accounts.entry(id)))).filter((stored) => stored !== undefined);
    if (there.length === 0) throw new UserRejectedError();
    const chainId = (await permissions.find(origin))?.chainId ?? (await defaultChain(deps, there[0]));
    // Write everything at once, so that an interruption leaves the site either fully connected or not at all.
    await permissions.put(origin, {
      accounts: there.map(({ account }) => account.id),
      ...(chainId !== undefined && { chainId }),
    });
  });
}
