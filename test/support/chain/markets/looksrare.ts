import fc from 'fast-check';
import { encodeFunctionData, type Hex, hexToNumber, parseAbi, slice } from 'viem';

import { DEPLOYER } from '../anvil-rpc';
import { typedData } from '../../explaining';
import { amount, DAY, type Market, text } from './market';
import {
  ACCOUNT,
  APES,
  compiledContract,
  FILLER,
  ITEM_ID,
  ITEMS,
  MARKET_FEES,
  type Markets,
  type Moment,
  type Placed,
  WETH,
  WORD,
  ZERO,
} from './world';

const EXCHANGE: Hex = '0x59728544B08AB483533076417FbBB2fD0B17CE3a';
const STANDARD_SALE: Hex = '0x579af6FD30BF83a5Ac0D636bc619f98DBdeb930c';
const COLLECTION_SALE: Hex = '0x09F93623019049c76209C26517AcC2aF9d49c69b';
const PROTOCOL: Hex = '0x0000000000E655fAe4d56241588680F86E3b2377';

/** What the market and the collection take of a price, in hundredths of a percent. */
const FEE = 200n;
const ROYALTY = 800n;
const WHOLE = 10_000n;

const MAKER_1 =
  'bool isOrderAsk; address signer; address collection; uint256 price; uint256 tokenId; uint256 amount; address strategy; address currency; uint256 nonce; uint256 startTime; uint256 endTime; uint256 minPercentageToAsk; bytes params;';
const ABI_1 = parseAbi([
  `struct MakerOrder { ${MAKER_1} uint8 v; bytes32 r; bytes32 s; }`,
  'struct TakerOrder { bool isOrderAsk; address taker; uint256 price; uint256 tokenId; uint256 minPercentageToAsk; bytes params; }',
  'function matchAskWithTakerBid(TakerOrder taker, MakerOrder maker)',
  'function matchBidWithTakerAsk(TakerOrder taker, MakerOrder maker)',
  'function updateTransferSelectorNFT(address)',
  'function addCurrency(address)',
  'function addStrategy(address)',
  'function updateRoyaltyInfoForCollection(address collection, address setter, address receiver, uint256 fee)',
  'function transferOwnership(address)',
]);
const TYPE_1 =
  'MakerOrder(bool isOrderAsk,address signer,address collection,uint256 price,uint256 tokenId,uint256 amount,address strategy,address currency,uint256 nonce,uint256 startTime,uint256 endTime,uint256 minPercentageToAsk,bytes params)';

async function deploy1({ deploy, place, send, approve }: Markets): Promise<void> {
  const call = (to: Hex, functionName: string, args: readonly unknown[]) =>
    send(DEPLOYER, { to, data: encodeFunctionData({ abi: ABI_1, functionName, args } as never) });
  const currencies = await deploy(compiledContract('CurrencyManager'));
  await call(currencies, 'addCurrency', [WETH]);
  const strategies = await deploy(compiledContract('ExecutionManager'));
  await place(STANDARD_SALE, compiledContract('StrategyStandardSaleForFixedPrice'), [FEE]);
  await place(COLLECTION_SALE, compiledContract('StrategyAnyItemFromCollectionForFixedPrice'), [FEE]);
  for (const strategy of [STANDARD_SALE, COLLECTION_SALE]) await call(strategies, 'addStrategy', [strategy]);
  const registry = await deploy(compiledContract('RoyaltyFeeRegistry'), [9_500n]);
  for (const collection of [APES, ITEMS])
    await call(registry, 'updateRoyaltyInfoForCollection', [collection, DEPLOYER, MARKET_FEES, ROYALTY]);
  const royalties = await deploy(compiledContract('RoyaltyFeeManager'), [registry]);
  await place(EXCHANGE, compiledContract('LooksRareExchange'), [currencies, strategies, royalties, WETH, MARKET_FEES]);
  const managers = [
    await deploy(compiledContract('TransferManagerERC721'), [EXCHANGE]),
    await deploy(compiledContract('TransferManagerERC1155'), [EXCHANGE]),
  ];
  await call(EXCHANGE, 'updateTransferSelectorNFT', [await deploy(compiledContract('TransferSelectorNFT'), managers)]);
  for (const party of [ACCOUNT, FILLER]) for (const spender of [EXCHANGE, ...managers]) await approve(party, spender);
}

type Terms = {
  readonly price: bigint;
  readonly isSale: boolean;
  /** Undefined for an ERC-721. */
  readonly count: bigint | undefined;
  /** An offer for any NFT of the collection; a sale for coins. */
  readonly isOther: boolean;
};

const terms = fc.record({
  price: amount,
  isSale: fc.boolean(),
  count: fc.option(fc.bigInt({ min: 2n, max: 1_000n }), { nil: undefined }),
  isOther: fc.boolean(),
});

function placed1({ price, isSale, count, isOther }: Terms, { now, serial }: Moment): Placed {
  const isAny = isOther && !isSale && count === undefined;
  const id = count === undefined ? serial : ITEM_ID;
  const order = {
    isOrderAsk: isSale,
    signer: ACCOUNT,
    collection: count === undefined ? APES : ITEMS,
    price,
    tokenId: isAny ? 0n : id,
    amount: count ?? 1n,
    strategy: isAny ? COLLECTION_SALE : STANDARD_SALE,
    currency: WETH,
    nonce: serial,
    startTime: now - DAY,
    endTime: now + DAY,
    minPercentageToAsk: WHOLE - FEE - ROYALTY,
    params: '0x' as Hex,
  };
  return {
    data: typedData(
      TYPE_1,
      { name: 'LooksRareExchange', version: '1', chainId: 1, verifyingContract: EXCHANGE },
      { ...text(order), isOrderAsk: isSale },
    ),
    fill: (signature) => ({
      to: EXCHANGE,
      value: 0n,
      data: encodeFunctionData({
        abi: ABI_1,
        functionName: isSale ? 'matchAskWithTakerBid' : 'matchBidWithTakerAsk',
        args: [
          { isOrderAsk: !isSale, taker: FILLER, price, tokenId: id, minPercentageToAsk: 0n, params: '0x' },
          {
            ...order,
            v: hexToNumber(slice(signature, 64)),
            r: slice(signature, 0, 32),
            s: slice(signature, 32, 64),
          },
        ],
      }),
    }),
    // Each fee is rounded down.
    slack: isSale ? 2n : 0n,
    ...(count === undefined && { ape: { id: serial, holder: isSale ? ACCOUNT : FILLER, isAny } }),
  };
}

const MAKER_2 =
  'uint8 quoteType,uint256 globalNonce,uint256 subsetNonce,uint256 orderNonce,uint256 strategyId,uint8 collectionType,address collection,address currency,address signer,uint256 startTime,uint256 endTime,uint256 price,uint256[] itemIds,uint256[] amounts,bytes additionalParameters';
const ABI_2 = parseAbi([
  'struct Maker { uint8 quoteType; uint256 globalNonce; uint256 subsetNonce; uint256 orderNonce; uint256 strategyId; uint8 collectionType; address collection; address currency; address signer; uint256 startTime; uint256 endTime; uint256 price; uint256[] itemIds; uint256[] amounts; bytes additionalParameters; }',
  'struct Taker { address recipient; bytes additionalParameters; }',
  'struct Node { bytes32 value; uint8 position; }',
  'struct Tree { bytes32 root; Node[] proof; }',
  'function executeTakerAsk(Taker taker, Maker maker, bytes signature, Tree tree, address affiliate)',
  'function executeTakerBid(Taker taker, Maker maker, bytes signature, Tree tree, address affiliate) payable',
  'function updateCurrencyStatus(address currency, bool isAllowed)',
  'function allowOperator(address)',
  'function grantApprovals(address[])',
]);

async function deploy2({ deploy, place, send, approve }: Markets): Promise<void> {
  const call = (from: Hex, to: Hex, functionName: string, args: readonly unknown[]) =>
    send(from, { to, data: encodeFunctionData({ abi: ABI_2, functionName, args } as never) });
  const manager = await deploy(compiledContract('TransferManager'), [DEPLOYER]);
  await place(PROTOCOL, compiledContract('LooksRareProtocol'), [DEPLOYER, MARKET_FEES, manager, WETH]);
  for (const currency of [WETH, ZERO]) await call(DEPLOYER, PROTOCOL, 'updateCurrencyStatus', [currency, true]);
  await call(DEPLOYER, manager, 'allowOperator', [PROTOCOL]);
  for (const party of [ACCOUNT, FILLER]) {
    await call(party, manager, 'grantApprovals', [[PROTOCOL]]);
    for (const spender of [PROTOCOL, manager]) await approve(party, spender);
  }
}

function placed2({ price, isSale, count, isOther }: Terms, { now, serial }: Moment): Placed {
  const isCoin = isOther && isSale;
  const order = {
    quoteType: isSale ? 1 : 0,
    globalNonce: 0n,
    subsetNonce: 0n,
    orderNonce: serial,
    strategyId: 0n,
    collectionType: count === undefined ? 0 : 1,
    collection: count === undefined ? APES : ITEMS,
    currency: isCoin ? ZERO : WETH,
    signer: ACCOUNT,
    startTime: now - DAY,
    endTime: now + DAY,
    price,
    itemIds: [count === undefined ? serial : ITEM_ID],
    amounts: [count ?? 1n],
    additionalParameters: '0x' as Hex,
  };
  return {
    data: typedData(
      `Maker(${MAKER_2})`,
      { name: 'LooksRareProtocol', version: '2', chainId: 1, verifyingContract: PROTOCOL },
      text(order),
    ),
    fill: (signature) => ({
      to: PROTOCOL,
      value: isCoin ? price : 0n,
      data: encodeFunctionData({
        abi: ABI_2,
        functionName: isSale ? 'executeTakerBid' : 'executeTakerAsk',
        args: [{ recipient: FILLER, additionalParameters: '0x' }, order, signature, { root: WORD, proof: [] }, ZERO],
      }),
    }),
    ...(count === undefined && { ape: { id: serial, holder: isSale ? ACCOUNT : FILLER } }),
  };
}

/** LooksRare 1 and 2. */
export const LOOKSRARE_MARKETS: readonly Market[] = [
  { name: 'LooksRare 1', deploy: deploy1, orders: terms.map((drawn) => (moment: Moment) => placed1(drawn, moment)) },
  { name: 'LooksRare 2', deploy: deploy2, orders: terms.map((drawn) => (moment: Moment) => placed2(drawn, moment)) },
];
