import { mostItCosts } from '../../erc4337/cost';
import { type EntryPointVersion } from '../../erc4337/entry-points';
import { type PaymasterFields, splitPaymasterAndData } from '../../erc4337/packed-fields';
import { type Call, type UserOperation } from '../../erc4337/user-operation';
import { isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { type Effect } from '../effects/effect';
import { lossesOf } from '../effects/changes';
import { type Allowance } from '../effects/outcome';
import { type Line } from '../explanation';
import { type WordScene } from '../scene';
import { isBeyondSupply, tokenAmount, tokenName } from '../words/amounts';
import { address, dynamicFeeLines, text } from '../words/lines';
import { shortAddress } from '../words/names';
import { shortened } from '../words/text';
import { feeAtMost, nativeAmount } from '../words/units';
import { type ContractCall } from './calls/rule';

/** The amount of the network's coin that the account itself sends. */
const coinsSent = ({ findings, view }: WordScene): bigint =>
  lossesOf(findings.effects, view.signer).reduce(
    (sum, { asset, amount }) => (asset.kind === 'native' ? sum + amount : sum),
    0n,
  );

/** The network fee in words; one that is more than the coins that are sent says so. */
export function feeText(fee: bigint, scene: WordScene): string {
  const sent = coinsSent(scene);
  const more = sent > 0n && fee > sent ? `, more than the ${nativeAmount(sent, scene)} that you send` : '';
  return `${feeAtMost(fee, scene)}${more}`;
}

/** Compares a price per gas with what the network's node suggests, where that is known. */
export const comparedPrice = (price: bigint, { view: { gasPrice } }: WordScene): Effect[] =>
  gasPrice === undefined ? [] : [{ kind: 'fee', price, suggested: gasPrice }];

/** Gas for a bundle of one operation, its fixed fields and its signature; and for each byte that it carries. */
const FIXED_OVERHEAD = 60_000n;
const BYTE_OVERHEAD = 40n;

/** The most that bundlers ask for their own work on an operation of this size, without the data fees of rollups. */
const usualOverhead = ({ initCode, callData, paymasterAndData }: UserOperation): bigint =>
  FIXED_OVERHEAD + BYTE_OVERHEAD * BigInt((initCode.length + callData.length + paymasterAndData.length) / 2);

/** The facts that decide how an operation is paid for. */
type Payment = {
  /** The entry point's. */
  readonly version: EntryPointVersion;
  /** Whether Keystead prepared the operation, and so chose its paymaster. */
  readonly wasPrepared: boolean;
};

/** The tokens that the paymaster may take once the calls are made, each in words. It takes its fee after them. */
const tokenFees = (paymaster: Hex, allows: readonly Allowance[], scene: WordScene): string[] =>
  allows.flatMap((allowance) => {
    if (allowance.kind !== 'amount' || !isSameAddress(allowance.spender, paymaster)) return [];
    const { token: at, amount, declared } = allowance;
    return isBeyondSupply(amount, at, scene)
      ? `all your ${tokenName(at, scene, declared)}, now and in the future`
      : `up to ${tokenAmount(amount, at, scene)}`;
  });

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
 * The payer of an operation, and the most it can cost. Allowances from before are not known, so no operation is said to
 * cost nothing.
 *
 * @param allows - What the calls of the operation allow, which may be for the paymaster.
 * @returns Rows about the paymaster, and the network fee in words.
 * @throws {InvalidParamsError} If `paymasterAndData` is too short for the entry point's version.
 */
export function paymentOf(
  operation: UserOperation,
  { version, wasPrepared }: Payment,
  scene: WordScene,
  allows: readonly Allowance[] = [],
): { readonly fee: string; readonly lines: readonly Line[]; readonly effects: readonly Effect[] } {
  const paymaster = splitPaymasterAndData(operation.paymasterAndData, version);
  const cost = mostItCosts(operation, version);
  const exact = text('Maximum network fee', nativeAmount(cost, scene));
  const price = comparedPrice(operation.maxFeePerGas, scene);
  if (paymaster === undefined)
    return {
      fee: feeText(cost, scene),
      lines: [text('Fee payer', 'the account'), exact],
      effects: [
        ...price,
        {
          kind: 'overhead',
          gas: operation.preVerificationGas,
          usual: usualOverhead(operation),
          price: operation.maxFeePerGas,
        },
      ],
    };
  const who = shortAddress(paymaster.paymaster);
  const tokens = tokenFees(paymaster.paymaster, allows, scene);
  const sponsored = wasPrepared
    ? `Sponsored by ${who}: you pay nothing, except tokens that you approved for it`
    : `${feeAtMost(cost, scene)}, paid by ${who}, which may charge you for it`;
  return {
    effects: [...price, ...(wasPrepared ? [] : [{ kind: 'paymaster', paymaster: paymaster.paymaster } as const])],
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
 * The calls that an operation makes, and whether one of them is to the account itself.
 *
 * @param calls - undefined if the call data is unknown to this kind of account. It then counts as a call to the
 * account.
 */
export function callsOf(
  { sender, callData }: UserOperation,
  calls: readonly Call[] | undefined,
): { readonly calls: readonly ContractCall[]; readonly effects: readonly Effect[] } {
  if (calls === undefined) return { calls: [{ to: sender, value: 0n, data: digits(callData) }], effects: [] };
  return {
    calls: calls.map(({ to, value, data }) => ({ to, from: sender, value, data: digits(data) })),
    effects: calls.some(({ to }) => isSameAddress(to, sender)) ? [{ kind: 'self-call' }] : [],
  };
}
