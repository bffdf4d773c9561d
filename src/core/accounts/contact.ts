import { hidesSomething, isDeceptive } from '../decode/words/text';
import { AddressStruct } from '../schemas/address';
import { type Infer, object, rule } from '../structs/struct';

/** The form of names that people give to accounts and contacts. */
export const isName = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= 64 &&
  value.trim() !== '' &&
  !value.includes('\n') &&
  !hidesSomething(value);

/** What reads as the beginning of an address, also with a letter that looks like its x. */
const LIKE_AN_ADDRESS = /[0oоο][xхχ×][\da-f]{2}/iu;

/**
 * The name of a contact: 1 to 64 characters of text without lookalikes, which does not look like an address, because a
 * dialog shows it next to one.
 */
export const ContactNameStruct = rule<string>(
  'must be 1 to 64 characters of text, without lookalike letters, and not look like an address',
  (value) => isName(value) && !isDeceptive(value) && !LIKE_AN_ADDRESS.test(value.normalize('NFKC')),
);

/** Somebody whom the person knows by name. */
export const ContactStruct = object({ name: ContactNameStruct, address: AddressStruct });
/** A contact, as {@link ContactStruct} checks it. */
export type Contact = Infer<typeof ContactStruct>;
