import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { concatBytes } from '@noble/hashes/utils.js';

import { quoted } from '../../errors';
import { refuse } from './path';
import { encodeType, type TypedDataMember, TypedDataSchema, type TypedDataTypes } from './schema';

export { encodeType };
export type { TypedDataMember, TypedDataTypes };

/** EIP-712 typed data. */
export type TypedData = {
  readonly types: TypedDataTypes;
  readonly primaryType: string;
  readonly domain: Readonly<Record<string, unknown>>;
  readonly message: Readonly<Record<string, unknown>>;
};

const DOMAIN = 'EIP712Domain';

/** EIP-712, definition of domainSeparator: these members, with these types, and no others. */
const DOMAIN_MEMBERS: Readonly<Record<string, string>> = {
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
  salt: 'bytes32',
};

/** These bind a signature to a place. To leave one unsigned, as a request that does not declare it asks, changes its meaning. */
const BINDING_MEMBERS = ['chainId', 'verifyingContract', 'salt'];

const PREFIX = Uint8Array.of(0x19, 0x01);

/**
 * Cosmos chains have no contract to name: they declare `verifyingContract`, and with it `salt`, as text. What such a
 * domain hashes to, libraries agree about (decision 1).
 */
export const namesContractAsText = (types: TypedDataTypes): boolean =>
  Object.hasOwn(types, DOMAIN) &&
  (types[DOMAIN] ?? []).some(({ name, type }) => name === 'verifyingContract' && type === 'string');

function checkDomainType(schema: TypedDataSchema, types: TypedDataTypes): void {
  if (!schema.has(DOMAIN))
    refuse(['types', DOMAIN], 'is missing: the signature would be valid on every chain and for every contract');
  const members = schema.membersOf(DOMAIN);
  const asText = namesContractAsText(types) ? ['verifyingContract', 'salt'] : [];
  members.forEach(({ name, type }, index) => {
    const expected = Object.hasOwn(DOMAIN_MEMBERS, name) ? DOMAIN_MEMBERS[name] : undefined;
    if (expected === undefined)
      refuse(['types', DOMAIN, index, 'name'], `must be one of ${Object.keys(DOMAIN_MEMBERS).join(', ')}`);
    if (type !== expected && !(type === 'string' && asText.includes(name)))
      refuse(['types', DOMAIN, index, 'type'], `must be ${expected}`);
  });
}

function checkDomainValues(schema: TypedDataSchema, domain: TypedData['domain']): void {
  for (const name of Object.keys(domain)) {
    if (!Object.hasOwn(DOMAIN_MEMBERS, name))
      refuse(['domain'], `${quoted(name)} must be one of ${Object.keys(DOMAIN_MEMBERS).join(', ')}`);
    const declared = schema.membersOf(DOMAIN).some((member) => member.name === name);
    if (!declared && BINDING_MEMBERS.includes(name)) {
      refuse(['domain', name], `must be declared in types.${DOMAIN}, or the signature would not cover it`);
    }
  }
}

/**
 * The digest of EIP-712: keccak256(0x1901 ‖ domainSeparator ‖ hashStruct(message)).
 *
 * It checks while it hashes, in one walk, so what is hashed is what was checked: every member of a type is
 * present, and every value is in its type's range and spelling. Members of the message that its type does
 * not have are not signed (EIP-712 hashes the type's members); real dapps send such, so they are no error.
 *
 * @returns 32 bytes.
 * @throws {InvalidParamsError} Naming the field and the rule.
 */
export function typedDataDigest({ types, primaryType, domain, message }: TypedData): Uint8Array {
  const schema = new TypedDataSchema(types);
  checkDomainType(schema, types);
  checkDomainValues(schema, domain);
  if (!schema.has(primaryType)) refuse(['primaryType'], 'must name a type defined in types');
  if (primaryType === DOMAIN) refuse(['primaryType'], `must not be ${DOMAIN}: the message would not be signed`);
  if (schema.membersOf(primaryType).length === 0 && Object.keys(message).length > 0) {
    refuse(['types', primaryType], 'must have members: nothing of the message would be signed');
  }
  return keccak256(
    concatBytes(
      PREFIX,
      schema.hashStruct(DOMAIN, domain, 'domain'),
      schema.hashStruct(primaryType, message, 'message'),
    ),
  );
}
