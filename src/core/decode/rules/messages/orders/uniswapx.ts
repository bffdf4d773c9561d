import { isIn } from '../../../../eth/address';
import { encodeType, type TypedDataTypes } from '../../../../eth/typed-data';
import { type Term } from '../../../effects/effect';
import { addressOf, listOf, type Struct, structOf, uintOf } from '../rule';
import { JAM_TYPE, jamTerms } from './bebop';
import { ACROSS_TYPE, acrossTerms } from './erc7683';
import { between, coinOrTokenTerm, isBound, type OrderTerms, type Permission } from './order-rule';

/** The reactors of UniswapX's version 3, by the end of their addresses. */
const V3_REACTORS = [
  '15757c461808ea25eb309638b62681cf',
  '0923439a92dae8930613568824108631',
  'a55e50c71b70db3c8b58749cd1e18eb2',
  '5af66799d1a6317714d66800f9ca1406',
  'bab6e234db8ad638b6a6395b7c499bc4',
  '0ac008f7e07210cfb6648e40249232c2',
  'd714ea34028930b762e96bfbe50f42c2',
  'fc1e66c9f582566ead00108e55f1c0c6',
  '8a8330b5d1f43a62bf4c673a49f27ba0',
  '7a1c8e570011eedf86a2a35593013cba',
  '15134054ea82ae0bb9fda66b36402c36',
  'b8077fdf2281a80be96f6c282b5d943a',
  '862ccf095823fc7576fa6c7e6b7385ef',
  '86f50c5e1a2500602183d4390a7ffc98',
  '2c9a3812e15cf233190992e9a57edb56',
];
/** UniswapX's reactors, and Bebop's contract that moves tokens for JAM. They keep to the order, or fail. */
const SPENDERS = [
  ...V3_REACTORS.map((end) => `0x00000000${end}`),
  '0x6000da47483062a0d734ba3dc7576ce6a0b645c4',
  '0x00000011f84b9aa48e5f8aa8b9897600006289be',
  '0x1bd1aadc9e230626c44a139d7e70d842749351eb',
  '0xb274d5f4b833b61b340b654d600a864fb604a87c',
  '0x000000001ec5656dcdb24d90dfa42742738de729',
  '0x00000006021a6bce796be7ba509bbba71e956e37',
];
const JAM_SPENDERS = ['0xc5a350853e4e36b73eb0c24aaa4b8816c9a3579a'];

const INFO =
  'OrderInfo(address reactor,address swapper,uint256 nonce,uint256 deadline,address additionalValidationContract,bytes additionalValidationData)';
const DUTCH_OUTPUT = 'DutchOutput(address token,uint256 startAmount,uint256 endAmount,address recipient)';
const CURVE = 'NonlinearDutchDecay(uint256 relativeBlocks,int256[] relativeAmounts)';

/** The input and the outputs of an order, each between its bounds. */
type Sides = { readonly input: Term; readonly outputs: readonly Term[] };

const to = (output: Struct): Pick<Term, 'to'> => ({ to: addressOf(output, 'recipient') });

/** @param prefix - Of the members for the input. */
const dutch =
  (prefix: string, outputs: string) =>
  (order: Struct): Sides => ({
    input: coinOrTokenTerm(
      addressOf(order, `${prefix}Token`),
      0n,
      between(uintOf(order, `${prefix}StartAmount`), uintOf(order, `${prefix}EndAmount`)),
    ),
    outputs: listOf(order, outputs).map((output) =>
      coinOrTokenTerm(addressOf(output, 'token'), 0n, {
        ...between(uintOf(output, 'startAmount'), uintOf(output, 'endAmount')),
        ...to(output),
      }),
    ),
  });

const exactly = (order: Struct, more: Partial<Term> = {}): Term =>
  coinOrTokenTerm(addressOf(order, 'token'), uintOf(order, 'amount'), more);

/** The types of UniswapX's orders, and how each is read. */
const FORMS: Readonly<Record<string, (order: Struct) => Sides>> = {
  [`ExclusiveDutchOrder(OrderInfo info,uint256 decayStartTime,uint256 decayEndTime,address exclusiveFiller,uint256 exclusivityOverrideBps,address inputToken,uint256 inputStartAmount,uint256 inputEndAmount,DutchOutput[] outputs)${DUTCH_OUTPUT}${INFO}`]:
    dutch('input', 'outputs'),
  [`V2DutchOrder(OrderInfo info,address cosigner,address baseInputToken,uint256 baseInputStartAmount,uint256 baseInputEndAmount,DutchOutput[] baseOutputs)${DUTCH_OUTPUT}${INFO}`]:
    dutch('baseInput', 'baseOutputs'),
  // The fee of a block moves the amounts, within their bounds.
  [`V3DutchOrder(OrderInfo info,address cosigner,uint256 startingBaseFee,V3DutchInput baseInput,V3DutchOutput[] baseOutputs)${CURVE}${INFO}V3DutchInput(address token,uint256 startAmount,NonlinearDutchDecay curve,uint256 maxAmount,uint256 adjustmentPerGweiBaseFee)V3DutchOutput(address token,uint256 startAmount,NonlinearDutchDecay curve,address recipient,uint256 minAmount,uint256 adjustmentPerGweiBaseFee)`]:
    (order) => {
      const input = structOf(order, 'baseInput');
      return {
        input: coinOrTokenTerm(
          addressOf(input, 'token'),
          0n,
          between(uintOf(input, 'startAmount'), uintOf(input, 'maxAmount')),
        ),
        outputs: listOf(order, 'baseOutputs').map((output) =>
          coinOrTokenTerm(addressOf(output, 'token'), 0n, {
            ...between(uintOf(output, 'startAmount'), uintOf(output, 'minAmount')),
            ...to(output),
          }),
        ),
      };
    },
  // A filler who pays for a higher place in the block gives more or takes less.
  [`PriorityOrder(OrderInfo info,address cosigner,uint256 auctionStartBlock,uint256 baselinePriorityFeeWei,PriorityInput input,PriorityOutput[] outputs)${INFO}PriorityInput(address token,uint256 amount,uint256 mpsPerPriorityFeeWei)PriorityOutput(address token,uint256 amount,uint256 mpsPerPriorityFeeWei,address recipient)`]:
    (order) => ({
      input: exactly(structOf(order, 'input')),
      outputs: listOf(order, 'outputs').map((output) => exactly(output, to(output))),
    }),
};

/**
 * The terms of an order that comes as the witness of a one-time transfer of Permit2.
 *
 * @returns Undefined if the witness is no order that is known, or if the spender is none that keeps to it.
 */
export function witnessTerms(
  witness: { readonly type: string; readonly value: Struct },
  permission: Permission,
  types: TypedDataTypes,
): OrderTerms | undefined {
  const encoded = encodeType(types, witness.type);
  if (encoded === JAM_TYPE) {
    const terms = jamTerms(witness.value);
    return isIn(JAM_SPENDERS, permission.spender) ? terms : undefined;
  }
  if (encoded === ACROSS_TYPE) return acrossTerms(witness.value, permission);
  const read = Object.hasOwn(FORMS, encoded) ? FORMS[encoded] : undefined;
  if (read === undefined) return undefined;
  const info = structOf(witness.value, 'info');
  const { input, outputs } = read(witness.value);
  const token = input.asset?.kind === 'erc20' ? input.asset.token : undefined;
  if (!isBound(permission, SPENDERS, addressOf(info, 'reactor'), token)) return undefined;
  return {
    maker: addressOf(info, 'swapper'),
    gives: [input],
    gets: outputs,
    until: uintOf(info, 'deadline'),
  };
}
