import { type Outcome } from '../core/decode/effects/outcome';
import { revertReason } from '../core/simulation/revert-reason';
import { quotable } from '../core/decode/words/text';
import { revertData } from '../core/erc4337/revert';
import { ServiceFailedError, type ServiceRefusedError } from '../core/errors';

/** The reason why there is no outcome, in words. */
export class CannotSimulateError extends Error {}

/** The node's answer does not have the form that it must have. */
export const NONSENSE = "the node's answer makes no sense";

/** The maximum number of characters of a node's own words. */
const MAX_WORDS = 200;

/** Node errors for a value that the sender does not have: geth's code, or the words of others. */
const INSUFFICIENT_FUNDS = -38014;
const FUNDS_WORDS = /insufficient (?:funds|balance)|out ?of ?funds/iu;

/** Node errors for fees below the base fee, and for a nonce that is not the next one: geth's codes, or words. */
const FEE_TOO_LOW = -38012;
const FEE_WORDS = /(?:max ?fee|fee ?cap|gas ?price).*(?:less|lower|below|under|too low)|underpriced/iu;
const NONCE_CODES = [-38010, -38011];
const NONCE_WORDS = /nonce.*(?:too (?:low|high)|mismatch|invalid)|invalid nonce/iu;

/** Node errors for less gas than a transaction needs for itself and its data: geth's code, or the words of others. */
const INTRINSIC_GAS = -38013;
const INTRINSIC_WORDS = /intrinsic gas|floor (?:data )?gas|gas floor/iu;

/** EIP-1474's "method not found" and "method not supported", or the words of providers that use other codes. */
const METHOD_CODES = [-32601, -32004];
const METHOD_WORDS =
  /method\b.*(?:not (?:found|supported|available|allowed|exist|implemented|whitelisted|enabled)|does ?n[o']t exist|unsupported|unknown|disabled)|(?:unsupported|unknown|invalid) method|(?:not|un)[ -]?(?:supported|implemented)/iu;

/** Codes of a revert: geth's, and that of OpenEthereum and Nethermind. */
const REVERT_CODES = [3, -32015];

/** @returns Whether a node does not have the method that it was asked for. */
export const lacksMethod = ({ error: { code, message } }: ServiceRefusedError): boolean =>
  METHOD_CODES.includes(code) || METHOD_WORDS.test(message);

/** @returns Whether a node refuses because the sender cannot pay. */
export const lacksFunds = ({ error: { code, message } }: ServiceRefusedError): boolean =>
  code === INSUFFICIENT_FUNDS || FUNDS_WORDS.test(message);

/** @returns Whether a node refuses because the fees are below the base fee. */
export const isUnderpriced = ({ error: { code, message } }: ServiceRefusedError): boolean =>
  code === FEE_TOO_LOW || FEE_WORDS.test(message);

/** @returns Whether a node refuses because other transactions of the sender come first. */
export const disputesNonce = ({ error: { code, message } }: ServiceRefusedError): boolean =>
  NONCE_CODES.includes(code) || NONCE_WORDS.test(message);

/** @returns Whether a node refuses because a call has less gas than its data costs. */
export const lacksIntrinsicGas = ({ error: { code, message } }: ServiceRefusedError): boolean =>
  code === INTRINSIC_GAS || INTRINSIC_WORDS.test(message);

/** @returns The outcome that a node's error stands for. Its words are untrusted. */
export function outcomeOfRefusal(refusal: ServiceRefusedError): Outcome {
  const { code, message, data } = refusal.error;
  if (REVERT_CODES.includes(code) || revertData(data) !== undefined || /\brevert/iu.test(message))
    return { kind: 'reverts', reason: revertReason(data, message) };
  if (lacksFunds(refusal))
    return { kind: 'reverts', reason: "the sender has less of the network's coin than it would send" };
  return { kind: 'unknown', why: `the node refused: “${quotable(message, MAX_WORDS)}”` };
}

/** A sentence of an error as the end of another sentence. */
const asClause = (sentence: string): string => sentence.replace(/^The /u, 'the ').replace(/\.$/u, '');

/** @returns The outcome of a simulation that failed with an error. */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof CannotSimulateError) return { kind: 'unknown', why: error.message };
  return {
    kind: 'unknown',
    why: error instanceof ServiceFailedError ? quotable(asClause(error.message), MAX_WORDS) : 'the simulation failed',
  };
}
