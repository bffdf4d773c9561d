import { comparableName } from '../../../core/accounts/account-name';
import { InvalidParamsError } from '../../../core/errors';
import { type Hex } from '../../../core/eth/bytes';
import { AddressStruct } from '../../../core/schemas/address';
import { type Contact } from '../../../core/accounts/contact';
import { object, parse } from '../../../core/structs/struct';
import { accountNamesIn } from '../names';
import { type AccountDeps } from '../deps';
import { consentedChange } from '../../wallet/consented-change';
import { SaveContactsScreen } from '../../screens/save-contacts';
import { type ContactRepository, ContactsStruct, MAX_CONTACTS, withContacts } from './repository';

/** The dependencies of the methods about contacts. */
export type ContactDeps = Pick<AccountDeps, 'accounts' | 'consent' | 'mutations'> & {
  readonly contacts: ContactRepository;
};

/**
 * @param own - The names of the user's accounts, by lower-case address.
 * @param all - All contacts, including this one.
 * @returns Why a contact cannot be kept: the rule that it breaks. Undefined if it can.
 */
export function refusalOf(
  { address, name }: Contact,
  own: Readonly<Record<string, string>>,
  all: readonly Contact[],
): string | undefined {
  const key = address.toLowerCase();
  if (own[key] !== undefined) return 'must not be one of your own accounts';
  const isSame = (other: string): boolean => comparableName(other) === comparableName(name);
  return Object.values(own).some(isSame) || all.some((one) => one.address.toLowerCase() !== key && isSame(one.name))
    ? 'must have a name that none of your accounts and other contacts has'
    : undefined;
}

/**
 * `keystead_saveContacts`: adds contacts, or renames those with the same addresses, once the user agrees. Asks nothing
 * if nothing would change.
 *
 * @param origin - `metamask`, or the origin of a page.
 * @throws {InvalidParamsError} If a contact is invalid, or its name is taken; names it.
 * @throws {UserRejectedError} If the user rejects the change.
 */
export async function saveContacts(params: unknown, deps: ContactDeps, origin: string): Promise<null> {
  const { contacts, mutations } = deps;
  const { contacts: added } = parse(object({ contacts: ContactsStruct }), params, 'params');
  const own = await accountNamesIn(deps);
  const all = withContacts(await contacts.read(), added);
  if (all.length > MAX_CONTACTS)
    throw new InvalidParamsError('params.contacts', `must be at most ${MAX_CONTACTS} with those that are saved`);
  added.forEach((contact, index) => {
    const refusal = refusalOf(contact, own, [...all, ...added.slice(0, index)]);
    if (refusal !== undefined) throw new InvalidParamsError(`params.contacts[${index}]`, refusal);
  });
  const names = await contacts.names();
  const fresh = added.filter(({ address, name }) => names[address.toLowerCase()] !== name);
  if (fresh.length === 0) return null;
  const change = {
    read: () => contacts.names(),
    screen: (before: Readonly<Record<string, string>>) => SaveContactsScreen({ before, added: fresh, origin }),
    store: () => contacts.put(fresh),
  };
  await consentedChange(change, { consent: deps.consent, mutations });
  return null;
}

/** `keystead_removeContact`: forgets a contact. It asks nothing: the address is shown without a name from then on. */
export async function removeContact(params: unknown, { contacts }: Pick<ContactDeps, 'contacts'>): Promise<null> {
  const { address } = parse(object({ address: AddressStruct }), params, 'params') as { readonly address: Hex };
  await contacts.remove(address);
  return null;
}
