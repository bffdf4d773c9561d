import { isSameAddress } from '../../../eth/address';
import { type Hex } from '../../../eth/bytes';
import { MAX_UINT256 } from '../../../eth/units';
import { address, bool, bytes, bytes32, uint, uint256 } from '../../../eth/abi';
import { address as addressLine, allowance, isUnlimited, text, tokenAmount, undecodedLine } from '../../words/lines';
import {
  allOf,
  amountOf,
  approvalSummary,
  ENDLESS_SIGNATURE,
  nameOf,
  shortAddress,
  tokenName,
  unlimitedApproval,
} from '../../words/sentences';
import { isNever, utcTime } from '../../words/time';
import { tokenAt } from '../../metadata/tokens';
import { type Line } from '../../explanation';
import { type Call, type CallRule, type Reading, rule, type Scene } from './rule';

/** ERC-721 has functions of the same form, with a token ID in place of the amount. */
const AMOUNT = 'Amount or token ID';
const REVOKED = 'Revoke an approval';
const INCREASED = 'Increase an approval';

/** A transfer of tokens: of the contract that is called, or of `token`. The owner is undefined if it is not known. */
type Transfer = {
  readonly owner: Hex | undefined;
  readonly recipient: Hex;
  readonly token: Hex;
  readonly amount: bigint;
};

/** Collects a transfer, flags one of everything, and says it in one sentence. */
function transferSummary({ owner, recipient, token, amount }: Transfer, scene: Scene): string {
  const { findings, view } = scene;
  findings.effects.move(view.signer, { from: owner, to: recipient }, { kind: 'erc20', token }, amount);
  const isAll = amount === MAX_UINT256;
  const all = () => allOf(tokenName(token, scene), owner, view);
  if (isAll) findings.danger('everything', () => `This sends ${all()} to ${nameOf(recipient, view)}.`);
  const what = isAll ? all() : amountOf(amount, token, scene);
  if (owner === undefined || isSameAddress(owner, view.signer)) return `Send ${what} to ${nameOf(recipient, view)}`;
  return `Move ${what} from ${nameOf(owner, view)} to ${nameOf(recipient, view)}`;
}

const movedAmount = (amount: bigint, token: Hex, scene: Scene): Line =>
  text(AMOUNT, amount === MAX_UINT256 ? 'all' : tokenAmount(amount, token, scene));

/** How an approval differs from `approve` of ERC-20. */
type Special = {
  readonly title?: string;
  /** The title where the amount is 0. */
  readonly revoked?: string | undefined;
  /** The token, where it is not the contract that is called. */
  readonly token?: Hex;
  /** The owner of the tokens, where it is not the account that makes the call. */
  readonly owner?: Hex;
  readonly more?: readonly Line[];
  /** It allows debts, not spending. */
  readonly isDebt?: true;
  /** The danger's sentence where the amount is unlimited. */
  readonly sentence?: () => string;
};

/** An approval to spend: of the token that is called, or of `token`. */
function approval(spender: Hex, amount: bigint, { to, from }: Call, scene: Scene, special: Special = {}): Reading {
  const { title = 'Approve spending', revoked = REVOKED, token = to, more = [] } = special;
  const { owner = from, sentence = () => unlimitedApproval({ spender, token, owner }, scene) } = special;
  const { findings, view } = scene;
  if (isUnlimited(amount)) findings.danger('unlimited-approval', sentence);
  if (special.isDebt !== true) findings.effects.allow(view.signer, owner, { kind: 'amount', token, spender, amount });
  return {
    title: amount === 0n ? revoked : title,
    ...(special.isDebt !== true && { summary: approvalSummary({ spender, token, owner, amount }, scene) }),
    lines: [
      addressLine('Token', token),
      addressLine('Spender', spender),
      text(AMOUNT, amount === 0n ? '0' : allowance(amount, token, scene)),
      ...more,
    ],
  };
}

/** Tokens have added functions that raise an allowance. */
const increase = (selector: string, name: string): CallRule =>
  rule(selector, name, [address, uint256], ([spender, amount], call, scene) =>
    approval(spender, amount, call, scene, { title: INCREASED, revoked: INCREASED }),
  );

const expiryLine = (label: string, end: bigint, { view, findings }: Scene, sentence?: () => string): Line => {
  if (isNever(end, view.now)) findings.danger('never-expires', sentence);
  return text(label, utcTime(end));
};

/** An approval that the owner signed earlier, and that this call submits. */
const signed = (owner: Hex, spender: Hex, amount: bigint, end: bigint, call: Call, scene: Scene): Reading =>
  approval(spender, amount, call, scene, {
    title: 'Use a signed approval',
    owner,
    more: [addressLine('Owner', owner), expiryLine('Signature expires', end, scene, () => ENDLESS_SIGNATURE)],
  });

function unlimitedBorrowing(borrower: Hex, { from }: Call, { view }: Scene): string {
  const debtor = from === undefined ? 'the calling account' : nameOf(from, view);
  return `This lets ${shortAddress(borrower)} borrow an unlimited amount that ${debtor} has to repay, now and in the future.`;
}

/** ERC-20 and common additions to it: steps of an allowance, ERC-2612 permits and DAI's permits. */
export const ERC20_RULES: readonly CallRule[] = [
  rule('a9059cbb', 'transfer', [address, uint256], ([recipient, amount], { to: token, from: owner }, scene) => ({
    title: 'Send tokens',
    summary: transferSummary({ owner, recipient, token, amount }, scene),
    lines: [addressLine('Token', token), addressLine('Recipient', recipient), movedAmount(amount, token, scene)],
  })),
  rule('23b872dd', 'transferFrom', [address, address, uint256], ([owner, recipient, amount], { to: token }, scene) => ({
    title: 'Transfer tokens',
    summary: transferSummary({ owner, recipient, token, amount }, scene),
    lines: [
      addressLine('Token', token),
      addressLine('From', owner),
      addressLine('Recipient', recipient),
      movedAmount(amount, token, scene),
    ],
  })),
  rule('095ea7b3', 'approve', [address, uint256], ([spender, amount], call, scene) =>
    approval(spender, amount, call, scene, {
      // An unknown contract may be an NFT collection, where 0 is the ID of a token.
      revoked: tokenAt(call.to, scene) ? undefined : `${REVOKED}, or approve token 0`,
    }),
  ),
  // ERC-1363 and its predecessors also call the spender, with data that only the spender can decode.
  rule('cae9ca51', 'approveAndCall', [address, uint256, bytes], ([spender, amount, data], call, scene) =>
    approval(spender, amount, call, scene, { more: undecodedLine('Data', data) }),
  ),
  increase('39509351', 'increaseAllowance'),
  // The name in older tokens.
  increase('d73dd623', 'increaseApproval'),
  rule('a457c2d7', 'decreaseAllowance', [address, uint256], ([spender, amount], call, scene) => ({
    title: 'Decrease an approval',
    lines: [
      addressLine('Token', call.to),
      addressLine('Spender', spender),
      text('Decrease', tokenAmount(amount, call.to, scene)),
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
  // Aave: permission to borrow, where the caller owes the debt.
  rule('c04a8a10', 'approveDelegation', [address, uint256], ([spender, amount], call, scene) =>
    approval(spender, amount, call, scene, {
      title: 'Approve borrowing in your name',
      isDebt: true,
      sentence: () => unlimitedBorrowing(spender, call, scene),
    }),
  ),
  // Permit2 (canonical contract of Uniswap): an approval that expires.
  rule('87517c45', 'approve', [address, address, uint(160), uint(48)], ([token, spender, amount, end], call, scene) =>
    approval(spender, amount, call, scene, {
      token,
      more: [expiryLine('Approval expires', end, scene)],
      sentence: () => unlimitedApproval({ spender, token, owner: call.from }, scene, end),
    }),
  ),
  rule(
    '36c78516',
    'transferFrom',
    [address, address, uint(160), address],
    ([owner, recipient, amount, token], _call, scene) => ({
      title: 'Transfer tokens through Permit2',
      summary: transferSummary({ owner, recipient, token, amount }, scene),
      lines: [
        addressLine('Token', token),
        addressLine('From', owner),
        addressLine('Recipient', recipient),
        text('Amount', tokenAmount(amount, token, scene)),
      ],
    }),
  ),
];
