import { mostItCosts } from '../../erc4337/cost';
import { type EntryPointVersion } from '../../erc4337/entry-points';
import { type PaymasterFields, splitPaymasterAndData } from '../../erc4337/packed-fields';
import { type Call as AccountCall, type UserOperation } from '../../erc4337/user-operation';
import { isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { type Call } from '../rules/calls';
import { type Findings } from '../effects/dangers';
import { knownChanges } from '../effects/effect';
import { address, dynamicFeeLines, isUnlimited, text, tokenAmount } from '../words/lines';
import { shortAddress, warnOfSelfCall } from '../words/sentences';
import { shortened } from '../words/text';
import { type Line } from '../explanation';
import { declaredTokenAt, tokenAt, type TokenScene } from '../metadata/tokens';
import { feeAtMost, nativeAmount } from '../words/units';

/** The facts that decide how an operation is paid for. */
type Payment = {
  /** The entry point's. */
  readonly version: EntryPointVersion;
  /** Whether Keystead prepared the operation, and so chose its paymaster. */
  readonly wasPrepared: boolean;
};

/** What the paymaster may take of tokens once the calls are made, each in words. It takes its fee after them. */
function tokenFees(paymaster: Hex, scene: TokenScene): string[] {
  return knownChanges(scene).allows.flatMap((allowance) => {
    if (allowance.kind !== 'amount' || !isSameAddress(allowance.spender, paymaster)) return [];
    const { token: at, amount } = allowance;
    const token = tokenAt(at, scene) ?? declaredTokenAt(at, scene);
    return isUnlimited(amount)
      ? `all your ${token?.symbol ?? `tokens of ${shortAddress(at)}`}, now and in the future`
      : `up to ${tokenAmount(amount, at, scene)}`;
  });
}

/** The longest paymaster data that is shown, in characters. Only the paymaster can decode it. */
const MAX_DATA = 200;

/** The paymaster, with its gas limits and data. */
function paymasterLines(
  { paymaster, paymasterData, paymasterVerificationGasLimit, paymasterPostOpGasLimit }: PaymasterFields,
  version: EntryPointVersion,
): Line[] {
  return [
    address('Fee payer (paymaster)', paymaster),
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
 * Who pays for an operation, and the most it can cost. Its calls must have been read before: they say which tokens the paymaster
 * may take. Allowances from before are not known, so no operation is said to cost nothing.
 *
 * @returns Rows about the paymaster, and the network fee in words.
 * @throws {InvalidParamsError} If `paymasterAndData` is too short for the entry point's version.
 */
export function paymentOf(
  operation: UserOperation,
  { version, wasPrepared }: Payment,
  scene: TokenScene,
): { readonly fee: string; readonly lines: Line[] } {
  const paymaster = splitPaymasterAndData(operation.paymasterAndData, version);
  const cost = mostItCosts(operation, version);
  const exact = text('Maximum network fee', nativeAmount(cost, scene));
  if (paymaster === undefined) return { fee: feeAtMost(cost, scene), lines: [text('Fee payer', 'the account'), exact] };
  const who = shortAddress(paymaster.paymaster);
  if (!wasPrepared)
    scene.findings.danger(
      'unknown-paymaster',
      () => `The fee is to be paid by ${who}, a paymaster that Keystead did not choose.`,
    );
  const tokens = tokenFees(paymaster.paymaster, scene);
  const sponsored = wasPrepared
    ? `Sponsored by ${who}: you pay nothing, except tokens that you approved for it`
    : `${feeAtMost(cost, scene)}, paid by ${who}, which may charge you for it`;
  return {
    fee: tokens.length === 0 ? sponsored : `${tokens.join(' and ')}, taken by ${who}`,
    lines: [
      ...paymasterLines(paymaster, version),
      ...tokens.map((most) => text('Approval for the fee', `The calls let ${who} take ${most}`)),
      exact,
    ],
  };
}

/** The fees per gas, the nonce and the gas limits of an operation. */
export const gasLines = (operation: UserOperation): Line[] => [
  ...dynamicFeeLines(operation),
  text('Nonce', operation.nonce.toString()),
  text(
    'Gas limits',
    `call ${operation.callGasLimit}, verification ${operation.verificationGasLimit}, pre-verification ${operation.preVerificationGas}`,
  ),
];

const digits = (hex: string): string => hex.slice(2).toLowerCase();

/**
 * The calls that an operation makes.
 *
 * @param calls - undefined if the call data is unknown to this kind of account. It then counts as a call to the account.
 */
export function callsOf(
  { sender, callData }: UserOperation,
  calls: readonly AccountCall[] | undefined,
  findings: Findings,
): Call[] {
  if (calls === undefined) return [{ to: sender, value: 0n, data: digits(callData) }];
  warnOfSelfCall(calls, sender, findings);
  return calls.map(({ to, value, data }) => ({ to, from: sender, value, data: digits(data) }));
}
