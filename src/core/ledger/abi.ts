import { parseAbi } from 'viem/utils';

/** ERC-20, with the `decreaseAllowance` that many tokens have besides. */
export const ERC20_ABI = parseAbi([
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function decreaseAllowance(address spender, uint256 amount) returns (bool)',
  'function name() view returns (string)',
  'function symbol() view returns (string)',
]);

/** What ERC-721 and ERC-1155 have of owners and permissions. */
export const NFT_ABI = parseAbi([
  'function approve(address spender, uint256 id)',
  'function balanceOf(address owner, uint256 id) view returns (uint256)',
  'function getApproved(uint256 id) view returns (address)',
  'function isApprovedForAll(address owner, address operator) view returns (bool)',
  'function ownerOf(uint256 id) view returns (address)',
  'function setApprovalForAll(address operator, bool isApproved)',
]);

/** Uniswap's Permit2 (AllowanceTransfer). */
export const PERMIT2_ABI = parseAbi([
  'function allowance(address owner, address token, address spender) view returns (uint160 amount, uint48 expiration, uint48 nonce)',
  'function invalidateNonces(address token, address spender, uint48 newNonce)',
  'function lockdown((address token, address spender)[] approvals)',
]);

/** ERC-777: an operator moves all tokens of a holder. */
export const ERC777_ABI = parseAbi([
  'function isOperatorFor(address operator, address holder) view returns (bool)',
  'function revokeOperator(address operator)',
]);

/** ERC-6909, whose balances are read as those of ERC-1155. */
export const ERC6909_ABI = parseAbi([
  'function allowance(address owner, address spender, uint256 id) view returns (uint256)',
  'function approve(address spender, uint256 id, uint256 amount) returns (bool)',
  'function isOperator(address owner, address spender) view returns (bool)',
  'function setOperator(address spender, bool approved) returns (bool)',
]);

/** Aave's debt tokens: another account may borrow, and this one owes it. */
export const DEBT_ABI = parseAbi([
  'function approveDelegation(address delegatee, uint256 amount)',
  'function borrowAllowance(address fromUser, address toUser) view returns (uint256)',
]);
