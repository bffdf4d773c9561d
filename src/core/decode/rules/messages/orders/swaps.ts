import { type Hex } from '../../../../eth/bytes';
import { type Term } from '../../../effects/effect';
import { isWrappedCoin } from '../../calls/weth';
import { addressOf, type Struct, type TypedRule, type TypedScene, uintOf } from '../rule';
import { BEBOP_RULES } from './bebop';
import { COIN, orderRule, type OrderForm, orNobody, type OrderTerms, tokenTerm } from './order-rule';

/** The names of the members of an order that exchanges one token for another. */
type Members = {
  readonly maker?: string;
  readonly taker?: string;
  /** Who gets what the maker gets; absent if it is always the maker. */
  readonly receiver?: string;
  readonly gives: readonly [token: string, amount: string];
  readonly gets: readonly [token: string, amount: string];
  /** What the taker pays besides, and to whom. */
  readonly fee?: readonly [amount: string, recipient: string];
  /** Whether the maker gets the coin itself where a token stands for it. */
  readonly isUnwrapped?: (order: Struct) => boolean;
  readonly until: (order: Struct) => bigint | undefined;
  /** Who takes a fee of what the maker gets, if anybody does. */
  readonly partner?: string;
  /** What can change the amount that is got, if anything can. */
  readonly unless?: (order: Struct) => string | undefined;
  readonly notes?: (order: Struct, scene: TypedScene) => OrderTerms['notes'];
};

const member =
  (name: string) =>
  (order: Struct): bigint =>
    uintOf(order, name);

/** An order of one token for another, by the names of its members. */
const swap = (form: Omit<OrderForm, 'read'>, members: Members): TypedRule =>
  orderRule({
    ...form,
    read: (order, scene) => {
      const { maker, taker, receiver, gives, gets, fee, partner, isUnwrapped, until, unless, notes } = members;
      const to = receiver === undefined ? undefined : orNobody(addressOf(order, receiver));
      const got = addressOf(order, gets[0]);
      const isCoin = isUnwrapped?.(order) === true && isWrappedCoin(got, scene);
      return [
        {
          // Where an order names no maker, whoever signs it is the maker.
          maker: maker === undefined ? scene.view.signer : addressOf(order, maker),
          taker: taker === undefined ? undefined : orNobody(addressOf(order, taker)),
          gives: [tokenTerm(addressOf(order, gives[0]), uintOf(order, gives[1]))],
          gets: [
            tokenTerm(isCoin ? COIN : got, uintOf(order, gets[1]), {
              to,
              unless: unless?.(order),
              ...(partner !== undefined && uintOf(order, partner) !== 0n && { isBeforeFees: true }),
            }),
            ...(fee === undefined ? [] : [tokenTerm(got, uintOf(order, fee[0]), { to: addressOf(order, fee[1]) })]),
          ],
          until: until(order),
          ...(notes && { notes: notes(order, scene) }),
        },
      ];
    },
  });

const INCH_6 = '0x111111125421ca6dc452d289314280a0f8842a65';
const INCH_5 = '0x1111111254eeb25477b68fb85ed929f73a960582';
const inch = (contract: string, type: string, members: Omit<Members, 'maker' | 'gives' | 'gets'>): TypedRule =>
  swap(
    { protocol: '1inch', contracts: [contract], type },
    {
      maker: 'maker',
      gives: ['makerAsset', 'makingAmount'],
      gets: ['takerAsset', 'takingAmount'],
      ...members,
    },
  );

/** Bits of 1inch's `makerTraits`: the expiry (0 for none), that an extension exists, and that WETH is paid as ETH. */
const EXPIRY_AT = 80n;
const EXPIRY_BITS = 40;
const HAS_EXTENSION = 1n << 249n;
const UNWRAPS = 1n << 247n;
const EXTENSION =
  'This order has an extension, which the message does not contain. It can change the price and who is paid.';

const hasExtension = (order: Struct): boolean => (uintOf(order, 'makerTraits') & HAS_EXTENSION) !== 0n;

const orEndless = (end: bigint): bigint | undefined => (end === 0n ? undefined : end);
const traitsExpiry = (order: Struct): bigint | undefined =>
  orEndless(BigInt.asUintN(EXPIRY_BITS, uintOf(order, 'makerTraits') >> EXPIRY_AT));
/** The expiry in `info` of RFQ orders, above their number. */
const RFQ_EXPIRY_AT = 64n;
const RFQ_EXPIRY_BITS = 64;

const ZEROX = [
  '0xdef1c0ded9bec7f1a1670819833240f027b25eff',
  '0xdef1abe32c034e558cdd535791643c58a13acc10',
  '0xdef189deaef76e379df891899eb5a00a94cbc250',
];
const zeroX = (type: string, until: Members['until'], fee?: Members['fee']): TypedRule =>
  swap(
    { protocol: '0x', contracts: ZEROX, type },
    {
      maker: 'maker',
      taker: 'taker',
      gives: ['makerToken', 'makerAmount'],
      gets: ['takerToken', 'takerAmount'],
      ...(fee && { fee }),
      until,
    },
  );
const ZEROX_START = 'address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,';
/** The bits of `expiryAndNonce` below the expiry. */
const OTC_NONCE_BITS = 192n;

const VELORA = ['0x0000000000bbf5c5fd284e657f01bd000933c96d'];
const AUGUSTUS_RFQ = ['0xe92b586627cca7a83dc919cc7127196d70f55a06'];

/** An asset of Augustus RFQ's NFT orders: an address, with its kind above (0 ERC-20, 1 ERC-1155, 2 ERC-721). */
function augustusTerm(order: Struct, side: 'maker' | 'taker'): Term {
  const packed = uintOf(order, `${side}Asset`);
  const [kind, amount, id] = [packed >> 160n, uintOf(order, `${side}Amount`), uintOf(order, `${side}AssetId`)];
  const token: Hex = `0x${BigInt.asUintN(160, packed).toString(16).padStart(40, '0')}`;
  if (kind === 0n) return tokenTerm(token, amount);
  const isKnown = kind === 1n || kind === 2n;
  const asset = isKnown ? ({ kind: kind === 1n ? 'erc1155' : 'erc721', token, id } as const) : undefined;
  return { asset, least: amount, most: amount };
}

/** CoW: what is sold includes the fee; what is bought is exact or the least. */
function cowTerms(order: Struct, { view }: TypedScene): OrderTerms {
  return {
    maker: view.signer,
    gives: [tokenTerm(addressOf(order, 'sellToken'), uintOf(order, 'sellAmount') + uintOf(order, 'feeAmount'))],
    gets: [
      tokenTerm(addressOf(order, 'buyToken'), uintOf(order, 'buyAmount'), {
        to: orNobody(addressOf(order, 'receiver')),
      }),
    ],
    until: uintOf(order, 'validTo'),
  };
}

/** Orders that exchange tokens. */
export const SWAP_RULES: readonly TypedRule[] = [
  inch(
    INCH_6,
    'Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)',
    {
      receiver: 'receiver',
      isUnwrapped: (order) => (uintOf(order, 'makerTraits') & UNWRAPS) !== 0n,
      until: traitsExpiry,
      unless: (order) => (hasExtension(order) ? 'its extension' : undefined),
      notes: (order) => [hasExtension(order) ? EXTENSION : undefined],
    },
  ),
  inch(
    INCH_5,
    'Order(uint256 salt,address makerAsset,address takerAsset,address maker,address receiver,address allowedSender,uint256 makingAmount,uint256 takingAmount,uint256 offsets,bytes interactions)',
    {
      receiver: 'receiver',
      until: () => undefined,
      // The interactions contain the conditions, and may compute the amounts.
      unless: (order) => (uintOf(order, 'offsets') === 0n ? undefined : 'a condition'),
      notes: (order) => [
        uintOf(order, 'offsets') === 0n
          ? undefined
          : 'This order has conditions that Keystead does not read. They can change the price.',
      ],
    },
  ),
  inch(
    INCH_5,
    'OrderRFQ(uint256 info,address makerAsset,address takerAsset,address maker,address allowedSender,uint256 makingAmount,uint256 takingAmount)',
    {
      taker: 'allowedSender',
      until: (order) => orEndless(BigInt.asUintN(RFQ_EXPIRY_BITS, uintOf(order, 'info') >> RFQ_EXPIRY_AT)),
    },
  ),
  orderRule({
    protocol: 'CoW Protocol',
    contracts: ['0x9008d19f58aabd9ed0d60971565aa8510560ab41'],
    type: 'Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)',
    read: (order, scene) => [cowTerms(order, scene)],
  }),
  zeroX(
    `LimitOrder(${ZEROX_START}uint128 takerTokenFeeAmount,address maker,address taker,address sender,address feeRecipient,bytes32 pool,uint64 expiry,uint256 salt)`,
    member('expiry'),
    ['takerTokenFeeAmount', 'feeRecipient'],
  ),
  zeroX(
    `RfqOrder(${ZEROX_START}address maker,address taker,address txOrigin,bytes32 pool,uint64 expiry,uint256 salt)`,
    member('expiry'),
  ),
  zeroX(
    `OtcOrder(${ZEROX_START}address maker,address taker,address txOrigin,uint256 expiryAndNonce)`,
    (order) => uintOf(order, 'expiryAndNonce') >> OTC_NONCE_BITS,
  ),
  ...BEBOP_RULES,
  swap(
    {
      protocol: 'Velora',
      contracts: VELORA,
      type: 'Order(address owner,address beneficiary,address srcToken,address destToken,uint256 srcAmount,uint256 destAmount,uint256 expectedAmount,uint256 deadline,uint8 kind,uint256 nonce,uint256 partnerAndFee,bytes permit,bytes metadata,Bridge bridge)Bridge(bytes4 protocolSelector,uint256 destinationChainId,address outputToken,int8 scalingFactor,bytes protocolData)',
    },
    {
      maker: 'owner',
      receiver: 'beneficiary',
      gives: ['srcToken', 'srcAmount'],
      gets: ['destToken', 'destAmount'],
      partner: 'partnerAndFee',
      until: member('deadline'),
      notes: ({ bridge }, { chainId }) => {
        const to = uintOf(bridge as Struct, 'destinationChainId');
        return [
          to === 0n || to === chainId ? undefined : `What is got is bridged to the network with chain ID ${to} first.`,
        ];
      },
    },
  ),
  swap(
    {
      protocol: 'Augustus RFQ',
      contracts: AUGUSTUS_RFQ,
      type: 'Order(uint256 nonceAndMeta,uint128 expiry,address makerAsset,address takerAsset,address maker,address taker,uint256 makerAmount,uint256 takerAmount)',
    },
    {
      maker: 'maker',
      taker: 'taker',
      gives: ['makerAsset', 'makerAmount'],
      gets: ['takerAsset', 'takerAmount'],
      until: member('expiry'),
    },
  ),
  orderRule({
    protocol: 'Augustus RFQ',
    contracts: AUGUSTUS_RFQ,
    type: 'OrderNFT(uint256 nonceAndMeta,uint128 expiry,uint256 makerAsset,uint256 makerAssetId,uint256 takerAsset,uint256 takerAssetId,address maker,address taker,uint256 makerAmount,uint256 takerAmount)',
    read: (order) => [
      {
        maker: addressOf(order, 'maker'),
        taker: orNobody(addressOf(order, 'taker')),
        gives: [augustusTerm(order, 'maker')],
        gets: [augustusTerm(order, 'taker')],
        until: uintOf(order, 'expiry'),
      },
    ],
  }),
];
