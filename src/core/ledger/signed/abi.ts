import { parseAbi } from 'viem/utils';

/** What tokens have for signatures (ERC-2612, DAI, ERC-3009). */
export const PERMIT_ABI = parseAbi([
  'function nonces(address owner) view returns (uint256)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
]);

/** Permit2's one-time transfers. */
export const PERMIT2_ONCE_ABI = parseAbi([
  'function nonceBitmap(address owner, uint256 word) view returns (uint256)',
  'function invalidateUnorderedNonces(uint256 wordPos, uint256 mask)',
]);

export const SEAPORT_ABI = parseAbi([
  'struct OfferItem { uint8 itemType; address token; uint256 identifierOrCriteria; uint256 startAmount; uint256 endAmount; }',
  'struct ConsiderationItem { uint8 itemType; address token; uint256 identifierOrCriteria; uint256 startAmount; uint256 endAmount; address recipient; }',
  'struct OrderComponents { address offerer; address zone; OfferItem[] offer; ConsiderationItem[] consideration; uint8 orderType; uint256 startTime; uint256 endTime; bytes32 zoneHash; uint256 salt; bytes32 conduitKey; uint256 counter; }',
  'function getOrderStatus(bytes32 orderHash) view returns (bool isValidated, bool isCancelled, uint256 totalFilled, uint256 totalSize)',
  'function getCounter(address offerer) view returns (uint256)',
  'function cancel(OrderComponents[] orders) returns (bool)',
]);

export const COW_ABI = parseAbi([
  'function filledAmount(bytes uid) view returns (uint256)',
  'function invalidateOrder(bytes uid)',
]);

export const INCH_ABI = parseAbi([
  'function bitInvalidatorForOrder(address maker, uint256 slot) view returns (uint256)',
  'function rawRemainingInvalidatorForOrder(address maker, bytes32 orderHash) view returns (uint256)',
  'function epoch(address maker, uint96 series) view returns (uint256)',
  'function cancelOrder(uint256 makerTraits, bytes32 orderHash)',
]);

/** MetaMask's DelegationManager, and its enforcer of nonces. */
export const DELEGATION_ABI = parseAbi([
  'struct Caveat { address enforcer; bytes terms; bytes args; }',
  'struct Delegation { address delegate; address delegator; bytes32 authority; Caveat[] caveats; uint256 salt; bytes signature; }',
  'function disabledDelegations(bytes32 hash) view returns (bool)',
  'function currentNonce(address manager, address delegator) view returns (uint256)',
  'function disableDelegation(Delegation delegation)',
]);

export const ENTRY_POINT_ABI = parseAbi([
  'function getNonce(address sender, uint192 key) view returns (uint256 nonce)',
]);
