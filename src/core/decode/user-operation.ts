import { type FundsFacts, fundsSentence } from '../erc4337/failures';
import { type OperationPlace } from '../erc4337/hash';
import { type Call as AccountCall, type UserOperation } from '../erc4337/user-operation';
import { freshBudget, readCalls } from './calls';
import { Findings } from './dangers';
import { type ContractMetadata } from './contract-metadata';
import { address, dataBody, text } from './lines';
import { callsOf, gasLines, paymentLines } from './operation';
import { type Explanation } from './types';
import { ether } from './units';

/** What is known about an operation besides its fields. */
type Facts = {
  readonly place: OperationPlace;
  /** Kind and version of the account, such as "SimpleAccount 0.7". */
  readonly accountTitle: string;
  /** undefined if the call data is unknown to this kind of account. */
  readonly calls: readonly AccountCall[] | undefined;
  readonly wasPrepared: boolean;
  /** The account's funds; undefined if a paymaster pays, or if they are unknown. */
  readonly funds: FundsFacts | undefined;
  /** Seconds since 1970. */
  readonly now: bigint;
  /** The results of lookups. */
  readonly contractMetadata?: ContractMetadata;
};

/** The fee is taken from the deposit first. What the calls send comes from the account's balance. */
function warnOfFunds(funds: FundsFacts, sent: bigint, findings: Findings): void {
  const { needed, balance, deposit } = funds;
  if (balance + deposit < needed) {
    findings.warn(`The account cannot pay for this operation. ${fundsSentence(funds)}`);
    return;
  }
  const gas = needed > deposit ? needed - deposit : 0n;
  if (sent + gas > balance)
    findings.warn(
      `The calls send ${ether(sent)}, but the account has only ${ether(balance - gas)} left after the network fee.`,
    );
}

/**
 * Explains a user operation: its calls, its network, who pays, and its maximum fee.
 *
 * @throws {InvalidParamsError} If `paymasterAndData` is too short for the entry point's version.
 *
 * @example
 * ```ts
 * const gas = { callGasLimit: 100_000n, verificationGasLimit: 100_000n, preVerificationGas: 50_000n };
 * const fees = { nonce: 0n, maxFeePerGas: 20n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n };
 * const bytes = { initCode: '0x', callData: '0x', paymasterAndData: '0x', signature: '0x' } as const;
 * const operation = { sender: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', ...gas, ...fees, ...bytes } as const;
 * const place = { chainId: 1n, version: '0.7', entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032' } as const;
 * const calls = [{ to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', value: 10n ** 18n, data: '0x' }] as const;
 * const facts = { place, accountTitle: 'SimpleAccount 0.7', wasPrepared: true, funds: undefined, now: 1_767_225_600n };
 * explainUserOperation(operation, { ...facts, calls }).sections.length; // => 1
 * ```
 */
export function explainUserOperation(operation: UserOperation, facts: Facts): Explanation {
  const { place, calls, accountTitle, funds, now, contractMetadata: known, wasPrepared } = facts;
  const findings = new Findings();
  if (funds !== undefined)
    warnOfFunds(
      funds,
      (calls ?? []).reduce((sum, { value }) => sum + value, 0n),
      findings,
    );
  if (!wasPrepared) findings.warn('Keystead did not prepare this operation. It comes from elsewhere.');
  if (calls === undefined)
    findings.warn('Keystead cannot decode the calls of this operation. Sign it only if you know what they do.');
  const lines = [
    ...(calls === undefined ? [] : [text('Calls', String(calls.length))]),
    text('Network', `eip155:${place.chainId}`),
    text('Account', operation.initCode === '0x' ? accountTitle : `${accountTitle}, deployed by this operation`),
    ...paymentLines(operation, { version: place.version, wasPrepared }, findings),
    ...gasLines(operation),
    address(`Entry point ${place.version}`, place.entryPoint),
  ];
  const { sections, notes } = readCalls(callsOf(operation, calls, findings), {
    view: { signer: operation.sender, now, ...(known !== undefined && { contractMetadata: known }) },
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
    ...findings.openQuestions((contractMetadata) => explainUserOperation(operation, { ...facts, contractMetadata })),
  };
}
