import { hasPlausibleChecksum } from '../eth/address';
import { type Transaction } from '../eth/transaction';
import { ether, gwei } from './units';
import { type Explanation, type Line } from './types';

const text = (label: string, value: string): Line => ({ kind: 'text', label, value });

function feeLines(tx: Transaction): Line[] {
  if (tx.type !== 'eip1559') return [text('Gas price', gwei(tx.gasPrice))];
  return [
    text('Max fee per gas', gwei(tx.maxFeePerGas)),
    text('Max priority fee per gas', gwei(tx.maxPriorityFeePerGas)),
  ];
}

function warningsOf(tx: Transaction): string[] {
  const warnings: string[] = [];
  if (tx.to !== null && !hasPlausibleChecksum(tx.to))
    warnings.push('The recipient does not have the checksum of EIP-55: a digit may be mistyped.');
  if (tx.to === null && tx.value > 0n) warnings.push('This creates a contract and sends it value.');
  return warnings;
}

/** Explains a transaction: where it goes, what it carries, and the most it can cost. */
export function explainTransaction(tx: Transaction): Explanation {
  const bytes = (tx.data.length - 2) / 2;
  const price = tx.type === 'eip1559' ? tx.maxFeePerGas : tx.gasPrice;
  const lines: Line[] = [
    tx.to === null ? text('To', 'a new contract') : { kind: 'address', label: 'To', value: tx.to },
    text('Value', ether(tx.value)),
    text('Most it can cost in gas', ether(tx.gasLimit * price)),
    text('Chain', `eip155:${tx.chainId}`),
    text('Nonce', tx.nonce.toString()),
    text('Gas limit', tx.gasLimit.toString()),
    ...feeLines(tx),
    text('Data', bytes === 0 ? 'none' : `${bytes} bytes, not decoded`),
  ];
  if (tx.type !== 'legacy' && tx.accessList.length > 0)
    lines.push(text('Access list', `${tx.accessList.length} addresses`));
  return {
    title: tx.to === null ? 'Sign a contract creation' : 'Sign a transaction',
    lines,
    ...(bytes > 0 && { body: { label: 'Data', text: tx.data } }),
    warnings: warningsOf(tx),
  };
}
