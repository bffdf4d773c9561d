import { uint256 } from '../../../eth/abi';
import { type Hex } from '../../../eth/bytes';
import { address as addressLine, sentValue, text, tokenAmount } from '../../words/lines';
import { amountOf, nameOf } from '../../words/sentences';
import { tokenAt } from '../../metadata/tokens';
import { networkIn } from '../../words/units';
import { type CallRule, rule, type Scene } from './rule';

/** A known token named after the network's coin, such as WETH. Other contracts have functions of the same form. */
const isWrapped = (token: Hex, scene: Scene): boolean =>
  scene.chainId !== undefined && tokenAt(token, scene)?.symbol === `W${networkIn(scene, scene.chainId).symbol}`;

/** WETH9 and its successors: wrapping the network's coin as a token, and unwrapping it. */
export const WETH_RULES: readonly CallRule[] = [
  rule('d0e30db0', 'deposit', [], (_args, { to, value }, scene) => ({
    title: 'Wrap or deposit',
    summary: isWrapped(to, scene)
      ? `Wrap ${sentValue(value, scene)}`
      : `Deposit ${sentValue(value, scene)} in ${nameOf(to, scene.view)}`,
    lines: [addressLine('Contract', to), text('Amount', sentValue(value, scene))],
  })),
  rule('2e1a7d4d', 'withdraw', [uint256], ([amount], { to, from }, scene) => {
    if (isWrapped(to, scene)) {
      const { findings, view } = scene;
      findings.effects.move(view.signer, { from, to: undefined }, { kind: 'erc20', token: to }, amount);
      findings.effects.move(view.signer, { from: undefined, to: from }, { kind: 'native' }, amount);
    }
    return {
      title: 'Unwrap or withdraw',
      summary: isWrapped(to, scene)
        ? `Unwrap ${tokenAmount(amount, to, scene)}`
        : `Withdraw ${amountOf(amount, to, scene)} from ${nameOf(to, scene.view)}`,
      lines: [addressLine('Contract', to), text('Amount', tokenAmount(amount, to, scene))],
    };
  }),
];
