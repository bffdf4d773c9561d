import { type StoredAccount } from './account';

/** An account that a creation asks for, and what is stored under its id already. */
export type Wanted = {
  readonly stored: StoredAccount;
  /** It is not stored yet, or not like this. */
  readonly isNew: boolean;
  /** The wallet knows the account already, and must be told that it is on one more chain. */
  readonly isWidened: boolean;
};
