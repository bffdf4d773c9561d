import { address, array, bool, bytes, bytes32, tuple, uint, uint256 } from '../../../eth/abi';
import { ZERO_ADDRESS } from '../../../eth/address';
import { type Hex } from '../../../eth/bytes';
import { MAX_UINT256 } from '../../../eth/units';
import { type Allow, type Move } from '../../effects/effect';
import { isCollection, tokenAt } from '../../metadata/tokens';
import { type Scene } from '../../scene';
import { address as addressLine, text, undecodedLine } from '../../words/lines';
import { tokenAmount } from '../../words/amounts';
import { type CallRule, rule } from './rule';

const SPENDING = 'Approve spending';
const REVOKED = 'Revoke an approval';
const INCREASED = 'Increase an approval';

/** ERC-721 has functions of the same form as ERC-20, with a token ID in place of the amount. */
const MAY_BE_ID = { mayBeId: true } as const;

/** The arguments name the owner. */
const OF_OWNER = { namesOwner: true } as const;

const sent = (
  from: Hex | undefined,
  to: Hex,
  token: Hex,
  amount: bigint,
  more: Pick<Move, 'namesOwner'> = {},
): Move => ({ kind: 'move', from, to, asset: { kind: 'erc20', token }, amount, ...more });

const allowed = (
  owner: Hex | undefined,
  spender: Hex,
  token: Hex,
  amount: bigint,
  more: Partial<Pick<Allow, 'end' | 'deadline' | 'isDebt' | 'mayBeId' | 'namesOwner'>> = MAY_BE_ID,
): Allow => ({ kind: 'allow', of: 'amount', owner, spender, token, amount, ...more });

/**
 * A transfer by a function that ERC-721 has, too: of the NFT with that ID, if the contract says that it is a
 * collection.
 */
const sentByEither = (move: Move, token: Hex, scene: Scene): Move =>
  isCollection(token, scene)
    ? { ...move, asset: { kind: 'erc721', token, id: move.amount }, amount: 1n }
    : { ...move, ...MAY_BE_ID };

/** Tokens have added functions that raise an allowance. */
const increase = (selector: string, name: string): CallRule =>
  rule(selector, name, [address, uint256], ([spender, amount], { to, from }) => ({
    title: INCREASED,
    effects: [allowed(from, spender, to, amount)],
  }));

/** ERC-1363: the recipient or the spender is called too, with data that only it can decode. */
const AND_CALL: readonly CallRule[] = [
  rule('4000aea0', 'transferAndCall', [address, uint256, bytes], ([to, amount, data], call) => ({
    title: 'Send tokens and call the recipient',
    effects: [sent(call.from, to, call.to, amount)],
    lines: undecodedLine('Data', data),
  })),
  rule('1296ee62', 'transferAndCall', [address, uint256], ([to, amount], call) => ({
    title: 'Send tokens and call the recipient',
    effects: [sent(call.from, to, call.to, amount)],
  })),
  rule('d8fbe994', 'transferFromAndCall', [address, address, uint256], ([from, to, amount], call) => ({
    title: 'Transfer tokens and call the recipient',
    effects: [sent(from, to, call.to, amount, OF_OWNER)],
  })),
  rule('c1d34b89', 'transferFromAndCall', [address, address, uint256, bytes], ([from, to, amount, data], call) => ({
    title: 'Transfer tokens and call the recipient',
    effects: [sent(from, to, call.to, amount, OF_OWNER)],
    lines: undecodedLine('Data', data),
  })),
  rule('3177029f', 'approveAndCall', [address, uint256], ([spender, amount], { to, from }) => ({
    title: amount === 0n ? REVOKED : SPENDING,
    effects: [allowed(from, spender, to, amount)],
  })),
  rule('cae9ca51', 'approveAndCall', [address, uint256, bytes], ([spender, amount, data], { to, from }) => ({
    title: amount === 0n ? REVOKED : SPENDING,
    effects: [allowed(from, spender, to, amount)],
    lines: undecodedLine('Data', data),
  })),
];

/**
 * ERC-20 and common additions to it: steps of an allowance, ERC-1363, ERC-2612 permits and DAI's permits, and Permit2.
 */
export const ERC20_RULES: readonly CallRule[] = [
  rule('a9059cbb', 'transfer', [address, uint256], ([to, amount], call, scene) => ({
    title: 'Send tokens',
    effects: [sentByEither(sent(call.from, to, call.to, amount), call.to, scene)],
  })),
  rule('23b872dd', 'transferFrom', [address, address, uint256], ([from, to, amount], call, scene) => ({
    title: 'Transfer tokens',
    effects: [sentByEither(sent(from, to, call.to, amount, OF_OWNER), call.to, scene)],
  })),
  // ERC-777.
  rule('9bd9bbc6', 'send', [address, uint256, bytes], ([to, amount, data], call) => ({
    title: 'Send tokens',
    effects: [sent(call.from, to, call.to, amount)],
    lines: undecodedLine('Data', data),
  })),
  rule('095ea7b3', 'approve', [address, uint256], ([spender, amount], { to, from }, scene) => {
    if (isCollection(to, scene)) {
      // A collection takes a permission back by naming the zero address.
      const isGiven = spender !== ZERO_ADDRESS;
      const nft: Allow = {
        kind: 'allow',
        of: 'nft',
        owner: from,
        spender,
        token: to,
        amount: isGiven ? 1n : 0n,
        id: amount,
      };
      return { title: isGiven ? 'Approve an NFT' : REVOKED, effects: [nft] };
    }
    // An unknown contract may be an NFT collection, where 0 is the ID of a token.
    const revoked = tokenAt(to, scene) ? REVOKED : `${REVOKED}, or approve token 0`;
    return { title: amount === 0n ? revoked : SPENDING, effects: [allowed(from, spender, to, amount)] };
  }),
  ...AND_CALL,
  increase('39509351', 'increaseAllowance'),
  // The name in older tokens.
  increase('d73dd623', 'increaseApproval'),
  rule('a457c2d7', 'decreaseAllowance', [address, uint256], ([spender, amount], { to }, scene) => ({
    title: 'Decrease an approval',
    lines: [
      addressLine('Token', to),
      addressLine('Spender', spender),
      text('Decrease', tokenAmount(amount, to, scene)),
    ],
  })),
  // Approvals that the owner signed earlier, and that the call submits.
  rule(
    'd505accf',
    'permit',
    [address, address, uint256, uint256, uint(8), bytes32, bytes32],
    ([owner, spender, amount, deadline], { to }) => ({
      title: amount === 0n ? REVOKED : 'Use a signed approval',
      effects: [allowed(owner, spender, to, amount, { deadline, ...MAY_BE_ID, ...OF_OWNER })],
    }),
  ),
  rule(
    '8fcbaf0c',
    'permit',
    [address, address, uint256, uint256, bool, uint(8), bytes32, bytes32],
    ([owner, spender, , expiry, isAllowed], { to }) => ({
      title: isAllowed ? 'Use a signed approval' : REVOKED,
      effects: [
        allowed(owner, spender, to, isAllowed ? MAX_UINT256 : 0n, {
          deadline: expiry === 0n ? MAX_UINT256 : expiry,
          ...MAY_BE_ID,
          ...OF_OWNER,
        }),
      ],
    }),
  ),
  // Aave: permission to borrow, where the caller owes the debt.
  rule('c04a8a10', 'approveDelegation', [address, uint256], ([spender, amount], { to, from }) => ({
    title: amount === 0n ? REVOKED : 'Approve borrowing in your name',
    effects: [allowed(from, spender, to, amount, { isDebt: true })],
  })),
  // Permit2 (canonical contract of Uniswap): an approval that expires.
  rule('87517c45', 'approve', [address, address, uint(160), uint(48)], ([token, spender, amount, end], { from }) => ({
    title: amount === 0n ? REVOKED : SPENDING,
    effects: [allowed(from, spender, token, amount, { end })],
  })),
  rule('36c78516', 'transferFrom', [address, address, uint(160), address], ([from, to, amount, token]) => ({
    title: 'Transfer tokens through Permit2',
    effects: [sent(from, to, token, amount, OF_OWNER)],
  })),
  rule('0d58b1db', 'transferFrom', [array(tuple(address, address, uint(160), address))], ([transfers]) => ({
    title: 'Transfer tokens through Permit2',
    effects: transfers.map(([from, to, amount, token]) => sent(from, to, token, amount, OF_OWNER)),
  })),
];
