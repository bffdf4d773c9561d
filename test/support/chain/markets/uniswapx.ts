import fc from 'fast-check';
import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  parseAbi,
  parseAbiParameters,
} from 'viem';

import { fromHex } from '../../../../src/core/eth/bytes';
import { typedData } from '../../explaining';
import { amount, DAY, least, type Market, most, payee, structHash, text } from './market';
import {
  ACCOUNT,
  factoryCode,
  FILLER,
  type Markets,
  type Moment,
  OTHER,
  type Placed,
  SERVICE,
  signAsOther,
  USDC,
  WETH,
  ZERO,
} from './world';

const FACTORIES = '@uniswap/uniswapx-sdk@3.1.0/dist/cjs/src/contracts/factories';
export const PERMIT2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3';

const INFO =
  'OrderInfo(address reactor,address swapper,uint256 nonce,uint256 deadline,address additionalValidationContract,bytes additionalValidationData)';
const OUTPUT = 'DutchOutput(address token,uint256 startAmount,uint256 endAmount,address recipient)';
const PERMISSION = 'TokenPermissions(address token,uint256 amount)';
const DECAY = 'NonlinearDutchDecay(uint256 relativeBlocks,int256[] relativeAmounts)';

const EXECUTE = parseAbi([
  'struct SignedOrder { bytes order; bytes sig; }',
  'function execute(SignedOrder order) payable',
]);

/** The structs as the contracts encode them. */
const INFO_ABI = '(address,address,uint256,uint256,address,bytes)';
const DUTCH_INPUT = '(address,uint256,uint256)';
const DUTCH_OUTPUTS = '(address,uint256,uint256,address)[]';
const DATA_V2 = '(uint256,uint256,address,uint256,uint256,uint256[])';
const DATA_V3 = '(uint256,address,uint256,uint256,uint256[])';
const encoded = (types: string, values: readonly unknown[]): Hex =>
  encodeAbiParameters(parseAbiParameters(types), values as never);

type Output = { readonly token: Hex; readonly start: bigint; readonly end: bigint; readonly recipient: Hex };
type Terms = { readonly input: readonly [start: bigint, end: bigint]; readonly outputs: readonly Output[] };
/** What the account signs of an order, and how the contract gets all of it. */
type Form = {
  readonly witness: Record<string, unknown>;
  readonly order: (hash: Hex) => Hex;
};
type Version = {
  readonly name: string;
  readonly reactor: Hex;
  readonly factory: string;
  readonly structs: string;
  readonly form: (terms: Terms, info: readonly unknown[], moment: Moment) => Form;
};

const dutchOutputs = (outputs: readonly Output[]) =>
  outputs.map(({ token, start, end, recipient }) => ({ token, startAmount: start, endAmount: end, recipient }));
const rows = (outputs: readonly Output[]) =>
  outputs.map(({ token, start, end, recipient }) => [token, start, end, recipient]);
const cosigned = (parts: readonly Hex[]): Hex => signAsOther(fromHex(keccak256(concat(parts))));
const CHAIN = numberToHex(1, { size: 32 });

const EXCLUSIVE =
  'ExclusiveDutchOrder(OrderInfo info,uint256 decayStartTime,uint256 decayEndTime,address exclusiveFiller,uint256 exclusivityOverrideBps,address inputToken,uint256 inputStartAmount,uint256 inputEndAmount,DutchOutput[] outputs)';
const V2 =
  'V2DutchOrder(OrderInfo info,address cosigner,address baseInputToken,uint256 baseInputStartAmount,uint256 baseInputEndAmount,DutchOutput[] baseOutputs)';
const V3 =
  'V3DutchOrder(OrderInfo info,address cosigner,uint256 startingBaseFee,V3DutchInput baseInput,V3DutchOutput[] baseOutputs)';
const PRIORITY =
  'PriorityOrder(OrderInfo info,address cosigner,uint256 auctionStartBlock,uint256 baselinePriorityFeeWei,PriorityInput input,PriorityOutput[] outputs)';

const VERSIONS: readonly Version[] = [
  {
    name: 'UniswapX, exclusive Dutch order',
    reactor: '0x6000da47483062A0D734Ba3dc7576Ce6A0B645C4',
    factory: 'ExclusiveDutchOrderReactor',
    structs: EXCLUSIVE + OUTPUT,
    form: ({ input, outputs }, info, { now }) => ({
      witness: {
        decayStartTime: now - DAY,
        decayEndTime: now,
        exclusiveFiller: FILLER,
        exclusivityOverrideBps: 25n,
        inputToken: USDC,
        inputStartAmount: input[0],
        inputEndAmount: input[1],
        outputs: dutchOutputs(outputs),
      },
      order: () =>
        encoded(`(${INFO_ABI},uint256,uint256,address,uint256,${DUTCH_INPUT},${DUTCH_OUTPUTS})`, [
          [info, now - DAY, now, FILLER, 25n, [USDC, ...input], rows(outputs)],
        ]),
    }),
  },
  {
    name: 'UniswapX, Dutch order of version 2',
    reactor: '0x00000011F84B9aa48e5f8aA8B9897600006289Be',
    factory: 'V2DutchOrderReactor',
    structs: V2 + OUTPUT,
    form: ({ input, outputs }, info, { now }) => {
      const data = [now - DAY, now, ZERO, 0n, 0n, outputs.map(() => 0n)];
      return {
        witness: {
          cosigner: OTHER,
          baseInputToken: USDC,
          baseInputStartAmount: input[0],
          baseInputEndAmount: input[1],
          baseOutputs: dutchOutputs(outputs),
        },
        order: (hash) =>
          encoded(`(${INFO_ABI},address,${DUTCH_INPUT},${DUTCH_OUTPUTS},${DATA_V2},bytes)`, [
            [info, OTHER, [USDC, ...input], rows(outputs), data, cosigned([hash, encoded(DATA_V2, [data])])],
          ]),
      };
    },
  },
  {
    name: 'UniswapX, Dutch order of version 3',
    reactor: '0xB274d5F4b833b61B340b654d600A864fB604a87c',
    factory: 'V3DutchOrderReactor',
    structs: `${V3}${DECAY}V3DutchInput(address token,uint256 startAmount,NonlinearDutchDecay curve,uint256 maxAmount,uint256 adjustmentPerGweiBaseFee)V3DutchOutput(address token,uint256 startAmount,NonlinearDutchDecay curve,address recipient,uint256 minAmount,uint256 adjustmentPerGweiBaseFee)`,
    form: ({ input, outputs }, info) => {
      const curve = '(uint256,int256[])';
      const data = [1n, ZERO, 0n, 0n, outputs.map(() => 0n)];
      // The curve ends one block after it begins.
      const given = [1n, [input[0] - input[1]]];
      const got = outputs.map(({ start, end }) => [1n, [start - end]] as const);
      const named = ([relativeBlocks, relativeAmounts]: readonly unknown[]) => ({ relativeBlocks, relativeAmounts });
      return {
        witness: {
          cosigner: OTHER,
          startingBaseFee: 0n,
          baseInput: {
            token: USDC,
            startAmount: input[0],
            curve: named(given),
            maxAmount: input[1],
            adjustmentPerGweiBaseFee: 0n,
          },
          baseOutputs: outputs.map(({ token, start, end, recipient }, at) => ({
            token,
            startAmount: start,
            curve: named(got[at]!),
            recipient,
            minAmount: end,
            adjustmentPerGweiBaseFee: 1n,
          })),
        },
        order: (hash) =>
          encoded(
            `(${INFO_ABI},address,uint256,(address,uint256,${curve},uint256,uint256),(address,uint256,${curve},address,uint256,uint256)[],${DATA_V3},bytes)`,
            [
              [
                info,
                OTHER,
                0n,
                [USDC, input[0], given, input[1], 0n],
                outputs.map(({ token, start, end, recipient }, at) => [token, start, got[at], recipient, end, 1n]),
                data,
                cosigned([hash, CHAIN, encoded(DATA_V3, [data])]),
              ],
            ],
          ),
      };
    },
  },
  {
    name: 'UniswapX, priority order',
    reactor: '0x000000001Ec5656dcdB24D90DFa42742738De729',
    factory: 'PriorityOrderReactor',
    structs: `${PRIORITY}PriorityInput(address token,uint256 amount,uint256 mpsPerPriorityFeeWei)PriorityOutput(address token,uint256 amount,uint256 mpsPerPriorityFeeWei,address recipient)`,
    form: ({ input, outputs }, info) => ({
      witness: {
        cosigner: ZERO,
        auctionStartBlock: 1n,
        baselinePriorityFeeWei: 1n,
        input: { token: USDC, amount: input[1], mpsPerPriorityFeeWei: 0n },
        outputs: outputs.map(({ token, end, recipient }) => ({
          token,
          amount: end,
          mpsPerPriorityFeeWei: 1_000n,
          recipient,
        })),
      },
      order: () =>
        encoded(
          `(${INFO_ABI},address,uint256,uint256,(address,uint256,uint256),(address,uint256,uint256,address)[],(uint256),bytes)`,
          [
            [
              info,
              ZERO,
              1n,
              1n,
              [USDC, input[1], 0n],
              outputs.map(({ token, end, recipient }) => [token, end, 1_000n, recipient]),
              [0n],
              '0x',
            ],
          ],
        ),
    }),
  },
];

/** Either what is given rises or what is got falls; both end at the worst. */
const terms: fc.Arbitrary<Terms> = fc
  .record({ a: fc.tuple(amount, amount), b: fc.tuple(amount, amount), fee: amount, to: payee, isCoin: fc.boolean() })
  .chain(({ a, b, fee, to, isCoin }) =>
    fc.boolean().map((isRising): Terms => {
      const [low, high] = [least(...a), most(...a)];
      const [worst, best] = [least(...b), most(...b)];
      const token = isCoin ? ZERO : WETH;
      return {
        input: isRising ? [low, high] : [high, high],
        outputs: [
          { token, start: isRising ? worst : best, end: worst, recipient: to },
          { token, start: fee, end: fee, recipient: SERVICE },
        ],
      };
    }),
  );

function placed({ reactor, structs, form }: Version, drawn: Terms, moment: Moment): Placed {
  const { now, serial } = moment;
  const deadline = now + DAY;
  const info = [reactor, ACCOUNT, serial, deadline, ZERO, '0x'] as const;
  const { witness, order } = form(drawn, info, moment);
  const name = structs.slice(0, structs.indexOf('('));
  const message = {
    info: {
      reactor,
      swapper: ACCOUNT,
      nonce: serial,
      deadline,
      additionalValidationContract: ZERO,
      additionalValidationData: '0x',
    },
    ...witness,
  };
  const data = typedData(
    `PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,${name} witness)${structs}${INFO}${PERMISSION}`,
    { name: 'Permit2', chainId: 1, verifyingContract: PERMIT2 },
    text({
      permitted: { token: USDC, amount: drawn.input[1] },
      spender: reactor,
      nonce: serial,
      deadline,
      witness: message,
    }),
  );
  const coins = drawn.outputs.filter(({ token }) => token === ZERO);
  return {
    data,
    fill: (sig) => ({
      to: reactor,
      value: coins.reduce((sum, { end }) => sum + end, 0n),
      data: encodeFunctionData({
        abi: EXECUTE,
        functionName: 'execute',
        args: [{ order: order(structHash({ ...data, primaryType: name, message: text(message) })), sig }],
      }),
    }),
  };
}

/** Puts Permit2 where it is on every network. */
export const placePermit2 = ({ place }: Markets): Promise<void> =>
  place(PERMIT2, { abi: [], bytecode: factoryCode(`${FACTORIES}/Permit2__factory.js`) });

/** UniswapX, with Permit2 itself. */
export const UNISWAPX_MARKETS: readonly Market[] = VERSIONS.map((version) => ({
  name: version.name,
  deploy: async (markets) => {
    const { place, approve } = markets;
    await placePermit2(markets);
    await place(
      version.reactor,
      {
        abi: parseAbi(['constructor(address permit2, address feeOwner)']),
        bytecode: factoryCode(`${FACTORIES}/${version.factory}__factory.js`),
      },
      [PERMIT2, SERVICE],
    );
    await approve(ACCOUNT, PERMIT2);
    await approve(FILLER, version.reactor);
  },
  orders: terms.map((drawn) => (moment: Moment) => placed(version, drawn, moment)),
}));
