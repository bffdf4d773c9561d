import { type Hex, lowerCase } from '../eth/bytes';
import {
  addressIn,
  APPROVAL,
  APPROVAL_FOR_ALL,
  DEPOSIT,
  PERMIT2_APPROVAL,
  PERMIT2_PERMIT,
  TRANSFER_BATCH,
  TRANSFER_SINGLE,
  TRANSFER_TOPIC,
  WITHDRAWAL,
} from '../simulation/asset-logs';
import { type PlacedLog } from './placed-log';

/** `Lockdown(address,address,address)` of Permit2: only the owner is indexed. */
export const PERMIT2_LOCKDOWN: Hex = '0x89b1add15eff56b3dfe299ad94e01f2b52fbcb80ae1a3baea6ae8c04cb2b98a4';
/** `NonceInvalidation(address,address,address,uint48,uint48)` of Permit2: owner, token, spender. */
export const PERMIT2_NONCE: Hex = '0x55eb90d810e1700b35a8e7e25395ff7f2b2259abd7415ca2284dfb1c246418f3';

/** `AuthorizedOperator(address,address)` and `RevokedOperator(address,address)` of ERC-777: operator, holder. */
export const AUTHORIZED_OPERATOR: Hex = '0xf4caeb2d6ca8932a215a353d0703c326ec2d81fc68170f320eb2ab49e9df61f9';
export const REVOKED_OPERATOR: Hex = '0x50546e66e5f44d728365dc3908c63bc5cfeeab470722c1677e3073a6ac294aa1';
/** `OperatorSet(address,address,bool)` and `Approval(address,address,uint256,uint256)` of ERC-6909: owner, spender. */
export const OPERATOR_SET: Hex = '0xceb576d9f15e4e200fdb5096d64d5dfd667e16def20c1eefd14256d8e3faa267';
export const ITEM_APPROVAL: Hex = '0xb3fd5071835887567a0671151121894ddccc2842f1d10bedad13e0d17cace9a7';
/** `BorrowAllowanceDelegated(address,address,address,uint256)` of Aave: from, to, asset. */
export const BORROW_ALLOWANCE: Hex = '0xda919360433220e13b51e8c211e490d148e61a3bd53de8c097194e458b97f3e1';

/** `UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)` (ERC-4337): hash, sender, paymaster. */
export const OPERATION: Hex = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f';

/** The events whose topic 1, 2 or 3 is the owner of what changes. */
const EVENTS: readonly (readonly Hex[])[] = [
  // The sender of a transfer, the owner of an approval, whoever wraps or unwraps.
  [
    TRANSFER_TOPIC,
    APPROVAL,
    APPROVAL_FOR_ALL,
    PERMIT2_APPROVAL,
    PERMIT2_PERMIT,
    PERMIT2_LOCKDOWN,
    PERMIT2_NONCE,
    DEPOSIT,
    WITHDRAWAL,
    OPERATOR_SET,
    ITEM_APPROVAL,
    BORROW_ALLOWANCE,
  ],
  // The recipient of a transfer, the sender of an ERC-1155 transfer or of a user operation, the holder that authorizes
  // an operator.
  [TRANSFER_TOPIC, TRANSFER_SINGLE, TRANSFER_BATCH, OPERATION, AUTHORIZED_OPERATOR, REVOKED_OPERATOR],
  // The recipient of an ERC-1155 transfer.
  [TRANSFER_SINGLE, TRANSFER_BATCH],
];

/** The `topics` of an `eth_getLogs` request without an address: some events, and the owner in one topic. */
export type Topics = readonly (readonly Hex[] | Hex | null)[];

/** The owner's topic is at this position. */
export type OwnerPosition = 1 | 2 | 3;
export const OWNER_POSITIONS: readonly OwnerPosition[] = [1, 2, 3];

const wordOf = (address: Hex): Hex => `0x${lowerCase(address).slice(2).padStart(64, '0')}`;

/** @returns The topics that find the events of an account at one position. */
export const topicsOf = (account: Hex, position: OwnerPosition): Topics => [
  EVENTS[position - 1] ?? [],
  ...Array.from({ length: position - 1 }, () => null),
  wordOf(account),
];

/** @returns Whether the topics find a log. A node that answers others is not believed. */
export const isFoundBy = (topics: Topics, { topics: found }: PlacedLog): boolean =>
  topics.every((wanted, at) => {
    const topic = found[at] === undefined ? undefined : lowerCase(found[at]);
    return wanted === null ? topic !== undefined : topic !== undefined && [wanted].flat().includes(topic);
  });

/** @returns The account and the position by which a log is found; undefined for other events. */
export function ownerOf({
  topics,
}: PlacedLog): { readonly account: Hex; readonly position: OwnerPosition } | undefined {
  const event = lowerCase(topics[0] ?? '0x');
  for (const position of OWNER_POSITIONS) {
    const account = addressIn(topics[position]);
    if (account !== undefined && EVENTS[position - 1]?.includes(event) === true) return { account, position };
  }
  return undefined;
}
