import { OVER_CAP_REMEDY, saysOverCap } from '../eth/gas';
import { oneLine } from '../eth/one-line';
import { groupedUnits } from '../eth/units';
import { decodeRevert } from './revert';

/** The error with which a bundler, paymaster or entry point rejected an operation. */
export type OperationError = { readonly code?: number; readonly message: string; readonly data?: unknown };

/**
 * The cost of an operation and the funds of the account, in wei: its balance, and its deposit at the entry point.
 *
 * @example
 * ```ts
 * const funds: FundsFacts = { needed: 3n * 10n ** 15n, balance: 10n ** 15n, deposit: 0n };
 * funds.needed > funds.balance + funds.deposit; // => true
 * ```
 */
export type FundsFacts = { readonly needed: bigint; readonly balance: bigint; readonly deposit: bigint };

/** An explained error. `aa` is the entry point's own code, such as AA21. */
export type OperationFailure = { readonly sentence: string; readonly aa?: string };

/** The meaning of the entry point's error codes (account-abstraction, EntryPoint.sol, 0.6 to 0.9). */
const AA_SENTENCES: Readonly<Record<string, string>> = {
  AA10: 'The account is already deployed, but the operation carries initCode. Prepare the operation again.',
  AA13: 'The factory could not deploy the account: the deployment failed, or verificationGasLimit is too low.',
  AA14: 'The factory in initCode deploys to a different address than the sender.',
  AA15: 'The factory in initCode did not deploy a contract at the sender address.',
  AA20: 'The account is not deployed, and the operation carries no initCode; or the bundler ignores its authorization (EIP-7702). Prepare the operation again.',
  AA21: 'The account cannot pay for the operation.',
  AA22: 'The signature of the operation has expired or is not valid yet.',
  AA23: 'The account rejected the operation during validation.',
  AA24: "The signature is not the account owner's signature for this operation, network and entry point.",
  AA25: "The nonce is not the account's next one: the operation was already sent, or an earlier one is missing.",
  AA26: 'Validation used more gas than verificationGasLimit. Prepare the operation again to get a higher limit.',
  AA30: 'The paymaster is not deployed on this chain.',
  AA31: "The paymaster's deposit at the entry point is too low to pay for the operation.",
  AA32: "The paymaster's approval has expired or is not valid yet. Request it again.",
  AA33: 'The paymaster rejected the operation during validation.',
  AA34: "The paymaster's signature is invalid or belongs to another operation.",
  AA36: 'The paymaster used more gas for validation than its limit allows.',
  AA40: 'Validation used more gas than verificationGasLimit.',
  AA41: 'verificationGasLimit is too low to validate the operation and its paymaster.',
  AA50: 'The paymaster failed after the operation was executed.',
  AA51: 'The operation costs more than was reserved for it. Raise its gas limits.',
  AA90: 'The bundler gave the entry point an invalid beneficiary.',
  AA91: 'The entry point could not pay the bundler.',
  AA92: 'The entry point rejected the caller.',
  AA93: 'paymasterAndData is too short for this entry point.',
  AA94: 'A gas limit or fee is above 2^120-1.',
  AA95: 'The bundle ran out of gas. Lower callGasLimit, or send the operation again.',
  AA96: 'The operation uses an aggregator that the entry point does not accept.',
  AA97: 'The entry point does not allow this call.',
  AA98: 'paymasterAndData names the zero address as paymaster.',
  AA99: 'initCode is too short for this entry point.',
};

/** The meaning of a bundler's error numbers (ERC-7769; -32506 was removed from its text but is still in use). */
const CODE_SENTENCES: Readonly<Record<number, string>> = {
  [-32500]: 'The entry point or the account rejected the operation.',
  [-32501]: 'The paymaster rejected the operation.',
  [-32502]: 'Validating the operation does something that bundlers forbid (ERC-7562).',
  [-32503]: 'The operation has expired or is not valid yet.',
  [-32504]: 'The bundler has throttled or banned this paymaster, factory or aggregator.',
  [-32505]: "The stake of the paymaster, factory or aggregator is below the bundler's minimum.",
  [-32506]: 'The bundler does not support this aggregator.',
  [-32507]: 'The signature of the operation or of its paymaster is invalid.',
  [-32508]: "The paymaster's deposit does not cover this operation and the pending ones it also pays for.",
  [-32521]: 'The call would fail on the network.',
  [-32601]: 'The bundler does not support this method.',
  [-32602]: 'The bundler rejected a field of the operation as invalid.',
};

/** The maximum number of characters quoted from an untrusted message. */
const MAX_QUOTE = 300;

const AA_CODE = /\bAA\d\d\b/u;

/**
 * @param symbol - The symbol of the network's coin.
 * @returns The amount needed and the amount available.
 */
export function fundsSentence({ needed, balance, deposit }: FundsFacts, symbol = 'ETH'): string {
  const written = (wei: bigint): string => `${groupedUnits(wei, 18)} ${symbol}`;
  return `It needs ${written(needed)} and has ${written(balance + deposit)} (${written(balance)} in the account, ${written(deposit)} deposited at the entry point).`;
}

/**
 * Explains why an operation was rejected: by the entry point's AA code if there is one, otherwise by the bundler's
 * error number. The original message is quoted.
 *
 * @param error - The error object of a JSON-RPC response. Its text is untrusted.
 * @param funds - The operation's maximum cost and the available funds, shown for AA21.
 */
export function explainFailure({ code, message, data }: OperationError, funds?: FundsFacts): OperationFailure {
  const revert = decodeRevert(data);
  const quoted = [message, ...(revert === undefined || message.includes(revert) ? [] : [revert])].join(' / ');
  const aa = AA_CODE.exec(quoted)?.[0];
  const meaning =
    (aa === undefined ? undefined : AA_SENTENCES[aa]) ??
    (saysOverCap(message) ? OVER_CAP_REMEDY : undefined) ??
    (code === undefined ? undefined : CODE_SENTENCES[code]);
  const sentence = [
    meaning ?? 'The operation was rejected.',
    ...(aa === 'AA21' && funds !== undefined ? [fundsSentence(funds)] : []),
    `(${code === undefined ? '' : `${code}: `}${oneLine(quoted, MAX_QUOTE)})`,
  ].join(' ');
  return aa === undefined ? { sentence } : { sentence, aa };
}
