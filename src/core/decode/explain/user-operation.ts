import { type FundsFacts, fundsSentence } from '../../erc4337/failures';
import { type Hex } from '../../eth/bytes';
import { type OperationDomain } from '../../erc4337/hash';
import { type Call, type UserOperation } from '../../erc4337/user-operation';
import { operationCalls } from '../../erc4337/operation-calls';
import { type SignedValues } from '../completeness/signed-values';
import { knownChanges } from '../effects/changes';
import { Findings } from '../effects/findings';
import { titleOf } from '../effects/title';
import { type Explanation, type Viewpoint } from '../explanation';
import { freshBudget, readCalls } from '../rules/calls';
import { callsOf, gasLines, paymentOf } from '../rules/payment';
import { type Scene } from '../scene';
import { address, dataBody, text } from '../words/lines';
import { nativeAmount, networkIn } from '../words/units';
import { conclude } from './conclude';
import { upgradeLines } from './delegations';

/** The facts about an operation that its fields do not contain. */
export type OperationFacts = {
  readonly domain: OperationDomain;
  /** Kind and version of the account, such as "SimpleAccount 0.7". */
  readonly accountTitle: string;
  /** The contract whose code an externally owned account runs (EIP-7702). */
  readonly delegate?: Hex | undefined;
  /** The address of the key that Keystead has for the account, where its contract can have other owners. */
  readonly ownKey?: Hex | undefined;
  /** undefined if the call data is unknown to this kind of account. */
  readonly calls: readonly Call[] | undefined;
  readonly wasPrepared: boolean;
  /** The account's funds, and what it needs for the fee: nothing if a paymaster pays. Undefined if they are unknown. */
  readonly funds: FundsFacts | undefined;
  /** The host of a paymaster service that the site chose. */
  readonly sponsorHost?: string | undefined;
  /** The number of owners of the account that must sign; undefined if one is enough. */
  readonly signaturesNeeded?: number | undefined;
};

/** The amount of the network's coin that the account sends, according to the simulation, else to the calls. */
function sentBy({ calls = [] }: OperationFacts, { outcome }: Viewpoint): bigint {
  if (outcome?.kind !== 'changes') return calls.reduce((sum, { value }) => sum + value, 0n);
  return outcome.changes.sends.find(({ asset }) => asset.kind === 'native')?.amount ?? 0n;
}

const howItStarts = ({ initCode }: UserOperation, isUpgrade: boolean): string => {
  if (initCode === '0x') return '';
  return isUpgrade ? ', from this operation on' : ', deployed by this operation';
};

/** In gas. Recovering a signer takes 3,000, and so do the first steps of a call into an account. */
const LEAST_GAS = 3_000n;

/** The fee is taken from the deposit first. What the calls send comes from the account's balance. */
function shortageOf(facts: OperationFacts, scene: Scene): string | undefined {
  if (facts.funds === undefined) return undefined;
  const { needed, balance, deposit } = facts.funds;
  const { symbol } = networkIn(scene, facts.domain.chainId);
  if (balance + deposit < needed)
    return `The account cannot pay for this operation. ${fundsSentence(facts.funds, symbol)}`;
  const gas = needed > deposit ? needed - deposit : 0n;
  const sent = sentBy(facts, scene.view);
  if (sent + gas <= balance) return undefined;
  const left = needed === 0n ? '' : ' left after the network fee';
  return `The calls send ${nativeAmount(sent, scene)}, but the account has only ${nativeAmount(balance - gas, scene)}${left}.`;
}

/** Call data that nobody can read counts word by word; so does what came from elsewhere with an operation. */
function signOperation(
  { callData, paymasterAndData, initCode }: UserOperation,
  { calls, wasPrepared }: OperationFacts,
  signed: SignedValues,
): void {
  if (calls === undefined) signed.addUnproven(callData.slice(2).toLowerCase());
  if (wasPrepared) return;
  for (const [label, bytes] of [
    ['Paymaster', paymasterAndData],
    ['Factory', initCode],
  ] as const)
    if (bytes.length >= 42) {
      signed.add([{ kind: 'address', label, address: bytes.slice(0, 42) as Hex }]);
      signed.addBytes([{ label, digits: bytes.slice(42).toLowerCase() }]);
    }
}

/**
 * Explains a user operation: its calls, its network, who pays, and its maximum fee.
 *
 * @throws {InvalidParamsError} If `paymasterAndData` is too short for the entry point's version.
 */
export function explainUserOperation(operation: UserOperation, facts: OperationFacts, view: Viewpoint): Explanation {
  const { domain, calls, accountTitle, wasPrepared, sponsorHost, signaturesNeeded, delegate } = facts;
  const { chainId } = domain;
  const findings = new Findings();
  const { ownKey } = facts;
  const own = ownKey && { ownKey, isDeployed: operation.initCode === '0x' };
  const scene = { view: { ...view, ...own }, chainId, findings, budget: freshBudget() };
  if (!wasPrepared) findings.note('Keystead did not prepare this operation. It comes from elsewhere.');
  if (calls === undefined)
    findings.note('Keystead cannot decode the calls of this operation. Sign it only if you know what they do.');
  const { callGasLimit, verificationGasLimit } = operation;
  if (callGasLimit < LEAST_GAS || verificationGasLimit < LEAST_GAS)
    findings.note(
      `The gas limits (call ${callGasLimit}, verification ${verificationGasLimit}) are too low for any operation. It would fail, and may cost the network fee all the same.`,
    );
  // Its hash covers the delegate, so the operation is valid only while the account runs this code.
  const isUpgrade = delegate !== undefined && operation.initCode !== '0x';
  const upgrade = isUpgrade ? upgradeLines({ address: delegate, nonce: operation.authorization?.nonce }, scene) : [];
  const delegations = isUpgrade ? [{ authority: operation.sender, address: delegate }] : [];
  const made = callsOf(operation, calls);
  findings.add(made.effects);
  const { sections, notes, headline, isExplained, isVouched } = readCalls(made.calls, scene);
  const changes = knownChanges(scene);
  const payment = paymentOf(operation, { version: domain.version, wasPrepared }, scene, changes.allows);
  findings.add(payment.effects);
  const body = dataBody('Call data', operation.callData, findings);
  signOperation(operation, facts, findings.signed);
  const title = titleOf(headline, isExplained, isVouched, scene);
  const { expected, ...whole } = conclude(scene, {
    sections,
    simulation: { chainId, account: operation.sender, calls: operationCalls(operation, domain), delegations },
    shortage: shortageOf(facts, scene),
    explainWith: (found) => explainUserOperation(operation, facts, { ...view, ...found }),
  });
  return {
    ...whole,
    title,
    fee: payment.fee,
    lines: [
      ...expected,
      ...(calls === undefined ? [] : [text('Calls', String(calls.length))]),
      text('Chain ID', chainId.toString()),
      text('Account', `${accountTitle}${howItStarts(operation, isUpgrade)}`),
      ...upgrade,
      ...(signaturesNeeded === undefined
        ? []
        : [text('Signatures', `${signaturesNeeded} owners must sign before it can be sent`)]),
      ...(sponsorHost === undefined ? [] : [text('Paymaster service, chosen by the site', sponsorHost)]),
      ...payment.lines,
      ...gasLines(operation),
      address(`Entry point ${domain.version}`, domain.entryPoint),
      ...notes,
    ],
    sections,
    body,
  };
}
