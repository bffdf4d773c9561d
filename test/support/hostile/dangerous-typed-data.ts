import { encodeFunctionData, maxUint256, parseAbi } from 'viem';

import { type DangerCode } from '../../../src/core/decode/effects/dangers';
import { ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { OPERATION_TYPE } from '../../../src/core/erc4337/hash';
import { typedData, USDC } from '../explaining';
import { type HostileCase, warned } from './case';
import { ME, OTHER, SECOND } from './people';
import { changed, DOMAIN, domain, typed, withDomain } from './typed';

const MAX = maxUint256.toString();
const SOON = 1_900_000_000;
const ZERO = `0x${'00'.repeat(20)}`;
const WORD = `0x${'11'.repeat(32)}`;
/** The domain of Ethermint, which Injective and other Cosmos chains use. */
const COSMOS_DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'string' },
  { name: 'salt', type: 'string' },
];
const COSMOS = { name: 'Cosmos Web3', version: '1.0.0', chainId: '0x1', verifyingContract: 'cosmos', salt: '0' };

const at = (verifyingContract: string) => ({ name: 'A', version: '1', chainId: 1, verifyingContract });
const token = at(USDC);
const permit2 = at('0x000000000022D473030F116dDEE9F6B43aC78BA3');

const PERMIT = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)';
const DAI = 'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)';
const SAFE_TX =
  'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)';
const DETAILS = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)';
const DRAIN = encodeFunctionData({
  abi: parseAbi(['function setApprovalForAll(address,bool)']),
  args: [OTHER, true],
});
const permit = { owner: ME, spender: OTHER, value: '1', nonce: 0, deadline: SOON };
const safe = {
  to: OTHER,
  value: 0,
  data: '0x',
  operation: 0,
  safeTxGas: 0,
  baseGas: 0,
  gasPrice: 0,
  gasToken: ZERO,
  refundReceiver: ZERO,
  nonce: 0,
};
const details = { token: USDC, amount: '1', expiration: SOON, nonce: 0 };
const order = {
  offerer: ME,
  zone: ZERO,
  offer: [{ itemType: 2, token: OTHER, identifierOrCriteria: 7, startAmount: '1', endAmount: '1' }],
  consideration: [],
  orderType: 0,
  startTime: 0,
  endTime: SOON,
  zoneHash: WORD,
  salt: 0,
  conduitKey: WORD,
  counter: 0,
};
const SEAPORT =
  'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)' +
  'ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)' +
  'OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)';

type Row = readonly [
  name: string,
  type: string,
  domain: Readonly<Record<string, unknown>>,
  message: Readonly<Record<string, unknown>>,
  warn: DangerCode | { readonly says: string },
];

const ROWS: readonly Row[] = [
  ['an unlimited permit', PERMIT, token, { ...permit, value: MAX }, 'unlimited-approval'],
  ['a permit of 2^96-1', PERMIT, token, { ...permit, value: ((1n << 96n) - 1n).toString() }, 'unlimited-approval'],
  ['a permit that never expires', PERMIT, token, { ...permit, deadline: MAX }, 'never-expires'],
  ["DAI's permit", DAI, token, { holder: ME, spender: OTHER, nonce: 0, expiry: 0, allowed: true }, 'never-expires'],
  [
    'a permit for all',
    'PermitForAll(address operator,bool approved,uint256 nonce,uint256 deadline)',
    token,
    { operator: OTHER, approved: true, nonce: 0, deadline: SOON },
    'approval-for-all',
  ],
  [
    'a non-standard permit',
    'Allow(address spender,uint256 amount)',
    token,
    { spender: OTHER, amount: MAX },
    'unlimited-approval',
  ],
  [
    'a permission without a number',
    'Allow(address operator,bool yes)',
    token,
    { operator: OTHER, yes: true },
    { says: 'permission to spend your tokens or act for your account' },
  ],
  [
    'Permit2, unlimited',
    `PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${DETAILS}`,
    permit2,
    { details: { ...details, amount: ((1n << 160n) - 1n).toString() }, spender: OTHER, sigDeadline: SOON },
    'unlimited-approval',
  ],
  [
    'Permit2 without expiry',
    `PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${DETAILS}`,
    permit2,
    { details: { ...details, expiration: 2 ** 48 - 1 }, spender: OTHER, sigDeadline: SOON },
    'never-expires',
  ],
  [
    'the last of 30 permissions of Permit2',
    `PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${DETAILS}`,
    permit2,
    {
      details: [...Array.from({ length: 29 }, () => details), { ...details, amount: ((1n << 160n) - 1n).toString() }],
      spender: OTHER,
      sigDeadline: SOON,
    },
    'unlimited-approval',
  ],
  [
    'another contract with a Permit2 message',
    `PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${DETAILS}`,
    token,
    { details, spender: OTHER, sigDeadline: SOON },
    { says: 'is for another contract' },
  ],
  [
    'all of a token, once',
    'PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)',
    permit2,
    { permitted: { token: USDC, amount: MAX }, spender: OTHER, nonce: 0, deadline: SOON },
    'everything',
  ],
  ['an order that gives items away', SEAPORT, at(OTHER), order, 'nothing-in-return'],
  [
    'an order that pays another account',
    SEAPORT,
    at(OTHER),
    {
      ...order,
      consideration: [
        { itemType: 0, token: ZERO, identifierOrCriteria: 0, startAmount: '1', endAmount: '1', recipient: OTHER },
      ],
    },
    'nothing-in-return',
  ],
  [
    'an order whose price decays to nothing',
    SEAPORT,
    at(OTHER),
    {
      ...order,
      consideration: [
        { itemType: 0, token: ZERO, identifierOrCriteria: 0, startAmount: '1', endAmount: '0', recipient: ME },
      ],
    },
    'nothing-in-return',
  ],
  [
    'an order of another account',
    SEAPORT,
    at(OTHER),
    { ...order, offerer: SECOND },
    { says: 'offered by another account' },
  ],
  [
    'a delegatecall of a Safe',
    SAFE_TX,
    { chainId: 1, verifyingContract: OTHER },
    { ...safe, operation: 1, data: '0x12345678' },
    'delegatecall',
  ],
  [
    'an unknown operation type of a Safe',
    SAFE_TX,
    { chainId: 1, verifyingContract: OTHER },
    { ...safe, operation: 2 },
    'malformed-call',
  ],
  [
    'a new owner of a Safe',
    SAFE_TX,
    { chainId: 1, verifyingContract: OTHER },
    {
      ...safe,
      to: OTHER,
      data: encodeFunctionData({
        abi: parseAbi(['function addOwnerWithThreshold(address,uint256)']),
        args: [SECOND, 1n],
      }),
    },
    'account-administration',
  ],
  [
    'a user operation of the account itself, which it makes while it is delegated',
    OPERATION_TYPE,
    { name: 'ERC4337', version: '1', chainId: 1, verifyingContract: ENTRY_POINTS['0.8'] },
    {
      sender: ME,
      nonce: 0,
      initCode: '0x',
      callData: '0x',
      accountGasLimits: WORD,
      preVerificationGas: 0,
      gasFees: WORD,
      paymasterAndData: '0x',
    },
    'own-operation',
  ],
  [
    'an approval of everything through a relayer',
    'ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,bytes data)',
    at(OTHER),
    { from: ME, to: USDC, value: 0, gas: 1, nonce: 0, data: DRAIN },
    'approval-for-all',
  ],
  [
    'a call for everything by a meta transaction',
    'MetaTransaction(uint256 nonce,address from,bytes functionSignature)',
    at(OTHER),
    { nonce: 0, from: ME, functionSignature: DRAIN },
    'approval-for-all',
  ],
  [
    'a delegation without limits',
    'Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)Caveat(address enforcer,bytes terms)',
    at(OTHER),
    { delegate: OTHER, delegator: ME, authority: WORD, caveats: [], salt: 0 },
    'account-administration',
  ],
];

/** Typed data that is signed, with the warning that must be shown first. */
export const DANGEROUS_TYPED_DATA: readonly HostileCase<unknown>[] = [
  ...ROWS.map(([name, type, where, message, warn]) => warned(name, [ME, typedData(type, where, message)], warn)),
  warned(
    'the contract is the signing account',
    withDomain(DOMAIN, { ...domain, verifyingContract: ME.toLowerCase() }),
    'own-contract',
  ),
  warned('no contract', withDomain(DOMAIN.slice(0, 3), { name: 'A', version: '1', chainId: 1 }), {
    says: 'names no contract',
  }),
  warned('a contract given as text, as Cosmos chains do', withDomain(COSMOS_DOMAIN, COSMOS), {
    says: 'is not bound to any contract',
  }),
  warned('neither chain nor contract', withDomain([], {}), { says: 'neither a network nor a contract' }),
  warned('a version that is not declared', withDomain([DOMAIN[0]], { name: 'x', version: '1' }), {
    says: 'that its types do not declare',
  }),
  warned('members that the type does not have', changed({ message: { value: 1, signatureChainId: '0x1' } }), {
    says: 'that its types do not declare',
  }),
  warned('an address with a wrong checksum', typed('address', '0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96045'), {
    says: 'checksum (EIP-55)',
  }),
  warned(
    'a contract with a wrong checksum',
    withDomain(DOMAIN, { ...domain, verifyingContract: '0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96045' }),
    { says: 'checksum (EIP-55)' },
  ),
  warned(
    '10,000 values',
    typed(
      'uint8[]',
      Array.from({ length: 10_000 }, () => 1),
    ),
    { says: 'Signed but not shown here' },
  ),
  warned('text of a megabyte', typed('string', 'a'.repeat(1_000_000)), { says: 'more characters' }),
  warned('text that reverses its direction', typed('string', 'send \u202e001'), { says: '\\u{202e}' }),
  warned('text that imitates a line', typed('string', 'ok\nSpender: me'), { says: 'ok\\u{a}Spender' }),
  warned('an unknown type', [ME, typedData('Whatever(bytes32 hash)', token, { hash: WORD })], {
    says: 'unknown, check every value',
  }),
];
