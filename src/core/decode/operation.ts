import { mostItCosts } from '../erc4337/cost';
import { type EntryPointVersion } from '../erc4337/entry-points';
import { type PaymasterFields, splitPaymasterAndData } from '../erc4337/packed-fields';
import { type Call as AccountCall, type UserOperation } from '../erc4337/user-operation';
import { isSameAddress } from '../eth/address';
import { type Call } from './calls';
import { type Findings } from './dangers';
import { address, dynamicFeeLines, text, VALUE_TO_NOBODY } from './lines';
import { shortened } from './text';
import { type Line } from './types';
import { ether } from './units';

/** How an operation is paid for. */
type Payment = {
  /** Of the entry point. */
  readonly version: EntryPointVersion;
  /** Whether the paymaster is one that Keystead asked. */
  readonly wasPrepared: boolean;
};

/** Characters of a paymaster's data that are shown: bytes for the paymaster, which nobody else understands. */
const MAX_DATA = 200;

/** The paymaster, and what the operation hands it. */
function paymasterLines(
  { paymaster, paymasterData, paymasterVerificationGasLimit, paymasterPostOpGasLimit }: PaymasterFields,
  version: EntryPointVersion,
): Line[] {
  return [
    address('Paid by the paymaster', paymaster),
    ...(version === '0.6'
      ? []
      : [
          text(
            'Paymaster gas limits',
            `verification ${paymasterVerificationGasLimit}, post-op ${paymasterPostOpGasLimit}`,
          ),
        ]),
    ...(paymasterData === '0x' ? [] : [text('Paymaster data', shortened(paymasterData, MAX_DATA))]),
  ];
}

/**
 * Who pays for an operation, and the most it can cost.
 *
 * @throws {InvalidParamsError} If `paymasterAndData` is too short for the entry point's version.
 */
export function paymentLines(operation: UserOperation, { version, wasPrepared }: Payment, findings: Findings): Line[] {
  const paymaster = splitPaymasterAndData(operation.paymasterAndData, version);
  if (paymaster !== undefined && !wasPrepared) findings.danger('unknown-paymaster');
  return [
    ...(paymaster === undefined ? [text('Paid by', 'the account itself')] : paymasterLines(paymaster, version)),
    text('Most it can cost in gas', ether(mostItCosts(operation, version))),
  ];
}

/** What an operation offers for gas, its nonce, and how much gas it may use for what. */
export const offerLines = (operation: UserOperation): Line[] => [
  ...dynamicFeeLines(operation),
  text('Nonce', operation.nonce.toString()),
  text(
    'Gas limits',
    `call ${operation.callGasLimit}, verification ${operation.verificationGasLimit}, pre-verification ${operation.preVerificationGas}`,
  ),
];

const digits = (hex: string): string => hex.slice(2).toLowerCase();

/**
 * Each call of the account; or, where its kind does not know them, the call data as a call of the account itself.
 *
 * @param calls - undefined: this kind of account does not know the call data.
 */
export function callsOf(
  { sender, callData }: UserOperation,
  calls: readonly AccountCall[] | undefined,
  findings: Findings,
): Call[] {
  if (calls === undefined) return [{ to: sender, value: 0n, data: digits(callData) }];
  if (calls.some(({ to }) => isSameAddress(to, sender)))
    findings.warn('A call goes to the account itself: it can change who owns it, or replace its code.');
  if (calls.some(({ to, value }) => BigInt(to) === 0n && value > 0n)) findings.warn(VALUE_TO_NOBODY);
  return calls.map(({ to, value, data }) => ({ to, from: sender, value, data: digits(data) }));
}
