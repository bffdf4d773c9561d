import { concat, keccak256, pad, toHex } from 'viem';

import { type Hex } from '../../src/core/eth/bytes';
import { type TypedData } from '../../src/core/eth/typed-data';
import { ALICE, BOB, codesOf, explainTyped, ME, NOW, typedData, USDC, written } from './explaining';

export const WETH: Hex = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
export const DAI: Hex = '0x6B175474E89094C44Da98b954EedeAC495271d0F';
export const ZERO: Hex = `0x${'00'.repeat(20)}`;
export const WORD: Hex = `0x${'11'.repeat(32)}`;
export const COLLECTION: Hex = '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D';
export const ETHER = 10n ** 18n;
/** Of USDC. */
export const DOLLAR = 10n ** 6n;
export const END = NOW + 3600n;

type Fields = Readonly<Record<string, unknown>>;

/** Numbers as sites write them. */
const plain = (value: unknown): unknown => {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
};
export const signed =
  (contract: Hex, type: string, usual: Fields) =>
  (fields: Fields = {}): TypedData =>
    typedData(
      type,
      { name: 'Exchange', version: '1', chainId: 1, verifyingContract: contract },
      plain({ ...usual, ...fields }) as Fields,
    );

export const looksRare = signed(
  '0x59728544B08AB483533076417FbBB2fD0B17CE3a',
  'MakerOrder(bool isOrderAsk,address signer,address collection,uint256 price,uint256 tokenId,uint256 amount,address strategy,address currency,uint256 nonce,uint256 startTime,uint256 endTime,uint256 minPercentageToAsk,bytes params)',
  {
    ...{ isOrderAsk: true, signer: ME, collection: COLLECTION, price: 10n * ETHER, tokenId: 7n, amount: 1n },
    ...{ strategy: '0x579af6FD30BF83a5Ac0D636bc619f98DBdeb930c', currency: WETH, nonce: 1n, startTime: 0n },
    ...{ endTime: END, minPercentageToAsk: 9_800n, params: '0x' },
  },
);
export const OTHER_STRATEGY: Hex = '0x09F93623019049c76209C26517AcC2aF9d49c69b';

export const looksRare2 = signed(
  '0x0000000000E655fAe4d56241588680F86E3b2377',
  'Maker(uint8 quoteType,uint256 globalNonce,uint256 subsetNonce,uint256 orderNonce,uint256 strategyId,uint8 collectionType,address collection,address currency,address signer,uint256 startTime,uint256 endTime,uint256 price,uint256[] itemIds,uint256[] amounts,bytes additionalParameters)',
  {
    ...{ quoteType: 1n, globalNonce: 0n, subsetNonce: 0n, orderNonce: 0n, strategyId: 0n, collectionType: 0n },
    ...{ collection: COLLECTION, currency: ZERO, signer: ME, startTime: 0n, endTime: END, price: 10n * ETHER },
    ...{ itemIds: [7n], amounts: [1n], additionalParameters: '0x' },
  },
);

export const blur = signed(
  '0x000000000000Ad05Ccc4F10045630fb830B95127',
  'Order(address trader,uint8 side,address matchingPolicy,address collection,uint256 tokenId,uint256 amount,address paymentToken,uint256 price,uint256 listingTime,uint256 expirationTime,Fee[] fees,uint256 salt,bytes extraParams,uint256 nonce)Fee(uint16 rate,address recipient)',
  {
    ...{ trader: ME, side: 1n, matchingPolicy: '0x0000000000daB4A563819e8fd93dbA3b25BC3495', collection: COLLECTION },
    ...{ tokenId: 7n, amount: 1n, paymentToken: ZERO, price: 10n * ETHER, listingTime: 0n, expirationTime: END },
    ...{ fees: [], salt: 1n, extraParams: '0x', nonce: 0n },
  },
);

const PAYMENT =
  'address maker,address taker,uint256 expiry,uint256 nonce,address erc20Token,uint256 erc20TokenAmount,Fee[] fees,';
const FEE = 'Fee(address recipient,uint256 amount,bytes feeData)';
const PROPERTY = 'Property(address propertyValidator,bytes propertyData)';
const PAID = {
  ...{ maker: ME, taker: ZERO, expiry: END, nonce: 1n, erc20Token: WETH, erc20TokenAmount: 10n * ETHER, fees: [] },
};
export const ANY_ITEM = [{ propertyValidator: ZERO, propertyData: '0x' }];
export const SITE_FEE = [{ recipient: BOB, amount: ETHER, feeData: '0x' }];
export const zeroXItem = signed(
  '0xDef1C0ded9bec7F1a1670819833240f027b25EfF',
  `ERC721Order(uint8 direction,${PAYMENT}address erc721Token,uint256 erc721TokenId,Property[] erc721TokenProperties)${FEE}${PROPERTY}`,
  { ...PAID, direction: 0n, erc721Token: COLLECTION, erc721TokenId: 7n, erc721TokenProperties: [] },
);
export const zeroXItems = signed(
  '0xDef1C0ded9bec7F1a1670819833240f027b25EfF',
  `ERC1155Order(uint8 direction,${PAYMENT}address erc1155Token,uint256 erc1155TokenId,Property[] erc1155TokenProperties,uint128 erc1155TokenAmount)${FEE}${PROPERTY}`,
  {
    ...{ ...PAID, direction: 0n, erc1155Token: COLLECTION, erc1155TokenId: 7n, erc1155TokenProperties: [] },
    ...{ erc1155TokenAmount: 3n },
  },
);

const ELEMENT: Hex = '0x20F780A973856B93f63670377900C1d2a50a77c4';
export const elementSale = signed(
  ELEMENT,
  `NFTSellOrder(${PAYMENT}address nft,uint256 nftId,uint256 hashNonce)${FEE}`,
  { ...PAID, nft: COLLECTION, nftId: 7n, hashNonce: 0n },
);
export const elementOffer = signed(
  ELEMENT,
  `NFTBuyOrder(${PAYMENT}address nft,uint256 nftId,Property[] nftProperties,uint256 hashNonce)${FEE}${PROPERTY}`,
  { ...PAID, nft: COLLECTION, nftId: 7n, nftProperties: [], hashNonce: 0n },
);
/** Above the expiry: the time of the listing, a number, and the kind that says what it is. */
export const packedExpiry = (kind: bigint, number: bigint): bigint => (kind << 252n) | (number << 64n) | END;

export const augustus = signed(
  '0xe92b586627ccA7a83dC919cc7127196d70f55a06',
  'OrderNFT(uint256 nonceAndMeta,uint128 expiry,uint256 makerAsset,uint256 makerAssetId,uint256 takerAsset,uint256 takerAssetId,address maker,address taker,uint256 makerAmount,uint256 takerAmount)',
  {
    ...{ nonceAndMeta: 1n, expiry: END, makerAsset: BigInt(COLLECTION), makerAssetId: 7n, takerAsset: BigInt(WETH) },
    ...{ takerAssetId: 0n, maker: ME, taker: ZERO, makerAmount: 1n, takerAmount: 10n * ETHER },
  },
);
/** An asset with its kind above the address. */
export const kindOf = (kind: bigint): bigint => (kind << 160n) | BigInt(COLLECTION);

export const cow = signed(
  '0x9008D19f58AAbD9eD0D60971565AA8510560ab41',
  'Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)',
  {
    ...{ sellToken: USDC, buyToken: WETH, receiver: ZERO, sellAmount: 30_000n * DOLLAR, buyAmount: 10n * ETHER },
    ...{ validTo: END, appData: WORD, feeAmount: 5n * DOLLAR, kind: 'sell', partiallyFillable: false },
    ...{ sellTokenBalance: 'erc20', buyTokenBalance: 'erc20' },
  },
);

const ASSETS = { makerAsset: USDC, takerAsset: WETH, makingAmount: 30_000n * DOLLAR, takingAmount: 10n * ETHER };
export const inch5 = signed(
  '0x1111111254EEB25477B68fb85Ed929f73A960582',
  'Order(uint256 salt,address makerAsset,address takerAsset,address maker,address receiver,address allowedSender,uint256 makingAmount,uint256 takingAmount,uint256 offsets,bytes interactions)',
  { ...ASSETS, salt: 1n, maker: ME, receiver: ZERO, allowedSender: ZERO, offsets: 0n, interactions: '0x' },
);
export const inchRfq = signed(
  '0x1111111254EEB25477B68fb85Ed929f73A960582',
  'OrderRFQ(uint256 info,address makerAsset,address takerAsset,address maker,address allowedSender,uint256 makingAmount,uint256 takingAmount)',
  { ...ASSETS, info: (END << 64n) | 5n, maker: ME, allowedSender: ZERO },
);
export const inch6 = signed(
  '0x111111125421cA6dc452d289314280a0f8842A65',
  'Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)',
  { ...ASSETS, salt: 1n, maker: ME, receiver: ZERO, makerTraits: END << 80n },
);

const ZEROX: Hex = '0xDef1C0ded9bec7F1a1670819833240f027b25EfF';
const ZEROX_START = 'address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,';
const ZEROX_USUAL = {
  ...{ makerToken: USDC, takerToken: WETH, makerAmount: 30_000n * DOLLAR, takerAmount: 10n * ETHER, maker: ME },
  taker: ZERO,
};
export const zeroXLimit = signed(
  ZEROX,
  `LimitOrder(${ZEROX_START}uint128 takerTokenFeeAmount,address maker,address taker,address sender,address feeRecipient,bytes32 pool,uint64 expiry,uint256 salt)`,
  {
    ...{ ...ZEROX_USUAL, takerTokenFeeAmount: 0n, sender: ZERO, feeRecipient: BOB, pool: WORD, expiry: END },
    salt: 1n,
  },
);
export const zeroXOtc = signed(
  ZEROX,
  `OtcOrder(${ZEROX_START}address maker,address taker,address txOrigin,uint256 expiryAndNonce)`,
  { ...ZEROX_USUAL, txOrigin: ZERO, expiryAndNonce: (END << 192n) | 9n },
);

export const velora = signed(
  '0x0000000000bbF5c5Fd284e657F01Bd000933C96D',
  'Order(address owner,address beneficiary,address srcToken,address destToken,uint256 srcAmount,uint256 destAmount,uint256 expectedAmount,uint256 deadline,uint8 kind,uint256 nonce,uint256 partnerAndFee,bytes permit,bytes metadata,Bridge bridge)Bridge(bytes4 protocolSelector,uint256 destinationChainId,address outputToken,int8 scalingFactor,bytes protocolData)',
  {
    ...{ owner: ME, beneficiary: ME, srcToken: USDC, destToken: WETH, srcAmount: 30_000n * DOLLAR },
    ...{ destAmount: 10n * ETHER, expectedAmount: 10n * ETHER, deadline: END, kind: 0n, nonce: 1n, partnerAndFee: 0n },
    ...{ permit: '0x', metadata: '0x' },
    bridge: {
      ...{ protocolSelector: '0x00000000', destinationChainId: 0n, outputToken: ZERO, scalingFactor: 0n },
      protocolData: '0x',
    },
  },
);
export const bridgedTo = (destinationChainId: bigint) => ({
  bridge: {
    ...{ protocolSelector: '0x00000000', destinationChainId, outputToken: ZERO, scalingFactor: 0n },
    protocolData: '0x',
  },
});

const BEBOP: Hex = '0xbbbbbBB520d69a9775E85b458C58c648259FAD5F';
export const bebopMulti = signed(
  BEBOP,
  'MultiOrder(uint64 partner_id,uint256 expiry,address taker_address,address maker_address,uint256 maker_nonce,address[] taker_tokens,address[] maker_tokens,uint256[] taker_amounts,uint256[] maker_amounts,address receiver,bytes commands)',
  {
    ...{ partner_id: 0n, expiry: END, taker_address: ME, maker_address: BOB, maker_nonce: 1n, taker_tokens: [USDC] },
    ...{ maker_tokens: [WETH, DAI], taker_amounts: [30_000n * DOLLAR], maker_amounts: [9n * ETHER, 3_000n * ETHER] },
    ...{ receiver: ME, commands: '0x000000' },
  },
);
const JAM_TYPE =
  'JamOrder(address taker,address receiver,uint256 expiry,uint256 exclusivityDeadline,uint256 nonce,address executor,uint256 partnerInfo,address[] sellTokens,address[] buyTokens,uint256[] sellAmounts,uint256[] buyAmounts,bytes32 hooksHash)';
const JAM_USUAL = {
  ...{ taker: ME, receiver: ME, expiry: END, exclusivityDeadline: 0n, nonce: 1n, executor: ZERO, partnerInfo: 0n },
  ...{ sellTokens: [USDC], buyTokens: [DAI], sellAmounts: [30_000n * DOLLAR], buyAmounts: [9_000n * ETHER] },
  hooksHash: WORD,
};
export const jam = signed('0xbeb0b0623f66bE8cE162EbDfA2ec543A522F4ea6', JAM_TYPE, JAM_USUAL);
/** A partner's share, and that of the protocol, in hundredths of a percent. */
export const partner = (share: bigint, ofProtocol = 0n) => ({
  partnerInfo: (BigInt(BOB) << 32n) | (share << 16n) | ofProtocol,
});

export const word = (value: bigint): Hex => toHex(value, { size: 32 });
export const classOf = (name: string): Hex => keccak256(toHex(name)).slice(0, 10) as Hex;
export const rarible = signed(
  '0x9757F2d2b135150BBeb65308D4a91804107cd8D6',
  'Order(address maker,Asset makeAsset,address taker,Asset takeAsset,uint256 salt,uint256 start,uint256 end,bytes4 dataType,bytes data)Asset(AssetType assetType,uint256 value)AssetType(bytes4 assetClass,bytes data)',
  { maker: ME, taker: ZERO, salt: 1n, start: 0n, end: END, dataType: '0xffffffff', data: '0x' },
);
export const asset = (assetClass: string, value: bigint, ...data: readonly Hex[]) => ({
  assetType: { assetClass: classOf(assetClass), data: concat(['0x', ...data]) },
  value,
});
export const COINS = asset('ETH', 10n * ETHER);
export const DOLLARS = asset('ERC20', 30_000n * DOLLAR, pad(USDC));
export const ONE_ITEM = asset('ERC721', 1n, pad(COLLECTION), word(7n));
export const FIVE_ITEMS = asset('ERC1155', 5n, pad(COLLECTION), word(7n));
export const ANY_OF_COLLECTION = asset('COLLECTION', 1n, pad(COLLECTION));
type Share = readonly [to: Hex, share: bigint];
export const list = (all: readonly Share[]): Hex =>
  concat([word(BigInt(all.length)), ...all.flatMap(([to, share]) => [pad(to), word(share)])]);
/** Payouts, then the fees of the site, as the second version of the data has them. */
export const paid = (payouts: readonly Share[], fees: readonly Share[], version = 'V2') => {
  const first = list(payouts);
  const parts = [word(32n), word(96n), word(96n + BigInt((first.length - 2) / 2)), word(1n), first, list(fees)];
  return { dataType: classOf(version), data: concat(parts) };
};

const PERMITTED = 'TokenPermissions(address token,uint256 amount)';
const INFO =
  'OrderInfo(address reactor,address swapper,uint256 nonce,uint256 deadline,address additionalValidationContract,bytes additionalValidationData)';
const CURVE = 'NonlinearDutchDecay(uint256 relativeBlocks,int256[] relativeAmounts)';
const REACTOR: Hex = '0x00000011F84B9aa48e5f8aA8B9897600006289Be';
export const infoOf = (reactor: Hex) => ({
  ...{ reactor, swapper: ME, nonce: 1n, deadline: END, additionalValidationContract: ZERO },
  additionalValidationData: '0x',
});
/** An order that comes as the witness of a one-time transfer of Permit2. */
const witnessed = (
  name: string,
  structs: string,
  witness: Fields,
  { spender = REACTOR, permitted = { token: USDC, amount: 30_000n * DOLLAR } as unknown, list = '' } = {},
): TypedData =>
  typedData(
    `Permit${list === '' ? '' : 'Batch'}WitnessTransferFrom(TokenPermissions${list} permitted,address spender,uint256 nonce,uint256 deadline,${name} witness)${structs}${PERMITTED}`,
    { name: 'Permit2', chainId: 1, verifyingContract: '0x000000000022D473030F116dDEE9F6B43aC78BA3' },
    plain({ permitted, spender, nonce: 1n, deadline: END, witness }) as Fields,
  );
type Witnessed = Parameters<typeof witnessed>[3];
/** An order of JAM that comes with a transfer of Permit2 to the contract that moves its tokens, or to another. */
export const jamThrough = (spender: Hex): TypedData => witnessed('JamOrder', JAM_TYPE, JAM_USUAL, { spender });
export const dutch2 = (fields: Fields = {}, more: Witnessed = {}): TypedData =>
  witnessed(
    'V2DutchOrder',
    `DutchOutput(address token,uint256 startAmount,uint256 endAmount,address recipient)${INFO}V2DutchOrder(OrderInfo info,address cosigner,address baseInputToken,uint256 baseInputStartAmount,uint256 baseInputEndAmount,DutchOutput[] baseOutputs)`,
    {
      ...{ info: infoOf(REACTOR), cosigner: ZERO, baseInputToken: USDC, baseInputStartAmount: 29_000n * DOLLAR },
      baseInputEndAmount: 30_000n * DOLLAR,
      baseOutputs: [{ token: WETH, startAmount: 11n * ETHER, endAmount: 10n * ETHER, recipient: ME }],
      ...fields,
    },
    more,
  );
export const dutch3 = (input: Fields = {}, output: Fields = {}): TypedData =>
  witnessed(
    'V3DutchOrder',
    `${CURVE}${INFO}V3DutchInput(address token,uint256 startAmount,NonlinearDutchDecay curve,uint256 maxAmount,uint256 adjustmentPerGweiBaseFee)V3DutchOrder(OrderInfo info,address cosigner,uint256 startingBaseFee,V3DutchInput baseInput,V3DutchOutput[] baseOutputs)V3DutchOutput(address token,uint256 startAmount,NonlinearDutchDecay curve,address recipient,uint256 minAmount,uint256 adjustmentPerGweiBaseFee)`,
    {
      ...{ info: infoOf(REACTOR), cosigner: ZERO, startingBaseFee: 0n },
      baseInput: {
        ...{ token: USDC, startAmount: 29_000n * DOLLAR, maxAmount: 30_000n * DOLLAR, adjustmentPerGweiBaseFee: 0n },
        ...{ curve: { relativeBlocks: 0n, relativeAmounts: [] }, ...input },
      },
      baseOutputs: [
        {
          ...{ token: ZERO, startAmount: 11n * ETHER, minAmount: 10n * ETHER, adjustmentPerGweiBaseFee: 0n },
          ...{ curve: { relativeBlocks: 0n, relativeAmounts: [] }, recipient: ME, ...output },
        },
      ],
    },
  );
export const priority = (output: Fields = {}): TypedData =>
  witnessed(
    'PriorityOrder',
    `${INFO}PriorityInput(address token,uint256 amount,uint256 mpsPerPriorityFeeWei)PriorityOrder(OrderInfo info,address cosigner,uint256 auctionStartBlock,uint256 baselinePriorityFeeWei,PriorityInput input,PriorityOutput[] outputs)PriorityOutput(address token,uint256 amount,uint256 mpsPerPriorityFeeWei,address recipient)`,
    {
      ...{ info: infoOf(REACTOR), cosigner: ZERO, auctionStartBlock: 0n, baselinePriorityFeeWei: 0n },
      input: { token: USDC, amount: 30_000n * DOLLAR, mpsPerPriorityFeeWei: 0n },
      outputs: [{ token: WETH, amount: 10n * ETHER, mpsPerPriorityFeeWei: 0n, recipient: ME, ...output }],
    },
  );
export const START =
  'GaslessCrossChainOrder(address originSettler,address user,uint256 nonce,uint256 originChainId,uint32 openDeadline,uint32 fillDeadline,bytes32 orderDataType,';
const ACROSS: Hex = '0x4afb570AC68BfFc26Bb02FdA3D801728B0f93C9E';
export const across = (data: Fields = {}, order: Fields = {}, more: Witnessed = {}): TypedData =>
  witnessed(
    'GaslessCrossChainOrder',
    `AcrossOrderData(address inputToken,uint256 inputAmount,address outputToken,uint256 outputAmount,uint256 destinationChainId,bytes32 recipient,address exclusiveRelayer,uint256 depositNonce,uint32 exclusivityPeriod,bytes message)${START}AcrossOrderData orderData)`,
    {
      ...{ originSettler: ACROSS, user: ME, nonce: 1n, originChainId: 1n, openDeadline: END, fillDeadline: END },
      orderDataType: WORD,
      orderData: {
        ...{ inputToken: USDC, inputAmount: 30_000n * DOLLAR, outputToken: WETH, outputAmount: 10n * ETHER },
        ...{ destinationChainId: 1n, recipient: pad(ME), exclusiveRelayer: ZERO, depositNonce: 0n },
        ...{ exclusivityPeriod: 0n, message: '0x', ...data },
      },
      ...order,
    },
    { spender: ACROSS, ...more },
  );

const SEAPORT: Hex = '0x0000000000000068F116a894984e2DB1123eB395';
const ITEM = 'Item(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount';
export const COMPONENTS =
  'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)';
const ITEMS = `Consideration${ITEM},address recipient)Offer${ITEM})`;
const COMPONENTS_USUAL = {
  ...{ offerer: ME, zone: ZERO, orderType: 0n, startTime: 0n, endTime: END, zoneHash: WORD, salt: 1n },
  ...{ conduitKey: WORD, counter: 0n },
};
export const seaport = signed(SEAPORT, `${COMPONENTS}${ITEMS}`, COMPONENTS_USUAL);
export const item = (itemType: bigint, token: Hex, start: bigint, end = start) => ({
  ...{ itemType, token, identifierOrCriteria: 7n, startAmount: start, endAmount: end },
});
/** Several orders in one signature; the third is there only if the type has it. */
export const bulk = (type: string, components = COMPONENTS): TypedData => {
  const order = {
    ...{ ...COMPONENTS_USUAL, seed: 1n, offer: [item(2n, COLLECTION, 1n)] },
    consideration: [{ ...item(1n, WETH, 10n * ETHER), recipient: ME }],
  };
  return signed(
    SEAPORT,
    `${type}${ITEMS}${components}`,
    {},
  )({ tree: type.includes('[3]') ? [order, order, order] : [order, order] });
};
export const offering = (itemType: bigint, count = 1n) =>
  seaport({
    offer: [item(itemType, COLLECTION, count)],
    consideration: [{ ...item(1n, WETH, 10n * ETHER), recipient: ME }],
  });

/** The title, the rows, and the dangers and warnings of an order, in a form that is short enough to compare. */
export const saidOf = (data: TypedData): readonly [title: string, said: string] => {
  const { title, changes, warnings, ...explanation } = explainTyped(data);
  const notes = warnings.filter((one) => !/^(?:This signature|A value is too long)/u.test(one));
  const codes = codesOf({ title, changes, warnings, ...explanation });
  const said = [...changes.map(written), ...codes.map((code) => `! ${code}`), ...notes].join('; ');
  const short = said.replaceAll(BOB, 'Bob').replaceAll(ALICE, 'Alice').replaceAll(' of 0x7a25…488D', '');
  return [title, short.replaceAll('; Until: 2026-01-01 01:00:00 UTC', '; Until: END')];
};

export type OrderCase = readonly [what: string, data: TypedData, title: string, said: string];
