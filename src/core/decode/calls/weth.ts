import { uint256 } from '../../eth/abi';
import { address as addressLine, sentValue, text, tokenAmount } from '../lines';
import { type CallRule, rule } from './rule';

/**
 * WETH9 and its successors: wrapping the network's coin as a token, and unwrapping it.
 *
 * @example
 * ```ts
 * WETH_RULES.map(({ signature }) => signature); // => ['deposit()', 'withdraw(uint256)']
 * ```
 */
export const WETH_RULES: readonly CallRule[] = [
  rule('d0e30db0', 'deposit', [], (_args, { to, value }) => ({
    title: 'Wrap or deposit',
    lines: [addressLine('Contract', to), text('Amount', sentValue(value))],
  })),
  rule('2e1a7d4d', 'withdraw', [uint256], ([amount], { to }, scene) => ({
    title: 'Unwrap or withdraw',
    lines: [addressLine('Contract', to), text('Amount', tokenAmount(amount, to, scene))],
  })),
];
