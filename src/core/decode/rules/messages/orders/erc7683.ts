import { isSameAddress } from '../../../../eth/address';
import { type Hex } from '../../../../eth/bytes';
import { type Term } from '../../../effects/effect';
import { addressOf, digitsOf, type Struct, structOf, type TypedRule, uintOf } from '../rule';
import { isBound, orderRule, type OrderTerms, type Permission, tokenTerm } from './order-rule';

/** Across's contracts that open an order on the network where it is paid. */
const ACROSS = ['0x4afb570ac68bffc26bb02fda3d801728b0f93c9e', '0xb0b07055f214ce59ccb968663d3435b9f3294998'];
const START =
  'GaslessCrossChainOrder(address originSettler,address user,uint256 nonce,uint256 originChainId,uint32 openDeadline,' +
  'uint32 fillDeadline,bytes32 orderDataType,';

/** An order of Across, as the witness of a one-time transfer of Permit2: its contract verifies no other form. */
export const ACROSS_TYPE =
  `${START}AcrossOrderData orderData)AcrossOrderData(address inputToken,uint256 inputAmount,address outputToken,` +
  'uint256 outputAmount,uint256 destinationChainId,bytes32 recipient,address exclusiveRelayer,uint256 depositNonce,' +
  'uint32 exclusivityPeriod,bytes message)';

/** An address in the lower bytes of a word. */
const ADDRESS_DIGITS = 40;

/**
 * The terms of an order of Across: what is given on one network for what is got on another.
 *
 * @returns Undefined if the spender is not Across, or may take another token.
 */
export function acrossTerms(order: Struct, permission: Permission): OrderTerms | undefined {
  const data = structOf(order, 'orderData');
  const [user, token] = [addressOf(order, 'user'), addressOf(data, 'inputToken')];
  if (!isBound(permission, ACROSS, addressOf(order, 'originSettler'), token)) return undefined;
  const to: Hex = `0x${digitsOf(data, 'recipient').slice(-ADDRESS_DIGITS)}`;
  const chainId = uintOf(data, 'destinationChainId');
  return {
    maker: user,
    gives: [tokenTerm(token, uintOf(data, 'inputAmount'))],
    gets: [
      tokenTerm(addressOf(data, 'outputToken'), uintOf(data, 'outputAmount'), {
        ...(!isSameAddress(to, user) && { to }),
        ...(chainId !== uintOf(order, 'originChainId') && { chainId }),
      }),
    ],
    until: uintOf(order, 'fillDeadline'),
  };
}

const UNNAMED: Term = { asset: undefined, least: 0n, most: 1n };

/** ERC-7683 in its general form: the settler decides what the data means. */
export const ERC7683_RULE: TypedRule = orderRule({
  protocol: 'ERC-7683',
  contracts: [],
  type: `${START}bytes orderData)`,
  read: (order) => [
    {
      maker: addressOf(order, 'user'),
      gives: [UNNAMED],
      gets: [UNNAMED],
      until: uintOf(order, 'fillDeadline'),
      notes: ['The terms of this order are in data that Keystead cannot read.'],
    },
  ],
});
