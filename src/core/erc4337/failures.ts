import { formatEther } from 'viem/utils';

import { oneLine } from '../eth/one-line';
import { decodeRevert } from './revert';

/** What a bundler, a paymaster or an entry point said when it refused an operation. */
export type OperationError = { readonly code?: number; readonly message: string; readonly data?: unknown };

/** What a refused operation is about, where it is known; amounts in wei. */
export type FundsFacts = { readonly needed: bigint; readonly balance: bigint; readonly deposit: bigint };

/** A refusal in words. `aa` is the entry point's own code, such as AA21. */
export type OperationFailure = { readonly sentence: string; readonly aa?: string };

/** What the codes of the entry points mean (account-abstraction, EntryPoint.sol, 0.6 to 0.9). */
const AA_SENTENCES: Readonly<Record<string, string>> = {
  AA10: 'The account is deployed already, but the operation carries initCode. Prepare the operation again.',
  AA13: 'The factory could not deploy the account: it failed, or verificationGasLimit is too low for it.',
  AA14: 'The factory in initCode deploys another address than the sender.',
  AA15: 'The factory in initCode did not deploy anything at the sender.',
  AA20: 'The account is not deployed, and the operation carries no initCode. Prepare the operation again.',
  AA21: 'The account cannot pay for the operation.',
  AA22: "The operation's signature is not valid yet, or no longer.",
  AA23: 'The account rejected the operation while checking it.',
  AA24: "The signature is not the account owner's for this operation, chain and entry point.",
  AA25: 'The nonce is not the next one of the account: the operation was sent already, or an earlier one is missing.',
  AA26: 'Checking the operation used more than verificationGasLimit. Prepare the operation again for a higher one.',
  AA30: 'The paymaster is not deployed on this chain.',
  AA31: "The paymaster's deposit at the entry point is too low to pay for the operation.",
  AA32: "The paymaster's approval is not valid yet, or no longer. Ask the paymaster again.",
  AA33: 'The paymaster rejected the operation while checking it.',
  AA34: "The paymaster's signature is wrong, or is for another operation.",
  AA36: 'The paymaster used more gas for checking the operation than it was allowed.',
  AA40: 'Checking the operation used more than verificationGasLimit.',
  AA41: 'verificationGasLimit is too low for the check of the operation and the paymaster.',
  AA50: 'The paymaster failed after the operation had run.',
  AA51: 'The operation costs more than was set aside for it: raise its gas limits.',
  AA90: 'The bundler gave the entry point an invalid beneficiary.',
  AA91: 'The bundler could not be paid.',
  AA92: 'The entry point was called by someone it does not serve.',
  AA93: 'paymasterAndData is too short for this entry point.',
  AA94: 'A gas limit or a fee is above 2^120-1.',
  AA95: 'The bundle ran out of gas: lower callGasLimit, or send the operation again.',
  AA96: 'The operation asks for an aggregator that the entry point does not accept.',
  AA97: 'The entry point does not allow this call.',
  AA98: 'paymasterAndData names the zero address as paymaster.',
  AA99: 'initCode is too short for this entry point.',
};

/** What a bundler's numbers mean (ERC-7769; -32506 is no longer in its text but in use). */
const CODE_SENTENCES: Readonly<Record<number, string>> = {
  [-32500]: 'The entry point or the account rejected the operation.',
  [-32501]: 'The paymaster rejected the operation.',
  [-32502]: 'Checking the operation does something that bundlers forbid (ERC-7562).',
  [-32503]: 'The operation is outside the time in which it is valid.',
  [-32504]: 'The bundler does not serve this paymaster, factory or aggregator for now: it is throttled or banned.',
  [-32505]: 'The stake of the paymaster, factory or aggregator is too low for the bundler.',
  [-32506]: 'The bundler does not know the aggregator.',
  [-32507]: "The operation's signature, or the paymaster's, is wrong.",
  [-32508]: "The paymaster's deposit does not cover the operation together with others that wait.",
  [-32521]: 'The call itself would fail on the chain.',
  [-32601]: 'The bundler does not take this request.',
  [-32602]: 'The bundler found a field of the operation invalid.',
};

/** At most this much of somebody else's text goes into a sentence. */
const MAX_QUOTE = 300;

const AA_CODE = /\bAA\d\d\b/u;

const ether = (wei: bigint): string => `${formatEther(wei)} ETH`;

/** @returns What it needs and what there is, in the chain's own coin. */
export const fundsSentence = ({ needed, balance, deposit }: FundsFacts): string =>
  `It needs ${ether(needed)}, and has ${ether(balance + deposit)} (${ether(balance)} in the account, ${ether(deposit)} deposited at the entry point).`;

/**
 * Puts a refusal into words: the entry point's AA code if there is one, else the bundler's number, and what
 * was said, as a quotation.
 *
 * @param error - The error object of a JSON-RPC answer. Its text comes from outside.
 * @param funds - What the operation costs at most and what there is, for AA21.
 */
export function explainFailure({ code, message, data }: OperationError, funds?: FundsFacts): OperationFailure {
  const revert = decodeRevert(data);
  const said = [message, ...(revert === undefined || message.includes(revert) ? [] : [revert])].join(' / ');
  const aa = AA_CODE.exec(said)?.[0];
  const meaning =
    (aa === undefined ? undefined : AA_SENTENCES[aa]) ?? (code === undefined ? undefined : CODE_SENTENCES[code]);
  const sentence = [
    meaning ?? 'The operation was refused.',
    ...(aa === 'AA21' && funds !== undefined ? [fundsSentence(funds)] : []),
    `(${code === undefined ? '' : `${code}: `}${oneLine(said, MAX_QUOTE)})`,
  ].join(' ');
  return aa === undefined ? { sentence } : { sentence, aa };
}
