import { type Hex } from '../../eth/bytes';
import { MAX_UINT256 } from '../../eth/units';
import { address, text } from '../lines';
import { approvalForAll, ENDLESS_SIGNATURE } from '../sentences';
import { type Line } from '../types';
import {
  addressOf,
  allowanceLine,
  contractLine,
  deadlineLine,
  endLine,
  type TypedReading,
  type TypedRule,
  type TypedScene,
  uintOf,
  WITHOUT_TRANSACTION,
} from './rule';

/** A deadline limits the use of the signature. One that is too far away is flagged. */
const permitEnd = (end: bigint, scene: TypedScene): Line =>
  endLine('Signature expires', end, scene, () => ENDLESS_SIGNATURE);

type AccessMembers = Readonly<Record<'operator' | 'approved' | 'end', string>> & {
  /** Absent: the account that signs is the owner. */
  readonly owner?: string;
};

/** Permission to move everything that the owner holds in a contract: given or revoked. */
const fullAccess = (type: string, { operator, approved, end, owner }: AccessMembers, label: string): TypedRule => ({
  type,
  read: (message, scene) => {
    const isGiven = message[approved] === true;
    const holder = owner === undefined ? scene.view.signer : addressOf(message, owner);
    if (isGiven)
      scene.findings.danger('approval-for-all', () =>
        approvalForAll(addressOf(message, operator), scene.contract, holder, scene),
      );
    return {
      title: isGiven ? 'Approve full access by signature' : 'Revoke full access by signature',
      lines: [
        contractLine('Contract', scene.contract),
        address(label, addressOf(message, operator)),
        deadlineLine(uintOf(message, end), scene),
        WITHOUT_TRANSACTION,
      ],
    };
  },
});

const spending = (token: Hex | undefined, spender: Hex, owner: Hex, rest: readonly Line[]): TypedReading => ({
  title: 'Approve spending by signature',
  lines: [
    contractLine('Token', token),
    address('Spender', spender),
    address('Owner', owner),
    ...rest,
    WITHOUT_TRANSACTION,
  ],
});

/**
 * Approvals by signature: ERC-2612, DAI's earlier permit, ERC-4494 and others.
 *
 * @example
 * ```ts
 * const permit = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)';
 * PERMIT_RULES.some(({ type }) => type === permit); // => true
 * ```
 */
export const PERMIT_RULES: readonly TypedRule[] = [
  {
    type: 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
    read: (message, scene) => {
      const [spender, owner] = [addressOf(message, 'spender'), addressOf(message, 'owner')];
      return spending(scene.contract, spender, owner, [
        allowanceLine(uintOf(message, 'value'), { spender, token: scene.contract, owner }, scene),
        permitEnd(uintOf(message, 'deadline'), scene),
      ]);
    },
  },
  {
    type: 'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)',
    read: (message, scene) => {
      const allowed = message.allowed === true;
      const expiry = uintOf(message, 'expiry');
      const [spender, owner] = [addressOf(message, 'spender'), addressOf(message, 'holder')];
      return spending(scene.contract, spender, owner, [
        allowanceLine(allowed ? MAX_UINT256 : 0n, { spender, token: scene.contract, owner }, scene),
        // DAI: zero means that the signature never expires.
        allowed ? permitEnd(expiry === 0n ? MAX_UINT256 : expiry, scene) : deadlineLine(expiry, scene),
      ]);
    },
  },
  {
    type: 'Permit(address spender,uint256 tokenId,uint256 nonce,uint256 deadline)',
    read: (message, scene) => ({
      title: 'Approve an NFT by signature',
      lines: [
        contractLine('Collection', scene.contract),
        address('Spender', addressOf(message, 'spender')),
        text('Token ID', uintOf(message, 'tokenId').toString()),
        permitEnd(uintOf(message, 'deadline'), scene),
        WITHOUT_TRANSACTION,
      ],
    }),
  },
  // Uniswap v4's positions, Compound III, Morpho.
  fullAccess(
    'PermitForAll(address operator,bool approved,uint256 nonce,uint256 deadline)',
    { operator: 'operator', approved: 'approved', end: 'deadline' },
    'Operator',
  ),
  fullAccess(
    'Authorization(address owner,address manager,bool isAllowed,uint256 nonce,uint256 expiry)',
    { operator: 'manager', approved: 'isAllowed', end: 'expiry', owner: 'owner' },
    'Manager',
  ),
  fullAccess(
    'Authorization(address authorizer,address authorized,bool isAuthorized,uint256 nonce,uint256 deadline)',
    { operator: 'authorized', approved: 'isAuthorized', end: 'deadline', owner: 'authorizer' },
    'Manager',
  ),
];
