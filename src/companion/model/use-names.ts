import { useContext } from 'preact/hooks';

import { contacts } from './contacts';
import { passkeys } from './passkeys';
import { nameOf } from './recipient-name';
import { SessionContext, ViewingContext } from './session';

/** @returns What this page calls an address, by its accounts, contacts and passkeys; undefined for a stranger. */
export function useNames(): (address: string) => string | undefined {
  const [session, viewing] = [useContext(SessionContext), useContext(ViewingContext)];
  const { accounts } = viewing ?? session ?? { accounts: [] };
  const known = { accounts, contacts: contacts.use(), passkeys: passkeys.use() };
  return (address) => nameOf(address, known);
}
