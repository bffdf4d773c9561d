import { array, membersOf, object, string, type, unknown } from '../structs/struct';

/** Other keys, such as an ABI's `internalType`, are not part of the type and not hashed. */
const MemberStruct = type({ name: string(), type: string() });

/**
 * The shape of the typed data object (specification 2.3). The types and values are validated while they are hashed
 * (`eth/typed-data`).
 */
export const TypedDataStruct = object({
  types: membersOf(array(MemberStruct)),
  primaryType: string(),
  domain: membersOf(unknown()),
  message: membersOf(unknown()),
});
