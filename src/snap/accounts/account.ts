import type { EthEoaAccount, EthErc4337Account, EthScope } from '@metamask/keyring-api';
import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { type Hex, toHex } from '../../core/eth/bytes';
import { KIND_NAMES, type KindName } from '../../core/erc4337/kinds';
import { EOA_METHODS, MESSAGE_METHODS, SMART_ACCOUNT_METHODS } from '../methods';
import { AddressStruct } from '../../core/schemas/address';
import { ChainNameStruct } from '../../core/schemas/chain';
import { Uint256Struct } from '../../core/schemas/hex';
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
} from '../../core/schemas/struct';
import { PrivateKeyStruct } from './options';

/** The id of an account or of a request, in the keyring API. */
export const UuidStruct = rule<string>(
  'must be a UUID of version 4',
  (value) =>
    typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/iu.test(value),
);

/** Far above what a person uses; a derived key's index must stay a 31-bit number to be a path segment. */
export const MAX_INDEX = 2 ** 31 - 1;

/** Where an account's key comes from. */
export const KeySourceStruct = union(
  [
    /** Derived from the recovery phrase; comes back with it. */
    object({ source: literal('derived'), index: integer(0) }),
    /** Brought by the user; lost with the wallet's data. */
    object({ source: literal('imported'), privateKey: PrivateKeyStruct }),
  ],
  'must be a derived key with its index, or an imported private key',
);
export type KeySource = Infer<typeof KeySourceStruct>;

const EOA_TYPE = 'eip155:eoa';
export const SMART_TYPE = 'eip155:erc4337';

/** Of every EVM chain (CAIP-2, as the keyring API uses it for externally owned accounts). */
const EVERY_CHAIN = 'eip155:0';

/** What both types of account have, as the keyring API describes them. */
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
  /** Whether the wallet has confirmed that it knows the account. False after a crash in between: then it is told again. */
  announced: boolean(),
};

/** An account as it is stored: what everybody may see, and where the key comes from. */
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
    /** The key is the owner's; the rest determines the account's address. */
    smart: object({ kind: enums(KIND_NAMES), owner: AddressStruct, factory: AddressStruct, salt: Uint256Struct }),
  }),
]);

/** An externally owned account as the keyring API describes it. */
export type EoaAccount = EthEoaAccount & { address: Hex };
/** A smart account as the keyring API describes it. */
export type Erc4337Account = EthErc4337Account & { address: Hex };

type StoredCommon = { key: KeySource; announced: boolean };
export type StoredEoa = StoredCommon & { account: EoaAccount };
export type StoredSmartAccount = StoredCommon & {
  account: Erc4337Account;
  smart: { kind: KindName; owner: Hex; factory: Hex; salt: Hex };
};
export type StoredAccount = StoredEoa | StoredSmartAccount;

type WithoutKey<Account> = Omit<Account, 'key'> & {
  readonly key: Extract<KeySource, { source: 'derived' }> | { readonly source: 'imported' };
};
export type EoaEntry = WithoutKey<StoredEoa>;
export type SmartAccountEntry = WithoutKey<StoredSmartAccount>;
/** An account without the key, where that was imported: what may stay in memory from one request to the next. */
export type AccountEntry = EoaEntry | SmartAccountEntry;

/** @returns Whether an account is a smart account. */
export const isSmart = (account: AccountEntry): account is SmartAccountEntry => 'smart' in account;

/** @returns Whose signatures an account accepts: its own address, or its owner's. */
export const signerOf = (stored: StoredAccount): Hex => (isSmart(stored) ? stored.smart.owner : stored.account.address);

/**
 * The id of an account is made of what the account is, so that creating it again, on another machine or
 * after a crash, gives the same id.
 *
 * @returns A UUID with the version and variant bits that MetaMask's structs ask for (4, RFC 4122).
 */
export function accountId(address: Hex, type: StoredAccount['account']['type'] = EOA_TYPE): string {
  const bytes = keccak256(utf8ToBytes(`keystead/${type}/${address.toLowerCase()}`)).slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return toHex(bytes)
    .slice(2)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
}

/** @returns What the account object says about where the key comes from. Public, so it holds no secret. */
export const keyOptions = (key: KeySource) => ({
  entropy: key.source === 'derived' ? { type: 'custom' as const } : { type: 'private-key' as const },
  exportable: true,
  ...(key.source === 'derived' && { index: key.index }),
});

/** @returns An externally owned account as it is stored before the wallet knows it. */
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
