import { type Hex } from '../../../../src/core/eth/bytes';
import { ALICE, BOB, explainTyped, ME, saying, typedData, USDC } from '../../../support/explaining';
import { at, describeRows, PERMISSIONS, PERMIT2, type Row, SOON, WORD } from './typed-rows';

const WETH: Hex = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';

const ZERO: Hex = '0x0000000000000000000000000000000000000000';
const SEAPORT: Hex = '0x0000000000000068F116a894984e2DB1123eB395';
const ORDER_STRUCTS =
  'ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)' +
  'OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)';
const COMPONENTS =
  'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)';
const item = (itemType: number, token: Hex, id: number, amount: string, recipient?: Hex) => ({
  itemType,
  token,
  identifierOrCriteria: id,
  startAmount: amount,
  endAmount: amount,
  ...(recipient !== undefined && { recipient }),
});
const order = (offer: unknown[], consideration: unknown[], offerer = ME) => ({
  offerer,
  zone: ZERO,
  offer,
  consideration,
  orderType: 0,
  startTime: 0,
  endTime: SOON,
  zoneHash: WORD,
  salt: 1,
  conduitKey: WORD,
  counter: 0,
});
const seaport = (message: object) =>
  typedData(COMPONENTS + ORDER_STRUCTS, at(SEAPORT, 'Seaport'), message as Record<string, unknown>);

const ROWS: readonly Row[] = [
  [
    'an order that sells',
    seaport(
      order(
        [item(2, ALICE, 7, '1')],
        [item(0, ZERO, 0, '950000000000000000', ME), item(0, ZERO, 0, '50000000000000000', BOB)],
      ),
    ),
    [
      'You send at most: 1 NFT #7 of',
      'You receive at least: 0.95 ETH',
      `Paid to: ${BOB}`,
      'Amount: 0.05 ETH',
      'Until: 2026-01-01 01:00:00 UTC',
    ],
  ],
  [
    'an order that gives items away',
    seaport(order([item(2, ALICE, 7, '1')], [])),
    ['You receive at least: nothing', 'This order gives your items away. You receive nothing in return.'],
    ['nothing-in-return'],
  ],
  [
    'an order that pays another account',
    seaport(order([item(1, USDC, 0, '5500000')], [item(0, ZERO, 0, '1', BOB)])),
    ['You send at most: 5.5 USDC', 'You receive at least: nothing', `Paid to: ${BOB}`],
    ['nothing-in-return', 'paid-to-another'],
  ],
  [
    'an order that returns an amount of zero',
    seaport(order([item(2, ALICE, 7, '1')], [item(0, ZERO, 0, '0', ME)])),
    [],
    ['nothing-in-return'],
  ],
  [
    'an order of another account',
    seaport(order([item(4, ALICE, 7, '1')], [item(0, ZERO, 0, '1', BOB)], BOB)),
    [
      'offered by another account',
      `Maker: ${BOB}`,
      'The maker sends at most: 1 NFT (any) of',
      'The maker receives at least: 0.000000000000000001 ETH',
      'This order gives items of 0x742d…f44e away for as little as 0.000000000000000001 ETH.',
    ],
    ['nothing-in-return'],
  ],
  [
    'a bulk order in which one order gives items away',
    typedData(`BulkOrder(OrderComponents[2][2] tree)${COMPONENTS}${ORDER_STRUCTS}`, at(SEAPORT), {
      tree: [
        [order([item(2, ALICE, 7, '1')], [item(0, ZERO, 0, '1', ME)]), order([item(2, ALICE, 8, '1')], [])],
        [order([], [], ZERO), order([], [], ZERO)],
      ],
    }),
    ['Order: 1 of 2', 'Order: 2 of 2', 'You send at most: 1 NFT #7 of', 'You send at most: 1 NFT #8 of'],
    ['nothing-in-return'],
  ],
];

const INCH = at('0x111111125421cA6dc452d289314280a0f8842A65', '1inch Aggregation Router');
const inch = (values: object) =>
  typedData(
    'Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)',
    INCH,
    {
      salt: 1,
      maker: ME,
      receiver: ZERO,
      makerAsset: USDC,
      takerAsset: WETH,
      makingAmount: '50000000000',
      takingAmount: '16000000000000000000',
      makerTraits: 0,
      ...values,
    },
  );
const BEBOP: Hex = '0xbbbbbBB520d69a9775E85b458C58c648259FAD5F';
const bebop = (values: object) =>
  typedData(
    'SingleOrder(uint64 partner_id,uint256 expiry,address taker_address,address maker_address,uint256 maker_nonce,address taker_token,address maker_token,uint256 taker_amount,uint256 maker_amount,address receiver,uint256 packed_commands)',
    at(BEBOP, 'BebopSettlement'),
    {
      partner_id: 0,
      expiry: SOON,
      taker_address: ME,
      maker_address: BOB,
      maker_nonce: 1,
      taker_token: USDC,
      maker_token: WETH,
      taker_amount: '50000000000',
      maker_amount: '16000000000000000000',
      receiver: ME,
      packed_commands: 0,
      ...values,
    },
  );
const REACTOR: Hex = '0x6000da47483062A0D734Ba3dc7576Ce6A0B645C4';
const uniswapx = (recipient: Hex, spender = REACTOR) =>
  typedData(
    `PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,ExclusiveDutchOrder witness)DutchOutput(address token,uint256 startAmount,uint256 endAmount,address recipient)ExclusiveDutchOrder(OrderInfo info,uint256 decayStartTime,uint256 decayEndTime,address exclusiveFiller,uint256 exclusivityOverrideBps,address inputToken,uint256 inputStartAmount,uint256 inputEndAmount,DutchOutput[] outputs)OrderInfo(address reactor,address swapper,uint256 nonce,uint256 deadline,address additionalValidationContract,bytes additionalValidationData)${PERMISSIONS}`,
    { name: 'Permit2', chainId: 1, verifyingContract: PERMIT2 },
    {
      permitted: { token: USDC, amount: '50000000000' },
      spender,
      nonce: 1,
      deadline: SOON,
      witness: {
        info: {
          reactor: spender,
          swapper: ME,
          nonce: 1,
          deadline: SOON,
          additionalValidationContract: ZERO,
          additionalValidationData: '0x',
        },
        decayStartTime: 1,
        decayEndTime: 2,
        exclusiveFiller: ZERO,
        exclusivityOverrideBps: 0,
        inputToken: USDC,
        inputStartAmount: '49000000000',
        inputEndAmount: '50000000000',
        outputs: [{ token: WETH, startAmount: '17000000000000000000', endAmount: '16000000000000000000', recipient }],
      },
    },
  );

/** An offer on LooksRare 1. */
const looksRare = (strategy: Hex) =>
  typedData(
    'MakerOrder(bool isOrderAsk,address signer,address collection,uint256 price,uint256 tokenId,uint256 amount,address strategy,address currency,uint256 nonce,uint256 startTime,uint256 endTime,uint256 minPercentageToAsk,bytes params)',
    at('0x59728544B08AB483533076417FbBB2fD0B17CE3a', 'LooksRareExchange'),
    {
      isOrderAsk: false,
      signer: ME,
      collection: ALICE,
      price: '16000000000000000000',
      tokenId: 7,
      amount: 1,
      strategy,
      currency: WETH,
      nonce: 1,
      startTime: 0,
      endTime: SOON,
      minPercentageToAsk: 9_800,
      params: '0x',
    },
  );
/** An order of LooksRare 2: a listing of one ERC-721 for 16 WETH, unless the fields say otherwise. */
const looksRare2 = (fields: Readonly<Record<string, unknown>> = {}) =>
  typedData(
    'Maker(uint8 quoteType,uint256 globalNonce,uint256 subsetNonce,uint256 orderNonce,uint256 strategyId,uint8 collectionType,address collection,address currency,address signer,uint256 startTime,uint256 endTime,uint256 price,uint256[] itemIds,uint256[] amounts,bytes additionalParameters)',
    at('0x0000000000E655fAe4d56241588680F86E3b2377', 'LooksRareProtocol'),
    {
      ...{ quoteType: 1, globalNonce: 0, subsetNonce: 0, orderNonce: 0, strategyId: 0, collectionType: 0 },
      ...{ collection: ALICE, currency: WETH, signer: ME, startTime: 0, endTime: SOON },
      ...{ price: '16000000000000000000', itemIds: [7], amounts: [1], additionalParameters: '0x' },
      ...fields,
    },
  );

/** An order of Across, as its contract verifies it: within a transfer of Permit2. */
const across = (recipient: Hex, spender: Hex = '0x4afb570AC68BfFc26Bb02FdA3D801728B0f93C9E') =>
  typedData(
    `PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,GaslessCrossChainOrder witness)AcrossOrderData(address inputToken,uint256 inputAmount,address outputToken,uint256 outputAmount,uint256 destinationChainId,bytes32 recipient,address exclusiveRelayer,uint256 depositNonce,uint32 exclusivityPeriod,bytes message)GaslessCrossChainOrder(address originSettler,address user,uint256 nonce,uint256 originChainId,uint32 openDeadline,uint32 fillDeadline,bytes32 orderDataType,AcrossOrderData orderData)${PERMISSIONS}`,
    { name: 'Permit2', chainId: 1, verifyingContract: PERMIT2 },
    {
      permitted: { token: USDC, amount: '50000000000' },
      spender,
      nonce: 1,
      deadline: SOON,
      witness: {
        originSettler: spender,
        user: ME,
        nonce: 1,
        originChainId: 1,
        openDeadline: SOON,
        fillDeadline: SOON,
        orderDataType: '0x9df4b782e7bbc178b3b93bfe8aafb909e84e39484d7f3c59f400f1b4691f85e2',
        orderData: {
          inputToken: USDC,
          inputAmount: '50000000000',
          outputToken: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
          outputAmount: '49900000000',
          destinationChainId: 8453,
          recipient: `0x${'00'.repeat(12)}${recipient.slice(2)}`,
          exclusiveRelayer: ZERO,
          depositNonce: 0,
          exclusivityPeriod: 0,
          message: '0x',
        },
      },
    },
  );

const SWAPS: readonly Row[] = [
  [
    'an order that pays another on another network',
    across(BOB),
    [
      'You send at most: 50,000 USDC',
      'You receive at least: nothing',
      `Paid to: ${BOB}`,
      'Amount: 49,900 USDC on Base',
      'This order pays 49,900',
    ],
    ['nothing-in-return', 'paid-to-another'],
  ],
  [
    'an order that is paid on another network',
    across(ME),
    ['You send at most: 50,000 USDC', 'You receive at least: 49,900 USDC on Base', 'Until: 2026-01-01 01:00:00 UTC'],
  ],
  ['an order of that form whose spender nobody knows', across(ME, BOB), ['You allow: 50,000 USDC, to be spent by 0x']],
  [
    'an order to buy any NFT of a collection',
    looksRare('0x09F93623019049c76209C26517AcC2aF9d49c69b'),
    ['You receive at least: 1 NFT (any) of', 'can change the price and the item'],
  ],
  [
    'an order to buy one NFT',
    looksRare('0x579af6FD30BF83a5Ac0D636bc619f98DBdeb930c'),
    ['You receive at least: 1 NFT #7 of'],
  ],
  ['a listing of LooksRare 2', looksRare2(), ['You send at most: 1 NFT #7 of', 'You receive at least: 16 WETH']],
  [
    'a listing of several items on LooksRare 2',
    looksRare2({ collectionType: 1, itemIds: [7, 8], amounts: [3, 1] }),
    ['You send at most: 3 NFT #7 of', 'You send at most: 1 NFT #8 of'],
  ],
  [
    'an offer on LooksRare 2 for any NFT of a collection',
    looksRare2({ quoteType: 0, strategyId: 1, itemIds: [], amounts: [1] }),
    ['You send at most: 16 WETH', 'You receive at least: 1 NFT (any) of', 'can change the price and the item'],
  ],
  [
    'an order of 1inch that is paid in ETH',
    inch({ makerTraits: (1n << 247n).toString() }),
    ['You receive at least: 16 ETH'],
  ],

  [
    'an order of 1inch',
    inch({ makerTraits: (BigInt(SOON) << 80n).toString() }),
    [
      'Sell 50,000 USDC for at least 16 WETH',
      'You send at most: 50,000 USDC',
      'You receive at least: 16 WETH',
      'Paid to: your account',
      'Until: 2026-01-01 01:00:00 UTC',
    ],
  ],
  ['an order for dust', inch({ takingAmount: 1 }), ['as little as 0.000000000000000001 WETH'], ['nothing-in-return']],
  [
    'an order for a token that nobody knows',
    inch({ takerAsset: ALICE }),
    ['Keystead does not know'],
    ['unknown-token'],
  ],
  [
    'an order with an extension',
    inch({ makerTraits: (1n << 249n).toString() }),
    ['an extension, which the message does not contain'],
  ],
  [
    'an order that its taker signs',
    bebop({}),
    ['You send at most: 50,000 USDC', 'You receive at least: 16 WETH', 'Paid to: your account'],
  ],
  [
    'an order that its taker signs, and that pays another',
    bebop({ receiver: ALICE }),
    ['You receive at least: nothing', `Paid to: ${ALICE}`, 'Amount: 16 WETH'],
    ['nothing-in-return', 'paid-to-another'],
  ],
  [
    'an order that its maker signs',
    bebop({ maker_address: ME, taker_address: BOB, receiver: ALICE }),
    ['You send at most: 16 WETH', 'You receive at least: 50,000 USDC'],
  ],
  [
    'an order whose partner has a fee that the order does not say',
    bebop({ partner_id: 7 }),
    ["You receive at least: 16 WETH, before the market's fees"],
  ],
  ['an order whose maker pays in coins', bebop({ packed_commands: 2 }), ['You receive at least: 16 ETH']],
  [
    'an auction',
    uniswapx(ME),
    [
      'Sell 50,000 USDC for at least 16 WETH',
      'You send at most: 50,000 USDC (at best 49,000 USDC)',
      'You receive at least: 16 WETH (at best 17 WETH)',
    ],
  ],
  [
    'an auction that pays another',
    uniswapx(BOB),
    [`Paid to: ${BOB}`, 'This order pays up to 17 WETH to 0x'],
    ['nothing-in-return', 'paid-to-another'],
  ],
  ...['0x0000000015757c461808EA25Eb309638B62681cf', '0x000000008a8330B5d1F43A62Bf4C673A49f27ba0'].map(
    (reactor): Row => [
      `an auction of the reactor ${reactor}`,
      uniswapx(ME, reactor as Hex),
      ['Sell 50,000 USDC for at least 16 WETH', 'You receive at least: 16 WETH (at best 17 WETH)'],
    ],
  ),
  ['an auction whose spender nobody knows', uniswapx(ME, BOB), ['You allow: 50,000 USDC, to be spent by 0x']],
];

describeRows(ROWS);
describeRows(SWAPS);

describe('an order that gives items away', () => {
  it('names nobody who is paid', () => {
    expect(saying(explainTyped(seaport(order([item(2, ALICE, 7, '1')], []))))).not.toContain('Paid to');
  });
});

describe('a bulk order of empty orders', () => {
  it('is explained, though it has no end', () => {
    const empty = order([], [], ZERO);
    const data = typedData(`BulkOrder(OrderComponents[2] tree)${COMPONENTS}${ORDER_STRUCTS}`, at(SEAPORT), {
      tree: [empty, empty],
    });
    expect(explainTyped(data)).toMatchObject({ title: 'Place an order', dangers: [] });
  });
});

describe('the form of an order for a contract that nobody knows', () => {
  it('is no promise', () => {
    const order = { ...inch({}), domain: at(BOB) };
    expect(saying(explainTyped(order))).toContain('It may not keep to these terms.');
  });
});
