import { type Transaction } from '../eth/transaction';
import { counted } from '../eth/units';
import { freshBudget, readCall } from './calls';
import { Findings } from './dangers';
import { address, byteCount, checkSpelling, dataBody, dynamicFeeLines, text, VALUE_TO_NOBODY } from './lines';
import { type Explanation, type Line, type Section, type Viewpoint } from './types';
import { ether, gwei } from './units';

/** A screen holds no more. */
const MAX_ACCESS_LIST = 20;

/** What a transaction does, whatever it costs. */
export type Action = Pick<Transaction, 'to' | 'value' | 'data' | 'chainId'>;

function sectionsOf({ to, value, data, chainId }: Action, view: Viewpoint, findings: Findings): Section[] {
  if (to === null) {
    if (value > 0n) findings.danger('value-to-creation');
    if (data === '0x')
      findings.warn('This creates a contract without any code: most likely the recipient was left out by mistake.');
    return [];
  }
  if (BigInt(to) === 0n && value > 0n) findings.warn(VALUE_TO_NOBODY);
  checkSpelling(to, 'The recipient', findings);
  if (data === '0x') return [];
  const scene = { view, chainId, findings, budget: freshBudget() };
  return [readCall({ to, value, from: view.signer, data: data.slice(2).toLowerCase() }, scene)];
}

/** Explains where a transaction goes, what it carries and what it does. */
export function explainAction(action: Action, view: Viewpoint): Explanation {
  const { to, value, data, chainId } = action;
  const findings = new Findings();
  const sections = sectionsOf(action, view, findings);
  return {
    title: to === null ? 'Sign a contract creation' : 'Sign a transaction',
    lines: [
      to === null ? text('To', 'a new contract') : address('To', to),
      text('Value', ether(value)),
      text('Chain', `eip155:${chainId}`),
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

/** Addresses that it plans to touch; a screen holds the first of them. */
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

const mostGas = (tx: Transaction): bigint => tx.gasLimit * (tx.type === 'eip1559' ? tx.maxFeePerGas : tx.gasPrice);

/** @returns What a transaction can take out of its account at most, wei. */
export const mostItTakes = (tx: Transaction): bigint => tx.value + mostGas(tx);

/** A balance that earlier transactions use up may be below zero. */
const balanceWarnings = (tx: Transaction, balance: bigint | undefined): string[] =>
  balance === undefined || mostItTakes(tx) <= balance
    ? []
    : [`This can take ${ether(mostItTakes(tx))}, and the account has ${ether(balance < 0n ? 0n : balance)} for it.`];

/** Explains a transaction: what it does, and the most it can cost. */
export function explainTransaction(tx: Transaction, view: Viewpoint): Explanation {
  const action = explainAction(tx, view);
  return {
    ...action,
    warnings: [...action.warnings, ...balanceWarnings(tx, view.balance)],
    lines: [
      ...action.lines,
      text('Most it can cost in gas', ether(mostGas(tx))),
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
