import { concatHex, encodeAbiParameters, encodeFunctionData, type Hex, pad, parseAbi, toHex } from 'viem';

import { explainAction } from '../../../../src/core/decode/explain/transaction';
import { explainUserOperation } from '../../../../src/core/decode/explain/user-operation';
import { type ContractFacts, NO_METADATA } from '../../../../src/core/decode/metadata/contract-metadata';
import { type Explanation, type Viewpoint } from '../../../../src/core/decode/explanation';
import {
  ALICE,
  BOB,
  codesOf,
  explainCall,
  explainTyped,
  ME,
  typedData,
  USDC,
  VIEW,
  written,
} from '../../../support/explaining';

const STRANGER: Hex = '0x66666666666666666666666666666666DEaDbeef';
const CONTRACT: Hex = '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D';
const PERMIT2: Hex = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const UNKNOWN = '0x12345678';

/** What the open part says besides alarms. */
const open = ({ title, changes, main }: Explanation): string =>
  [title, ...[...changes, ...main].map(written)].join('\n');

const word = (value: bigint): Hex => toHex(value, { size: 32 });
const called = (...parts: readonly Hex[]): Hex => concatHex([UNKNOWN, ...parts]);
const encode = (signature: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as string[]), args } as never);

/** Metadata that a contract's developer published: an ABI in which a function has another meaning. */
const published = (selector: string, facts: { name: string; inputs: readonly { name: string; type: string }[] }) => {
  const functions: ContractFacts = { functions: { [selector]: facts } };
  const contractMetadata = {
    ...NO_METADATA,
    shards: Object.fromEntries([...'0123456789abcdef'].map((digit) => [digit, null])),
    tokens: {},
    contracts: { [`1:${CONTRACT.toLowerCase()}`]: functions },
  };
  return { ...VIEW, contractMetadata };
};

describe('a call that hides a stranger', () => {
  it.each<[string, Hex]>([
    ['as a word of an unknown function', called(pad(STRANGER))],
    ['as the last of many words', called(...Array.from({ length: 60 }, (_, n) => word(BigInt(n))), pad(STRANGER))],
    ['in bytes of an unknown function', called(encodeAbiParameters([{ type: 'bytes' }], [pad(STRANGER)]))],
    [
      'in a call inside of an unknown function',
      called(encodeAbiParameters([{ type: 'bytes' }], [encode('sweep(address,address)', [ALICE, STRANGER])])),
    ],
    [
      'in a call inside of a call inside of an unknown function',
      called(
        encodeAbiParameters(
          [{ type: 'bytes[]' }],
          [[encode('multi(bytes)', [encode('sweep(address,address)', [ALICE, STRANGER])])]],
        ),
      ),
    ],
    [
      'beside the length of a call that there is not',
      called(word(36n + 32n * 2n), pad(ALICE), pad(STRANGER), word(7n), word(0n)),
    ],
    ['after the arguments of a transfer', concatHex([encode('transfer(address,uint256)', [ALICE, 5n]), pad(STRANGER)])],
    ['in bytes32, as bridges have recipients', encode('send(bytes32,uint256)', [pad(STRANGER), 5n])],
    ['at the left of a word', called(pad(STRANGER, { dir: 'right' }))],
    ['with a fee behind it', called(concatHex([STRANGER, '0x0000000000000000000000c8']))],
    ['with flags in front, as routers pack pools', called(`0x80000000000000003b6d0340${STRANGER.slice(2)}`)],
    ['as bytes that are nothing else', called(encodeAbiParameters([{ type: 'bytes' }], [STRANGER]))],
    ['on a packed path', encode('exactInput(bytes)', [concatHex([USDC, '0x000bb8', STRANGER, '0x0001f4', CONTRACT])])],
  ])('%s', (_how, data) => {
    expect(open(explainCall(CONTRACT, data))).toContain(STRANGER);
  });

  it('behind an ABI of its own, in which there is no address', () => {
    const view = published('12345678', { name: 'claim', inputs: [{ name: 'kind', type: 'uint8' }] });
    const explanation = explainCall(CONTRACT, called(word(1n), pad(STRANGER), word(5_000_000n)), { view });
    expect(open(explanation)).toContain(STRANGER);
    expect(open(explanation)).toContain('5000000');
    expect(explanation.title).toBe('Call 0x7a25…488D');
  });

  it('among more addresses than are listed: the rest is a warning with their number', () => {
    const many = Array.from({ length: 30 }, (_, n): Hex => pad(`0x${(n + 0x21).toString(16).repeat(20)}`));
    const { main, warnings } = explainCall(CONTRACT, called(...many));
    expect(main.filter(({ label }) => label.startsWith('Value '))).toHaveLength(12);
    expect(warnings).toContain('The data has 18 more addresses, which this screen does not list.');
  });

  it('in the call data of an operation that nobody can read', () => {
    const explanation = explainUserOperation(
      {
        sender: ME,
        nonce: 0n,
        initCode: concatHex([BOB, '0x12']),
        callData: called(pad(STRANGER)),
        callGasLimit: 100_000n,
        verificationGasLimit: 100_000n,
        preVerificationGas: 1n,
        maxFeePerGas: 1n,
        maxPriorityFeePerGas: 1n,
        paymasterAndData: '0x',
        signature: '0x',
      },
      {
        domain: { chainId: 1n, entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032', version: '0.7' },
        accountTitle: 'SimpleAccount 0.7',
        calls: undefined,
        wasPrepared: false,
        funds: undefined,
      },
      VIEW,
    );
    expect(open(explanation)).toContain(STRANGER);
    expect(open(explanation)).toContain(`Factory: ${BOB}`);
  });

  it('in the arguments of a constructor', () => {
    const { main } = explainAction(
      { to: null, value: 0n, data: concatHex(['0x600160', pad(STRANGER)]), chainId: 1n },
      VIEW,
    );
    expect(main).toContainEqual({ kind: 'address', label: 'Argument, word 1', value: STRANGER.toLowerCase() });
  });

  it('in one call of a batch, behind another call with more addresses than are listed', () => {
    const junk = Array.from({ length: 20 }, (_, n): Hex => pad(`0x${(n + 0x21).toString(16).repeat(20)}`));
    const wrapped = encode('multicall(bytes[])', [[called(...junk), called(pad(STRANGER))]]);
    expect(open(explainCall(CONTRACT, wrapped))).toContain(STRANGER);
  });

  it('by a name: words of others say nothing', () => {
    const view = published('12345678', { name: `Permit2 ${STRANGER}`, inputs: [{ name: STRANGER, type: 'address' }] });
    const { main } = explainCall(CONTRACT, called(pad(STRANGER)), { view });
    expect(main).toContainEqual({ kind: 'address', label: `“${STRANGER}”`, value: STRANGER.toLowerCase() });
  });
});

describe('a call that hides an amount', () => {
  it.each<[string, Hex, string]>([
    ['in a word of an unknown function', called(word(49_999_000_000n)), '49999000000'],
    ['in a number that may be a time', called(word(2_000_000_000n)), '2000000000 (as a time: 2033-05-18'],
    [
      'in a call inside',
      called(encodeAbiParameters([{ type: 'bytes' }], [encode('f(uint256)', [8_123_456n])])),
      '8123456',
    ],
    [
      'beside the length of a call that there is not',
      called(word(36n), word(12_345_678_901n), word(0n)),
      '12345678901',
    ],
    ['that is also a possible address', called(word(0x1234567890abcdef12345678n)), 'or the address 0x0000000000000000'],
    ['that is everything', encode('leave(uint256)', [2n ** 200n]), 'more than any token has'],
  ])('%s', (_how, data, says) => {
    expect(open(explainCall(CONTRACT, data))).toContain(says);
  });

  it('that has as many wei as the coins that are sent has a row of its own', () => {
    const explanation = explainCall(CONTRACT, called(pad(USDC), word(50_000_000_000n)), { value: 50_000_000_000n });
    expect(explanation.changes.map(written)).toEqual(['You send: 0.00000005 ETH']);
    expect(open(explanation)).toContain('Value 2: 50000000000');
  });

  it('after a deadline of the same number, under its own name', () => {
    const inputs = ['deadline', 'amount'].map((name) => ({ name, type: 'uint256' }));
    const view = published('12345678', { name: 'deposit', inputs });
    const said = open(explainCall(CONTRACT, called(word(2_000_000_000n), word(2_000_000_000n)), { view }));
    expect(said).toContain('“deadline”: 2000000000');
    expect(said).toContain('“amount”: 2000000000');
  });

  it('behind zeros: long data does not make it an offset', () => {
    const data = called(...Array.from({ length: 4000 }, () => word(0n)), word(65_000n));
    expect(open(explainCall(CONTRACT, data))).toContain('65000');
  });

  it.each([
    ['by a symbol that begins like a known one', 'USDCx'],
    ['by a symbol that has a known one in it', 'axUSDC'],
    ['by a symbol of digits', 'V50000000000'],
  ])('%s', (_how, symbol) => {
    const token = '0x7777777777777777777777777777777777777777' as const;
    const fake = { kind: 'erc20', token, declared: { symbol, decimals: 6 } } as const;
    const got = { asset: fake, amount: 50_000_000_000n } as const;
    const outcome = { kind: 'changes', changes: { sends: [], receives: [got], allows: [], creates: [] } } as const;
    const data = called(pad(USDC), word(50_000_000_000n), pad(PERMIT2), word(49_999_000_000n));
    const said = open(explainCall(CONTRACT, data, { view: { ...VIEW, outcome } }));
    for (const words of ['Value 1: USDC', 'Value 3: Permit2', 'Value 4: 49999000000']) expect(said).toContain(words);
  });

  it('of the same digits as another one is listed beside it', () => {
    const explanation = explainCall(CONTRACT, called(word(5_000_000_000_000_000_000n), word(5_000_000n)), {
      value: 5n * 10n ** 18n,
    });
    expect(explanation.changes.map(written)).toEqual(['You send: 5 ETH']);
    expect(open(explanation)).toContain('Value 2: 5000000');
  });

  it('by many: more than a screen lists are a warning', () => {
    const many = Array.from({ length: 50 }, (_, n) => word(BigInt(1_000_000 + n)));
    expect(explainCall(CONTRACT, called(...many)).warnings).toContain(
      'The data has 10 more numbers, which this screen does not list.',
    );
  });
});

describe('a message that hides a value', () => {
  const GRANT = 'Grant(address who,uint256 sum,string note,bytes blob,Inner[] more)Inner(address deep,int256 delta)';
  const DOMAIN = { name: 'X', chainId: 1, verifyingContract: CONTRACT };
  const message = {
    who: ALICE,
    sum: '8123',
    note: '1000.5',
    blob: pad(STRANGER),
    more: [{ deep: BOB, delta: '-77000' }],
  };

  it('lists every address and number by its name, with the contract that it is for', () => {
    const said = open(explainTyped(typedData(GRANT, DOMAIN, message)));
    for (const value of [ALICE, '8123', '1000.5', STRANGER, BOB, '-77000', CONTRACT]) expect(said).toContain(value);
  });

  it('a string is quoted, as recipients of other networks are', () => {
    const members = Array.from({ length: 14 }, (_, n) => `bool flag${n}`).join(',');
    const flags = Object.fromEntries(Array.from({ length: 14 }, (_, n) => [`flag${n}`, false]));
    const type = `Exit(${members},string payee,bytes packed,bytes long)`;
    const payee = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
    const packed = concatHex(['0x01', STRANGER]);
    const said = open(
      explainTyped(typedData(type, DOMAIN, { ...flags, payee, packed, long: pad('0x', { size: 99 }) })),
    );
    expect(said).toContain(`“payee”: ${payee}`);
    expect(said).toContain(`“packed”: ${packed.toLowerCase()}`);
    expect(said).toContain('“long”: 99 bytes that Keystead does not read');
  });

  it('more values than a screen can list are a danger', () => {
    const more = Array.from({ length: 300 }, (_, n) => ({
      deep: pad(toHex((n + 1) * 7919 + 2 ** 40), { size: 20 }),
      delta: n,
    }));
    expect(codesOf(explainTyped(typedData(GRANT, DOMAIN, { ...message, more })))).toContain('not-fully-read');
  });
});

describe('a function in the words of its developer', () => {
  it('that is called like a payment is quoted in the title, and is not taken for one', () => {
    const selector = 'a1b2c3d4';
    const facts = { name: 'Send funds', inputs: [{ name: 'to', type: 'address' }] };
    const view: Viewpoint = { ...published(selector, facts), vouchedFor: [CONTRACT] };
    const { title } = explainCall(CONTRACT, concatHex([`0x${selector}`, pad(STRANGER)]), { view });
    expect(title).toMatch(/^Call “Send funds” of /u);
  });
});

describe('what is known stays calm', () => {
  const own: Viewpoint = { ...VIEW, names: { [BOB.toLowerCase()]: 'Keystead 2' } };
  const data = (recipient: Hex): Hex => encode('mintTo(address,uint256)', [recipient, 5n]);

  it('an own account, a known contract and a known token are said by name, and nothing new alarms', () => {
    const stranger = explainCall(CONTRACT, data(STRANGER), { view: own });
    for (const [address, name] of [
      [BOB, 'your Keystead 2'],
      [PERMIT2, 'Permit2'],
      [USDC, 'USDC'],
    ] as const) {
      const explanation = explainCall(CONTRACT, data(address), { view: own });
      expect(open(explanation)).toContain(name);
      expect(explanation.warnings).toEqual(stranger.warnings);
      expect(codesOf(explanation)).toEqual([]);
    }
  });

  it('the largest numbers are amounts, at any alignment', () => {
    const { main } = explainCall(CONTRACT, called(word(2n ** 128n - 1n), word(2n ** 160n - 1n), word(2n ** 96n - 1n)));
    expect(main.filter(({ kind }) => kind === 'address').map(written)).toEqual([`Contract: ${CONTRACT}`]);
    expect(main.filter(({ value }) => value.includes('more than any token has'))).toHaveLength(3);
  });

  it('a known address reads as no other one four bytes further', () => {
    const { main } = explainCall(CONTRACT, called(pad(USDC), word(2n ** 256n - 1n), pad(PERMIT2), word(0n)));
    expect(main.filter(({ kind }) => kind === 'address').map(written)).toEqual([`Contract: ${CONTRACT}`]);
  });

  it('the signer, the zero address and lengths are no news', () => {
    const { main } = explainCall(CONTRACT, called(pad(ME), word(0n), word(64n), word(96n)));
    expect(main.filter(({ label }) => label.startsWith('Value'))).toEqual([]);
  });

  it('two addresses that change places change their labels', () => {
    const labels = (...addresses: readonly Hex[]) =>
      explainCall(CONTRACT, called(...addresses.map((one) => pad(one)))).main.filter(({ label }) =>
        /^Value/u.test(label),
      );
    expect(labels(ALICE, STRANGER)).not.toEqual(labels(STRANGER, ALICE));
  });

  it('a transfer of a known token has no row twice', () => {
    expect(open(explainCall(USDC, encode('transfer(address,uint256)', [ALICE, 5_500_000n]))).split('\n')).toEqual([
      'Send 5.5 USDC to 0xd8dA…6045',
      'You send: 5.5 USDC',
      `To: ${ALICE}`,
    ]);
  });
});

describe('a title', () => {
  it.each<[string, Hex]>([
    ['Withdraw', encode('withdraw(uint256)', [15n * 10n ** 18n])],
    ['Take back', encode('approve(address,uint256)', [PERMIT2, 0n])],
    ['Decrease', encode('decreaseAllowance(address,uint256)', [PERMIT2, 5n])],
    ['Cancel', '0x0ba234d6'],
  ])('is not written by the selector of an unknown contract: %s', (words, data) => {
    const { title } = explainCall(STRANGER, data, { value: 5n * 10n ** 18n });
    expect(title).not.toContain(words);
    expect(title).toContain('5 ETH');
  });

  it('says a loss that only the preview has before what a known contract is asked to do', () => {
    const loss = { asset: { kind: 'erc20', token: USDC }, amount: 49_999_000_000n } as const;
    const outcome = { kind: 'changes', changes: { sends: [loss], receives: [], allows: [], creates: [] } } as const;
    const view = { ...VIEW, outcome };
    expect(
      explainCall(PERMIT2, encode('invalidateNonces(address,address,uint48)', [USDC, ALICE, 5]), { view }).title,
    ).toBe('Send 49,999 USDC');
  });

  it.each<[string, Hex]>([
    ['lets somebody spend', encode('approve(address,uint256)', [PERMIT2, 1n])],
    ['gives up control', '0x715018a6'],
    ['pays a deposit back', encode('withdrawDepositTo(address,uint256)', [ME, 10n ** 18n])],
  ])('of an unknown contract that %s says the loss in the preview first', (_what, data) => {
    const loss = { asset: { kind: 'erc20', token: USDC }, amount: 49_999_000_000n } as const;
    const outcome = { kind: 'changes', changes: { sends: [loss], receives: [], allows: [], creates: [] } } as const;
    expect(explainCall(STRANGER, data, { view: { ...VIEW, outcome } }).title).toBe('Send 49,999 USDC');
  });

  it('of a call that nobody knows comes with a warning, the first of all', () => {
    expect(explainCall(CONTRACT, called(word(1n))).warnings[0]).toBe('Keystead does not know what this call does.');
  });
});

describe('numbers that are too long for a row', () => {
  const first = 2n ** 200n + 1n;
  /** A row shows the same digits of it. */
  const second = first + 10_000n * 2n ** 64n;
  const said = (...numbers: readonly bigint[]): string =>
    open(explainCall(CONTRACT, encode('multicall(bytes[])', [numbers.map((number) => called(word(number)))])));

  it('are two rows if they differ in the middle, one of them in full', () => {
    const rows = said(first, second);
    expect(rows.match(/1606…1377 \(61 digits\)/gu)).toHaveLength(1);
    expect(rows).toContain(second.toString());
  });

  it('are one row if they are the same', () => {
    expect(said(first, first)).not.toContain(first.toString());
  });
});
