import fc from 'fast-check';
import { type Abi, encodeFunctionData, type Hex, hexToNumber, parseAbi, slice, toFunctionSelector } from 'viem';

import { DEPLOYER } from '../anvil-rpc';
import { typedData } from '../../explaining';
import { amount, DAY, type Market, text } from './market';
import {
  ACCOUNT,
  APES,
  COIN,
  compiledContract,
  FILLER,
  ITEM_ID,
  ITEMS,
  type Markets,
  type Moment,
  type Placed,
  SERVICE,
  WETH,
  ZERO,
} from './world';

const EXCHANGE: Hex = '0x20F780A973856B93f63670377900C1d2a50a77c4';
const DOMAIN = { name: 'ElementEx', version: '1.0.0', chainId: 1, verifyingContract: EXCHANGE };

const FEE = 'Fee(address recipient,uint256 amount,bytes feeData)';
const PROPERTY = 'Property(address propertyValidator,bytes propertyData)';
const PAYMENT =
  'address maker,address taker,uint256 expiry,uint256 nonce,address erc20Token,uint256 erc20TokenAmount,Fee[] fees,';
/** The members of each order. The nonce that is hashed as well is not in the calls. */
const MEMBERS = {
  NFTSellOrder: `${PAYMENT}address nft,uint256 nftId`,
  NFTBuyOrder: `${PAYMENT}address nft,uint256 nftId,Property[] nftProperties`,
  ERC1155SellOrder: `${PAYMENT}address erc1155Token,uint256 erc1155TokenId,uint128 erc1155TokenAmount`,
  ERC1155BuyOrder: `${PAYMENT}address erc1155Token,uint256 erc1155TokenId,Property[] erc1155TokenProperties,uint128 erc1155TokenAmount`,
} as const;
const structOf = (name: string, members: string): string => `struct ${name} { ${members.replaceAll(',', '; ')}; }`;
const ABI = parseAbi([
  'struct Signature { uint8 signatureType; uint8 v; bytes32 r; bytes32 s; }',
  'struct Fee { address recipient; uint256 amount; bytes feeData; }',
  'struct Property { address propertyValidator; bytes propertyData; }',
  ...Object.entries(MEMBERS).map(([name, members]) => structOf(name, members)),
  'function buyERC721Ex(NFTSellOrder order, Signature signature, address taker, bytes data) payable',
  'function sellERC721(NFTBuyOrder order, Signature signature, uint256 id, bool unwrap, bytes data)',
  'function buyERC1155Ex(ERC1155SellOrder order, Signature signature, address taker, uint128 amount, bytes data) payable',
  'function sellERC1155(ERC1155BuyOrder order, Signature signature, uint256 id, uint128 amount, bool unwrap, bytes data)',
  'function extend(bytes4 selector, address feature)',
] as never) as Abi;
const FILLS = {
  ElementERC721Orders: ['buyERC721Ex', 'sellERC721'],
  ElementERC1155Orders: ['buyERC1155Ex', 'sellERC1155'],
} as const;

async function deploy({ deploy: deployed, place, send, approve }: Markets): Promise<void> {
  const registry = await deployed(compiledContract('ElementRegistry'));
  const ownable = await deployed(compiledContract('ElementOwnable'));
  await place(EXCHANGE, compiledContract('ElementEx'), [registry, ownable]);
  for (const [name, functions] of Object.entries(FILLS)) {
    const { abi, bytecode } = compiledContract(name);
    const feature = await deployed({ abi, bytecode }, [WETH]);
    for (const each of abi)
      if (each.type === 'function' && (functions as readonly string[]).includes(each.name))
        await send(DEPLOYER, {
          to: EXCHANGE,
          data: encodeFunctionData({ abi: ABI, functionName: 'extend', args: [toFunctionSelector(each), feature] }),
        });
  }
  for (const party of [ACCOUNT, FILLER]) await approve(party, EXCHANGE);
}

type Terms = {
  readonly price: bigint;
  readonly fees: readonly bigint[];
  readonly isSale: boolean;
  readonly isCoin: boolean;
  /** Undefined for an ERC-721. */
  readonly count: bigint | undefined;
  /** Of an offer: whether any NFT of the collection will do. */
  readonly isForAny: boolean;
  /** By how much an auction lowers the price of a sale, in parts of 10^8; undefined for a fixed price. */
  readonly drop: bigint | undefined;
};

const ANY = { propertyValidator: ZERO, propertyData: '0x' };
const WHOLE = 100_000_000n;
/** The kind of an order, in the highest bits of its expiry. */
const DUTCH_AUCTION = 1n << 252n;

function placed({ price, fees, isSale, isCoin, count, isForAny, drop }: Terms, { now, serial }: Moment): Placed {
  const isAny = isForAny && !isSale && count === undefined;
  const isAuction = isSale && drop !== undefined;
  // An auction is at its worst in its last second.
  const listed = isAuction ? now + 1n - DAY : now - DAY;
  const expiry = isAuction ? now + 1n : now + DAY;
  const asset = count === undefined ? 'NFT' : 'ERC1155';
  const kind = `${asset}${isSale ? 'Sell' : 'Buy'}Order` as const;
  const start = {
    maker: ACCOUNT,
    taker: ZERO,
    expiry: (isAuction ? DUTCH_AUCTION | (drop << 64n) : 0n) | (listed << 32n) | expiry,
    nonce: serial,
    erc20Token: isSale && isCoin ? COIN : WETH,
    erc20TokenAmount: price,
    fees: fees.map((fee) => ({ recipient: SERVICE, amount: fee, feeData: '0x' })),
  };
  const properties = isAny ? [ANY] : [];
  const order =
    count === undefined
      ? { ...start, nft: APES, nftId: isAny ? 0n : serial, ...(!isSale && { nftProperties: properties }) }
      : {
          ...start,
          erc1155Token: ITEMS,
          erc1155TokenId: ITEM_ID,
          ...(!isSale && { erc1155TokenProperties: properties }),
          erc1155TokenAmount: count,
        };
  const amounts = count === undefined ? [] : [count];
  const types = isSale ? FEE : FEE + PROPERTY;
  const slack = isAuction ? price / DAY + 2n : 0n;
  return {
    data: typedData(`${kind}(${MEMBERS[kind]},uint256 hashNonce)${types}`, DOMAIN, text({ ...order, hashNonce: 0n })),
    fill: (signature) => {
      const signed = {
        signatureType: 0,
        v: hexToNumber(slice(signature, 64)),
        r: slice(signature, 0, 32),
        s: slice(signature, 32, 64),
      };
      return {
        to: EXCHANGE,
        // What is too much comes back.
        value: isSale && isCoin ? fees.reduce((sum, fee) => sum + fee, price) : 0n,
        data: encodeFunctionData({
          abi: ABI,
          functionName: `${isSale ? 'buy' : 'sell'}${count === undefined ? 'ERC721' : 'ERC1155'}${isSale ? 'Ex' : ''}`,
          args: isSale
            ? [order, signed, FILLER, ...amounts, '0x']
            : [order, signed, count === undefined ? serial : ITEM_ID, ...amounts, false, '0x'],
        }),
      };
    },
    slack,
    ...(isAuction && { feeSlack: fees.reduce((sum, fee) => sum + fee, 0n) }),
    ...(count === undefined && { ape: { id: serial, holder: isSale ? ACCOUNT : FILLER, isAny } }),
  };
}

/** Element, with its features for orders of ERC-721 and of ERC-1155. */
export const ELEMENT_MARKET: Market = {
  name: 'Element',
  contract: 'ElementEx',
  deploy,
  orders: fc
    .record({
      price: amount,
      fees: fc.array(amount, { maxLength: 2 }),
      isSale: fc.boolean(),
      isCoin: fc.boolean(),
      count: fc.option(fc.bigInt({ min: 2n, max: 1_000n }), { nil: undefined }),
      isForAny: fc.boolean(),
      drop: fc.option(fc.bigInt({ min: 1n, max: WHOLE }), { nil: undefined }),
    })
    .map((terms) => (moment: Moment) => placed(terms, moment)),
};
