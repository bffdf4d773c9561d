import { concat, numberToHex, size } from 'viem/utils';

import { InvalidParamsError } from '../errors';
import { type Hex, lowerCase } from '../eth/bytes';
import { type EntryPointVersion } from './entry-points';
import { MAX_GAS_VALUE } from './user-operation';

/** The parts of `initCode` (ERC-4337). From entry point 0.7 on they are two fields of the RPC form. */
export type FactoryFields = { readonly factory: Hex; readonly factoryData: Hex };

/** The parts of `paymasterAndData`. Entry point 0.6 has no paymaster gas limits, so they are zero there. */
export type PaymasterFields = {
  readonly paymaster: Hex;
  readonly paymasterVerificationGasLimit: bigint;
  readonly paymasterPostOpGasLimit: bigint;
  readonly paymasterData: Hex;
  /** Entry point 0.9 only. The account's signature does not cover it. */
  readonly paymasterSignature?: Hex;
};

const ADDRESS_BYTES = 20;
const GAS_LIMIT_BYTES = 16;
const FIXED_BYTES = ADDRESS_BYTES + 2 * GAS_LIMIT_BYTES;

/** The end of a `paymasterAndData` that carries a signature of the paymaster (ERC-4337, entry point 0.9). */
const PAYMASTER_SIGNATURE_MAGIC = '0x22e325a297439656';
const MAGIC_BYTES = 8;
const SIGNATURE_SUFFIX_BYTES = MAGIC_BYTES + 2;

/** Unlike viem's `slice`, it may start at the very end of the data. */
const slice = (hex: Hex, from: number, to?: number): Hex =>
  `0x${hex.slice(2 + 2 * from, to === undefined ? undefined : 2 + 2 * to)}`;

/** @throws {InvalidParamsError} If the field has fewer bytes than required. */
function assertAtLeast(least: number, hex: Hex, field: string, what: string): void {
  if (size(hex) < least) throw new InvalidParamsError(field, `must be 0x, or at least ${least} bytes: ${what}`);
}

/**
 * The `initCode` of an externally owned account that is delegated with its first operation (EIP-7702), instead of a
 * factory. Bundlers take its first two bytes for the factory.
 */
export const DELEGATION_MARKER: Hex = `0x7702${'0'.repeat(36)}`;

/** @returns Whether this `initCode` stands for a delegation, in its short or its long form, without any data. */
export const isDelegationMarker = (initCode: Hex): boolean => initCode === '0x7702' || initCode === DELEGATION_MARKER;

/**
 * @param initCode - Any bytes.
 * @returns The two parts, or undefined for a deployed account (0x). The factory of a delegation is `0x7702` (ERC-7769).
 * @throws {InvalidParamsError} If it is too short for an address, or has data after the marker of a delegation, which
 * the account would be called with.
 */
export function splitInitCode(initCode: Hex, field = 'userOperation.initCode'): FactoryFields | undefined {
  if (initCode === '0x') return undefined;
  if (isDelegationMarker(initCode)) return { factory: '0x7702', factoryData: '0x' };
  if (initCode.startsWith(DELEGATION_MARKER))
    throw new InvalidParamsError(field, 'must have no data after the marker of an upgrade (EIP-7702)');
  assertAtLeast(ADDRESS_BYTES, initCode, field, 'a factory address and its data');
  return { factory: slice(initCode, 0, ADDRESS_BYTES), factoryData: slice(initCode, ADDRESS_BYTES) };
}

/** The length of the paymaster signature at the end of a `paymasterAndData` of entry point 0.9. */
function paymasterSignatureBytes(paymasterAndData: Hex): number {
  const length = size(paymasterAndData);
  if (length < FIXED_BYTES + SIGNATURE_SUFFIX_BYTES) return 0;
  if (lowerCase(slice(paymasterAndData, length - MAGIC_BYTES)) !== PAYMASTER_SIGNATURE_MAGIC) return 0;
  return Number(slice(paymasterAndData, length - SIGNATURE_SUFFIX_BYTES, length - MAGIC_BYTES));
}

function splitPaymasterSignature(
  data: Hex,
  signatureBytes: number,
): Pick<PaymasterFields, 'paymasterData' | 'paymasterSignature'> {
  if (signatureBytes === 0) return { paymasterData: data };
  const end = size(data) - SIGNATURE_SUFFIX_BYTES;
  return {
    paymasterData: slice(data, 0, end - signatureBytes),
    paymasterSignature: slice(data, end - signatureBytes, end),
  };
}

/**
 * Splits `paymasterAndData`.
 *
 * @returns The parts, or undefined if there is no paymaster (0x).
 * @throws {InvalidParamsError} If it is too short, or contains a gas limit above the entry point's maximum.
 */
export function splitPaymasterAndData(
  paymasterAndData: Hex,
  version: EntryPointVersion,
  field = 'userOperation.paymasterAndData',
): PaymasterFields | undefined {
  if (paymasterAndData === '0x') return undefined;
  const paymaster = slice(paymasterAndData, 0, ADDRESS_BYTES);
  if (version === '0.6') {
    assertAtLeast(ADDRESS_BYTES, paymasterAndData, field, 'a paymaster address and its data');
    const paymasterData = slice(paymasterAndData, ADDRESS_BYTES);
    return { paymaster, paymasterVerificationGasLimit: 0n, paymasterPostOpGasLimit: 0n, paymasterData };
  }
  const parts = `a paymaster address and two gas limits of ${GAS_LIMIT_BYTES} bytes`;
  assertAtLeast(FIXED_BYTES, paymasterAndData, field, parts);
  const signatureBytes = version === '0.9' ? paymasterSignatureBytes(paymasterAndData) : 0;
  if (signatureBytes > 0 && signatureBytes > size(paymasterAndData) - FIXED_BYTES - SIGNATURE_SUFFIX_BYTES)
    throw new InvalidParamsError(field, "must be long enough for its paymaster's signature");
  const gasLimit = (index: number): bigint => {
    const from = ADDRESS_BYTES + index * GAS_LIMIT_BYTES;
    const limit = BigInt(slice(paymasterAndData, from, from + GAS_LIMIT_BYTES));
    if (limit > MAX_GAS_VALUE) throw new InvalidParamsError(field, 'must contain gas limits of at most 2^120-1');
    return limit;
  };
  return {
    paymaster,
    paymasterVerificationGasLimit: gasLimit(0),
    paymasterPostOpGasLimit: gasLimit(1),
    ...splitPaymasterSignature(slice(paymasterAndData, FIXED_BYTES), signatureBytes),
  };
}

/** @returns The stub data of a paymaster with the verification gas that the bundler estimated for it. */
export function withVerificationGas(paymasterAndData: Hex, version: EntryPointVersion, gas: bigint): Hex {
  const fields = splitPaymasterAndData(paymasterAndData, version);
  return fields === undefined
    ? paymasterAndData
    : joinPaymasterAndData({ ...fields, paymasterVerificationGasLimit: gas });
}

/** The inverse of {@link splitPaymasterAndData}; lower case. */
export function joinPaymasterAndData({ paymasterSignature, ...fields }: PaymasterFields): Hex {
  const limit = { size: GAS_LIMIT_BYTES };
  const parts = [
    fields.paymaster,
    numberToHex(fields.paymasterVerificationGasLimit, limit),
    numberToHex(fields.paymasterPostOpGasLimit, limit),
    fields.paymasterData,
  ];
  if (paymasterSignature !== undefined)
    parts.push(paymasterSignature, numberToHex(size(paymasterSignature), { size: 2 }), PAYMASTER_SIGNATURE_MAGIC);
  return lowerCase(concat(parts));
}
