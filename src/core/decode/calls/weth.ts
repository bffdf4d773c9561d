import { uint256 } from '../../eth/abi';
import { address as addressLine, sentValue, text, tokenAmount } from '../lines';
import { type CallRule, rule } from './rule';

/** WETH9, and what follows it: the chain's coin as a token and back. */
export const WETH_RULES: readonly CallRule[] = [
  rule('d0e30db0', 'deposit', [], (_args, { to, value }) => ({
    title: 'Wrap, or pay in',
    lines: [addressLine('Contract', to), text('Amount', sentValue(value))],
  })),
  rule('2e1a7d4d', 'withdraw', [uint256], ([amount], { to }, scene) => ({
    title: 'Unwrap, or withdraw',
    lines: [addressLine('Contract', to), text('Amount', tokenAmount(amount, to, scene))],
  })),
];
