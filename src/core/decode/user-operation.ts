import { type FundsFacts, fundsSentence } from '../erc4337/failures';
import { type OperationPlace } from '../erc4337/hash';
import { type Call as AccountCall, type UserOperation } from '../erc4337/user-operation';
import { freshBudget, readCalls } from './calls';
import { Findings } from './dangers';
import { type Knowledge } from './knowledge';
import { address, dataBody, text } from './lines';
import { callsOf, offerLines, paymentLines } from './operation';
import { type Explanation } from './types';
import { ether } from './units';

/** What is known about an operation beside its fields. */
type Facts = {
  readonly place: OperationPlace;
  /** What the account is, such as "SimpleAccount 0.7". */
  readonly accountTitle: string;
  /** undefined: this kind of account does not know the call data. */
  readonly calls: readonly AccountCall[] | undefined;
  readonly wasPrepared: boolean;
  /** What the account has to pay with; undefined if it does not pay itself, or that is not known. */
  readonly funds: FundsFacts | undefined;
  /** Seconds since 1970. */
  readonly now: bigint;
  /** What was looked up. */
  readonly knowledge?: Knowledge;
};

/** Gas is paid from the deposit first; what the calls send comes from the account. */
function warnOfFunds(funds: FundsFacts, sent: bigint, findings: Findings): void {
  const { needed, balance, deposit } = funds;
  if (balance + deposit < needed) {
    findings.warn(`The account cannot pay for this operation. ${fundsSentence(funds)}`);
    return;
  }
  const gas = needed > deposit ? needed - deposit : 0n;
  if (sent + gas > balance)
    findings.warn(
      `The calls send ${ether(sent)}, but beside the gas the account has only ${ether(balance - gas)} to send.`,
    );
}

/**
 * Explains a user operation: what the account does, where, who pays, and the most it can cost.
 *
 * @throws {InvalidParamsError} If `paymasterAndData` is too short for the entry point's version.
 */
export function explainUserOperation(operation: UserOperation, facts: Facts): Explanation {
  const { place, calls, accountTitle, funds, now, knowledge: known, wasPrepared } = facts;
  const findings = new Findings();
  if (funds !== undefined)
    warnOfFunds(
      funds,
      (calls ?? []).reduce((sum, { value }) => sum + value, 0n),
      findings,
    );
  if (!wasPrepared) findings.warn('Keystead did not prepare this operation. It was made elsewhere.');
  if (calls === undefined)
    findings.warn('This account does not know what it is told to do. Sign only if you know what it is.');
  const lines = [
    ...(calls === undefined ? [] : [text('Calls', String(calls.length))]),
    text('Chain', `eip155:${place.chainId}`),
    text('Account', operation.initCode === '0x' ? accountTitle : `${accountTitle}, deployed by this operation`),
    ...paymentLines(operation, { version: place.version, wasPrepared }, findings),
    ...offerLines(operation),
    address(`Entry point ${place.version}`, place.entryPoint),
  ];
  const { sections, notes } = readCalls(callsOf(operation, calls, findings), {
    view: { signer: operation.sender, now, ...(known !== undefined && { knowledge: known }) },
    chainId: place.chainId,
    findings,
    budget: freshBudget(),
  });
  return {
    title: 'Sign a user operation',
    lines: [...lines, ...notes],
    sections,
    body: dataBody('Call data', operation.callData, findings),
    warnings: findings.warnings,
    dangers: findings.dangers,
    ...findings.openQuestions((knowledge) => explainUserOperation(operation, { ...facts, knowledge })),
  };
}
