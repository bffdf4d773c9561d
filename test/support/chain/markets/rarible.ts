import fc from 'fast-check';
import { type Abi, encodeAbiParameters, encodeFunctionData, type Hex, keccak256, parseAbi, slice, toHex } from 'viem';

import { DEPLOYER } from '../anvil-rpc';
import { typedData } from '../../explaining';
import { amount, DAY, type Market, partOf, parts, text } from './market';
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
  SERVICE,
  STRANGER,
  USDC,
  WETH,
  ZERO,
} from './world';

const EXCHANGE: Hex = '0x9757F2d2b135150BBeb65308D4a91804107cd8D6';
const DOMAIN = { name: 'Exchange', version: '2', chainId: 1, verifyingContract: EXCHANGE };
const ORDER =
  'address maker,Asset makeAsset,address taker,Asset takeAsset,uint256 salt,uint256 start,uint256 end,bytes4 dataType,bytes data';
const ASSET = 'AssetType assetType,uint256 value';
const ASSET_TYPE = 'bytes4 assetClass,bytes data';
const TYPE = `Order(${ORDER})Asset(${ASSET})AssetType(${ASSET_TYPE})`;
const structOf = (name: string, members: string): string => `struct ${name} { ${members.replaceAll(',', '; ')}; }`;
const ABI = parseAbi([
  structOf('AssetType', ASSET_TYPE),
  structOf('Asset', ASSET),
  structOf('Order', ORDER),
  'struct Part { address account; uint96 value; }',
  'function matchOrders(Order left, bytes leftSignature, Order right, bytes rightSignature) payable',
  'function __ExchangeV2_init(address nfts, address tokens, uint256 fee, address feeReceiver, address royalties)',
  'function __TransferProxy_init()',
  'function __ERC20TransferProxy_init()',
  'function __RoyaltiesRegistry_init()',
  'function addOperator(address)',
  'function setAllProtocolFeeData(address receiver, uint48 buyer, uint48 seller)',
  'function setAssetMatcher(bytes4 assetClass, address matcher)',
  'function setRoyaltiesByToken(address token, Part[] royalties)',
] as never) as Abi;

const idOf = (name: string): Hex => slice(keccak256(toHex(name)), 0, 4);
const ETH = idOf('ETH');
const ERC20 = idOf('ERC20');
const COLLECTION = idOf('COLLECTION');

async function deploy({ deploy: deployed, place, send, approve }: Markets): Promise<void> {
  const call = (to: Hex, functionName: string, args: readonly unknown[] = []) =>
    send(DEPLOYER, { to, data: encodeFunctionData({ abi: ABI, functionName, args } as never) });
  const nfts = await deployed(compiledContract('RaribleTransferProxy'));
  const tokens = await deployed(compiledContract('RaribleERC20TransferProxy'));
  const royalties = await deployed(compiledContract('RaribleRoyaltiesRegistry'));
  const matcher = await deployed(compiledContract('RaribleCollectionMatcher'));
  await place(EXCHANGE, compiledContract('RaribleExchange'));
  await call(nfts, '__TransferProxy_init');
  await call(tokens, '__ERC20TransferProxy_init');
  await call(royalties, '__RoyaltiesRegistry_init');
  await call(EXCHANGE, '__ExchangeV2_init', [nfts, tokens, 0n, ZERO, royalties]);
  for (const proxy of [nfts, tokens]) await call(proxy, 'addOperator', [EXCHANGE]);
  await call(EXCHANGE, 'setAllProtocolFeeData', [MARKET_FEES, 100, 200]);
  await call(EXCHANGE, 'setAssetMatcher', [COLLECTION, matcher]);
  await call(royalties, 'setRoyaltiesByToken', [APES, [{ account: MARKET_FEES, value: 500n }]]);
  for (const party of [ACCOUNT, FILLER]) for (const proxy of [nfts, tokens]) await approve(party, proxy);
}

type Asset = { readonly assetType: { readonly assetClass: Hex; readonly data: Hex }; readonly value: bigint };
const asset = (assetClass: Hex, of: readonly (Hex | bigint)[], value: bigint): Asset => ({
  assetType: {
    assetClass,
    data: encodeAbiParameters(
      of.map((one) => ({ type: typeof one === 'bigint' ? 'uint256' : 'address' })),
      of,
    ),
  },
  value,
});
const coins = (value: bigint): Asset => ({ assetType: { assetClass: ETH, data: '0x' }, value });
const token = (of: Hex, value: bigint): Asset => asset(ERC20, [of], value);

type Part = { readonly account: Hex; readonly value: bigint };
/** The versions of an order's data. The market's own fees belong to the last. */
type Version = 'V1' | 'V2' | 'V3';
function dataOf(version: Version, payouts: readonly Part[], fees: readonly Part[]): Hex {
  const list = {
    type: 'tuple[]',
    components: [
      { name: 'account', type: 'address' },
      { name: 'value', type: 'uint96' },
    ],
  };
  const components = [
    { name: 'payouts', ...list },
    { name: 'fees', ...list },
    ...(version === 'V1' ? [] : [{ name: 'isMakeFill', type: 'bool' }]),
  ];
  return encodeAbiParameters([{ type: 'tuple', components }], [{ payouts, fees, isMakeFill: true }]);
}

type Kind = 'sale' | 'purchase' | 'swap';
type Terms = {
  readonly kind: Kind;
  readonly give: bigint;
  readonly get: bigint;
  readonly isCoin: boolean;
  /** Undefined for an ERC-721, which has a royalty. */
  readonly count: bigint | undefined;
  readonly isForAny: boolean;
  readonly version: Version;
  readonly fees: readonly bigint[];
  /** How much of what it gets the account keeps, in hundredths of a percent; the rest is another's. */
  readonly kept: bigint;
  readonly part: bigint;
  /** Whoever fills the order chooses which of the two orders is the first. */
  readonly isFirst: boolean;
};

const WHOLE = 10_000n;

function placed(drawn: Terms, { now, serial }: Moment): Placed {
  const { kind, give, isForAny, fees, isFirst } = drawn;
  const isSale = kind === 'sale';
  const hasFees = fees.some((fee) => fee > 0n);
  // Of two tokens, the fees are on one side only, which the market's own would hide.
  const version = !isSale && hasFees && drawn.version === 'V3' ? 'V2' : drawn.version;
  // The royalty of a purchase comes out of the seller's share, which the market's fees would hide.
  const count = kind === 'purchase' && version === 'V3' ? (drawn.count ?? 2n) : drawn.count;
  const isCoin = isSale && drawn.isCoin;
  const isAny = kind === 'purchase' && isForAny && count === undefined;
  // A part of the price is rounded down.
  const get = count === undefined ? drawn.get : (drawn.get / count) * count;
  const isPart = isSale && version !== 'V3' && count !== undefined && partOf(count, drawn.part) > 0n;
  // The rows say what there is before the market's fees, of which each payee would lose its share.
  const isShared = drawn.kept < WHOLE && version !== 'V3' && (!isSale || count !== undefined);
  const payouts = isShared
    ? [
        ...(drawn.kept > 0n ? [{ account: ACCOUNT, value: drawn.kept }] : []),
        { account: STRANGER, value: WHOLE - drawn.kept },
      ]
    : [];
  const nft =
    count === undefined ? asset(idOf('ERC721'), [APES, serial], 1n) : asset(idOf('ERC1155'), [ITEMS, ITEM_ID], count);
  const wanted = isAny ? asset(COLLECTION, [APES], 1n) : nft;
  const price = isCoin ? coins(get) : token(WETH, get);
  const [makeAsset, takeAsset] = isSale
    ? [nft, price]
    : [token(USDC, give), kind === 'purchase' ? wanted : token(WETH, get)];
  const order = {
    maker: ACCOUNT,
    makeAsset,
    taker: ZERO,
    takeAsset,
    salt: serial,
    start: 0n,
    end: now + DAY,
    dataType: idOf(version),
    data: dataOf(
      version,
      payouts,
      fees.map((value) => ({ account: SERVICE, value })),
    ),
  };
  const bought = isPart ? { ...nft, value: partOf(count, drawn.part) } : nft;
  const other = {
    ...order,
    maker: FILLER,
    makeAsset: kind === 'purchase' ? nft : takeAsset,
    takeAsset: isSale ? bought : makeAsset,
    salt: 0n,
    dataType: '0xffffffff' as const,
    data: '0x' as const,
  };
  return {
    data: typedData(TYPE, DOMAIN, text(order)),
    fill: (signature) => ({
      to: EXCHANGE,
      value: isCoin ? get : 0n,
      data: encodeFunctionData({
        abi: ABI,
        functionName: 'matchOrders',
        args: isFirst ? [order, signature, other, '0x'] : [other, '0x', order, signature],
      }),
    }),
    // NFTs that several share go to the last of them, one by one.
    isPart: isPart || (kind === 'purchase' && payouts.length > 1) || (kind === 'swap' && hasFees),
    ...(kind !== 'swap' && count === undefined && { ape: { id: serial, holder: isSale ? ACCOUNT : FILLER, isAny } }),
  };
}

/** Fees that are clearly few or clearly many, in hundredths of a percent. */
const fee = fc.oneof(fc.bigInt({ min: 0n, max: 500n }), fc.bigInt({ min: 2_500n, max: 4_000n }));

/** Rarible, whose royalty and fees of its own are paid beside those of the order. */
export const RARIBLE_MARKET: Market = {
  name: 'Rarible',
  contract: 'RaribleExchange',
  deploy,
  orders: fc
    .record({
      kind: fc.constantFrom<Kind>('sale', 'purchase', 'swap'),
      give: amount,
      get: amount,
      isCoin: fc.boolean(),
      count: fc.option(fc.bigInt({ min: 2n, max: 1_000n }), { nil: undefined }),
      isForAny: fc.boolean(),
      version: fc.constantFrom<Version>('V1', 'V2', 'V3'),
      fees: fc.array(fee, { maxLength: 2 }),
      kept: fc.oneof(fc.constant(WHOLE), fc.bigInt({ min: 0n, max: 6_000n })),
      part: parts,
      isFirst: fc.boolean(),
    })
    .map((terms) => (moment: Moment) => placed(terms, moment)),
};
