import { array, membersOf, object, string, type, unknown } from './struct';

/** Other keys, such as `internalType` of an ABI, are not part of the type and so of no hash. */
const MemberStruct = type({ name: string(), type: string() });

/**
 * The shape of the typed data object of the specification, 2.3. Whether the types are sound and the
 * values fit them is checked while they are hashed (`eth/typed-data`).
 */
export const TypedDataStruct = object({
  types: membersOf(array(MemberStruct)),
  primaryType: string(),
  domain: membersOf(unknown()),
  message: membersOf(unknown()),
});
