import { type Hex } from '../../../eth/bytes';
import { MAX_UINT256 } from '../../../eth/units';
import { address, text } from '../../words/lines';
import { approvalForAll, approvalSummary, ENDLESS_SIGNATURE, nameOf } from '../../words/sentences';
import { type Line } from '../../explanation';
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
    const { contract, findings, view } = scene;
    const holder = owner === undefined ? view.signer : addressOf(message, owner);
    const spender = addressOf(message, operator);
    if (isGiven) {
      findings.danger('approval-for-all', () => approvalForAll(spender, contract, holder, scene));
      if (contract !== undefined)
        findings.effects.allow(view.signer, holder, { kind: 'everything', token: contract, spender });
    }
    const [who, what] = [nameOf(spender, view), contract === undefined ? 'a contract' : nameOf(contract, view)];
    return {
      title: isGiven ? 'Approve full access by signature' : 'Revoke full access by signature',
      summary: isGiven ? `Let ${who} move everything in ${what}` : `Take back the access of ${who} to ${what}`,
      lines: [
        contractLine('Contract', scene.contract),
        address(label, spender),
        deadlineLine(uintOf(message, end), scene),
        WITHOUT_TRANSACTION,
      ],
    };
  },
});

type Spending = { readonly spender: Hex; readonly owner: Hex; readonly amount: bigint };

function spending({ spender, owner, amount }: Spending, end: Line, scene: TypedScene): TypedReading {
  const { contract: token, findings, view } = scene;
  const approval = { spender, token, owner };
  if (token !== undefined) findings.effects.allow(view.signer, owner, { kind: 'amount', token, spender, amount });
  return {
    title: 'Approve spending by signature',
    summary: approvalSummary({ ...approval, amount }, scene),
    lines: [
      contractLine('Token', token),
      address('Spender', spender),
      address('Owner', owner),
      allowanceLine(amount, approval, scene),
      end,
      WITHOUT_TRANSACTION,
    ],
  };
}

/** Approvals by signature: ERC-2612, DAI's earlier permit, ERC-4494 and others. */
export const PERMIT_RULES: readonly TypedRule[] = [
  {
    type: 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
    read: (message, scene) => {
      const [spender, owner] = [addressOf(message, 'spender'), addressOf(message, 'owner')];
      const amount = uintOf(message, 'value');
      return spending({ spender, owner, amount }, permitEnd(uintOf(message, 'deadline'), scene), scene);
    },
  },
  {
    type: 'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)',
    read: (message, scene) => {
      const allowed = message.allowed === true;
      const expiry = uintOf(message, 'expiry');
      const [spender, owner] = [addressOf(message, 'spender'), addressOf(message, 'holder')];
      // DAI: zero means that the signature never expires.
      const end = allowed ? permitEnd(expiry === 0n ? MAX_UINT256 : expiry, scene) : deadlineLine(expiry, scene);
      return spending({ spender, owner, amount: allowed ? MAX_UINT256 : 0n }, end, scene);
    },
  },
  {
    type: 'Permit(address spender,uint256 tokenId,uint256 nonce,uint256 deadline)',
    read: (message, scene) => {
      const { contract: token, findings, view } = scene;
      const [spender, id] = [addressOf(message, 'spender'), uintOf(message, 'tokenId')];
      if (token !== undefined) findings.effects.allow(view.signer, view.signer, { kind: 'nft', token, spender, id });
      return {
        title: 'Approve an NFT by signature',
        summary: `Let ${nameOf(spender, view)} move NFT #${id}${token === undefined ? '' : ` of ${nameOf(token, view)}`}`,
        lines: [
          contractLine('Collection', token),
          address('Spender', spender),
          text('Token ID', id.toString()),
          permitEnd(uintOf(message, 'deadline'), scene),
          WITHOUT_TRANSACTION,
        ],
      };
    },
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
