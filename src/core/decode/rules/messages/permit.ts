import { MAX_UINT256 } from '../../../eth/units';
import {
  type TypedReading,
  type TypedRule,
  type TypedScene,
  addressOf,
  deadlineLine,
  uintOf,
  WITHOUT_TRANSACTION,
} from './rule';
import { type Allow } from '../../effects/effect';

type AccessMembers = Readonly<Record<'operator' | 'approved' | 'end', string>> & {
  /** Absent: the account that signs is the owner. */
  readonly owner?: string;
  readonly role?: string;
};

/** Permission to move everything that the owner holds in a contract: given or revoked. */
const fullAccess = (type: string, { operator, approved, end, owner, role }: AccessMembers): TypedRule => ({
  type,
  read: (message, scene) => {
    const isGiven = message[approved] === true;
    const deadline = uintOf(message, end);
    return {
      title: isGiven ? 'Approve full access by signature' : 'Revoke full access by signature',
      effects: [
        {
          kind: 'allow',
          of: 'everything',
          owner: owner === undefined ? scene.view.signer : addressOf(message, owner),
          spender: addressOf(message, operator),
          token: scene.contract,
          amount: isGiven ? 1n : 0n,
          ...(role !== undefined && { role }),
        },
      ],
      lines: [deadlineLine(deadline, scene), WITHOUT_TRANSACTION],
      until: deadline,
    };
  },
});

type Terms = Pick<Allow, 'owner' | 'spender' | 'amount'> & Partial<Pick<Allow, 'deadline' | 'isDebt' | 'namesOwner'>>;

const spending = (terms: Terms, { contract: token }: TypedScene): TypedReading => ({
  title: terms.isDebt === true ? 'Approve borrowing in your name by signature' : 'Approve spending by signature',
  effects: [{ kind: 'allow', of: 'amount', token, ...terms }],
  lines: [WITHOUT_TRANSACTION],
  until: terms.deadline,
});

/** A permission for one NFT; the account that signs is the owner. */
const nft = (type: string): TypedRule => ({
  type,
  read: (message, { contract: token, view }) => ({
    title: 'Approve an NFT by signature',
    effects: [
      {
        kind: 'allow',
        of: 'nft',
        owner: view.signer,
        spender: addressOf(message, 'spender'),
        token,
        amount: 1n,
        id: uintOf(message, 'tokenId'),
        deadline: uintOf(message, 'deadline'),
      },
    ],
    lines: [WITHOUT_TRANSACTION],
    until: uintOf(message, 'deadline'),
  }),
});

/** Approvals by signature: ERC-2612, DAI's earlier permit, ERC-4494 and others. */
export const PERMIT_RULES: readonly TypedRule[] = [
  {
    type: 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
    read: (message, scene) =>
      spending(
        {
          owner: addressOf(message, 'owner'),
          namesOwner: true,
          spender: addressOf(message, 'spender'),
          amount: uintOf(message, 'value'),
          deadline: uintOf(message, 'deadline'),
        },
        scene,
      ),
  },
  {
    type: 'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)',
    read: (message, scene) => {
      const isAllowed = message.allowed === true;
      const expiry = uintOf(message, 'expiry');
      return spending(
        {
          owner: addressOf(message, 'holder'),
          namesOwner: true,
          spender: addressOf(message, 'spender'),
          amount: isAllowed ? MAX_UINT256 : 0n,
          // DAI: zero means that the signature never expires.
          deadline: isAllowed && expiry === 0n ? MAX_UINT256 : expiry,
        },
        scene,
      );
    },
  },
  // Aave: permission to borrow.
  {
    type: 'DelegationWithSig(address delegatee,uint256 value,uint256 nonce,uint256 deadline)',
    read: (message, scene) =>
      spending(
        {
          owner: scene.view.signer,
          spender: addressOf(message, 'delegatee'),
          amount: uintOf(message, 'value'),
          deadline: uintOf(message, 'deadline'),
          isDebt: true,
        },
        scene,
      ),
  },
  nft('Permit(address spender,uint256 tokenId,uint256 nonce,uint256 deadline)'),
  // Uniswap v4's positions, Compound III, Morpho.
  fullAccess('PermitForAll(address operator,bool approved,uint256 nonce,uint256 deadline)', {
    operator: 'operator',
    approved: 'approved',
    end: 'deadline',
  }),
  fullAccess('Permit(address owner,address operator,bool approved,uint256 nonce,uint256 deadline)', {
    operator: 'operator',
    approved: 'approved',
    end: 'deadline',
    owner: 'owner',
  }),
  fullAccess('Authorization(address owner,address manager,bool isAllowed,uint256 nonce,uint256 expiry)', {
    operator: 'manager',
    approved: 'isAllowed',
    end: 'expiry',
    owner: 'owner',
    role: 'Manager',
  }),
  fullAccess('Authorization(address authorizer,address authorized,bool isAuthorized,uint256 nonce,uint256 deadline)', {
    operator: 'authorized',
    approved: 'isAuthorized',
    end: 'deadline',
    owner: 'authorizer',
    role: 'Manager',
  }),
];
