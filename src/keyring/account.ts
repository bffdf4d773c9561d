import { type EthEoaAccount, EthEoaAccountStruct, EthScope } from '@metamask/keyring-api';
import { boolean, type Infer, integer, literal, min, object, union } from '@metamask/superstruct';
import { utf8ToBytes } from '@noble/hashes/utils.js';

import { type Hex, toHex } from '../eth/bytes';
import { keccak256 } from '../eth/keccak';
import { EOA_METHODS } from '../methods';
import { bytesStruct } from '../wire/hex';

/** Where an account's key comes from. */
const KeySourceStruct = union([
  /** Derived from the recovery phrase; comes back with it. */
  object({ source: literal('derived'), index: min(integer(), 0) }),
  /** Brought by the user; lost with the wallet's data. */
  object({ source: literal('imported'), privateKey: bytesStruct(32) }),
]);
export type KeySource = Infer<typeof KeySourceStruct>;

/** An account as it is stored: what everybody may see, and where the key comes from. */
export const StoredAccountStruct = object({
  account: EthEoaAccountStruct,
  key: KeySourceStruct,
  /** Whether the wallet has confirmed that it knows the account. False after a crash in between: then it is told again. */
  announced: boolean(),
});
/** An externally owned account as the keyring API describes it. */
export type EoaAccount = EthEoaAccount & { address: Hex };

export type StoredAccount = { account: EoaAccount; key: KeySource; announced: boolean };

const EOA_TYPE = 'eip155:eoa';

/**
 * The id of an account is made of what the account is, so that creating it again, on another machine or
 * after a crash, gives the same id.
 *
 * @returns A UUID with the version and variant bits that MetaMask's structs ask for (4, RFC 4122).
 */
export function accountId(address: Hex): string {
  const bytes = keccak256(utf8ToBytes(`keystead/${EOA_TYPE}/${address.toLowerCase()}`)).slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return toHex(bytes)
    .slice(2)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
}

/** @returns The account object of the keyring API: public, so it holds no secret. */
export function eoaAccount(address: Hex, key: KeySource): EoaAccount {
  return {
    id: accountId(address),
    type: EOA_TYPE,
    address,
    scopes: [EthScope.Eoa],
    methods: EOA_METHODS,
    options: {
      entropy: key.source === 'derived' ? { type: 'custom' } : { type: 'private-key' },
      exportable: true,
      ...(key.source === 'derived' && { index: key.index }),
    },
  };
}
