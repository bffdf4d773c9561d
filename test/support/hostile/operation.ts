import { encodeFunctionData, parseAbi } from 'viem';

import { ENTRY_POINTS, type AccountVersion } from '../../../src/core/erc4337/entry-points';
import { type Hex } from '../../../src/core/eth/bytes';
import { type HostileCase, refused, signed, warned } from './case';
import { OTHER } from './people';

/** An operation in the wallet's JSON format. */
export type WireOperation = Readonly<Record<string, unknown>>;

/** The context of a case: the account, and an operation that the snap prepared for it. */
export type Given = {
  readonly version: AccountVersion;
  readonly sender: Hex;
  /** A smart account of the same kind in the same wallet. */
  readonly second: Hex;
  readonly operation: WireOperation;
};

export type OperationInput = {
  readonly version: AccountVersion;
  readonly make: (given: Given) => unknown;
};
export type OperationCase = HostileCase<OperationInput>;

type Change = WireOperation | ((given: Given) => WireOperation);

const changed =
  (change: Change) =>
  (given: Given): WireOperation => ({ ...given.operation, ...(typeof change === 'function' ? change(given) : change) });

const VERSIONS = ['0.6', '0.7', '0.8'] as const;
let turn = 0;
/** Each version in turn, for cases that do not depend on it. */
const anyVersion = (): AccountVersion => VERSIONS[turn++ % VERSIONS.length] ?? '0.7';

type Extra = Omit<Partial<OperationCase>, 'name' | 'params' | 'must'> & {
  readonly version?: AccountVersion;
  readonly code?: number;
};

/** Any parameters, for the method in `extra` or `eth_signUserOperation`. */
export const refusedParams = (
  name: string,
  make: OperationInput['make'],
  field: string,
  rule: RegExp,
  { version = anyVersion(), ...extra }: Extra = {},
): OperationCase => refused(name, { version, make }, field, rule, extra);

/** A change of the prepared operation that must be rejected, naming its field. */
export const refusedChange = (
  name: string,
  change: Change,
  field: string,
  rule: RegExp,
  extra: Extra = {},
): OperationCase => refusedParams(name, (given) => [changed(change)(given)], `userOperation.${field}`, rule, extra);

export const signedOperation = (
  name: string,
  change: Change,
  { version = anyVersion(), ...extra }: Extra = {},
): OperationCase => signed(name, { version, make: (given) => [changed(change)(given)] }, extra);

export const warnedOperation = (
  name: string,
  change: Change,
  warn: Parameters<typeof warned>[2],
  { version = anyVersion(), ...extra }: Extra = {},
): OperationCase => warned(name, { version, make: (given) => [changed(change)(given)] }, warn, extra);

export const power = (exponent: number): Hex => `0x${(1n << BigInt(exponent)).toString(16)}`;
export const entryPointOf = ({ version }: Given): Hex => ENTRY_POINTS[version];

export const execute = (to: Hex, value: bigint, data: Hex): Hex =>
  encodeFunctionData({ abi: parseAbi(['function execute(address,uint256,bytes)']), args: [to, value, data] });

let nonces = 1000;
/** The members of an operation that was not prepared here, with its own call data. */
export const madeElsewhere = (callData: Hex = execute(OTHER, BigInt(++nonces), '0x')): WireOperation => ({
  nonce: `0x${(++nonces).toString(16)}`,
  callData,
});
