import {
  type AbiParameter,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  numberToHex,
  parseAbi,
  stringToHex,
} from 'viem';

import { addBytes, addNumber, type Collected } from '../../../../src/core/decode/completeness/call-values';
import { meaningOfWord } from '../../../../src/core/decode/completeness/signed-value';
import { SignedValues } from '../../../../src/core/decode/completeness/signed-values';
import { Findings } from '../../../../src/core/decode/effects/findings';
import { sideOf } from '../../../../src/core/decode/effects/orders';
import { comingTo } from '../../../../src/core/decode/effects/own-lists';
import { explainMessage } from '../../../../src/core/decode/explain/message';
import { type Explanation } from '../../../../src/core/decode/explanation';
import { decodeNamed } from '../../../../src/core/decode/metadata/abi-json';
import { declaredText } from '../../../../src/core/decode/metadata/declared-token';
import { freshBudget } from '../../../../src/core/decode/rules/calls';
import { recoveryControl } from '../../../../src/core/decode/rules/calls/recovery';
import { paymentOf } from '../../../../src/core/decode/rules/payment';
import { parseSignIn } from '../../../../src/core/decode/words/siwe';
import { shortened } from '../../../../src/core/decode/words/text';
import { type UserOperation } from '../../../../src/core/erc4337/user-operation';
import { type Hex } from '../../../../src/core/eth/bytes';
import {
  ALICE,
  BOB,
  codesOf,
  explainCall,
  explainTyped,
  ME,
  saying,
  typedData,
  typesOf,
  USDC,
  VIEW,
  written,
} from '../../../support/explaining';
import { at, packed, PERMISSIONS, permit, PERMIT2, SOON } from './typed-rows';

const CAROL: Hex = '0x66666666666666666666666666666666DEaDbeef';
const word = (value: bigint): Hex => numberToHex(value, { size: 32 });
const open = ({ changes, main }: Explanation): string[] => [...changes, ...main].map(written);

describe('a text', () => {
  it('is cut only if it is too long', () => {
    expect([shortened('abc', 3), shortened('abcd', 3)]).toEqual(['abc', 'abc… (1 more character)']);
  });
});

describe('a sign-in', () => {
  const message = (...more: readonly string[]): string =>
    [
      ...['dapp.example wants you to sign in with your Ethereum account:', ME, '', '', 'URI: https://dapp.example'],
      ...['Version: 1', 'Chain ID: 1', 'Nonce: 12345678', ...more],
    ].join('\n');
  const ISSUED = 'Issued At: 2025-12-31T00:00:00Z';
  const explained = (...more: readonly string[]): Explanation => explainMessage(stringToHex(message(...more)), VIEW);

  it.each<[string, readonly string[], string[]]>([
    ['ends now', ['Expiration Time: 2026-01-01T00:00:00Z'], ['This sign-in has already expired.']],
    ['ends in a second', ['Expiration Time: 2026-01-01T00:00:01Z'], []],
    ['begins now', ['Not Before: 2026-01-01T00:00:00Z'], []],
    ['has begun', ['Not Before: 2025-12-31T00:00:00Z'], []],
    ['begins in a second', ['Not Before: 2026-01-01T00:00:01Z'], ['This sign-in is not valid yet.']],
  ])('counts until its end, and from its beginning on: %s', (_when, lines, warnings) => {
    expect(explained(ISSUED, ...lines).warnings).toEqual(warnings);
  });

  it('may be from the beginning of all times, or from before', () => {
    expect(open(explained('Issued At: 1970-01-01T00:00:00Z'))).toContain('Issued: 1970-01-01 00:00:00 UTC');
    expect(open(explained('Issued At: 1969-12-31T23:59:59Z'))).toContain('Issued: before 1970');
  });

  it('says which of its rules a text breaks', () => {
    const fault = (...lines: readonly string[]) => parseSignIn(message(ISSUED, ...lines));
    expect(fault('Hello')).toEqual({ fault: 'it ends in lines that do not belong there' });
    expect(fault('Resources:', 'no URI')).toEqual({ fault: 'its resources are malformed' });
    expect(fault('Resources:', '- https://dapp.example')).not.toHaveProperty('fault');
  });
});

describe('a message that is no text', () => {
  const codes = (...parts: readonly Hex[]): string[] => codesOf(explainMessage(concat(parts), VIEW));
  const bytes = (count: number): Hex => `0x${'11'.repeat(count)}`;

  it('may be hashed typed data, of exactly that length', () => {
    expect(codes('0x1901', bytes(64))).toEqual(['typed-data-message']);
    expect(codes('0x1901', bytes(63))).toEqual([]);
    expect(codes('0x1901', bytes(65))).toEqual([]);
  });

  it('may be a transaction, by the length of its list', () => {
    expect(codes('0xc8', bytes(8))).toEqual(['transaction-message']);
    expect(codes('0xc7', bytes(7))).toEqual([]);
    expect(codes('0xf7', bytes(55))).toEqual(['transaction-message']);
    expect(codes('0xf7', bytes(54))).toEqual([]);
    expect(codes('0xf838', bytes(56))).toEqual(['transaction-message']);
    expect(codes('0x05c8', bytes(8))).toEqual(['transaction-message']);
    expect(codes('0x06c8', bytes(8))).toEqual([]);
  });
});

describe('the network of typed data', () => {
  const salted = (salt: bigint, chainId?: number): Explanation =>
    explainTyped({
      types: {
        ...typesOf('Note(string text)'),
        EIP712Domain: [
          ...(chainId === undefined ? [] : [{ name: 'chainId', type: 'uint256' }]),
          { name: 'salt', type: 'bytes32' },
        ],
      },
      primaryType: 'Note',
      domain: { salt: word(salt), ...(chainId !== undefined && { chainId }) },
      message: { text: 'hello' },
    });

  it('may be in its salt, if it is small enough', () => {
    expect(salted(10n).network).toBe('OP');
    expect(salted(0n).network).toBeUndefined();
    expect(salted((1n << 53n) - 1n).network).toBeDefined();
    expect(salted(1n << 53n).network).toBeUndefined();
  });

  it('is not another known one in its salt', () => {
    expect(codesOf(salted(10n, 1))).toEqual(['chain-mismatch']);
    expect(codesOf(salted(1n, 1))).toEqual([]);
    expect(codesOf(salted(123_456_789n, 1))).toEqual([]);
    expect(codesOf(salted(0n, 1))).toEqual([]);
  });
});

describe('a contract that typed data names as a text', () => {
  it('is no token of a permit', () => {
    const data = permit(5n, SOON);
    const domain = data.types.EIP712Domain!.map((one) =>
      one.name === 'verifyingContract' ? { ...one, type: 'string' } : one,
    );
    const said = saying(explainTyped({ ...data, types: { ...data.types, EIP712Domain: domain } }));
    expect(said).toContain('Token: not named');
    expect(said).toContain('This signature is not bound to any contract.');
  });
});

describe('a value that nobody can read', () => {
  it('is quoted if it is a text, and cut if it is long', () => {
    const long = 'a'.repeat(300);
    const { main } = explainTyped(
      typedData('Note(string text,bytes data)', {}, { text: long, data: `0x${'ab'.repeat(150)}` }),
    );
    expect(main.find(({ label }) => label === '“text”')).toMatchObject({
      kind: 'quote',
      value: long,
      source: 'the data',
    });
    expect(main.find(({ label }) => label === '“data”')).toMatchObject({
      kind: 'text',
      value: expect.stringMatching(/^0x(?:ab){99}… \(102 more characters\)$/u) as unknown as string,
    });
  });
});

describe('the arguments of a call by their names', () => {
  const read = (parameters: readonly AbiParameter[], values: readonly unknown[]) =>
    decodeNamed(parameters, encodeAbiParameters(parameters, values as never).slice(2), freshBudget());
  const nested = (depth: number): AbiParameter =>
    depth === 0 ? { name: 'x', type: 'uint256' } : { name: 't', type: 'tuple', components: [nested(depth - 1)] };
  const valueOf = (depth: number): unknown => (depth === 0 ? 5n : { [depth === 1 ? 'x' : 't']: valueOf(depth - 1) });

  it('are read in structs, down to twelve levels', () => {
    expect(read([nested(1)], [valueOf(1)])).toEqual({ t: { x: 5n } });
    expect(read([nested(12)], [valueOf(12)])).toBeDefined();
    expect(read([nested(13)], [valueOf(13)])).toBeUndefined();
  });

  it('are numbered where they have no name, or the same', () => {
    const named = (...names: readonly string[]) => names.map((name) => ({ name, type: 'uint256' }));
    expect(read(named('a', ''), [1n, 2n])).toEqual({ a: 1n, 1: 2n });
    expect(read(named('a', 'a'), [1n, 2n])).toEqual({ 'a (0)': 1n, 'a (1)': 2n });
  });
});

describe('what somebody can use a signature for', () => {
  it('ends with the signature, and is nothing if it takes a permission back', () => {
    expect(explainTyped(permit(1n, SOON)).usable).toEqual({ until: BigInt(SOON) });
    expect(explainTyped(permit(0n, SOON)).usable).toBeUndefined();
    expect(explainTyped(permit(1n, SOON))).not.toHaveProperty('isUnread');
    expect(explainTyped(typedData('Note(string text)', {}, { text: 'x' })).isUnread).toBe(true);
  });

  it('has an end to rely on at Permit2 only', () => {
    const usable = (contract: Hex) =>
      explainTyped(
        typedData(
          `PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)${PERMISSIONS}`,
          at(contract),
          { permitted: { token: USDC, amount: '5' }, spender: BOB, nonce: 0, deadline: SOON },
        ),
      ).usable;
    expect(usable(PERMIT2)).toEqual({ until: BigInt(SOON) });
    expect(usable(ALICE)).toEqual({ until: undefined });
  });
});

describe("an address that stands for the network's coin", () => {
  it('is called so where no network is named', () => {
    const pay = typedData('Pay(address asset)', {}, { asset: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE' });
    expect(open(explainTyped(pay)).join()).toMatch(/“asset”: 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE/u);
    const nested = typedData(
      `Pay(uint8[13] kinds,address asset)`,
      {},
      { kinds: Array.from({ length: 13 }, (_, kind) => kind), asset: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE' },
    );
    expect(open(explainTyped(nested))).toContain("“asset”: the network's coin");
    const known = { ...nested, types: { ...nested.types, EIP712Domain: [{ name: 'chainId', type: 'uint256' }] } };
    expect(open(explainTyped({ ...known, domain: { chainId: 1 } }))).toContain('“asset”: ETH');
  });
});

describe('a key or an account of a site', () => {
  const kernel = (kind: string) =>
    explainTyped(
      typedData(
        'Enable(bytes21 validationId,uint32 nonce,address hook,bytes validatorData,bytes hookData,bytes selectorData)',
        at(ALICE, 'Kernel'),
        {
          ...{ validationId: `0x${kind}${'12345678'.padEnd(40, '0')}`, nonce: 1, hook: ALICE },
          ...{ validatorData: '0x', hookData: '0x', selectorData: '0x' },
        },
      ),
    )
      .dangers.map(({ text }) => text)
      .join();

  it('of Kernel may be a permission', () => {
    expect(kernel('02')).toContain('lets a key (permission 0x12345678) act for 0xd8dA…6045');
    expect(kernel('00')).toContain('lets a key act for 0xd8dA…6045');
    expect(kernel('01')).toContain('lets the validator 0x1234…0000 act');
    expect(explainTyped(typedData('Enable(uint256 count)', at(ALICE), { count: 1 })).title).toContain('“Enable”');
  });

  it.each([
    ['Transfer(uint256 fid,address to,uint256 nonce,uint256 deadline)', 'Give away Farcaster account 7', 'owns'],
    [
      'ChangeRecoveryAddress(uint256 fid,address from,address to,uint256 nonce,uint256 deadline)',
      'Let another account recover Farcaster account 7',
      'can recover, and so take,',
    ],
  ])('of Farcaster: %s', (type, title, does) => {
    const message = { fid: 7, to: BOB, nonce: 0, deadline: SOON, ...(type.includes('from') && { from: ALICE }) };
    const { sections, dangers } = explainTyped(typedData(type, at(ALICE), message));
    expect(sections[0]?.title).toBe(title);
    expect(dangers[0]?.text).toContain(`This means that 0x742d…f44e ${does} Farcaster account 7.`);
  });
});

describe('a transaction of ZKsync', () => {
  const sent = (paymaster: bigint): Explanation =>
    explainTyped(
      typedData(
        'Transaction(uint256 txType,uint256 from,uint256 to,uint256 gasLimit,uint256 gasPerPubdataByteLimit,uint256 maxFeePerGas,uint256 maxPriorityFeePerGas,uint256 paymaster,uint256 nonce,uint256 value,bytes data,bytes32[] factoryDeps,bytes paymasterInput)',
        { name: 'zkSync', version: '2', chainId: 324 },
        {
          ...{ txType: 113, from: BigInt(ME).toString(), to: BigInt(BOB).toString(), gasLimit: 1_000_000 },
          ...{ gasPerPubdataByteLimit: 1, maxFeePerGas: 3_000_000_000, maxPriorityFeePerGas: 0 },
          ...{
            paymaster: paymaster.toString(),
            nonce: 1,
            value: '5',
            data: '0x',
            factoryDeps: [],
            paymasterInput: '0x',
          },
        },
      ),
    );

  it('costs its gas at its price, and may have a paymaster', () => {
    expect(sent(0n).fee).toBe('up to 0.003 ETH');
    expect(saying(sent(0n))).not.toContain('paymaster):');
    expect(saying(sent(BigInt(ALICE)))).toContain(`Fee payer (paymaster): ${ALICE}`);
  });
});

describe('the paymaster of a user operation that is signed as typed data', () => {
  const limits = `${'0'.repeat(28)}1234${'0'.repeat(28)}5678`;
  const rows = (paymasterAndData: Hex): string => open(explainTyped(packed({ paymasterAndData }))).join('\n');

  it('is on the open part with its limits, and with data if there is any', () => {
    const bare = rows(`${CAROL}${limits}`);
    expect(bare).toContain(CAROL);
    expect(bare).toContain("Gas for the paymaster's check: 4660");
    expect(bare).not.toContain('Data for the paymaster');
    expect(rows(`${CAROL}${limits}ab`)).toContain('Data for the paymaster: 0xab');
    expect(rows(`${CAROL}${limits}`.slice(0, -2) as Hex)).not.toContain('Gas for the paymaster');
  });

  it('is paid by what bundlers usually need, by the bytes of the operation', () => {
    const operation: UserOperation = {
      sender: ME,
      nonce: 0n,
      initCode: `0x${'11'.repeat(10)}`,
      callData: `0x${'11'.repeat(20)}`,
      callGasLimit: 1n,
      verificationGasLimit: 1n,
      preVerificationGas: 1n,
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
      paymasterAndData: '0x',
      signature: '0x',
    };
    const scene = { view: VIEW, chainId: 1n, findings: new Findings() };
    const { effects } = paymentOf(operation, { version: '0.7', wasPrepared: true }, scene);
    expect(effects).toMatchObject([{ kind: 'overhead', usual: 60_000n + 40n * 33n }]);
  });
});

describe('calls whose rows depend on a number', () => {
  const encode = (signature: string, args: readonly unknown[]): Hex =>
    encodeFunctionData({ abi: parseAbi([`function ${signature}`] as string[]), args } as never);
  const rowsOf = (data: Hex, value = 0n): string[] =>
    explainCall(ALICE, data, { value }).sections[0]?.lines.map(written) ?? [];

  it('have the coins of a batch, if there are any', () => {
    const batch = encode('multiSend(bytes)', ['0x']);
    expect(rowsOf(batch)).toEqual([]);
    expect(rowsOf(batch, 5n)).toEqual(['Value: 0.000000000000000005 ETH']);
  });

  it('take a permission back with an amount of zero', () => {
    const titleOf = (amount: bigint) =>
      explainCall(USDC, encode('approveAndCall(address,uint256)', [BOB, amount])).sections[0]?.title;
    expect([titleOf(0n), titleOf(1n)]).toEqual(['Revoke an approval', 'Approve spending']);
  });

  it('name three new owners at most', () => {
    const said = (count: number): string =>
      recoveryControl(ALICE, [BOB, CAROL, USDC, ME].slice(0, count)).does((one) => one.slice(0, 6));
    expect(said(3)).toMatch(/give it to 0x742d, 0x6666, 0xA0b8$/u);
    expect(said(4)).toMatch(/give it to 0x742d, 0x6666, 0xA0b8 and others$/u);
  });
});

describe('the name that a contract gives itself', () => {
  const named = (length: number, most = 20): string | undefined =>
    declaredText(encodeAbiParameters([{ type: 'string' }], ['a'.repeat(length)]), most);

  it('is cut, and is none if it is longer than any name', () => {
    expect([named(20), named(21)]).toEqual(['a'.repeat(20), `${'a'.repeat(20)}…`]);
    expect([named(960), named(961)]).toEqual([`${'a'.repeat(20)}…`, undefined]);
    expect([named(0), declaredText(undefined, 20)]).toEqual([undefined, undefined]);
  });
});

describe('owners who are added and removed', () => {
  const steps = (...all: readonly { added?: Hex; removed?: Hex; threshold?: bigint }[]) =>
    comingTo(
      all.map((one) => ({ of: ME, ...one })),
      { members: [ALICE], threshold: 1n },
    );

  it('are those that are left', () => {
    expect(steps({ added: BOB }, { added: CAROL }, { removed: BOB }).change).toMatchObject({
      added: [CAROL],
      removed: [],
    });
    const back = steps({ added: BOB }, { added: CAROL }, { removed: ALICE }, { removed: BOB }, { added: ALICE });
    expect(back.change).toMatchObject({ added: [CAROL], removed: [] });
    const one = steps({ added: BOB }, { removed: ALICE }, { removed: BOB });
    expect(one.change).toMatchObject({ added: [], removed: [ALICE] });
  });

  it('must have been there, and may not be too few', () => {
    expect(steps({ removed: BOB }).after).toBeUndefined();
    expect(steps({ added: ALICE }).after).toBeUndefined();
    expect(steps({ added: BOB, threshold: 2n }).after).toMatchObject({ threshold: 2n });
    expect(steps({ added: BOB, threshold: 3n }).after).toBeUndefined();
  });
});

describe('the side of an order', () => {
  it('of its taker pays the maker, who is not named as somebody else', () => {
    const term = (to: Hex) => ({ asset: { kind: 'native' } as const, least: 1n, most: 1n, to });
    const order = { kind: 'order', maker: BOB, taker: ME, gives: [], gets: [term(BOB), term(CAROL)] } as const;
    expect(sideOf(order, ME)).toMatchObject({ is: 'taker', self: ME, payments: [{ to: CAROL }] });
    expect(sideOf({ ...order, taker: CAROL }, ALICE)).toMatchObject({
      is: 'other',
      self: BOB,
      payments: [{ to: CAROL }],
    });
    expect(sideOf({ ...order, maker: ME, gives: [term(CAROL)], gets: [], taker: CAROL }, ME).payments).toEqual([]);
    expect(sideOf({ ...order, maker: ME, gives: [term(CAROL)], gets: [], taker: ME }, ME).payments).toHaveLength(1);
  });
});

describe('a word of 32 bytes', () => {
  const PLAIN = BOB.slice(2).toLowerCase();
  const meaning = (digits: string): string => {
    const { address, number } = meaningOfWord(digits);
    return [...(address === undefined ? [] : [address]), ...(number === undefined ? [] : ['a number'])].join(' or ');
  };

  it.each<[string, string, string]>([
    ['an address', `${'0'.repeat(24)}${PLAIN}`, `0x${PLAIN}`],
    ['an address behind seven zero bytes of flags', `${'00'.repeat(7)}${'ab'.repeat(5)}${PLAIN}`, `0x${PLAIN}`],
    ['a hash with six zero bytes in front', `${'00'.repeat(6)}${'ab'.repeat(6)}${PLAIN}`, ''],
    ['an address before seven zero bytes', `${PLAIN}${'ab'.repeat(5)}${'00'.repeat(7)}`, `0x${PLAIN}`],
    ['a hash with six zero bytes behind', `${PLAIN}${'ab'.repeat(6)}${'00'.repeat(6)}`, ''],
    ['a number with 24 zero bytes', `${'00'.repeat(10)}abcd${'00'.repeat(14)}${'ab'.repeat(6)}`, 'a number'],
    ['neither, with 23 zero bytes', `${'00'.repeat(10)}abcd${'00'.repeat(13)}${'ab'.repeat(7)}`, ''],
  ])('is %s', (_what, digits, said) => {
    expect(meaning(digits)).toBe(said);
  });

  const added = (add: (found: Collected) => void) => {
    const found: Collected = { values: [], opaque: [], count: 0 };
    add(found);
    return [
      ...found.values.map((value) => (value.kind === 'amount' ? [value.amount, value.orAddress] : value.kind)),
      ...found.opaque.map(() => 'bytes'),
    ];
  };

  it('counts as a number from a thousand on, and may be an address', () => {
    const inWord = (value: bigint) => added((found) => addBytes(word(value), 'It', found));
    expect(inWord(999n)).toEqual([]);
    expect(inWord(1_000n)).toEqual([[1_000n, undefined]]);
    expect(inWord(BigInt(BOB))).toEqual(['address']);
    expect(added((found) => addBytes(BOB, 'It', found))).toEqual(['address']);
    expect(added((found) => addBytes(`${BOB}00`, 'It', found))).toEqual(['bytes']);
    expect(added((found) => addBytes(BOB.slice(0, -2) as Hex, 'It', found))).toEqual([]);
  });

  it('with something in front of an address is a number of both, unless it only makes a message unique', () => {
    const both = (5n << 160n) | BigInt(BOB);
    const named = (number: bigint, label: string, least = 1n) =>
      added((found) => addNumber(number, label, least, found));
    expect(named(both, 'order')).toEqual(['address']);
    const hashed = (BigInt(`0x${'ab'.repeat(12)}`) << 160n) | BigInt(BOB);
    expect(named(hashed, 'order')).toEqual([[hashed, BOB.toLowerCase()]]);
    expect(named(hashed, 'nonce')).toEqual([[hashed, undefined]]);
    expect(named(-5n, 'order')).toEqual([[-5n, undefined]]);
    expect([named(4n, 'order', 5n), named(5n, 'order', 5n)]).toEqual([[], [[5n, undefined]]]);
  });
});

describe('values that are not said elsewhere', () => {
  it('are two hundred at most: more are a danger', () => {
    const many = (count: number): Explanation =>
      explainTyped(
        typedData('List(uint256[] numbers)', {}, { numbers: Array.from({ length: count }, (_, one) => one + 1_001) }),
      );
    // The first twelve values are said.
    expect([many(212), many(213)].map(codesOf)).toEqual([[], ['not-fully-read']]);
    expect(many(212).main).toHaveLength(1 + 212);
    expect(many(213).main).toHaveLength(1 + 212);
  });

  it('are texts of calls, each once', () => {
    const name = encodeFunctionData({
      abi: parseAbi(['function setSubnodeRecord(bytes32,string,address,uint64,uint32,uint64)']),
      args: [word(1n), 'the same', BOB, 0n, 0, 0n],
    });
    const batch = encodeFunctionData({
      abi: parseAbi(['function multicall(bytes[])']),
      args: [Array.from({ length: 25 }, () => name)],
    });
    const { warnings, main } = explainCall(ALICE, batch);
    expect(warnings.join()).not.toContain('more text');
    expect(main.filter(({ value }) => value === 'the same')).toHaveLength(1);
  });

  it('are texts, each once', () => {
    const texts = typedData('List(string[] texts)', {}, { texts: Array.from({ length: 40 }, () => 'the same') });
    expect(explainTyped(texts).warnings.join()).not.toContain('more text');
  });

  it('are too many if looking for them would take too long', () => {
    const isCut = (words: number): boolean => {
      const signed = new SignedValues();
      signed.budget.words = words;
      signed.addBytes([{ label: 'It', digits: '11'.repeat(32) }]);
      return signed.all(() => false).isCut;
    };
    // The word is looked at once as it is, and once for an address.
    expect([isCut(2), isCut(1)]).toEqual([false, true]);
  });

  it('are not said by the words of others', () => {
    const quoted = typedData('Note(string text,address to)', {}, { text: `to ${BOB}`, to: BOB });
    expect(open(explainTyped(quoted)).filter((row) => row === `“to”: ${BOB}`)).toHaveLength(1);
  });
});
