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

/** The only members a domain may have, with their types (EIP-712, "Definition of domainSeparator"). */
const DOMAIN_MEMBERS: Readonly<Record<string, string>> = {
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
  salt: 'bytes32',
};

/**
 * Members that bind a signature to a chain or contract. A domain value that is not declared in the types would not be
 * signed.
 */
const BINDING_MEMBERS = ['chainId', 'verifyingContract', 'salt'];

const PREFIX = Uint8Array.of(0x19, 0x01);

/**
 * Cosmos chains have no contract to name, so they declare `verifyingContract`, and with it `salt`, as strings.
 * Libraries agree on the hash of such a domain (decision 1).
 */
export const namesContractAsText = (types: TypedDataTypes): boolean =>
  Object.hasOwn(types, DOMAIN) &&
  (types[DOMAIN] ?? []).some(({ name, type }) => name === 'verifyingContract' && type === 'string');

function checkDomainType(schema: TypedDataSchema, types: TypedDataTypes): void {
  if (!schema.has(DOMAIN))
    refuse(
      ['types', DOMAIN],
      `is missing: the signature would be valid on every chain and for every contract. List the members of domain in types.${DOMAIN}`,
    );
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
 * The EIP-712 digest: keccak256(0x1901 ‖ domainSeparator ‖ hashStruct(message)).
 *
 * Validates and hashes in a single pass, so exactly what is validated is hashed: every member of a type must be
 * present, and every value must be well-formed and in range. Message members that the type does not declare are not
 * signed. They are allowed, because real dapps send them.
 *
 * @returns 32 bytes.
 * @throws {InvalidParamsError} If the typed data is invalid; names the field and the rule.
 */
export function typedDataDigest({ types, primaryType, domain, message }: TypedData): Uint8Array {
  const schema = new TypedDataSchema(types);
  checkDomainType(schema, types);
  checkDomainValues(schema, domain);
  if (!schema.has(primaryType)) refuse(['primaryType'], 'must name a type defined in types');
  if (primaryType === DOMAIN) refuse(['primaryType'], `must not be ${DOMAIN}: the message would not be signed`);
  if (schema.membersOf(primaryType).length === 0 && Object.keys(message).length > 0) {
    refuse(['types', primaryType], 'must have members: otherwise none of the message would be signed');
  }
  return keccak256(
    concatBytes(
      PREFIX,
      schema.hashStruct(DOMAIN, domain, 'domain'),
      schema.hashStruct(primaryType, message, 'message'),
    ),
  );
}
