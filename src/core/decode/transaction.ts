import { type Transaction } from '../eth/transaction';
import { counted } from '../eth/units';
import { freshBudget, readCall } from './calls';
import { Findings } from './dangers';
import { address, byteCount, checkSpelling, dataBody, dynamicFeeLines, text, FUNDS_BURNED } from './lines';
import { type Explanation, type Line, type Section, type Viewpoint } from './types';
import { ether, gwei } from './units';

/** A screen shows no more addresses. */
const MAX_ACCESS_LIST = 20;

/** What a transaction does, regardless of its fee. */
export type Action = Pick<Transaction, 'to' | 'value' | 'data' | 'chainId'>;

function sectionsOf({ to, value, data, chainId }: Action, view: Viewpoint, findings: Findings): Section[] {
  if (to === null) {
    if (value > 0n)
      findings.danger(
        'value-to-creation',
        () => `This sends ${ether(value)} to a contract that does not exist yet. Its code decides who gets it.`,
      );
    if (data === '0x')
      findings.warn('This creates a contract without any code. The recipient was probably left out by mistake.');
    return [];
  }
  if (BigInt(to) === 0n && value > 0n) findings.warn(FUNDS_BURNED);
  checkSpelling(to, 'The recipient address', findings);
  if (data === '0x') return [];
  const scene = { view, chainId, findings, budget: freshBudget() };
  return [readCall({ to, value, from: view.signer, data: data.slice(2).toLowerCase() }, scene)];
}

/** Explains a transaction's target, value and calls. */
export function explainAction(action: Action, view: Viewpoint): Explanation {
  const { to, value, data, chainId } = action;
  const findings = new Findings();
  const sections = sectionsOf(action, view, findings);
  return {
    title: to === null ? 'Create a contract' : 'Sign a transaction',
    lines: [
      to === null ? text('To', 'a new contract') : address('To', to),
      text('Value', ether(value)),
      text('Network', `eip155:${chainId}`),
      text('Data', data === '0x' ? 'none' : byteCount(data.slice(2))),
    ],
    sections,
    ...(data !== '0x' && { body: dataBody('Data', data, findings) }),
    warnings: findings.warnings,
    dangers: findings.dangers,
    ...findings.openQuestions((knowledge) => explainAction(action, { ...view, knowledge })),
  };
}

const feeLines = (tx: Transaction): Line[] =>
  tx.type === 'eip1559' ? dynamicFeeLines(tx) : [text('Gas price', gwei(tx.gasPrice))];

/** The number of addresses in the access list, and the first of them. */
function accessListLines(tx: Transaction): Line[] {
  if (tx.type === 'legacy' || tx.accessList.length === 0) return [];
  return [
    text('Access list', counted(tx.accessList.length, 'address', 'addresses')),
    ...tx.accessList
      .slice(0, MAX_ACCESS_LIST)
      .map(({ address: at, storageKeys }, index) =>
        address(`Access ${index + 1} (${counted(storageKeys.length, 'storage key')})`, at),
      ),
  ];
}

const maximumFee = (tx: Transaction): bigint => tx.gasLimit * (tx.type === 'eip1559' ? tx.maxFeePerGas : tx.gasPrice);

/** @returns The most that a transaction can take from its account, in wei. */
export const mostItTakes = (tx: Transaction): bigint => tx.value + maximumFee(tx);

/** The balance is negative if pending transactions use up more than there is. */
const balanceWarnings = (tx: Transaction, balance: bigint | undefined): string[] =>
  balance === undefined || mostItTakes(tx) <= balance
    ? []
    : [
        `This can cost up to ${ether(mostItTakes(tx))}, but the account has only ${ether(balance < 0n ? 0n : balance)} available.`,
      ];

/** Explains a transaction: what it does, and its maximum fee. */
export function explainTransaction(tx: Transaction, view: Viewpoint): Explanation {
  const action = explainAction(tx, view);
  return {
    ...action,
    warnings: [...action.warnings, ...balanceWarnings(tx, view.balance)],
    lines: [
      ...action.lines,
      text('Maximum network fee', ether(maximumFee(tx))),
      text('Nonce', tx.nonce.toString()),
      text('Gas limit', tx.gasLimit.toString()),
      ...feeLines(tx),
      ...accessListLines(tx),
    ],
    ...(action.open !== undefined && {
      open: { ...action.open, again: (knowledge) => explainTransaction(tx, { ...view, knowledge }) },
    }),
  };
}
