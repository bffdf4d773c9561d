import { type Effect, type Term } from '../../../../src/core/decode/effects/effect';
import { Findings } from '../../../../src/core/decode/effects/findings';
import { freshBudget } from '../../../../src/core/decode/rules/calls';
import { canonical, isUint, leavesOf, messageLeaves } from '../../../../src/core/decode/rules/messages/leaves';
import { suspicionsOf } from '../../../../src/core/decode/rules/messages/unknown';
import { callsIn } from '../../../../src/core/decode/rules/messages/unknown-calls';
import { getsNothing } from '../../../../src/core/decode/rules/messages/unknown-orders';
import { type Hex } from '../../../../src/core/eth/bytes';
import { ALICE, BOB, ME, typedData, typesOf, USDC, VIEW } from '../../../support/explaining';

const WETH: Hex = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const CONTRACT: Hex = '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D';
const MOST = ((1n << 256n) - 1n).toString();
const HASH: Hex = `0x${'ab'.repeat(32)}`;
const wordOf = (at: Hex): Hex => `0x${'0'.repeat(24)}${at.slice(2).toLowerCase()}`;

type Message = Readonly<Record<string, unknown>>;

const NAMES = new Map([
  [ALICE.toLowerCase(), 'Alice'],
  [BOB.toLowerCase(), 'Bob'],
  [ME.toLowerCase(), 'me'],
  [USDC.toLowerCase(), 'USDC'],
  [WETH.toLowerCase(), 'WETH'],
]);
const who = (at: Hex | undefined): string => (at === undefined ? 'nobody' : (NAMES.get(at.toLowerCase()) ?? at));
const termText = ({ asset, least, to }: Term): string =>
  `${least} ${asset === undefined ? 'of something' : asset.kind === 'erc20' ? who(asset.token) : asset.kind}${to === undefined ? '' : ` to ${who(to)}`}`;
const short = (effect: Effect): string => {
  switch (effect.kind) {
    case 'permission':
      return `${effect.what}: ${who(effect.to)}`;
    case 'operation':
      return `operation of ${who(effect.sender)}`;
    case 'order':
      return `${who(effect.maker)} gives ${effect.gives.map(termText).join()} for ${effect.gets.map(termText).join()}${effect.taker === undefined ? '' : ` from ${who(effect.taker)}`}`;
    case 'named':
      return `names ${who(effect.address)}`;
    default:
      return effect.kind;
  }
};

const suspected = (type: string, message: Message, isDescribed = false, contract: Hex | undefined = CONTRACT) => {
  const data = typedData(type, { name: 'Site', chainId: 1, verifyingContract: CONTRACT }, message);
  const scene = { view: VIEW, chainId: 1n, findings: new Findings(), budget: freshBudget(), contract };
  return suspicionsOf(messageLeaves(data), data, isDescribed, scene).map(short);
};

describe('a message that nobody knows may give a permission', () => {
  it.each<[string, string, Message, unknown: string[], described: string[]]>([
    [
      'to somebody who is called a spender',
      'Thing(address spender,uint256 count)',
      { spender: BOB, count: 5 },
      ['amount: Bob', 'described: Bob'],
      ['described: Bob'],
    ],
    ['but not to the account that signs', 'Thing(address spender)', { spender: ME }, [], []],
    ['but not to the contract that it is for', 'Thing(address spender)', { spender: CONTRACT }, [], []],
    [
      'by its own name, to whomever it names',
      'Grant(address who)',
      { who: BOB },
      ['amount: Bob', 'described: Bob'],
      [],
    ],
    ['but to nobody if it names nobody', 'Grant(uint256 count)', { count: 5 }, [], []],
    [
      'by an amount that is unlimited',
      'Thing(address who,uint256 amount)',
      { who: BOB, amount: MOST },
      ['unlimited: Bob', 'described: Bob'],
      [],
    ],
    ['but not by a usual amount', 'Thing(address who,uint256 amount)', { who: BOB, amount: 5 }, [], []],
    [
      'that is unlimited, to a spender',
      'Thing(address spender,uint256 amount)',
      { spender: BOB, amount: MOST },
      ['unlimited: Bob', 'described: Bob'],
      ['unlimited: Bob', 'described: Bob'],
    ],
    [
      'that is unlimited, in a text',
      'Thing(address spender,string amount)',
      { spender: BOB, amount: MOST },
      ['unlimited: Bob', 'described: Bob'],
      ['unlimited: Bob', 'described: Bob'],
    ],
    [
      'whose large number is a time',
      'Thing(address spender,uint256 deadline)',
      { spender: BOB, deadline: MOST },
      ['amount: Bob', 'described: Bob'],
      ['described: Bob'],
    ],
    [
      'whose large number is in a text that is no amount',
      'Thing(address spender,string title)',
      { spender: BOB, title: MOST },
      ['amount: Bob', 'described: Bob'],
      ['described: Bob'],
    ],
    [
      'whose amount is a text that is no number',
      'Thing(address spender,string amount)',
      { spender: BOB, amount: 'all' },
      ['amount: Bob', 'described: Bob'],
      ['described: Bob'],
    ],
    [
      'for everything',
      'Thing(address operator,bool approved)',
      { operator: BOB, approved: true },
      ['all: Bob', 'described: Bob'],
      ['all: Bob', 'described: Bob'],
    ],
    [
      'for nothing that is not approved',
      'Thing(address operator,bool approved)',
      { operator: BOB, approved: false },
      ['amount: Bob', 'described: Bob'],
      ['described: Bob'],
    ],
    [
      'for no more because of another flag',
      'Thing(address operator,bool fast)',
      { operator: BOB, fast: true },
      ['amount: Bob', 'described: Bob'],
      ['described: Bob'],
    ],
    ['to act, by its name', 'LinkAgent(address who)', { who: BOB }, ['agent: Bob'], ['agent: Bob']],
    ['to act, by the name of a value', 'Thing(address apiKey)', { apiKey: BOB }, ['agent: Bob'], ['agent: Bob']],
    ['to act, by a weaker word', 'AddSigner(address who)', { who: BOB }, ['agent: Bob'], []],
    [
      'to act, to nobody whom it names',
      'Thing(string publicKey)',
      { publicKey: 'x' },
      ['agent: nobody'],
      ['agent: nobody'],
    ],
    ['to somebody in bytes', 'Thing(bytes32 spender)', { spender: wordOf(BOB) }, ['amount: Bob', 'described: Bob'], []],
    [
      'of votes',
      'Delegation(address delegatee,uint256 nonce,uint256 expiry)',
      { delegatee: BOB, nonce: 1, expiry: 2 },
      ['described: Bob'],
      [],
    ],
    [
      'of votes to the account itself',
      'Delegation(address delegatee,uint256 nonce,uint256 expiry)',
      { delegatee: ME, nonce: 1, expiry: 2 },
      [],
      [],
    ],
    [
      'that has the name of one of votes',
      'Delegation(address delegatee,uint256 nonce)',
      { delegatee: BOB, nonce: 1 },
      ['amount: Bob', 'described: Bob'],
      ['described: Bob'],
    ],
  ])('%s', (_what, type, message, unknown, described) => {
    expect(suspected(type, message)).toEqual(unknown);
    expect(suspected(type, message, true)).toEqual(described);
  });

  it('to the contract that it names, if it is for none', () => {
    const grant = ['Thing(address spender)', { spender: CONTRACT }] as const;
    const data = typedData(grant[0], {}, grant[1]);
    const scene = { view: VIEW, chainId: 1n, findings: new Findings(), budget: freshBudget(), contract: undefined };
    expect(suspicionsOf(messageLeaves(data), data, false, scene)).toHaveLength(2);
  });
});

describe('a message that nobody knows may be a hash', () => {
  it.each<[string, string, Message, boolean]>([
    ['32 bytes alone', 'Thing(bytes32 value)', { value: HASH }, true],
    ['32 bytes in bytes', 'Thing(bytes value)', { value: HASH }, true],
    ['31 bytes in bytes', 'Thing(bytes value)', { value: HASH.slice(0, -2) }, false],
    ['32 bytes in a text', 'Thing(string value)', { value: HASH.slice(2) }, true],
    ['a text', 'Thing(string value)', { value: 'hello' }, false],
    ['a number of more than 200 bits', 'Thing(uint256 value)', { value: (1n << 200n).toString() }, true],
    ['a number of 200 bits', 'Thing(uint256 value)', { value: ((1n << 200n) - 1n).toString() }, false],
    ['an address in 32 bytes', 'Thing(bytes32 value)', { value: wordOf(BOB) }, false],
    ['32 bytes that only make it unique', 'Thing(bytes32 salt)', { salt: HASH }, false],
    ['32 bytes with their kind', 'Thing(bytes32 value,uint8 kind)', { value: HASH, kind: 1 }, true],
    ['32 bytes with a time', 'Thing(bytes32 value,uint256 deadline)', { value: HASH, deadline: 1 }, true],
    ['32 bytes with a number', 'Thing(bytes32 value,uint256 count)', { value: HASH, count: 1 }, false],
    ['32 bytes with somebody', 'Thing(bytes32 value,address to)', { value: HASH, to: BOB }, false],
    ['a root with somebody', 'Thing(bytes32 root,address to)', { root: HASH, to: BOB }, true],
    [
      'a root with a text and a number',
      'Thing(bytes32 root,string name,uint256 count)',
      { root: HASH, name: 'x', count: 1 },
      true,
    ],
    [
      'a root with three other values',
      'Thing(bytes32 root,string name,uint256 count,uint256 more)',
      { root: HASH, name: 'x', count: 1, more: 2 },
      false,
    ],
  ])('%s', (_what, type, message, isOne) => {
    expect(suspected(type, message)).toEqual(isOne ? ['opaque'] : []);
    // Whoever describes it says what it stands for.
    expect(suspected(type, message, true)).toEqual([]);
  });
});

describe('a message that nobody knows may be an operation', () => {
  it.each<[string, string, Message, boolean]>([
    ['an account and call data', 'Thing(address sender,bytes callData)', { sender: BOB, callData: '0x1234' }, true],
    [
      'an account and executions',
      'Thing(address account,bytes executions)',
      { account: BOB, executions: '0x1234' },
      true,
    ],
    ['an account and a text', 'Thing(address sender,string callData)', { sender: BOB, callData: 'x' }, false],
    ['call data alone', 'Thing(bytes callData)', { callData: '0x1234' }, false],
    ['an account alone', 'Thing(address sender)', { sender: BOB }, false],
    ['somebody else and call data', 'Thing(address friend,bytes callData)', { friend: BOB, callData: '0x1234' }, false],
    ['a text as the account', 'Thing(string sender,bytes callData)', { sender: 'x', callData: '0x1234' }, false],
  ])('%s', (_what, type, message, isOne) => {
    expect(suspected(type, message)).toEqual(isOne ? ['operation of Bob'] : []);
  });
});

describe('a message that nobody knows may be an order', () => {
  const SWAP = 'Swap(address sellToken,address buyToken,uint256 sellAmount,uint256 buyAmount)';
  const swap = { sellToken: USDC, buyToken: WETH, sellAmount: 5, buyAmount: 7 };
  const NOTHING = 'me gives 1 of something for 0 of something';

  it.each<[string, string, Message, string[]]>([
    ['of two tokens', SWAP, swap, ['me gives 5 USDC for 7 WETH']],
    [
      'of several tokens, none of which is named',
      'Swap(address sellToken,address inputToken,uint256 sellAmount,uint256 buyAmount)',
      { ...swap, inputToken: WETH },
      ['me gives 5 of something for 7 of something'],
    ],
    [
      'of the same token twice',
      'Swap(address sellToken,address inputToken,uint256 sellAmount,uint256 buyAmount)',
      { ...swap, inputToken: USDC.toLowerCase() },
      ['me gives 5 USDC for 7 of something'],
    ],
    ['not without what is got', 'Swap(uint256 sellAmount)', { sellAmount: 5 }, []],
    ['not without what is given', 'Swap(uint256 buyAmount)', { buyAmount: 5 }, []],
    ['not with negative amounts', 'Swap(int256 sellAmount,int256 buyAmount)', { sellAmount: -5, buyAmount: 7 }, []],
    [
      'of amounts inside of structs',
      'Swap(Side offer,Side[] consideration)Side(uint256 amount)',
      { offer: { amount: 5 }, consideration: [{ amount: 7 }, { amount: 8 }] },
      ['me gives 5 of something for 15 of something'],
    ],
    [
      'not of amounts inside of other structs',
      'Swap(Side one,Side two)Side(uint256 amount)',
      { one: { amount: 5 }, two: { amount: 7 } },
      [],
    ],
    [
      'of the most that is given, and the least that is got',
      'Swap(uint256 sellStartAmount,uint256 sellEndAmount,uint256 buyStartAmount,uint256 buyEndAmount)',
      { sellStartAmount: 5, sellEndAmount: 9, buyStartAmount: 8, buyEndAmount: 7 },
      ['me gives 9 of something for 7 of something'],
    ],
    [
      'of the most and the least in the other order',
      'Swap(uint256 sellStartAmount,uint256 sellEndAmount,uint256 buyStartAmount,uint256 buyEndAmount)',
      { sellStartAmount: 9, sellEndAmount: 5, buyStartAmount: 7, buyEndAmount: 8 },
      ['me gives 9 of something for 7 of something'],
    ],
    [
      'of which nobody says who gives what',
      'Swap(uint256 baseAmount,uint256 quoteAmount)',
      { baseAmount: 5, quoteAmount: 7 },
      ['nobody gives 5 of something for 7 of something'],
    ],
    [
      'whose side is a field of its own',
      'Swap(uint8 side,uint256 makerAmount,uint256 takerAmount)',
      { side: 1, makerAmount: 5, takerAmount: 7 },
      ['nobody gives 5 of something for 7 of something'],
    ],
    [
      'whose side its amounts say all the same',
      'Swap(uint8 side,uint256 sellAmount,uint256 buyAmount)',
      { side: 1, sellAmount: 5, buyAmount: 7 },
      ['me gives 5 of something for 7 of something'],
    ],
    [
      'of somebody else, for one taker',
      'Swap(address maker,address taker,uint256 sellAmount,uint256 buyAmount)',
      { ...swap, maker: ALICE, taker: ME },
      ['Alice gives 5 of something for 7 of something to Alice from me'],
    ],
    [
      'that pays another',
      'Swap(address maker,address recipient,uint256 sellAmount,uint256 buyAmount)',
      { ...swap, maker: ME, recipient: BOB },
      ['me gives 5 of something for 7 of something to Bob', 'names Bob'],
    ],
    [
      'that pays the account itself',
      'Swap(address recipient,uint256 sellAmount,uint256 buyAmount)',
      { ...swap, recipient: ME },
      ['me gives 5 of something for 7 of something to me'],
    ],
    [
      'that pays another, behind the account itself',
      'Swap(address to,address recipient,uint256 sellAmount,uint256 buyAmount)',
      { ...swap, to: ME, recipient: BOB },
      ['me gives 5 of something for 7 of something to Bob', 'names Bob'],
    ],
    ['of something for nothing', 'Listing(uint256 price)', { price: 0 }, [NOTHING]],
    ['not of something for a price', 'Listing(uint256 price)', { price: 1 }, []],
    ['not of a price alone', 'Thing(uint256 price)', { price: 0 }, []],
    ['not of what is given alone', 'Order(uint256 sellAmount)', { sellAmount: 5 }, []],
    ['not of what is neither given nor got', 'Order(uint256 count)', { count: 5 }, []],
    [
      'whose price goes to others',
      'Listing(uint256 price,Fee[] fees)Fee(uint256 rate)',
      { price: 1, fees: [{ rate: 4_000 }, { rate: 6_000 }] },
      [NOTHING],
    ],
    [
      'of whose price something is left',
      'Listing(uint256 price,Fee[] fees)Fee(uint256 rate)',
      { price: 1, fees: [{ rate: 4_000 }, { rate: 5_999 }] },
      [],
    ],
    [
      'not by shares that are no fees',
      'Listing(uint256 price,Part[] parts)Part(uint256 rate)',
      { price: 1, parts: [{ rate: 10_000 }] },
      [],
    ],
    [
      'not by a number of fees that is no share',
      'Listing(uint256 price,Royalty[] royalties)Royalty(uint256 number)',
      { price: 1, royalties: [{ number: 10_000 }] },
      [],
    ],
  ])('%s', (_what, type, message, effects) => {
    expect(suspected(type, message)).toEqual(effects);
  });

  it('of which nothing is got', () => {
    const gets = (type: string, message: Message): boolean => getsNothing(leavesOf(typesOf(type), 'Swap', message));
    expect(gets('Swap(uint256 buyAmount)', { buyAmount: 0 })).toBe(true);
    expect(gets('Swap(uint256 buyAmount)', { buyAmount: 1 })).toBe(false);
    expect(gets('Swap(uint256 sellAmount)', { sellAmount: 0 })).toBe(false);
  });
});

describe('the calls in a message that nobody knows', () => {
  const TYPE = 'Batch(Call[] calls)Call(address to,uint256 value,bytes data)';
  const call = { to: BOB, value: '5', data: '0xABCD' };
  const found = (type: string, message: Message) => callsIn(typedData(type, {}, message));

  it('are structs with a target and data', () => {
    expect(found(TYPE, { calls: [call] })).toEqual([{ to: BOB, value: 5n, data: 'abcd' }]);
    expect(found('Call(address to,bytes data)', call)).toEqual([{ to: BOB, value: 0n, data: 'abcd' }]);
    expect(found('Call(address friend,bytes data)', { ...call, friend: BOB })).toEqual([]);
    expect(found('Call(address to,bytes memo)', { ...call, memo: '0x' })).toEqual([]);
    expect(found('Call(address to,string data)', call)).toEqual([]);
    expect(found('Call(string to,bytes data)', call)).toEqual([]);
  });

  it('are found inside of others and of lists', () => {
    const inner = 'Outer(address to,bytes data,Call[][] more)Call(address target,uint256 amount,bytes payload)';
    const more = [[{ target: ALICE, amount: 7, payload: '0x12' }], []];
    expect(found(inner, { ...call, more })).toEqual([
      { to: BOB, value: 0n, data: 'abcd' },
      { to: ALICE, value: 7n, data: '12' },
    ]);
  });

  it.each([
    [100, 100],
    [101, 100],
  ])('of %d, %d are read', (count, read) => {
    expect(found(TYPE, { calls: Array.from({ length: count }, () => call) })).toHaveLength(read);
  });
});

describe('a value of a message', () => {
  const addressIn = (type: string, value: unknown, name = 'recipient'): Hex | undefined =>
    leavesOf({}, type, value, name, name)[0]?.address;

  it.each<[string, string, unknown, Hex | undefined]>([
    ['an address', 'address', BOB, BOB],
    ['the zero address', 'address', `0x${'0'.repeat(40)}`, undefined],
    ['an address in a text', 'string', BOB, BOB],
    ['an address with its chain', 'string', `eip155:1:${BOB}`, BOB],
    ['an address in a sentence', 'string', `to ${BOB}`, undefined],
    ['20 bytes', 'bytes', BOB, BOB],
    ['21 bytes', 'bytes', `${BOB}00`, undefined],
    ['an address in 32 bytes', 'bytes32', wordOf(BOB), BOB.toLowerCase() as Hex],
    ['a number in 32 bytes', 'bytes32', `0x${'0'.repeat(60)}1234`, undefined],
    ['an address in a number', 'uint256', BigInt(BOB).toString(), BOB.toLowerCase() as Hex],
    ['a negative number', 'int256', '-5', undefined],
    ['a flag', 'bool', true, undefined],
  ])('is an address: %s', (_what, type, value, found) => {
    expect(addressIn(type, value)).toBe(found);
  });

  it('is no address if it is a number by another name', () => {
    expect(addressIn('uint256', BigInt(BOB).toString(), 'count')).toBeUndefined();
  });

  it('is an amount if it is not negative', () => {
    const isAmount = (type: string, value: unknown): boolean => isUint({ name: '', type, value });
    expect([isAmount('uint8', 0), isAmount('int8', 0), isAmount('int8', -1)]).toEqual([true, true, false]);
    expect([isAmount('string', '5'), isAmount('bytes32', HASH)]).toEqual([false, false]);
  });

  it('is written in one spelling', () => {
    expect(canonical('uint256', '0x10')).toBe('16');
    expect(canonical('bytes4', '0xABCDEF01')).toBe('0xabcdef01');
    expect(canonical('string', '0xABCDEF01')).toBe('0xABCDEF01');
  });
});
