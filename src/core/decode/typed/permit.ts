import { type Hex } from '../../eth/bytes';
import { MAX_UINT256 } from '../../eth/units';
import { address, text } from '../lines';
import { type Line } from '../types';
import {
  addressOf,
  allowanceLine,
  contractLine,
  deadlineLine,
  endLine,
  type Struct,
  type TypedReading,
  type TypedRule,
  type TypedScene,
  uintOf,
  WITHOUT_TRANSACTION,
} from './rule';

/** A deadline is that of the signature; but one that never ends keeps it usable for ever. */
const permitEnd = (message: Struct, member: string, scene: TypedScene): Line =>
  endLine('Usable until', uintOf(message, member), scene);

/** A permission for everything in a contract: given, or taken back. */
const forAll = (type: string, operator: string, approved: string, end: string, label: string): TypedRule => ({
  type,
  read: (message, scene) => {
    if (message[approved] === true) scene.findings.danger('approval-for-all');
    return {
      title: message[approved] === true ? 'Let somebody act for you' : 'Take back a permission to act for you',
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

/** ERC-2612, DAI's permit before it, ERC-4494 and what else approves by a signature. */
export const PERMIT_RULES: readonly TypedRule[] = [
  {
    type: 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
    read: (message, scene) =>
      spending(scene.contract, addressOf(message, 'spender'), addressOf(message, 'owner'), [
        allowanceLine(uintOf(message, 'value'), scene.contract, scene),
        permitEnd(message, 'deadline', scene),
      ]),
  },
  {
    type: 'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)',
    read: (message, scene) => {
      const allowed = message.allowed === true;
      const expiry = uintOf(message, 'expiry');
      return spending(scene.contract, addressOf(message, 'spender'), addressOf(message, 'holder'), [
        allowanceLine(allowed ? MAX_UINT256 : 0n, scene.contract, scene),
        // DAI: zero stands for no end.
        allowed ? endLine('Usable until', expiry === 0n ? MAX_UINT256 : expiry, scene) : deadlineLine(expiry, scene),
      ]);
    },
  },
  {
    type: 'Permit(address spender,uint256 tokenId,uint256 nonce,uint256 deadline)',
    read: (message, scene) => ({
      title: 'Approve a token by signature',
      lines: [
        contractLine('Collection', scene.contract),
        address('Spender', addressOf(message, 'spender')),
        text('Token id', uintOf(message, 'tokenId').toString()),
        permitEnd(message, 'deadline', scene),
        WITHOUT_TRANSACTION,
      ],
    }),
  },
  // Uniswap v4's positions, Compound III, Morpho.
  forAll(
    'PermitForAll(address operator,bool approved,uint256 nonce,uint256 deadline)',
    'operator',
    'approved',
    'deadline',
    'Operator',
  ),
  forAll(
    'Authorization(address owner,address manager,bool isAllowed,uint256 nonce,uint256 expiry)',
    'manager',
    'isAllowed',
    'expiry',
    'Manager',
  ),
  forAll(
    'Authorization(address authorizer,address authorized,bool isAuthorized,uint256 nonce,uint256 deadline)',
    'authorized',
    'isAuthorized',
    'deadline',
    'Manager',
  ),
];
