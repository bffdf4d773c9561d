import { mostItCosts } from '../erc4337/cost';
import { type FundsFacts, fundsSentence } from '../erc4337/failures';
import { type OperationPlace } from '../erc4337/hash';
import { paymasterOf } from '../erc4337/packed-fields';
import { type Call as AccountCall, type UserOperation } from '../erc4337/user-operation';
import { isSameAddress } from '../eth/address';
import { type Hex } from '../eth/bytes';
import { type Call, freshBudget, readCall, readCalls, type Scene } from './calls';
import { Findings } from './dangers';
import { address, text, VALUE_TO_NOBODY } from './lines';
import { type Knowledge } from './knowledge';
import { bodyText } from './text';
import { type Explanation, type Line, type Section } from './types';
import { ether, gwei } from './units';

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

const digits = (hex: string): string => hex.slice(2).toLowerCase();

const toCall = ({ to, value, data }: AccountCall, from: Hex): Call => ({ to, from, value, data: digits(data) });

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

function warn(operation: UserOperation, { calls, wasPrepared, funds }: Facts, findings: Findings): void {
  if (funds !== undefined)
    warnOfFunds(
      funds,
      (calls ?? []).reduce((sum, { value }) => sum + value, 0n),
      findings,
    );
  if (!wasPrepared) findings.warn('Keystead did not prepare this operation. It was made elsewhere.');
  if (calls === undefined)
    findings.warn('This account does not know what it is told to do. Sign only if you know what it is.');
  if (calls?.some(({ to }) => isSameAddress(to, operation.sender)) === true)
    findings.warn('A call goes to the account itself: it can change who owns it, or replace its code.');
  if (calls?.some(({ to, value }) => BigInt(to) === 0n && value > 0n) === true) findings.warn(VALUE_TO_NOBODY);
}

/** Each call of the account; or, where its kind does not know them, what the call data would be anywhere. */
function readOperation(
  { sender, callData }: UserOperation,
  { calls }: Facts,
  scene: Scene,
): { readonly sections: readonly Section[]; readonly notes: readonly Line[] } {
  if (calls !== undefined)
    return readCalls(
      calls.map((call) => toCall(call, sender)),
      scene,
    );
  return { sections: [readCall({ to: sender, value: 0n, data: digits(callData) }, scene)], notes: [] };
}

function payer(operation: UserOperation, { place, wasPrepared }: Facts, findings: Findings): Line {
  const paymaster = paymasterOf(operation.paymasterAndData, place.version);
  if (paymaster === undefined) return text('Paid by', 'the account itself');
  if (!wasPrepared) findings.danger('unknown-paymaster');
  return address('Paid by the paymaster', paymaster);
}

/**
 * Explains a user operation: what the account does, where, who pays, and the most it can cost.
 *
 * @throws {InvalidParamsError} If `paymasterAndData` is too short for the entry point's version.
 */
export function explainUserOperation(operation: UserOperation, facts: Facts): Explanation {
  const { place, calls, accountTitle, now, knowledge: known } = facts;
  const findings = new Findings();
  warn(operation, facts, findings);
  const lines: Line[] = [
    ...(calls === undefined ? [] : [text('Calls', String(calls.length))]),
    text('Chain', `eip155:${place.chainId}`),
    text('Account', operation.initCode === '0x' ? accountTitle : `${accountTitle}, deployed by this operation`),
    payer(operation, facts, findings),
    text('Most it can cost in gas', ether(mostItCosts(operation, place.version))),
    text('Max fee per gas', gwei(operation.maxFeePerGas)),
    text('Max priority fee per gas', gwei(operation.maxPriorityFeePerGas)),
    text('Nonce', operation.nonce.toString()),
    address(`Entry point ${place.version}`, place.entryPoint),
  ];
  const { sections, notes } = readOperation(operation, facts, {
    view: { signer: operation.sender, now, ...(known !== undefined && { knowledge: known }) },
    chainId: place.chainId,
    findings,
    budget: freshBudget(),
  });
  return {
    title: 'Sign a user operation',
    lines: [...lines, ...notes],
    sections,
    body: { label: 'Call data', text: bodyText(operation.callData) },
    warnings: findings.warnings,
    dangers: findings.dangers,
    ...findings.openQuestions((knowledge) => explainUserOperation(operation, { ...facts, knowledge })),
  };
}
