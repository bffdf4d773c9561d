import { uint256 } from '../../../eth/abi';
import { type Hex } from '../../../eth/bytes';
import { tokenAt } from '../../metadata/tokens';
import { type Scene } from '../../scene';
import { tokenAmount } from '../../words/amounts';
import { address as addressLine, text } from '../../words/lines';
import { networkIn, sentValue } from '../../words/units';
import { type CallRule, rule } from './rule';

/** A known token named after the network's coin, such as WETH. Other contracts have functions of the same form. */
export const isWrappedCoin = (token: Hex, scene: Scene): boolean =>
  scene.chainId !== undefined && tokenAt(token, scene)?.symbol === `W${networkIn(scene, scene.chainId).symbol}`;

/** WETH9 and its successors: wrapping the network's coin as a token, and unwrapping it. */
export const WETH_RULES: readonly CallRule[] = [
  rule('d0e30db0', 'deposit', [], (_args, { to, value }, scene) => ({
    title: 'Wrap or deposit',
    effects: [{ kind: 'wrap', token: to, amount: value ?? 0n, isWrapping: true, isKnown: isWrappedCoin(to, scene) }],
    lines: [addressLine('Contract', to), text('Amount', sentValue(value, scene))],
  })),
  rule('2e1a7d4d', 'withdraw', [uint256], ([amount], { to, from }, scene) => ({
    title: 'Unwrap or withdraw',
    effects: [
      { kind: 'wrap', token: to, amount, isWrapping: false, isKnown: isWrappedCoin(to, scene) },
      ...(isWrappedCoin(to, scene)
        ? [
            { kind: 'move', from, to: undefined, asset: { kind: 'erc20', token: to }, amount } as const,
            { kind: 'move', from: undefined, to: from, asset: { kind: 'native' }, amount } as const,
          ]
        : []),
    ],
    lines: [addressLine('Contract', to), text('Amount', tokenAmount(amount, to, scene))],
    isListed: true,
  })),
];
