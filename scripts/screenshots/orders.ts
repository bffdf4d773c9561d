import { encodeAbiParameters, type Hex } from 'viem';

import { type TypedData } from '../../src/core/eth/typed-data';
import { ALICE, BOB, ME, NOW, typedData, USDC } from '../../test/support/explaining';

const CAROL: Hex = '0x66666666666666666666666666666666DEaDbeef';
const NOBODY: Hex = `0x${'00'.repeat(20)}`;
const WETH: Hex = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const BASE_USDC: Hex = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const PERMIT2 = { name: 'Permit2', chainId: 1, verifyingContract: '0x000000000022D473030F116dDEE9F6B43aC78BA3' };
const WORD: Hex = `0x${'00'.repeat(32)}`;
const SOON = Number(NOW) + 86_400;

export const at = (name: string, verifyingContract: Hex, version = '1') => ({
  name,
  version,
  chainId: 1,
  verifyingContract,
});

const ACROSS: Hex = '0x4afb570AC68BfFc26Bb02FdA3D801728B0f93C9E';
const PAYMENT =
  'address maker,address taker,uint256 expiry,uint256 nonce,address erc20Token,uint256 erc20TokenAmount,Fee[] fees';
/** A list of shares in Rarible's order data. */
const PARTS = (name: string) => ({
  name,
  type: 'tuple[]',
  components: [
    { name: 'account', type: 'address' },
    { name: 'value', type: 'uint96' },
  ],
});

const SELLS = { token: USDC, amount: '50000000000' } as const;
const GETS = '16000000000000000000';

/** An order of each family. Those of Seaport and UniswapX pay somebody else. */
export const ORDERS: Readonly<Record<string, TypedData>> = {
  seaport: typedData(
    'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)',
    at('Seaport', '0x0000000000000068F116a894984e2DB1123eB395', '1.6'),
    {
      offerer: ME,
      zone: NOBODY,
      offer: [{ itemType: 2, token: ALICE, identifierOrCriteria: 1, startAmount: '1', endAmount: '1' }],
      consideration: [
        ['1000000000000000', ME],
        ['50000000000000000000', CAROL],
      ].map(([amount, recipient]) => ({
        itemType: 0,
        token: NOBODY,
        identifierOrCriteria: 0,
        startAmount: amount,
        endAmount: amount,
        recipient,
      })),
      orderType: 0,
      startTime: 0,
      endTime: SOON,
      zoneHash: WORD,
      salt: 1,
      conduitKey: WORD,
      counter: 0,
    },
  ),
  uniswapx: typedData(
    'PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,ExclusiveDutchOrder witness)DutchOutput(address token,uint256 startAmount,uint256 endAmount,address recipient)ExclusiveDutchOrder(OrderInfo info,uint256 decayStartTime,uint256 decayEndTime,address exclusiveFiller,uint256 exclusivityOverrideBps,address inputToken,uint256 inputStartAmount,uint256 inputEndAmount,DutchOutput[] outputs)OrderInfo(address reactor,address swapper,uint256 nonce,uint256 deadline,address additionalValidationContract,bytes additionalValidationData)TokenPermissions(address token,uint256 amount)',
    PERMIT2,
    {
      permitted: SELLS,
      spender: '0x6000da47483062A0D734Ba3dc7576Ce6A0B645C4',
      nonce: 1,
      deadline: SOON,
      witness: {
        info: {
          reactor: '0x6000da47483062A0D734Ba3dc7576Ce6A0B645C4',
          swapper: ME,
          nonce: 1,
          deadline: SOON,
          additionalValidationContract: NOBODY,
          additionalValidationData: '0x',
        },
        decayStartTime: 1,
        decayEndTime: 2,
        exclusiveFiller: NOBODY,
        exclusivityOverrideBps: 0,
        inputToken: USDC,
        inputStartAmount: SELLS.amount,
        inputEndAmount: SELLS.amount,
        outputs: [{ token: WETH, startAmount: '17000000000000000000', endAmount: GETS, recipient: CAROL }],
      },
    },
  ),
  '1inch': typedData(
    'Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)',
    at('1inch Aggregation Router', '0x111111125421cA6dc452d289314280a0f8842A65', '6'),
    {
      salt: 1,
      maker: ME,
      receiver: NOBODY,
      makerAsset: USDC,
      takerAsset: WETH,
      makingAmount: SELLS.amount,
      takingAmount: GETS,
      makerTraits: 0,
    },
  ),
  cow: typedData(
    'Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)',
    at('Gnosis Protocol', '0x9008D19f58AAbD9eD0D60971565AA8510560ab41', 'v2'),
    {
      sellToken: USDC,
      buyToken: WETH,
      receiver: ME,
      sellAmount: SELLS.amount,
      buyAmount: GETS,
      validTo: SOON,
      appData: WORD,
      feeAmount: 0,
      kind: 'sell',
      partiallyFillable: false,
      sellTokenBalance: 'erc20',
      buyTokenBalance: 'erc20',
    },
  ),
  bebop: typedData(
    'SingleOrder(uint64 partner_id,uint256 expiry,address taker_address,address maker_address,uint256 maker_nonce,address taker_token,address maker_token,uint256 taker_amount,uint256 maker_amount,address receiver,uint256 packed_commands)',
    at('BebopSettlement', '0xbbbbbBB520d69a9775E85b458C58c648259FAD5F', '2'),
    {
      partner_id: 0,
      expiry: SOON,
      taker_address: ME,
      maker_address: BOB,
      maker_nonce: 1,
      taker_token: USDC,
      maker_token: WETH,
      taker_amount: SELLS.amount,
      maker_amount: GETS,
      receiver: ME,
      packed_commands: 0,
    },
  ),
  '0x': typedData(
    'LimitOrder(address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,uint128 takerTokenFeeAmount,address maker,address taker,address sender,address feeRecipient,bytes32 pool,uint64 expiry,uint256 salt)',
    at('ZeroEx', '0xDef1C0ded9bec7F1a1670819833240f027b25EfF', '1.0.0'),
    {
      makerToken: USDC,
      takerToken: WETH,
      makerAmount: SELLS.amount,
      takerAmount: GETS,
      takerTokenFeeAmount: '1000000000000000',
      maker: ME,
      taker: NOBODY,
      sender: NOBODY,
      feeRecipient: BOB,
      pool: WORD,
      expiry: SOON,
      salt: 1,
    },
  ),
  element: typedData(
    `NFTSellOrder(${PAYMENT},address nft,uint256 nftId,uint256 hashNonce)Fee(address recipient,uint256 amount,bytes feeData)`,
    at('ElementEx', '0x20F780A973856B93f63670377900C1d2a50a77c4', '1.0.0'),
    {
      maker: ME,
      taker: NOBODY,
      // A Dutch auction that lowers the price by three quarters.
      expiry: String((1n << 252n) | (75_000_000n << 64n) | (NOW << 32n) | BigInt(SOON)),
      nonce: 1,
      erc20Token: WETH,
      erc20TokenAmount: GETS,
      fees: [{ recipient: BOB, amount: '200000000000000000', feeData: '0x' }],
      nft: ALICE,
      nftId: 7,
      hashNonce: 0,
    },
  ),
  rarible: typedData(
    'Order(address maker,Asset makeAsset,address taker,Asset takeAsset,uint256 salt,uint256 start,uint256 end,bytes4 dataType,bytes data)Asset(AssetType assetType,uint256 value)AssetType(bytes4 assetClass,bytes data)',
    at('Exchange', '0x9757F2d2b135150BBeb65308D4a91804107cd8D6', '2'),
    {
      maker: ME,
      makeAsset: {
        assetType: {
          assetClass: '0x73ad2146',
          data: encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [ALICE, 7n]),
        },
        value: '1',
      },
      taker: NOBODY,
      takeAsset: { assetType: { assetClass: '0xaaaebeba', data: '0x' }, value: GETS },
      salt: 1,
      start: 0,
      end: SOON,
      dataType: '0x23d235ef',
      data: encodeAbiParameters(
        [{ type: 'tuple', components: [PARTS('payouts'), PARTS('originFees'), { name: 'isMakeFill', type: 'bool' }] }],
        [{ payouts: [{ account: ME, value: 10_000n }], originFees: [{ account: BOB, value: 100n }], isMakeFill: true }],
      ),
    },
  ),
  looksrare: typedData(
    'Maker(uint8 quoteType,uint256 globalNonce,uint256 subsetNonce,uint256 orderNonce,uint256 strategyId,uint8 collectionType,address collection,address currency,address signer,uint256 startTime,uint256 endTime,uint256 price,uint256[] itemIds,uint256[] amounts,bytes additionalParameters)',
    at('LooksRareProtocol', '0x0000000000E655fAe4d56241588680F86E3b2377', '2'),
    {
      quoteType: 1,
      globalNonce: 0,
      subsetNonce: 0,
      orderNonce: 1,
      strategyId: 0,
      collectionType: 0,
      collection: ALICE,
      currency: WETH,
      signer: ME,
      startTime: 0,
      endTime: SOON,
      price: GETS,
      itemIds: [7],
      amounts: [1],
      additionalParameters: '0x',
    },
  ),
  blur: typedData(
    'Order(address trader,uint8 side,address matchingPolicy,address collection,uint256 tokenId,uint256 amount,address paymentToken,uint256 price,uint256 listingTime,uint256 expirationTime,Fee[] fees,uint256 salt,bytes extraParams,uint256 nonce)Fee(uint16 rate,address recipient)',
    at('Blur Exchange', '0x000000000000Ad05Ccc4F10045630fb830B95127', '1.0'),
    {
      trader: ME,
      side: 1,
      matchingPolicy: '0x00000000006411739DA1c40B106F8511de5D1FAC',
      collection: ALICE,
      tokenId: 7,
      amount: 1,
      paymentToken: NOBODY,
      price: GETS,
      listingTime: 0,
      expirationTime: SOON,
      fees: [{ rate: 50, recipient: BOB }],
      salt: 1,
      extraParams: '0x',
      nonce: 0,
    },
  ),
  erc7683: typedData(
    'PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,GaslessCrossChainOrder witness)AcrossOrderData(address inputToken,uint256 inputAmount,address outputToken,uint256 outputAmount,uint256 destinationChainId,bytes32 recipient,address exclusiveRelayer,uint256 depositNonce,uint32 exclusivityPeriod,bytes message)GaslessCrossChainOrder(address originSettler,address user,uint256 nonce,uint256 originChainId,uint32 openDeadline,uint32 fillDeadline,bytes32 orderDataType,AcrossOrderData orderData)TokenPermissions(address token,uint256 amount)',
    PERMIT2,
    {
      permitted: SELLS,
      spender: ACROSS,
      nonce: 1,
      deadline: SOON,
      witness: {
        originSettler: ACROSS,
        user: ME,
        nonce: 1,
        originChainId: 1,
        openDeadline: SOON,
        fillDeadline: SOON,
        orderDataType: '0x9df4b782e7bbc178b3b93bfe8aafb909e84e39484d7f3c59f400f1b4691f85e2',
        orderData: {
          inputToken: USDC,
          inputAmount: SELLS.amount,
          outputToken: BASE_USDC,
          outputAmount: '49900000000',
          destinationChainId: 8453,
          recipient: `0x${'00'.repeat(12)}${CAROL.slice(2)}`,
          exclusiveRelayer: NOBODY,
          depositNonce: 0,
          exclusivityPeriod: 0,
          message: '0x',
        },
      },
    },
  ),
};
