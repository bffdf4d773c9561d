import { mostItCosts } from '../erc4337/cost';
import { type FundsFacts, fundsSentence } from '../erc4337/failures';
import { type OperationPlace } from '../erc4337/hash';
import { paymasterOf } from '../erc4337/packed-fields';
import { type Call, type UserOperation } from '../erc4337/user-operation';
import { isSameAddress } from '../eth/address';
import { type Line, type Explanation } from './types';
import { ether, gwei } from './units';

/** What is known about an operation beside its fields. */
type Facts = {
  readonly place: OperationPlace;
  /** What the account is, such as "SimpleAccount 0.7". */
  readonly accountTitle: string;
  /** undefined: the call data is not understood. */
  readonly calls: readonly Call[] | undefined;
  readonly wasPrepared: boolean;
  /** What the account has to pay with; undefined if it does not pay itself, or that is not known. */
  readonly funds: FundsFacts | undefined;
};

/** A screen holds no more; the rest is counted. */
const MAX_CALLS = 30;

const text = (label: string, value: string): Line => ({ kind: 'text', label, value });

const bytesIn = (hex: string): number => (hex.length - 2) / 2;

function callLines({ to, value, data }: Call, name: string): Line[] {
  const size = bytesIn(data);
  const what = size === 0 ? 'none' : `${size} bytes, not decoded, function ${data.slice(0, 10)}`;
  return [
    { kind: 'address', label: `${name} to`, value: to },
    text(`${name} value`, ether(value)),
    text(`${name} data`, what),
  ];
}

function callsLines(calls: readonly Call[] | undefined, { callData }: UserOperation): Line[] {
  if (calls === undefined) return [text('Call data', `${bytesIn(callData)} bytes, not understood`)];
  const name = (index: number): string => (calls.length === 1 ? 'Call' : `Call ${index + 1}`);
  return [
    text('Calls', String(calls.length)),
    ...calls.slice(0, MAX_CALLS).flatMap((call, index) => callLines(call, name(index))),
  ];
}

function warningsOf(operation: UserOperation, { calls, wasPrepared, funds }: Facts): string[] {
  const warnings: string[] = [];
  if (funds !== undefined && funds.balance + funds.deposit < funds.needed)
    warnings.push(`The account cannot pay for this operation. ${fundsSentence(funds)}`);
  if (!wasPrepared) warnings.push('Keystead did not prepare this operation. It was made elsewhere.');
  if (calls === undefined)
    warnings.push('What the account would do is not understood. Sign only if you know what it is.');
  if (calls !== undefined && calls.length > MAX_CALLS)
    warnings.push(`${calls.length - MAX_CALLS} more calls are signed but not shown here.`);
  if (calls?.some(({ to }) => isSameAddress(to, operation.sender)) === true)
    warnings.push('A call goes to the account itself: it can change who owns it, or replace its code.');
  if (calls?.some(({ to, value }) => BigInt(to) === 0n && value > 0n) === true)
    warnings.push('Value goes to the zero address: nobody can get it back.');
  return warnings;
}

/**
 * Explains a user operation: what the account does, where, who pays, and the most it can cost.
 *
 * @throws {InvalidParamsError} If `paymasterAndData` is too short for the entry point's version.
 */
export function explainUserOperation(operation: UserOperation, facts: Facts): Explanation {
  const { place, calls, accountTitle } = facts;
  const paymaster = paymasterOf(operation.paymasterAndData, place.version);
  const lines: Line[] = [
    ...callsLines(calls, operation),
    text('Chain', `eip155:${place.chainId}`),
    text('Account', operation.initCode === '0x' ? accountTitle : `${accountTitle}, deployed by this operation`),
    paymaster === undefined
      ? text('Paid by', 'the account itself')
      : { kind: 'address', label: 'Paid by the paymaster', value: paymaster },
    text('Most it can cost in gas', ether(mostItCosts(operation, place.version))),
    text('Max fee per gas', gwei(operation.maxFeePerGas)),
    text('Max priority fee per gas', gwei(operation.maxPriorityFeePerGas)),
    text('Nonce', operation.nonce.toString()),
    { kind: 'address', label: `Entry point ${place.version}`, value: place.entryPoint },
  ];
  return {
    title: 'Sign a user operation',
    lines,
    body: { label: 'Call data', text: operation.callData },
    warnings: warningsOf(operation, facts),
  };
}
