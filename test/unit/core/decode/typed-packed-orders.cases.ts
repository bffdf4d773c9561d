import { type Hex } from '../../../../src/core/eth/bytes';
import { ALICE, BOB, explainTyped, ME, saying, typedData, USDC } from '../../../support/explaining';
import { at, describeRows, SOON, WORD } from './typed-rows';

const WETH: Hex = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const ZERO: Hex = '0x0000000000000000000000000000000000000000';
const BEBOP: Hex = '0xbbbbbBB520d69a9775E85b458C58c648259FAD5F';

/** What each maker gives and gets is 16 WETH or 50,000 USDC. */
const bebopOfSeveral = (commands: Hex, made = [WETH], taken = [USDC]) => {
  const amounts = (tokens: readonly Hex[]) =>
    tokens.map((token) => [token === USDC ? '50000000000' : '16000000000000000000']);
  return typedData(
    'AggregateOrder(uint64 partner_id,uint256 expiry,address taker_address,address[] maker_addresses,uint256[] maker_nonces,address[][] taker_tokens,address[][] maker_tokens,uint256[][] taker_amounts,uint256[][] maker_amounts,address receiver,bytes commands)',
    at(BEBOP, 'BebopSettlement'),
    {
      partner_id: 0,
      expiry: SOON,
      taker_address: ME,
      maker_addresses: made.map(() => BOB),
      maker_nonces: made.map((_token, nonce) => nonce),
      taker_tokens: taken.map((token) => [token]),
      maker_tokens: made.map((token) => [token]),
      taker_amounts: amounts(taken),
      maker_amounts: amounts(made),
      receiver: ME,
      commands,
    },
  );
};
const jam = (fee: bigint) =>
  typedData(
    'JamOrder(address taker,address receiver,uint256 expiry,uint256 exclusivityDeadline,uint256 nonce,address executor,uint256 partnerInfo,address[] sellTokens,address[] buyTokens,uint256[] sellAmounts,uint256[] buyAmounts,bytes32 hooksHash)',
    at('0xbeb0b0623f66bE8cE162EbDfA2ec543A522F4ea6', 'JamSettlement'),
    {
      taker: ME,
      receiver: ME,
      expiry: SOON,
      exclusivityDeadline: 0,
      nonce: 1,
      executor: ZERO,
      partnerInfo: ((BigInt(BOB) << 32n) | (fee << 16n)).toString(),
      sellTokens: [USDC],
      buyTokens: [WETH],
      sellAmounts: ['50000000000'],
      buyAmounts: ['16000000000000000000'],
      hooksHash: WORD,
    },
  );
const element = (expiry: bigint) =>
  typedData(
    'NFTSellOrder(address maker,address taker,uint256 expiry,uint256 nonce,address erc20Token,uint256 erc20TokenAmount,Fee[] fees,address nft,uint256 nftId,uint256 hashNonce)Fee(address recipient,uint256 amount,bytes feeData)',
    at('0x20F780A973856B93f63670377900C1d2a50a77c4', 'ElementEx'),
    {
      maker: ME,
      taker: ZERO,
      expiry: expiry.toString(),
      nonce: 1,
      erc20Token: WETH,
      erc20TokenAmount: '16000000000000000000',
      fees: [],
      nft: ALICE,
      nftId: 7,
      hashNonce: 0,
    },
  );
describeRows([
  [
    'an order that leaves with the contract what it seems to give',
    bebopOfSeveral('0x0700'),
    ['You send at most: 50,000 USDC', 'You receive at least: nothing'],
    ['nothing-in-return'],
  ],
  [
    'an order with one maker after another',
    bebopOfSeveral('0x00000708', [WETH, USDC], [USDC, WETH]),
    ['You send at most: 50,000 USDC', 'You receive at least: 16 WETH'],
  ],
  [
    'an order whose partner is paid on top',
    jam(250n),
    ['You receive at least: 16 WETH', `Paid to: ${BOB}`, 'Amount: 0.41025641025641'],
  ],
  ['an order whose partner gets most', jam(6_000n), [`Paid to: ${BOB}`, 'Amount: 24 WETH'], ['paid-to-another']],
  [
    'an order whose expiry has more in it',
    element((1_767_225_000n << 32n) | BigInt(SOON)),
    ['Until: 2026-01-01 01:00:00 UTC\n', 'Listed at: 1767225000 (as a time: 2025-12-31 23:50:00 UTC)\n'],
  ],
  [
    'an auction, whose expiry has by how much the price falls',
    element((1n << 252n) | (25_000_000n << 64n) | (1_767_225_000n << 32n) | BigInt(SOON)),
    [
      'You receive at least: 12 WETH (at best 16 WETH)',
      'Until: 2026-01-01 01:00:00 UTC\n',
      'Listed at: 1767225000 (as a time: 2025-12-31 23:50:00 UTC)\n',
    ],
  ],
  [
    'an order of a kind that nobody knows',
    element((5n << 252n) | (9n << 64n) | BigInt(SOON)),
    ['Until: 2026-01-01 01:00:00 UTC\n', 'Kind of the order: 1961…5289 (58 digits)'],
  ],
]);

describe('an expiry with more in it', () => {
  it('is shown whole among all signed values, too', () => {
    const packed = (1_767_225_000n << 32n) | BigInt(SOON);
    expect(saying(explainTyped(element(packed)))).toContain(`expiry: ${packed}`);
  });
});
