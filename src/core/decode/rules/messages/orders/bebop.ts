import { isIn, isSameAddress } from '../../../../eth/address';
import { type Hex } from '../../../../eth/bytes';
import { type Term } from '../../../effects/effect';
import { isWrappedCoin } from '../../calls/weth';
import { addressOf, digitsOf, type Struct, type TypedRule, type TypedScene, uintOf } from '../rule';
import { COIN, orderRule, orNobody, type OrderTerms, WHOLE_SHARE, tokenTerm } from './order-rule';

const BEBOP = [
  '0xbbbbbbb520d69a9775e85b458c58c648259fad5f',
  '0xbeb0b0623f66be8ce162ebdfa2ec543a522f4ea6',
  '0xbebebeb035351f58602e0c1c8b59ecbff5d5f47b',
];

/** How a token moves: as the coin that it stands for, or only between a maker and the contract. */
type Way = 'plain' | 'as-coin' | 'to-contract' | 'from-contract';
const WAYS: Readonly<Record<string, Way>> = { '04': 'as-coin', '07': 'to-contract', '08': 'from-contract' };

/** What moves from one side of an order to the other. */
type Move = { readonly token: Hex; readonly amount: bigint; readonly way: Way };
type Moves = { readonly made: readonly Move[]; readonly taken: readonly Move[] };

type Form = {
  readonly name: 'SingleOrder' | 'MultiOrder' | 'AggregateOrder';
  readonly makers: string;
  readonly maker: string;
  readonly tokens: string;
  readonly movesOf: (order: Struct) => Moves;
};

/** The bit of `packed_commands` for a maker who pays in coins. */
const MAKER_PAYS_COINS = 2n;

const singleMoves = (order: Struct): Moves => ({
  made: [
    {
      token: addressOf(order, 'maker_token'),
      amount: uintOf(order, 'maker_amount'),
      way: (uintOf(order, 'packed_commands') & MAKER_PAYS_COINS) === 0n ? 'plain' : 'as-coin',
    },
  ],
  taken: [{ token: addressOf(order, 'taker_token'), amount: uintOf(order, 'taker_amount'), way: 'plain' }],
});

type Numbers = readonly (string | number)[];

/** @param several - How a member that is one list for each maker is read. */
function listMoves(order: Struct, several: (member: string) => readonly unknown[]): Moves {
  const commands = digitsOf(order, 'commands').match(/../gu) ?? [];
  let at = 0;
  const movesOf = (side: 'maker' | 'taker', maker: number): Move[] => {
    // Lists of different lengths are no order that the contract accepts.
    const amounts = (several(`${side}_amounts`)[maker] ?? []) as Numbers;
    return ((several(`${side}_tokens`)[maker] ?? []) as readonly Hex[]).map((token, index) => ({
      token,
      amount: BigInt(amounts[index] ?? 0),
      way: WAYS[commands[at++] ?? ''] ?? 'plain',
    }));
  };
  // The commands of a maker's tokens come before those of the tokens that it gets.
  const all = several('maker_tokens').map((_tokens, maker) => ({
    made: movesOf('maker', maker),
    taken: movesOf('taker', maker),
  }));
  return { made: all.flatMap(({ made }) => made), taken: all.flatMap(({ taken }) => taken) };
}

const SINGLE: Form = {
  name: 'SingleOrder',
  makers: 'address maker_address,uint256 maker_nonce',
  maker: 'maker_address',
  tokens:
    'address taker_token,address maker_token,uint256 taker_amount,uint256 maker_amount,address receiver,uint256 packed_commands',
  movesOf: singleMoves,
};
const MULTI: Form = {
  name: 'MultiOrder',
  makers: 'address maker_address,uint256 maker_nonce',
  maker: 'maker_address',
  tokens:
    'address[] taker_tokens,address[] maker_tokens,uint256[] taker_amounts,uint256[] maker_amounts,address receiver,bytes commands',
  movesOf: (order) => listMoves(order, (member) => [order[member]]),
};
/** Several makers share what is given and got. What one leaves with the contract can pay the next. */
const AGGREGATE: Form = {
  name: 'AggregateOrder',
  makers: 'address[] maker_addresses,uint256[] maker_nonces',
  maker: 'maker_addresses',
  tokens:
    'address[][] taker_tokens,address[][] maker_tokens,uint256[][] taker_amounts,uint256[][] maker_amounts,address receiver,bytes commands',
  movesOf: (order) => listMoves(order, (member) => order[member] as readonly unknown[]),
};

function termsOf(order: Struct, { maker: makerMember, movesOf }: Form, scene: TypedScene): OrderTerms {
  const { signer } = scene.view;
  const taker = addressOf(order, 'taker_address');
  const all = [order[makerMember] as Hex | readonly Hex[]].flat();
  const isMaker = isIn(all, signer);
  const { made, taken } = movesOf(order);
  const end = { taker, until: uintOf(order, 'expiry') };
  const plain = (moves: readonly Move[]): Term[] => moves.map(({ token, amount }) => tokenTerm(token, amount));
  // Where the taker's share goes is none of the makers' business.
  if (isMaker && !isSameAddress(taker, signer))
    return { ...end, maker: signer, gives: plain(made), gets: plain(taken) };
  const to = orNobody(addressOf(order, 'receiver'));
  // A partner's fee is kept by the contract, not by the order, and comes out of what the taker gets.
  const more: Partial<Term> = {
    ...(to !== undefined && { to }),
    ...(uintOf(order, 'partner_id') !== 0n && { isBeforeFees: true }),
  };
  const given = made
    .filter(({ way }) => way !== 'to-contract')
    .map(({ token, amount, way }) =>
      tokenTerm(way === 'as-coin' && isWrappedCoin(token, scene) ? COIN : token, amount, more),
    );
  // Whoever is on both sides pays both, and gets back what the taker gives.
  if (isMaker) return { ...end, maker: signer, gives: [...given, ...plain(taken)], gets: plain(taken) };
  return {
    ...end,
    maker: all[0] ?? taker,
    gives: given,
    gets: plain(taken.filter(({ way }) => way !== 'from-contract')),
  };
}

/** Orders that market makers make. Their takers sign them, too. */
const rfqRule = (form: Form): TypedRule =>
  orderRule({
    protocol: 'Bebop',
    contracts: BEBOP,
    type: `${form.name}(uint64 partner_id,uint256 expiry,address taker_address,${form.makers},${form.tokens})`,
    read: (order, scene) => [termsOf(order, form, scene)],
  });

const FEE_BITS = 16;
const PARTNER_AT = 32n;
const ADDRESS_BITS = 160;
const ADDRESS_DIGITS = 40;

/** Who is paid besides, and the shares of the whole; undefined without a partner. */
function partnerOf(packed: bigint): { to: Hex; share: bigint; all: bigint } | undefined {
  const share = BigInt.asUintN(FEE_BITS, packed >> BigInt(FEE_BITS));
  const all = share + BigInt.asUintN(FEE_BITS, packed);
  const address = BigInt.asUintN(ADDRESS_BITS, packed >> PARTNER_AT);
  // The contract refuses higher fees.
  return share === 0n || all >= WHOLE_SHARE
    ? undefined
    : { to: `0x${address.toString(16).padStart(ADDRESS_DIGITS, '0')}`, share, all };
}

/** JAM: the taker signs, and what is bought goes to the receiver. The fees come on top, as shares of the whole. */
export function jamTerms(order: Struct): OrderTerms {
  const taker = addressOf(order, 'taker');
  const to = orNobody(addressOf(order, 'receiver'));
  const partner = partnerOf(uintOf(order, 'partnerInfo'));
  const pairs = (tokens: string, amounts: string) =>
    (order[tokens] as readonly Hex[]).map(
      (token, at) => [token, BigInt((order[amounts] as Numbers)[at] ?? 0)] as const,
    );
  return {
    maker: taker,
    gives: pairs('sellTokens', 'sellAmounts').map(([token, amount]) => tokenTerm(token, amount)),
    gets: pairs('buyTokens', 'buyAmounts').flatMap(([token, amount]) => {
      const got = tokenTerm(token, amount, to === undefined ? {} : { to });
      if (partner === undefined) return [got];
      const left = WHOLE_SHARE - partner.all;
      const whole = (amount * WHOLE_SHARE + left - 1n) / left;
      return [got, tokenTerm(token, (whole * partner.share) / WHOLE_SHARE, { to: partner.to })];
    }),
    until: uintOf(order, 'expiry'),
  };
}
export const JAM_TYPE =
  'JamOrder(address taker,address receiver,uint256 expiry,uint256 exclusivityDeadline,uint256 nonce,address executor,' +
  'uint256 partnerInfo,address[] sellTokens,address[] buyTokens,uint256[] sellAmounts,uint256[] buyAmounts,bytes32 hooksHash)';

/** Bebop's orders, with one maker or several, and JAM's. */
export const BEBOP_RULES: readonly TypedRule[] = [
  ...[SINGLE, MULTI, AGGREGATE].map(rfqRule),
  orderRule({ protocol: 'Bebop', contracts: BEBOP, type: JAM_TYPE, read: (order) => [jamTerms(order)] }),
];
