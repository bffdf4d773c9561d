import { encodeAbiParameters, type Hex } from 'viem';

import { explainTypedData } from '../../../../src/core/decode/explain/typed-data';
import { ALICE, BOB, codesOf, explainTyped, ME, NOW, saying, typedData, USDC, VIEW } from '../../../support/explaining';
import { at, describeRows, SOON, WORD } from './typed-rows';

const WETH: Hex = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const ZERO: Hex = '0x0000000000000000000000000000000000000000';
const ETHER = 10n ** 18n;

const SEAPORT =
  'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)' +
  'ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)' +
  'OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)';

/** A listing that pays `recipient`. */
const listing = (recipient: Hex) =>
  typedData(SEAPORT, at('0x0000000000000068F116a894984e2DB1123eB395', 'Seaport'), {
    offerer: ME,
    zone: ZERO,
    offer: [{ itemType: 2, token: ALICE, identifierOrCriteria: 7, startAmount: '1', endAmount: '1' }],
    consideration: [
      {
        itemType: 0,
        token: ZERO,
        identifierOrCriteria: 0,
        startAmount: ETHER.toString(),
        endAmount: ETHER.toString(),
        recipient,
      },
    ],
    orderType: 0,
    startTime: 0,
    endTime: SOON,
    zoneHash: WORD,
    salt: 1,
    conduitKey: WORD,
    counter: 0,
  });

type Part = { readonly account: Hex; readonly value: bigint };
const PART = {
  type: 'tuple[]',
  components: [
    { name: 'account', type: 'address' },
    { name: 'value', type: 'uint96' },
  ],
};
const dataOf = (payouts: readonly Part[], fees: readonly Part[]): Hex =>
  encodeAbiParameters(
    [
      {
        type: 'tuple',
        components: [
          { name: 'payouts', ...PART },
          { name: 'fees', ...PART },
        ],
      },
    ],
    [{ payouts, fees }],
  );
const asset = (assetClass: Hex, of: readonly (Hex | bigint)[], value: bigint) => ({
  assetType: {
    assetClass,
    data: encodeAbiParameters(
      of.map((one) => ({ type: typeof one === 'bigint' ? 'uint256' : 'address' })),
      of,
    ),
  },
  value: value.toString(),
});
const NFT = asset('0x73ad2146', [ALICE, 7n], 1n);
const ITEMS = asset('0x973bb640', [ALICE, 7n], 100n);
const MONEY = asset('0x8ae85d84', [WETH], 16n * ETHER);
const DOLLARS = asset('0x8ae85d84', [USDC], 50_000_000_000n);
const rarible = (makeAsset: object, takeAsset: object, data: Hex, dataType: Hex = '0x4c234266') =>
  typedData(
    'Order(address maker,Asset makeAsset,address taker,Asset takeAsset,uint256 salt,uint256 start,uint256 end,bytes4 dataType,bytes data)Asset(AssetType assetType,uint256 value)AssetType(bytes4 assetClass,bytes data)',
    at('0x9757F2d2b135150BBeb65308D4a91804107cd8D6', 'Exchange'),
    { maker: ME, makeAsset, taker: ZERO, takeAsset, salt: 1, start: 0, end: SOON, dataType, data },
  );
const to = (account: Hex, value: bigint): Part => ({ account, value });

/** The same data one byte further on, which a contract reads all the same. */
function moved(data: Hex): Hex {
  return `0x${33n.toString(16).padStart(64, '0')}00${data.slice(66)}`;
}

const bebopOfBothSides = typedData(
  'SingleOrder(uint64 partner_id,uint256 expiry,address taker_address,address maker_address,uint256 maker_nonce,address taker_token,address maker_token,uint256 taker_amount,uint256 maker_amount,address receiver,uint256 packed_commands)',
  at('0xbbbbbBB520d69a9775E85b458C58c648259FAD5F', 'BebopSettlement'),
  {
    partner_id: 0,
    expiry: SOON,
    taker_address: ME,
    maker_address: ME,
    maker_nonce: 1,
    taker_token: USDC,
    maker_token: WETH,
    taker_amount: '50000000000',
    maker_amount: (16n * ETHER).toString(),
    receiver: BOB,
    packed_commands: 0,
  },
);
const inch = (makerTraits: bigint) =>
  typedData(
    'Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)',
    at('0x111111125421cA6dc452d289314280a0f8842A65', '1inch Aggregation Router'),
    {
      salt: 1,
      maker: ME,
      receiver: ZERO,
      makerAsset: USDC,
      takerAsset: WETH,
      makingAmount: '50000000000',
      takingAmount: (16n * ETHER).toString(),
      makerTraits: makerTraits.toString(),
    },
  );
const velora = (partnerAndFee: bigint) =>
  typedData(
    'Order(address owner,address beneficiary,address srcToken,address destToken,uint256 srcAmount,uint256 destAmount,uint256 expectedAmount,uint256 deadline,uint8 kind,uint256 nonce,uint256 partnerAndFee,bytes permit,bytes metadata,Bridge bridge)Bridge(bytes4 protocolSelector,uint256 destinationChainId,address outputToken,int8 scalingFactor,bytes protocolData)',
    at('0x0000000000bbF5c5Fd284e657F01Bd000933C96D', 'Portikus'),
    {
      owner: ME,
      beneficiary: ZERO,
      srcToken: USDC,
      destToken: WETH,
      srcAmount: '50000000000',
      destAmount: (16n * ETHER).toString(),
      expectedAmount: (16n * ETHER).toString(),
      deadline: SOON,
      kind: 0,
      nonce: 1,
      partnerAndFee: partnerAndFee.toString(),
      permit: '0x',
      metadata: '0x',
      bridge: {
        protocolSelector: '0x00000000',
        destinationChainId: 0,
        outputToken: ZERO,
        scalingFactor: 0,
        protocolData: '0x',
      },
    },
  );
const blurOffer = (matchingPolicy: Hex) =>
  typedData(
    'Order(address trader,uint8 side,address matchingPolicy,address collection,uint256 tokenId,uint256 amount,address paymentToken,uint256 price,uint256 listingTime,uint256 expirationTime,Fee[] fees,uint256 salt,bytes extraParams,uint256 nonce)Fee(uint16 rate,address recipient)',
    at('0x000000000000Ad05Ccc4F10045630fb830B95127', 'Blur Exchange'),
    {
      trader: ME,
      side: 0,
      matchingPolicy,
      collection: ALICE,
      tokenId: 7,
      amount: 1,
      paymentToken: WETH,
      price: (16n * ETHER).toString(),
      listingTime: 0,
      expirationTime: SOON,
      fees: [],
      salt: 1,
      extraParams: '0x',
      nonce: 0,
    },
  );
/** An auction of a protocol that nobody knows. */
const auction = (recipients: readonly Hex[]) =>
  typedData(
    'SwapOrder(address maker,Input input,Output[] outputs,uint256 deadline)Input(address inputToken,uint256 startAmount,uint256 endAmount)Output(address outputToken,uint256 startAmount,uint256 endAmount,address recipient)',
    at(ALICE, 'Swaps'),
    {
      maker: ME,
      input: { inputToken: USDC, startAmount: '49000000000', endAmount: '50000000000' },
      outputs: recipients.map((recipient) => ({
        outputToken: WETH,
        startAmount: (16n * ETHER).toString(),
        endAmount: ETHER.toString(),
        recipient,
      })),
      deadline: SOON,
    },
  );

describeRows([
  [
    'a sale whose fees are more than its price',
    rarible(NFT, MONEY, dataOf([], [to(BOB, 10_000n), to(BOB, 1n)])),
    ['You receive at least: nothing', `Paid to: ${BOB}`, 'Amount: 16 WETH'],
    ['nothing-in-return', 'paid-to-another'],
  ],
  [
    'a sale whose payee is at an odd place of its data',
    rarible(NFT, MONEY, moved(dataOf([to(BOB, 10_000n)], []))),
    ['You receive at least: nothing', `Paid to: ${BOB}`, 'Amount: 16 WETH'],
    ['nothing-in-return', 'paid-to-another'],
  ],
  [
    'a sale whose data nobody can read',
    rarible(NFT, MONEY, dataOf([to(BOB, 10_000n)], []), '0x12345678'),
    ['You receive at least: 0 WETH (at best 16 WETH)', 'Keystead cannot read who is paid'],
    ['nothing-in-return'],
  ],
  [
    'an exchange of tokens whose fees come on top',
    rarible(DOLLARS, MONEY, dataOf([], [to(BOB, 10_000n), to(BOB, 10_000n)])),
    ['You send at most: 150,000 USDC', 'You receive at least: nothing', 'Amount: 100,000 USDC'],
    ['nothing-in-return', 'paid-to-another'],
  ],
  [
    'an exchange of NFTs, from which no fee is taken',
    rarible(NFT, { ...NFT, value: '100' }, dataOf([], [to(BOB, 1_000n)])),
    ['You send at most: 1 NFT #7 of', 'You receive at least: 100 NFT #7 of'],
  ],
  [
    'a sale of items, whose fee is taken of the price and not of them',
    rarible(ITEMS, MONEY, dataOf([], [to(BOB, 1_000n)])),
    ['You send at most: 100 NFT #7 of', 'You receive at least: 14.4 WETH', `Paid to: ${BOB}`, 'Amount: 1.6 WETH'],
  ],
  [
    'a purchase whose fees are added up before they are rounded',
    rarible({ ...DOLLARS, value: '1999' }, NFT, dataOf([], [to(BOB, 5n), to(BOB, 5n)])),
    ['You send at most: 0.002 USDC', 'You receive at least: 1 NFT #7 of'],
  ],
  [
    'a purchase of which another gets the last item',
    rarible(MONEY, ITEMS, dataOf([to(ME, 9_999n), to(BOB, 1n)], [])),
    ['You receive at least: 0 NFT #7 of', 'at best 99', `Paid to: ${BOB}`, 'Amount: 1 NFT #7', 'up to 100'],
    ['nothing-in-return', 'paid-to-another'],
  ],
  [
    'an order of both sides that pays another',
    bebopOfBothSides,
    ['You send at most: 16 WETH', 'You send at most: 50,000 USDC', `Paid to: ${BOB}`, 'Amount: 16 WETH'],
    ['paid-to-another'],
  ],
  [
    'an order whose extension sets the price',
    inch(1n << 249n),
    ['You receive at least: 16 WETH, unless its extension changes it', 'for at least 16 WETH, unless', 'Until: no end'],
  ],
  [
    'an order whose partner takes a fee of what is got',
    velora((BigInt(BOB) << 96n) | 200n),
    ["You receive at least: 16 WETH, before the market's fees"],
  ],
  ['an order without a partner', velora(0n), ['You receive at least: 16 WETH\n']],
  [
    'an offer for any NFT, which names one',
    blurOffer('0x0000000000b92D5d043FaF7CECf7E2EE6aaeD232'),
    ['You receive at least: 1 NFT (any) of'],
  ],
  ['an offer for one NFT', blurOffer('0x0000000000daB4A563819e8fd93dbA3b25BC3495'), ['You receive at least: 1 NFT #7']],
]);

describe('an order that pays an address like an own one', () => {
  it('is a danger that names both', () => {
    const own: Hex = '0x742d000000000000000000000000000000004f4e';
    const twin: Hex = '0x742d111111111111111111111111111111114f4e';
    const recipients = { used: [], own: { [own]: 'Account 2' }, hasCode: {} };
    const explanation = explainTypedData(listing(twin), { ...VIEW, now: NOW, recipients });
    expect(codesOf(explanation)).toContain('address-poisoning');
    expect(saying(explanation)).toContain('which is your own account');
  });
});

describe('an auction of a protocol that nobody knows', () => {
  it('is said at its worst', () => {
    const text = saying(explainTyped(auction([ME])));
    for (const row of ['You send at most: 50,000 USDC', 'You receive at least: 1 WETH', 'Paid to: your account'])
      expect(text).toContain(row);
  });

  it('pays another behind the person who signs', () => {
    const explanation = explainTyped(auction([ME, BOB]));
    expect(saying(explanation)).toContain(`Paid to: ${BOB}\nAmount: 2 WETH`);
    expect(codesOf(explanation)).toEqual(['nothing-in-return', 'paid-to-another']);
  });
});
