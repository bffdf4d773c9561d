import { ownName } from '../../../core/decode/words/text';
import { type Skipped } from '../../../core/methods/results';
import { type Hex } from '../../../core/eth/bytes';
import { isSameKept } from '../../../core/ledger/signed/kept';
import { type Contact } from '../../../core/accounts/contact';
import { accountNamesIn } from '../names';
import { refusalOf } from '../contacts/manage-contacts';
import { MAX_CONTACTS, withContacts } from '../contacts/repository';
import { type ChainConfiguration } from '../../../core/schemas/chain-configuration';
import { chainIdOf } from '../../../core/schemas/chain';
import { checkChain } from '../../network/check-chain';
import { InternalError, KeysteadError } from '../../../core/errors';
import { accountId } from '../account';
import { unlessDamaged } from '../repository';
import { type BackedUpAccount, type BackupContent } from './content';
import { type BackupDeps } from './deps';

/** A name in a backup that takes the place of another one here. */
export type Renamed = { readonly id: string; readonly address: Hex; readonly before: string; readonly name: string };

/** The parts of a backup that are missing here, or have other names here. */
export type RestorePlan = Omit<BackupContent, 'createdAt'> & {
  /** The accounts that are here under other names. */
  readonly renamed: readonly Renamed[];
  /** The names of contacts that are here, by lower-case address. */
  readonly contactNames: Readonly<Record<string, string>>;
  /** The networks and contacts that cannot be added, and why. */
  readonly refused: readonly Skipped[];
  /** How many networks are among them. */
  readonly refusedChains: number;
};

/** @returns The id of an account in a backup. */
export const idOf = ({ address, smart }: BackedUpAccount): string =>
  accountId(address, smart === undefined ? 'eip155:eoa' : 'eip155:erc4337');

/** @returns Whether MetaMask knows the account, on all the chains that the backup lists. */
async function isHere(entry: BackedUpAccount, { accounts }: Pick<BackupDeps, 'accounts'>): Promise<boolean> {
  const stored = await unlessDamaged(accounts.find(idOf(entry)), undefined);
  if (stored?.announced !== true) return false;
  const scopes: readonly string[] = stored.account.scopes;
  return entry.smart?.scopes.every((scope) => scopes.includes(scope)) ?? true;
}

/** @returns Why a network cannot be set up under the rules of `keystead_setChain`; empty if it can. */
async function refusalsOf(chain: ChainConfiguration): Promise<Skipped[]> {
  try {
    await checkChain(chain, chain.chainId);
    return [];
  } catch (error) {
    if (!(error instanceof KeysteadError) || error instanceof InternalError) throw error;
    return [{ what: chain.chainId, reason: error.message }];
  }
}

/** @returns The accounts that are here, but not by the name that the person had given them. */
async function renamedAmong(
  accounts: readonly BackedUpAccount[],
  deps: Pick<BackupDeps, 'accounts'>,
): Promise<Renamed[]> {
  const names = await accountNamesIn(deps);
  const entries = await unlessDamaged(deps.accounts.entries(), []);
  return accounts.flatMap((entry): Renamed[] => {
    const { address, label } = entry;
    const here = entries.find(({ account }) => account.id === idOf(entry))?.account;
    return label === undefined || here === undefined || here.options.label === label
      ? []
      : [{ id: here.id, address, before: names[address.toLowerCase()] ?? '', name: label }];
  });
}

/** @returns The contacts that are missing here or have other names here, and those that cannot be added. */
async function contactsToAdd(
  { accounts, contacts }: BackupContent,
  names: Readonly<Record<string, string>>,
  deps: Pick<BackupDeps, 'accounts' | 'contacts'>,
): Promise<{ readonly added: readonly Contact[]; readonly refused: readonly Skipped[] }> {
  const own = { ...(await accountNamesIn(deps)) };
  for (const { address, label } of accounts) if (label !== undefined) own[address.toLowerCase()] = label;
  const refused: Skipped[] = [];
  let all = await deps.contacts.read();
  const added = contacts.filter((contact) => {
    if (names[contact.address.toLowerCase()] === contact.name) return false;
    const reason = all.length < MAX_CONTACTS ? refusalOf(contact, own, all) : `there are ${MAX_CONTACTS} contacts`;
    if (reason === undefined) all = withContacts(all, [contact]);
    else refused.push({ what: `${ownName(contact.name)}, ${contact.address}`, reason: `contact: ${reason}` });
    return reason === undefined;
  });
  return { added, refused };
}

/**
 * @returns What restoring a backup adds. Existing accounts and networks stay unchanged, but the names that the person
 * had given to accounts and contacts come back.
 */
export async function planOf(
  content: BackupContent,
  deps: Pick<BackupDeps, 'accounts' | 'chains' | 'contacts' | 'signed' | 'tokens'>,
): Promise<RestorePlan> {
  const { accounts, chains, signed, tokens } = content;
  const kept = await deps.signed.read();
  const contactNames = await deps.contacts.names();
  const [areHere, areSetUp, areWatched, renamed, contacts] = await Promise.all([
    Promise.all(accounts.map((entry) => isHere(entry, deps))),
    Promise.all(chains.map(async ({ chainId }) => typeof (await deps.chains.look(chainIdOf(chainId))) === 'object')),
    Promise.all(tokens.map(({ chainId, address }) => deps.tokens.find(chainIdOf(chainId), address))),
    renamedAmong(accounts, deps),
    contactsToAdd(content, contactNames, deps),
  ]);
  const missing = chains.filter((_, index) => areSetUp[index] === false);
  const refusals = await Promise.all(missing.map(refusalsOf));
  return {
    accounts: accounts.filter((_, index) => areHere[index] === false),
    chains: missing.filter((_, index) => refusals[index]?.length === 0),
    contacts: contacts.added,
    contactNames,
    tokens: tokens.filter((_, index) => areWatched[index] === undefined),
    signed: signed.filter((one) => !kept.some((other) => isSameKept(one, other))),
    renamed,
    refusedChains: refusals.flat().length,
    refused: [...refusals.flat(), ...contacts.refused],
  };
}
