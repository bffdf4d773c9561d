import { concat, hashStruct, hashTypedData } from 'viem/utils';

import { type Hex, lowerCase } from '../eth/bytes';
import { type OperationDomain } from '../erc4337/hash';
import { type UserOperation } from '../erc4337/user-operation';
import { MODULE_4337, SAFE_OP_TYPES } from './contracts';
import { type safeMessageOf } from './safe-message';

/** From when until when a signature is valid, in seconds since 1970. Zero means no limit. */
export type Validity = { readonly validAfter: number; readonly validUntil: number };

/** Always valid. */
export const ALWAYS: Validity = { validAfter: 0, validUntil: 0 };

type SafeOpDomain = Pick<OperationDomain, 'chainId' | 'entryPoint'>;

/** The EIP-712 message that each owner of a Safe signs for a user operation. It contains the whole operation. */
export const safeOpOf = (operation: UserOperation, { chainId, entryPoint }: SafeOpDomain, validity: Validity) =>
  ({
    domain: { chainId, verifyingContract: MODULE_4337 },
    types: SAFE_OP_TYPES,
    primaryType: 'SafeOp',
    message: {
      ...operation,
      safe: lowerCase(operation.sender),
      ...validity,
      entryPoint: lowerCase(entryPoint),
    },
  }) as const;

type SafeOp = ReturnType<typeof safeOpOf>;

/** What owners of a Safe sign. */
type Signable = Pick<SafeOp | ReturnType<typeof safeMessageOf>, 'domain' | 'primaryType'> & {
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>;
  readonly message: Readonly<Record<string, unknown>>;
};

/** @returns The 32 bytes that each owner signs. */
export const safeOpHash = (safeOp: SafeOp): Hex => hashTypedData(safeOp);

const DOMAIN_TYPES = {
  EIP712Domain: [
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
} as const;

/** @returns The 66 bytes whose hash owners sign. Safe gives them to owners that are contracts. */
export const signedPreimage = ({ domain, types, primaryType, message }: Signable): Hex =>
  concat([
    '0x1901',
    hashStruct({ data: domain, primaryType: 'EIP712Domain', types: DOMAIN_TYPES }),
    hashStruct({ data: message, primaryType, types }),
  ]);
