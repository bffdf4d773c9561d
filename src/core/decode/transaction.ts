import { type Transaction } from '../eth/transaction';
import { counted } from '../eth/units';
import { freshBudget, readCall } from './calls';
import { Findings } from './dangers';
import { address, byteCount, checkSpelling, dataBody, dynamicFeeLines, text, FUNDS_BURNED } from './lines';
import { type Explanation, type Line, type Section, type Viewpoint } from './types';
import { ether, gwei } from './units';

/** A screen shows no more addresses. */
const MAX_ACCESS_LIST = 20;

/**
 * What a transaction does, regardless of its fee.
 *
 * @example
 * ```ts
 * const action: Action = { to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', value: 10n ** 18n, data: '0x', chainId: 1n };
 * ```
 */
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

/**
 * Explains a transaction's target, value and calls.
 *
 * @example
 * ```ts
 * const view = { signer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', now: 1_767_225_600n } as const;
 * const to = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
 * explainAction({ to, value: 10n ** 18n, data: '0x', chainId: 1n }, view).dangers; // => []
 * const creation = explainAction({ to: null, value: 10n ** 18n, data: '0x6001', chainId: 1n }, view);
 * creation.dangers.map(({ code }) => code); // => ['value-to-creation']
 * ```
 */
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
    ...findings.openQuestions((contractMetadata) => explainAction(action, { ...view, contractMetadata })),
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

/**
 * @returns The most that a transaction can take from its account, in wei.
 *
 * @example
 * ```ts
 * const payment = { to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', value: 10n ** 18n, data: '0x' } as const;
 * const gas = { gasLimit: 21_000n, gasPrice: 20n * 10n ** 9n };
 * mostItTakes({ type: 'legacy', chainId: 1n, nonce: 7n, ...payment, ...gas }); // => 1_000_420_000_000_000_000n
 * ```
 */
export const mostItTakes = (tx: Transaction): bigint => tx.value + maximumFee(tx);

/** The balance is negative if pending transactions use up more than there is. */
const balanceWarnings = (tx: Transaction, balance: bigint | undefined): string[] =>
  balance === undefined || mostItTakes(tx) <= balance
    ? []
    : [
        `This can cost up to ${ether(mostItTakes(tx))}, but the account has only ${ether(balance < 0n ? 0n : balance)} available.`,
      ];

/**
 * Explains a transaction: what it does, and its maximum fee.
 *
 * @example
 * ```ts
 * const fees = { gasLimit: 21_000n, maxFeePerGas: 20n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n };
 * const payment = { to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', value: 10n ** 18n, data: '0x' } as const;
 * const transaction = { type: 'eip1559', chainId: 1n, nonce: 7n, ...payment, ...fees, accessList: [] } as const;
 * const view = { signer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', now: 1_767_225_600n } as const;
 * explainTransaction(transaction, view).warnings; // => []
 * explainTransaction(transaction, { ...view, balance: 10n ** 18n }).warnings.length; // => 1
 * ```
 */
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
      open: { ...action.open, again: (contractMetadata) => explainTransaction(tx, { ...view, contractMetadata }) },
    }),
  };
}
