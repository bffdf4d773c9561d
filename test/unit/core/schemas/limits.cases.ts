import { readProposal } from '../../../../src/core/schemas/any-proposal';
import { GasEstimateStruct, NamedTransactionStruct } from '../../../../src/core/schemas/bundler';
import { CallsIdParamsStruct, GetCapabilitiesStruct } from '../../../../src/core/schemas/calls';
import {
  ChainIdStruct,
  ChainNameStruct,
  chainOfScope,
  ChainReferenceStruct,
  typedDataScope,
} from '../../../../src/core/schemas/chain';
import { isWithin } from '../../../../src/core/schemas/json-rpc';
import { bytesStruct, QuantityAnswerStruct, Uint256Struct } from '../../../../src/core/structs/hex';
import { UserOperationByHashStruct } from '../../../../src/core/schemas/known-operation';
import {
  PaymasterAnswer06Struct,
  PaymasterData07Struct,
  PaymasterStub07Struct,
} from '../../../../src/core/schemas/paymaster';
import { CallsReceiptStruct } from '../../../../src/core/schemas/receipt';
import { MessageSignatureStruct, TransactionSignatureStruct } from '../../../../src/core/schemas/signature';
import { StorageSettingsStruct } from '../../../../src/core/schemas/storage-settings';
import { parse } from '../../../../src/core/structs/struct';
import { assertIncludable, TransactionStruct } from '../../../../src/core/schemas/transaction';
import { UserOperationStruct } from '../../../../src/core/schemas/user-operation';

const hex = (value: bigint) => `0x${value.toString(16)}`;
const ADDRESS = `0x${'ab'.repeat(20)}`;
const HASH = `0x${'cd'.repeat(32)}`;

type Checked = { readonly is: (value: unknown) => boolean };

function expectTakes(struct: Checked, taken: readonly unknown[], refused: readonly unknown[]): void {
  for (const value of taken) expect([value, struct.is(value)]).toEqual([value, true]);
  for (const value of refused) expect([value, struct.is(value)]).toEqual([value, false]);
}

/** The value with each member in turn omitted, and replaced with a value of no valid type. */
const without = (whole: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  names.flatMap((name) => {
    const { [name]: _left, ...rest } = whole;
    return [rest, { ...whole, [name]: Symbol.iterator }];
  });

describe('quantities', () => {
  it('are at most their maximum', () => {
    const most = (1n << 256n) - 1n;
    expectTakes(
      Uint256Struct,
      ['0x0', '0x1', '0xa', '0xF', hex(most)],
      ['0x', '0x00', '0x01', '', '1', '0X1', ' 0x1', '0x1 ', hex(most + 1n), `0x1${'0'.repeat(65)}`, 1, ['0x1'], null],
    );
  });

  it('in a response may have leading zeros, or be JSON numbers', () => {
    expectTakes(
      QuantityAnswerStruct,
      ['0x0', '0x00', '0x01', `0x${'f'.repeat(64)}`, 0, 5, 2 ** 53 - 1],
      ['0x', '5', -1, 1.5, 2 ** 53, Number.NaN, `0x${'0'.repeat(65)}`, null, [1]],
    );
  });

  it('of bytes have an exact length', () => {
    expectTakes(bytesStruct(32), [HASH], [`${HASH}00`, HASH.slice(0, -2), HASH.slice(0, -1), '0x']);
  });
});

describe('chains', () => {
  /** EIP-2294: `v` of a legacy signature fits 64 bits. */
  const most = (1n << 63n) - 37n;

  it('are one to 2^63-37', () => {
    expectTakes(ChainIdStruct, [hex(1n), hex(most)], [hex(most + 1n)]);
    expectTakes(
      ChainNameStruct,
      ['eip155:1', `eip155:${most}`],
      [
        `eip155:${most + 1n}`,
        'eip155:0',
        'eip155:01',
        'eip155:',
        'eip155:0x1',
        ' eip155:1',
        'eip155:1\n',
        ['eip155:1'],
        1,
      ],
    );
    expectTakes(ChainReferenceStruct, ['0x1', hex(most), 'eip155:1'], ['0x0', 'eip155:0', hex(most + 1n), '1', 1]);
  });

  it('in a scope are decimal or absent', () => {
    expect(['', 'eip155:0', 'eip155:1', 'eip155:10'].map(chainOfScope)).toEqual([undefined, undefined, 1n, 10n]);
    for (const scope of [
      'eip155',
      'eip155:',
      'eip155:01',
      'eip155:0x1',
      'eip155:-1',
      'solana:1',
      'eip155:1 ',
      `eip155:1${'0'.repeat(78)}`,
    ])
      expect(() => chainOfScope(scope)).toThrow(/must be an EVM chain/u);
  });

  it('in the scope of typed data may be hex, as MetaMask copies them', () => {
    const scopes = [
      'eip155:0x1',
      'eip155:0x0A',
      'eip155:10',
      '',
      'eip155:0x',
      'solana:0x1',
      `eip155:0x${'1'.repeat(65)}`,
    ];
    expect(scopes.map(typedDataScope)).toEqual(['eip155:1', 'eip155:10', ...scopes.slice(2)]);
  });
});

describe('isWithin', () => {
  it('counts arrays and objects alike', () => {
    for (const flat of [1, 'a', null, true, undefined]) expect(isWithin(0, flat)).toBe(true);
    for (const one of [[], {}, [1, null], { a: 'b' }])
      expect([isWithin(0, one), isWithin(1, one)]).toEqual([false, true]);
    for (const two of [[[]], { a: {} }, [1, [2]], { a: 1, b: [] }])
      expect([isWithin(1, two), isWithin(2, two)]).toEqual([false, true]);
  });
});

describe("a site's calls", () => {
  it('have an id of 1 to 8194 characters', () => {
    expectTakes(CallsIdParamsStruct, [['a'], ['a'.repeat(8194)]], [[''], ['a'.repeat(8195)], [1], []]);
  });

  it('can be queried for capabilities on at most 1000 chains', () => {
    const chains = (count: number) => Array.from({ length: count }, () => '0x1');
    expectTakes(
      GetCapabilitiesStruct,
      [[ADDRESS], [ADDRESS, null], [ADDRESS, []], [ADDRESS, chains(1000)], [ADDRESS, [], 1]],
      [[], ['0x'], [ADDRESS, chains(1001)], [ADDRESS, 5], [ADDRESS, ['eip155:1']], ADDRESS],
    );
  });

  it('have receipts with hashes of 32 bytes', () => {
    const whole = {
      ...{ logs: [], status: '0x1', blockHash: HASH, blockNumber: '0x1', gasUsed: '0x1', transactionHash: HASH },
    };
    expectTakes(
      CallsReceiptStruct,
      [whole],
      [
        ...without(whole, Object.keys(whole)),
        { ...whole, blockHash: `${HASH}00` },
        { ...whole, transactionHash: '0x' },
      ],
    );
  });
});

describe('signatures', () => {
  it('are 65 bytes, or r and s of 32', () => {
    const whole = { v: '0x1b', r: HASH, s: HASH };
    const long = (bytes: number) => `0x${'ab'.repeat(bytes)}`;
    expectTakes(MessageSignatureStruct, [long(65)], [long(64), long(66), '0x']);
    expectTakes(
      TransactionSignatureStruct,
      [whole],
      [...without(whole, Object.keys(whole)), { ...whole, r: long(31) }, { ...whole, s: long(33) }],
    );
  });
});

describe('a transaction', () => {
  const legacy = {
    ...{ type: '0x0', nonce: '0x0', to: ADDRESS, from: ADDRESS, value: '0x0', data: '0x' },
    ...{ gasLimit: '0x1', chainId: '0x1', gasPrice: '0x1' },
  };

  it('has a nonce of at most 2^64-2, and a gas limit of at most 2^64-1', () => {
    expectTakes(
      TransactionStruct,
      [
        { ...legacy, nonce: hex((1n << 64n) - 2n) },
        { ...legacy, gasLimit: hex((1n << 64n) - 1n) },
      ],
      [
        { ...legacy, nonce: hex((1n << 64n) - 1n) },
        { ...legacy, gasLimit: hex(1n << 64n) },
      ],
    );
  });

  it.each([
    ['gasPrice', legacy],
    ['maxFeePerGas', { ...legacy, type: '0x2', gasPrice: undefined, maxPriorityFeePerGas: '0x0', maxFeePerGas: '0x1' }],
  ])('costs less than 2^256 by its %s', (field, { gasPrice, ...rest }) => {
    const priced = (price: bigint) => ({
      ...rest,
      ...(gasPrice !== undefined && { gasPrice }),
      gasLimit: '0x10',
      [field]: hex(price),
    });
    expect(TransactionStruct.is(priced((1n << 252n) - 1n))).toBe(true);
    expect(() => parse(TransactionStruct, priced(1n << 252n), 'transaction')).toThrow(
      `transaction.${field}: must keep the product with gasLimit below 2^256`,
    );
  });

  const call = { chainId: 1n, nonce: 0n, to: null, value: 0n, data: '0x', gasLimit: 1n } as const;
  const typed = { ...call, type: 'eip1559', accessList: [], maxFeePerGas: 1n, maxPriorityFeePerGas: 1n } as const;

  it('has the same limits once its fields are filled in', () => {
    const most = { nonce: (1n << 64n) - 2n, gasLimit: (1n << 64n) - 1n, maxFeePerGas: 1n << 191n };
    expect(() => assertIncludable({ ...typed, ...most })).not.toThrow();
    expect(() => assertIncludable({ ...typed, maxFeePerGas: (1n << 256n) - 1n })).not.toThrow();
  });

  it.each([
    [{ nonce: (1n << 64n) - 1n }, 'nonce: must be a hex quantity without leading zeros, at most 2^64-2'],
    [{ gasLimit: 1n << 64n }, 'gasLimit: must be a hex quantity without leading zeros, at most 2^64-1'],
    [{ chainId: 0n }, 'chainId: must not be zero: the signature would be valid on every chain'],
    [{ maxFeePerGas: 1n << 256n }, 'maxFeePerGas: must be a hex quantity without leading zeros, at most 2^256-1'],
    [
      { maxFeePerGas: 1n << 256n, maxPriorityFeePerGas: 1n << 256n },
      'maxPriorityFeePerGas: must be a hex quantity without leading zeros, at most 2^256-1',
    ],
    [{ gasLimit: 2n, maxFeePerGas: 1n << 255n }, 'maxFeePerGas: must keep the product with gasLimit below 2^256'],
    [{ maxPriorityFeePerGas: 2n }, 'maxPriorityFeePerGas: must not be above maxFeePerGas'],
  ])('is refused with %o filled in', (fields, message) => {
    expect(() => assertIncludable({ ...typed, ...fields })).toThrow(`transaction.${message}`);
  });

  it('of a legacy type is refused for its gasPrice', () => {
    expect(() => assertIncludable({ ...call, type: 'legacy', gasPrice: 1n << 256n })).toThrow(
      'transaction.gasPrice: must be a hex quantity without leading zeros, at most 2^256-1',
    );
  });
});

describe('a user operation', () => {
  it('has a factory and a paymaster of whole addresses, or none', () => {
    const least = {
      ...{ sender: ADDRESS, nonce: '0x0', initCode: '0x', callData: '0x', callGasLimit: '0x1' },
      ...{ verificationGasLimit: '0x1', preVerificationGas: '0x1', maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' },
      ...{ paymasterAndData: '0x', signature: '0x' },
    };
    const NOBODY = `0x${'00'.repeat(20)}`;
    for (const field of ['initCode', 'paymasterAndData'])
      expectTakes(
        UserOperationStruct,
        ['0x', ADDRESS, `${ADDRESS}12`].map((value) => ({ ...least, [field]: value })),
        [ADDRESS.slice(0, -2), '0x12', NOBODY, `${NOBODY}12`].map((value) => ({ ...least, [field]: value })),
      );
  });
});

describe('the settings of a storage service', () => {
  const settings = { url: 'https://storage.example/api', key: 'k', secret: 's' };

  it('have a URL that paths can be appended to', () => {
    expect(StorageSettingsStruct.is(settings)).toBe(true);
    expect(() => parse(StorageSettingsStruct, { ...settings, url: `${settings.url}?a=b` }, 'params')).toThrow(
      /params\.url.* must be a URL without a query/u,
    );
  });
});

describe('the responses of a bundler', () => {
  it('estimate gas of at most 2^119-1', () => {
    const most = hex((1n << 119n) - 1n);
    const above = hex(1n << 119n);
    const least = { callGasLimit: most, preVerificationGas: most };
    expectTakes(
      GasEstimateStruct,
      [
        least,
        { ...least, verificationGasLimit: most, verificationGas: null, paymasterVerificationGasLimit: most },
        { ...least, extra: 1 },
      ],
      [
        ...without(least, ['callGasLimit', 'preVerificationGas']),
        ...[
          'callGasLimit',
          'preVerificationGas',
          'verificationGasLimit',
          'verificationGas',
          'paymasterVerificationGasLimit',
        ].map((name) => ({ ...least, [name]: above })),
      ],
    );
  });

  it('name a transaction, or are null', () => {
    expectTakes(
      NamedTransactionStruct,
      [
        null,
        { receipt: { transactionHash: HASH } },
        { success: 'true', receipt: { transactionHash: HASH, status: 1 } },
      ],
      [
        {},
        { receipt: null },
        { receipt: {} },
        { receipt: { transactionHash: HASH.slice(0, -2) } },
        { receipt: { transactionHash: `${HASH}00` } },
      ],
    );
  });

  it('contain a complete operation of either form, or null', () => {
    const common = {
      ...{ sender: ADDRESS, nonce: '0x0', callData: '0x', callGasLimit: '0x1', verificationGasLimit: '0x1' },
      ...{ preVerificationGas: '0x1', maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1', signature: '0x' },
    };
    const known = (userOperation: unknown) => ({ userOperation, entryPoint: ADDRESS });
    const packed = { ...common, initCode: '0x', paymasterAndData: '0x' };
    const limit = hex((1n << 128n) - 1n);
    const parts = {
      ...{ factory: ADDRESS, factoryData: '0x', paymaster: ADDRESS, paymasterVerificationGasLimit: limit },
      ...{ paymasterPostOpGasLimit: limit, paymasterData: '0x', paymasterSignature: '0x' },
    };
    expectTakes(
      UserOperationByHashStruct,
      [
        null,
        known(packed),
        known(common),
        known({ ...common, ...parts }),
        ...[null, HASH].map((transactionHash) => ({ ...known(common), transactionHash })),
      ],
      [
        ...without(packed, Object.keys(common)).map(known),
        ...Object.keys(parts).map((name) => known({ ...common, ...parts, [name]: 'x' })),
        ...['paymasterVerificationGasLimit', 'paymasterPostOpGasLimit'].map((name) =>
          known({ ...common, [name]: hex(1n << 128n) }),
        ),
        ...[`${HASH}00`, HASH.slice(0, -2), 5].map((transactionHash) => ({ ...known(common), transactionHash })),
        { userOperation: common },
        { ...known(common), entryPoint: '0x' },
      ],
    );
  });
});

describe('the responses of a paymaster', () => {
  const NOBODY = `0x${'00'.repeat(20)}`;
  const long = (bytes: number) => `0x${'ab'.repeat(bytes)}`;

  it('name a paymaster, and contain at most 8192 bytes', () => {
    expectTakes(
      PaymasterAnswer06Struct,
      [ADDRESS, long(21), long(8192)].map((paymasterAndData) => ({ paymasterAndData })),
      [
        {},
        ...['0x', long(19), long(8193), NOBODY, `${NOBODY}12`, null].map((paymasterAndData) => ({ paymasterAndData })),
      ],
    );
    const whole = { paymaster: ADDRESS, paymasterData: long(8192) };
    expectTakes(
      PaymasterData07Struct,
      [whole, { ...whole, paymasterData: '0x' }],
      [
        ...without(whole, ['paymaster', 'paymasterData']),
        ...[NOBODY, long(19), long(21)].map((paymaster) => ({ ...whole, paymaster })),
        { ...whole, paymasterData: long(8193) },
      ],
    );
  });

  it('contain the gas limit of postOp from 0.7 on, at most 2^120-1', () => {
    const most = hex((1n << 120n) - 1n);
    const whole = { paymaster: ADDRESS, paymasterData: '0x', paymasterPostOpGasLimit: most };
    expectTakes(
      PaymasterStub07Struct,
      [whole, { ...whole, paymasterVerificationGasLimit: most, isFinal: true }],
      [
        ...without(whole, ['paymaster', 'paymasterData', 'paymasterPostOpGasLimit']),
        { ...whole, paymasterPostOpGasLimit: hex(1n << 120n) },
        { ...whole, paymasterVerificationGasLimit: hex(1n << 120n) },
        { ...whole, isFinal: 'yes' },
      ],
    );
  });
});

test('the signature of a paymaster has at most 65535 bytes, whose number fits into two', () => {
  const of = (bytes: number) => ({
    userOperation: {
      ...{ sender: ADDRESS, nonce: '0x0', callData: '0x', callGasLimit: '0x1', verificationGasLimit: '0x1' },
      ...{ preVerificationGas: '0x1', maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1', signature: '0x' },
      paymasterSignature: `0x${'ab'.repeat(bytes)}`,
    },
    entryPoint: ADDRESS,
  });
  expectTakes(UserOperationByHashStruct, [of(0), of(65_535)], [of(65_536)]);
});

test('a proposal has at most a million characters, so that it does not exhaust the page', async () => {
  const refusal = (length: number) =>
    readProposal('{'.padEnd(length)).catch((error: unknown) => (error as Error).message);
  expect(await refusal(1_000_000)).toBe('proposal: must be JSON');
  expect(await refusal(1_000_001)).toBe('proposal: must have at most 1000000 characters');
});

test('a transaction with delegations (EIP-7702) names the one that it cannot have', () => {
  const one = { chainId: 2n, address: `0x${'ab'.repeat(20)}`, nonce: 0n, yParity: 0, r: 1n, s: 1n } as const;
  const call = { chainId: 1n, nonce: 0n, value: 0n, data: '0x', gasLimit: 1n } as const;
  const transaction = {
    ...call,
    type: 'eip7702',
    to: one.address,
    ...{ maxFeePerGas: 1n, maxPriorityFeePerGas: 1n, accessList: [] },
  } as const;
  expect(() => assertIncludable({ ...transaction, authorizationList: [] })).not.toThrow();
  expect(() => assertIncludable({ ...transaction, authorizationList: [one] })).toThrow(
    "transaction.authorizationList[0].chainId: must be the transaction's chain id",
  );
});

test('a transaction has the fields of its type, and no others', () => {
  const common = {
    from: ADDRESS,
    to: ADDRESS,
    nonce: '0x0',
    value: '0x0',
    data: '0x',
    gasLimit: '0x1',
    chainId: '0x1',
  };
  const fees = { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' };
  const whole = [
    { ...common, type: '0x0', gasPrice: '0x1' },
    { ...common, type: '0x1', gasPrice: '0x1', accessList: [] },
    { ...common, type: '0x2', ...fees, accessList: [] },
  ];
  expectTakes(TransactionStruct, whole, [
    ...whole.flatMap((one) => [
      { ...one, extra: 1 },
      { ...one, data: '0x1' },
      { ...one, from: undefined },
    ]),
    { ...common, type: '0x0', ...fees },
    { ...common, type: '0x0', gasPrice: '0x1', accessList: [] },
    { ...common, type: '0x2', gasPrice: '0x1' },
    { ...common, type: '0x4', ...fees },
    { ...common, type: '0x3', gasPrice: '0x1' },
    { ...common, gasPrice: '0x1' },
  ]);
  const message = (value: unknown) => {
    try {
      parse(TransactionStruct, value, 'transaction');
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(message({ ...common, type: '0x3', gasPrice: '0x1' })).toMatch(/transaction\.type/u);
  expect(message({ ...whole[0], from: undefined })).toMatch(/transaction\.from/u);
});
