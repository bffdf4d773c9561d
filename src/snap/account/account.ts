import type { EthEoaAccount, EthErc4337Account, EthScope } from '@metamask/keyring-api';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

import { type Hex, toHex } from '../../core/eth/bytes';
import { KIND_NAMES, type KindName, KINDS } from '../../core/kinds';
import {
  type AccountMethodName,
  EOA_METHODS,
  isEoaMethod,
  isMessageMethod,
  isUserOperationMethod,
  MESSAGE_METHODS,
  SMART_ACCOUNT_METHODS,
} from './methods';
import { AddressStruct } from '../../core/schemas/address';
import { ChainNameStruct } from '../../core/schemas/chain';
import { Uint256Struct } from '../../core/structs/hex';
import {
  array,
  boolean,
  enums,
  exactOptional,
  type Infer,
  integer,
  literal,
  nonempty,
  object,
  rule,
  type,
  union,
} from '../../core/structs/struct';
import { PrivateKeyStruct } from './options';
import { InvalidParamsError, MethodNotSupportedError, quoted } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { type NamedAccount } from './methods/account-path';

/** The id of an account or a request in the keyring API. */
export const UuidStruct = rule<string>(
  'must be a version 4 UUID',
  (value) =>
    typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/iu.test(value),
);

/** Far above what anyone uses. As a path segment, the index of a derived key must be a 31-bit number. */
export const MAX_INDEX = 2 ** 31 - 1;

/** The source of an account's key. */
export const KeySourceStruct = union(
  [
    /** Derived from the recovery phrase, and recovered with it. */
    object({ source: literal('derived'), index: integer(0) }),
    /** Imported by the user; lost if the wallet's data is lost. */
    object({ source: literal('imported'), privateKey: PrivateKeyStruct }),
  ],
  'must be a derived key with its index, or an imported private key',
);
export type KeySource = Infer<typeof KeySourceStruct>;

const EOA_TYPE = 'eip155:eoa';
export const SMART_TYPE = 'eip155:erc4337';

/** The types of accounts. The same address has another id as each of them. */
export const ACCOUNT_TYPES = [EOA_TYPE, SMART_TYPE] as const;

/** Means every EVM chain (CAIP-2; the keyring API's scope for externally owned accounts). */
const EVERY_CHAIN = 'eip155:0';

/** The fields of the keyring API that both account types share. */
const described = {
  id: UuidStruct,
  address: AddressStruct,
  options: type({
    entropy: exactOptional(object({ type: enums(['custom', 'private-key']) })),
    exportable: exactOptional(boolean()),
  }),
};

const common = {
  key: KeySourceStruct,
  /**
   * Whether MetaMask has confirmed the account. False after a crash in between; the account is then announced again.
   */
  announced: boolean(),
};

/** A stored account: its public description and the source of its key. */
export const StoredAccountStruct = union([
  object({
    account: object({
      ...described,
      type: literal(EOA_TYPE),
      scopes: nonempty(literal(EVERY_CHAIN)),
      methods: array(enums(EOA_METHODS)),
    }),
    ...common,
  }),
  object({
    account: object({
      ...described,
      type: literal(SMART_TYPE),
      scopes: nonempty(ChainNameStruct),
      methods: array(enums([...SMART_ACCOUNT_METHODS, ...MESSAGE_METHODS])),
    }),
    ...common,
    /** The parameters that determine the account's address. The stored key is the owner's. */
    smart: object({
      kind: enums(KIND_NAMES),
      owner: AddressStruct,
      factory: AddressStruct,
      salt: Uint256Struct,
      isRecovered: exactOptional(boolean()),
    }),
  }),
]);

/** An externally owned account in the keyring API. */
export type EoaAccount = EthEoaAccount & { address: Hex };
/** A smart account in the keyring API. */
export type Erc4337Account = EthErc4337Account & { address: Hex };

type StoredCommon = { key: KeySource; announced: boolean };
export type StoredEoa = StoredCommon & { account: EoaAccount };
export type StoredSmartAccount = StoredCommon & {
  account: Erc4337Account;
  smart: {
    kind: KindName;
    owner: Hex;
    factory: Hex;
    salt: Hex;
    /** The owner's key was given the account by a recovery, so its address does not follow from the other fields. */
    isRecovered?: boolean;
  };
};
export type StoredAccount = StoredEoa | StoredSmartAccount;

type WithoutKey<Account> = Omit<Account, 'key'> & {
  readonly key: Extract<KeySource, { source: 'derived' }> | { readonly source: 'imported' };
};
export type EoaEntry = WithoutKey<StoredEoa>;
export type SmartAccountEntry = WithoutKey<StoredSmartAccount>;
/** An account without its imported key. Unlike the key, it may stay in memory between requests. */
export type AccountEntry = EoaEntry | SmartAccountEntry;

/** @returns Whether an account is a smart account. */
export const isSmart = (account: AccountEntry): account is SmartAccountEntry => 'smart' in account;

/** @returns The address whose signatures the account accepts: its own, or its owner's. */
export const signerOf = (stored: StoredAccount): Hex => (isSmart(stored) ? stored.smart.owner : stored.account.address);

/**
 * Derives an account's id from its type and address, so creating the account again, on another machine or after a
 * crash, gives the same id.
 *
 * @returns A UUID with the version and variant bits that MetaMask's structs require (version 4, RFC 4122).
 */
export function accountId(address: Hex, type: StoredAccount['account']['type'] = EOA_TYPE): string {
  const bytes = keccak256(utf8ToBytes(`keystead/${type}/${address.toLowerCase()}`)).slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return toHex(bytes)
    .slice(2)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
}

/** @returns The account options that describe the source of the key. They are public, so they contain no secret. */
export const keyOptions = (key: KeySource) => ({
  entropy: key.source === 'derived' ? { type: 'custom' as const } : { type: 'private-key' as const },
  exportable: true,
  ...(key.source === 'derived' && { index: key.index }),
});

/** @returns A new externally owned account, not announced yet. */
export function newEoa(address: Hex, key: KeySource): StoredEoa {
  return {
    account: {
      id: accountId(address),
      type: EOA_TYPE,
      address,
      scopes: [EVERY_CHAIN as EthScope.Eoa],
      methods: EOA_METHODS,
      options: keyOptions(key),
    },
    key,
    announced: false,
  };
}

/** The account id decides. An address in the parameters must match it. */
export function assertAccount(named: NamedAccount | undefined, { account }: AccountEntry): void {
  if (named !== undefined && !isSameAddress(named.address, account.address))
    throw new InvalidParamsError(named.field, 'must be the address of the account that the request is for');
}

/**
 * Rejects a method that the account does not support.
 *
 * @param options - `isSite`: a site asks. An externally owned account offers sites the user operation methods too,
 * because it can have a delegate (EIP-7702); MetaMask knows none of them for such an account.
 *
 * @throws {MethodNotSupportedError} If it does not; names the method.
 */
export function assertOffers(
  entry: AccountEntry,
  method: string,
  { isSite = false } = {},
): asserts method is AccountMethodName {
  if (isSmart(entry) && isMessageMethod(method)) {
    const { messageDigest, title } = KINDS[entry.smart.kind];
    if (messageDigest !== undefined) return;
    throw new MethodNotSupportedError(
      `request.method: a ${title} cannot verify message signatures (ERC-1271), so it does not support "${method}"`,
    );
  }
  const offered = isSmart(entry) ? isUserOperationMethod(method) : isEoaMethod(method);
  if (offered || (isSite && isUserOperationMethod(method))) return;
  throw new MethodNotSupportedError(`request.method: the account does not support ${quoted(method)}`);
}
