import { type Hex } from '../../eth/bytes';
import { MAX_UINT256 } from '../../eth/units';
import { address, bool, bytes, bytes32, uint, uint256 } from '../../eth/abi';
import { address as addressLine, allowance, isUnlimited, text, tokenAmount, unreadLine } from '../lines';
import { isNever, utcTime } from '../time';
import { tokenAt } from '../tokens';
import { type Line } from '../types';
import { type Call, type CallRule, type Reading, rule, type Scene } from './rule';

function moves(amount: bigint, { to: token }: Call, scene: Scene): Line {
  if (amount === MAX_UINT256) scene.findings.danger('everything');
  return text('Amount, or token id', amount === MAX_UINT256 ? 'everything' : tokenAmount(amount, token, scene));
}

const TAKEN_BACK = 'Take back an approval';

/** What is not as in ERC-20 about a permission to spend; `none` is the title where it is one to spend nothing. */
type Special = {
  readonly title?: string;
  readonly none?: string | undefined;
  readonly token?: Hex;
  readonly more?: readonly Line[];
};

/** A permission to spend: of the token that is called, or of `token`. */
function approval(
  spender: Hex,
  amount: bigint,
  { to }: Call,
  scene: Scene,
  { title = 'Approve spending', none = TAKEN_BACK, token = to, more = [] }: Special = {},
): Reading {
  if (isUnlimited(amount)) scene.findings.danger('unlimited-approval');
  return {
    title: amount === 0n ? none : title,
    lines: [
      addressLine('Token', token),
      addressLine('Spender', spender),
      text('Amount, or token id', amount === 0n ? '0' : allowance(amount, token, scene)),
      ...more,
    ],
  };
}

/** A rule for a function that lets somebody spend so much. */
const spending = (selector: string, name: string, title: string, none?: string): CallRule =>
  rule(selector, name, [address, uint256], ([spender, amount], call, scene) =>
    approval(spender, amount, call, scene, { title, none }),
  );

const MORE = 'Approve more spending';

const ended = (end: bigint, { view, findings }: Scene): Line => {
  if (isNever(end, view.now)) findings.danger('never-expires');
  return text('Ends', utcTime(end));
};

/** A permission that was signed before, and is handed in now. */
const signed = (owner: Hex, spender: Hex, amount: bigint, end: bigint, call: Call, scene: Scene): Reading =>
  approval(spender, amount, call, scene, {
    title: 'Use a signed approval',
    more: [addressLine('Owner', owner), ended(end, scene)],
  });

/** ERC-20, with the functions that tokens have added to it: allowances in steps, ERC-2612 and DAI's permits. */
export const ERC20_RULES: readonly CallRule[] = [
  // ERC-721 has functions of the same form, with a token id for the amount.
  rule('a9059cbb', 'transfer', [address, uint256], ([to, amount], call, scene) => ({
    title: 'Send tokens',
    lines: [addressLine('Token', call.to), addressLine('Recipient', to), moves(amount, call, scene)],
  })),
  rule('23b872dd', 'transferFrom', [address, address, uint256], ([from, to, amount], call, scene) => ({
    title: 'Move tokens',
    lines: [
      addressLine('Token', call.to),
      addressLine('From', from),
      addressLine('Recipient', to),
      moves(amount, call, scene),
    ],
  })),
  rule('095ea7b3', 'approve', [address, uint256], ([spender, amount], call, scene) =>
    approval(spender, amount, call, scene, {
      // What is no known token may be a collection, whose tokens are numbered from 0.
      none: tokenAt(call.to, scene) ? undefined : `${TAKEN_BACK}, or approve token 0`,
    }),
  ),
  // ERC-1363, and what tokens had before it: the spender is called, too, with data that only it understands.
  rule('cae9ca51', 'approveAndCall', [address, uint256, bytes], ([spender, amount, data], call, scene) =>
    approval(spender, amount, call, scene, { more: unreadLine('Data', data) }),
  ),
  spending('39509351', 'increaseAllowance', MORE, MORE),
  // The same in older tokens.
  spending('d73dd623', 'increaseApproval', MORE, MORE),
  rule('a457c2d7', 'decreaseAllowance', [address, uint256], ([spender, amount], call, scene) => ({
    title: 'Lower an approval',
    lines: [
      addressLine('Token', call.to),
      addressLine('Spender', spender),
      text('Lower by', tokenAmount(amount, call.to, scene)),
    ],
  })),
  rule(
    'd505accf',
    'permit',
    [address, address, uint256, uint256, uint(8), bytes32, bytes32],
    ([owner, spender, amount, deadline], call, scene) => signed(owner, spender, amount, deadline, call, scene),
  ),
  rule(
    '8fcbaf0c',
    'permit',
    [address, address, uint256, uint256, bool, uint(8), bytes32, bytes32],
    ([holder, spender, , expiry, allowed], call, scene) =>
      signed(holder, spender, allowed ? MAX_UINT256 : 0n, expiry === 0n ? MAX_UINT256 : expiry, call, scene),
  ),
  // Aave: a debt in the owner's name is spending, too.
  spending('c04a8a10', 'approveDelegation', 'Approve borrowing in your name'),
  // Permit2 (canonical contract of Uniswap): an approval with an end.
  rule('87517c45', 'approve', [address, address, uint(160), uint(48)], ([token, spender, amount, end], call, scene) =>
    approval(spender, amount, call, scene, { token, more: [ended(end, scene)] }),
  ),
  rule(
    '36c78516',
    'transferFrom',
    [address, address, uint(160), address],
    ([from, to, amount, token], _call, scene) => ({
      title: 'Move tokens through Permit2',
      lines: [
        addressLine('Token', token),
        addressLine('From', from),
        addressLine('Recipient', to),
        text('Amount', tokenAmount(amount, token, scene)),
      ],
    }),
  ),
];
