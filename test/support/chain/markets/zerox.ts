import fc from 'fast-check';
import { type Abi, encodeFunctionData, type Hex, hexToNumber, parseAbi, slice } from 'viem';

import { DEPLOYER } from '../anvil-rpc';
import { typedData } from '../../explaining';
import { amount, DAY, type Market, partOf, parts, text } from './market';
import {
  ACCOUNT,
  APES,
  type Artifact,
  COIN,
  compiledContract,
  FILLER,
  ITEM_ID,
  ITEMS,
  marketFile,
  type Markets,
  type Moment,
  OTHER,
  type Placed,
  SERVICE,
  signOrder,
  USDC,
  WETH,
  WORD,
  ZERO,
} from './world';

const EXCHANGE: Hex = '0xDef1C0ded9bec7F1a1670819833240f027b25EfF';
const DOMAIN = { name: 'ZeroEx', version: '1.0.0', chainId: 1, verifyingContract: EXCHANGE };

function artifact(name: string): Artifact {
  const path = `@0x/contracts-zero-ex@0.38.6/lib/generated-artifacts/${name}.json`;
  const { compilerOutput } = JSON.parse(marketFile(path)) as {
    compilerOutput: { abi: Abi; evm: { bytecode: { object: Hex } } };
  };
  return { abi: compilerOutput.abi, bytecode: compilerOutput.evm.bytecode.object };
}

const SETUP = parseAbi([
  'struct Features { address registry; address ownable; }',
  'function initializeZeroEx(address owner, address zeroEx, Features features)',
  'function migrate(address target, bytes data, address newOwner)',
]);
/** `migrate()` of each feature. */
const MIGRATE: Hex = '0x8fd3ab80';

async function deploy({ deploy: deployed, place, send, approve }: Markets): Promise<void> {
  const migration = await deployed(artifact('InitialMigration'), [DEPLOYER]);
  const registry = await deployed(artifact('SimpleFunctionRegistryFeature'));
  const ownable = await deployed(artifact('OwnableFeature'));
  await place(EXCHANGE, artifact('ZeroEx'), [migration]);
  const data = encodeFunctionData({
    abi: SETUP,
    functionName: 'initializeZeroEx',
    args: [DEPLOYER, EXCHANGE, { registry, ownable }],
  });
  await send(DEPLOYER, { to: migration, data });
  const collector = await deployed(artifact('FeeCollectorController'), [WETH, ZERO]);
  for (const feature of [
    await deployed(artifact('NativeOrdersFeature'), [EXCHANGE, WETH, ZERO, collector, 0]),
    await deployed(artifact('OtcOrdersFeature'), [EXCHANGE, WETH]),
    await deployed(compiledContract('ERC721OrdersFeature'), [EXCHANGE, WETH]),
    await deployed(compiledContract('ERC1155OrdersFeature'), [EXCHANGE, WETH]),
  ])
    await send(DEPLOYER, {
      to: EXCHANGE,
      data: encodeFunctionData({ abi: SETUP, functionName: 'migrate', args: [feature, MIGRATE, DEPLOYER] }),
    });
  for (const party of [ACCOUNT, OTHER, FILLER]) await approve(party, EXCHANGE);
}

const SIGNATURE = 'struct Signature { uint8 signatureType; uint8 v; bytes32 r; bytes32 s; }';
const EIP712 = 2;
const signatureOf = (signature: Hex) => ({
  signatureType: EIP712,
  v: hexToNumber(slice(signature, 64)),
  r: slice(signature, 0, 32),
  s: slice(signature, 32, 64),
});

const START = 'address makerToken,address takerToken,uint128 makerAmount,uint128 takerAmount,';
const TYPES = {
  LimitOrder: `LimitOrder(${START}uint128 takerTokenFeeAmount,address maker,address taker,address sender,address feeRecipient,bytes32 pool,uint64 expiry,uint256 salt)`,
  RfqOrder: `RfqOrder(${START}address maker,address taker,address txOrigin,bytes32 pool,uint64 expiry,uint256 salt)`,
  OtcOrder: `OtcOrder(${START}address maker,address taker,address txOrigin,uint256 expiryAndNonce)`,
} as const;
const structOf = (type: string): string =>
  `struct ${type.slice(0, type.indexOf('('))} { ${type.slice(type.indexOf('(') + 1, -1).replaceAll(',', '; ')}; }`;
const ABI = parseAbi([
  SIGNATURE,
  structOf(TYPES.LimitOrder),
  structOf(TYPES.RfqOrder),
  structOf(TYPES.OtcOrder),
  'function fillLimitOrder(LimitOrder order, Signature signature, uint128 amount) payable',
  'function fillRfqOrder(RfqOrder order, Signature signature, uint128 amount)',
  'function fillOtcOrder(OtcOrder order, Signature signature, uint128 amount)',
  'function fillTakerSignedOtcOrder(OtcOrder order, Signature makerSignature, Signature takerSignature)',
] as never) as Abi;

/** The shift of the expiry in `expiryAndNonce`. */
const EXPIRY_AT = 192n;

type Kind = keyof typeof TYPES;
type Terms = {
  readonly kind: Kind;
  readonly give: bigint;
  readonly get: bigint;
  readonly fee: bigint;
  readonly part: bigint;
};

/** The account makes the order. */
function made({ kind, give, get, fee, part }: Terms, { now, serial }: Moment): Placed {
  const filled = partOf(get, part);
  const start = { makerToken: USDC, takerToken: WETH, makerAmount: give, takerAmount: get };
  const end = { pool: WORD, expiry: now + DAY, salt: serial };
  const order = {
    LimitOrder: {
      ...start,
      takerTokenFeeAmount: fee,
      maker: ACCOUNT,
      taker: ZERO,
      sender: ZERO,
      feeRecipient: SERVICE,
      ...end,
    },
    RfqOrder: { ...start, maker: ACCOUNT, taker: ZERO, txOrigin: FILLER, ...end },
    OtcOrder: {
      ...start,
      maker: ACCOUNT,
      taker: ZERO,
      txOrigin: FILLER,
      expiryAndNonce: ((now + DAY) << EXPIRY_AT) | serial,
    },
  }[kind];
  return {
    isPart: filled < get,
    data: typedData(TYPES[kind], DOMAIN, text(order)),
    fill: (signature) => ({
      to: EXCHANGE,
      value: 0n,
      data: encodeFunctionData({
        abi: ABI,
        functionName: `fill${kind}`,
        args: [order, signatureOf(signature), filled],
      }),
    }),
  };
}

/** The account takes what a market maker offers, and somebody else sends it. */
function taken({ give, get }: Terms, { now, serial }: Moment): Placed {
  const order = {
    makerToken: WETH,
    takerToken: USDC,
    makerAmount: get,
    takerAmount: give,
    maker: OTHER,
    taker: ACCOUNT,
    txOrigin: FILLER,
    expiryAndNonce: ((now + DAY) << EXPIRY_AT) | serial,
  };
  const data = typedData(TYPES.OtcOrder, DOMAIN, text(order));
  return {
    data,
    counterparty: OTHER,
    fill: (signature) => ({
      to: EXCHANGE,
      value: 0n,
      data: encodeFunctionData({
        abi: ABI,
        functionName: 'fillTakerSignedOtcOrder',
        args: [order, signatureOf(signOrder(data, OTHER)), signatureOf(signature)],
      }),
    }),
  };
}

const FEE = 'Fee(address recipient,uint256 amount,bytes feeData)';
const PROPERTY = 'Property(address propertyValidator,bytes propertyData)';
const PAYMENT =
  'uint8 direction,address maker,address taker,uint256 expiry,uint256 nonce,address erc20Token,uint256 erc20TokenAmount,Fee[] fees,';
const NFT_TYPES = {
  ERC721: `ERC721Order(${PAYMENT}address erc721Token,uint256 erc721TokenId,Property[] erc721TokenProperties)`,
  ERC1155: `ERC1155Order(${PAYMENT}address erc1155Token,uint256 erc1155TokenId,Property[] erc1155TokenProperties,uint128 erc1155TokenAmount)`,
} as const;
const NFT_ABI = parseAbi([
  SIGNATURE,
  structOf(FEE),
  structOf(PROPERTY),
  structOf(NFT_TYPES.ERC721),
  structOf(NFT_TYPES.ERC1155),
  'function sellERC721(ERC721Order order, Signature signature, uint256 id, bool unwrap, bytes data)',
  'function buyERC721(ERC721Order order, Signature signature, bytes data) payable',
  'function sellERC1155(ERC1155Order order, Signature signature, uint256 id, uint128 amount, bool unwrap, bytes data)',
  'function buyERC1155(ERC1155Order order, Signature signature, uint128 amount, bytes data) payable',
] as never) as Abi;

type NftTerms = {
  readonly price: bigint;
  readonly fees: readonly bigint[];
  readonly isSale: boolean;
  readonly isCoin: boolean;
  /** Undefined for an ERC-721. */
  readonly count: bigint | undefined;
  /** Of an offer: whether any NFT of the collection will do. */
  readonly isForAny: boolean;
};

/** A property that every NFT has: nothing validates it. */
const ANY = { propertyValidator: ZERO, propertyData: '0x' };

function nftOrder({ price, fees, isSale, isCoin, count, isForAny }: NftTerms, { now, serial }: Moment): Placed {
  const isAny = isForAny && !isSale && count === undefined;
  const standard = count === undefined ? 'ERC721' : 'ERC1155';
  const start = {
    direction: isSale ? 0 : 1,
    maker: ACCOUNT,
    taker: ZERO,
    expiry: now + DAY,
    nonce: serial,
    erc20Token: isSale && isCoin ? COIN : WETH,
    erc20TokenAmount: price,
    fees: fees.map((fee) => ({ recipient: SERVICE, amount: fee, feeData: '0x' })),
  };
  const order =
    count === undefined
      ? { ...start, erc721Token: APES, erc721TokenId: isAny ? 0n : serial, erc721TokenProperties: isAny ? [ANY] : [] }
      : {
          ...start,
          erc1155Token: ITEMS,
          erc1155TokenId: ITEM_ID,
          erc1155TokenProperties: [],
          erc1155TokenAmount: count,
        };
  const amounts = count === undefined ? [] : [count];
  return {
    data: typedData(NFT_TYPES[standard] + FEE + PROPERTY, DOMAIN, text(order)),
    fill: (signature) => ({
      to: EXCHANGE,
      value: isSale && isCoin ? fees.reduce((sum, fee) => sum + fee, price) : 0n,
      data: encodeFunctionData({
        abi: NFT_ABI,
        functionName: `${isSale ? 'buy' : 'sell'}${standard}`,
        args: isSale
          ? [order, signatureOf(signature), ...amounts, '0x']
          : [order, signatureOf(signature), count === undefined ? serial : ITEM_ID, ...amounts, false, '0x'],
      }),
    }),
    ...(count === undefined && { ape: { id: serial, holder: isSale ? ACCOUNT : FILLER, isAny } }),
  };
}

const swap = fc.record({
  kind: fc.constantFrom<Kind>('LimitOrder', 'RfqOrder', 'OtcOrder'),
  give: amount,
  get: amount,
  fee: amount,
  part: parts,
});

/** 0x version 4, with its features for orders of tokens and of NFTs. */
export const ZEROX_MARKETS: readonly Market[] = [
  { name: '0x, as the maker', deploy, orders: swap.map((terms) => (moment: Moment) => made(terms, moment)) },
  { name: '0x, as the taker', deploy, orders: swap.map((terms) => (moment: Moment) => taken(terms, moment)) },
  {
    name: '0x, orders of NFTs',
    deploy,
    orders: fc
      .record({
        price: amount,
        fees: fc.array(amount, { maxLength: 2 }),
        isSale: fc.boolean(),
        isCoin: fc.boolean(),
        count: fc.option(fc.bigInt({ min: 2n, max: 1_000n }), { nil: undefined }),
        isForAny: fc.boolean(),
      })
      .map((terms) => (moment: Moment) => nftOrder(terms, moment)),
  },
];
