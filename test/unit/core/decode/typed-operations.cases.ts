import { encodeFunctionData, encodePacked, type Hex, maxUint256, parseAbi } from 'viem';
import { entryPoint08Address, getUserOperationTypedData } from 'viem/account-abstraction';

import { MODULE_4337, MULTI_SEND_CALL_ONLY } from '../../../../src/core/safe/contracts';
import { encodeCalls } from '../../../../src/core/safe/calls';
import { type TypedData } from '../../../../src/core/eth/typed-data';
import { ALICE, BOB, codesOf, explainTyped, ME, NOW, saying, typedData, USDC, VIEW } from '../../../support/explaining';
import { APPROVE, approve, describeRows, packed, type Row } from './typed-rows';

const ENTRY_POINT_06 = '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789';
const ENTRY_POINT_07 = '0x0000000071727De22E5E9d8BAf0edAc6f37da032';
const MULTI_SEND = '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526';

const executed = (name: string, to: Hex, data: Hex, operation: number, value = 0n): Hex =>
  encodeFunctionData({
    abi: parseAbi([`function ${name}(address,uint256,bytes,uint8)`]),
    args: [to, value, data, operation] as never,
  });

/** Of Safe4337Module 0.3.0. */
const SAFE_OP =
  'SafeOp(address safe,uint256 nonce,bytes initCode,bytes callData,uint128 verificationGasLimit,uint128 callGasLimit,uint256 preVerificationGas,uint128 maxPriorityFeePerGas,uint128 maxFeePerGas,bytes paymasterAndData,uint48 validAfter,uint48 validUntil,address entryPoint)';
/** Of 0.2.0. */
const SAFE_OP_06 =
  'SafeOp(address safe,uint256 nonce,bytes initCode,bytes callData,uint256 callGasLimit,uint256 verificationGasLimit,uint256 preVerificationGas,uint256 maxFeePerGas,uint256 maxPriorityFeePerGas,bytes paymasterAndData,uint48 validAfter,uint48 validUntil,address entryPoint)';

const MESSAGE = {
  safe: ALICE,
  nonce: 3,
  initCode: '0x',
  callData: executed('executeUserOp', USDC, APPROVE, 0),
  verificationGasLimit: 400_000,
  callGasLimit: 500_000,
  preVerificationGas: 100_000,
  maxPriorityFeePerGas: 1_000_000_000,
  maxFeePerGas: '20000000000',
  paymasterAndData: '0x',
  validAfter: 0,
  validUntil: Number(NOW) + 3600,
  entryPoint: ENTRY_POINT_07,
};
const safeOp = (fields: Readonly<Record<string, unknown>> = {}, type = SAFE_OP): TypedData =>
  typedData(type, { chainId: 1, verifyingContract: MODULE_4337 }, { ...MESSAGE, ...fields });

/** An address and two gas limits of 16 bytes. */
const PAYMASTER = encodePacked(['address', 'uint128', 'uint128', 'bytes'], [BOB, 70_000n, 30_000n, '0x1234']);

const batch = encodeCalls([
  { to: USDC, value: 0n, data: APPROVE },
  { to: BOB, value: 10n ** 18n, data: '0x' },
]);

const ROWS: readonly Row[] = [
  [
    'a user operation of a Safe',
    safeOp(),
    [
      'Approve a user operation',
      `Account: ${ALICE}`,
      '5.5 USDC',
      `Spender: ${BOB}`,
      'Fee payer: the account',
      'Network fee: up to 0.02 ETH',
      'Max fee per gas: 20 gwei',
      'Max priority fee per gas: 1 gwei',
      'Nonce: 3',
      'Signature expires: 2026-01-01 01:00:00 UTC',
      `Entry point 0.7: ${ENTRY_POINT_07}`,
      `Module: ${MODULE_4337}`,
    ],
  ],
  [
    'one of entry point 0.6',
    safeOp({ entryPoint: ENTRY_POINT_06 }, SAFE_OP_06),
    ['5.5 USDC', 'Network fee: up to 0.02 ETH', `Entry point 0.6: ${ENTRY_POINT_06}`],
  ],
  [
    'several calls in one, as a Safe batches them',
    safeOp({ callData: batch }),
    ['5.5 USDC', `To: ${BOB}`, 'Value: 1 ETH', 'Send funds'],
  ],
  ['one that never expires', safeOp({ validUntil: 0 }), ['Signature expires: never']],
  ['one that is not valid yet', safeOp({ validAfter: Number(NOW) + 60 }), ['Validity starts: 2026-01-01 00:01:00 UTC']],
  ['one that deploys the Safe', safeOp({ initCode: `${BOB}1234` }), [`Factory: ${BOB}`]],
  [
    'an unlimited approval in it',
    safeOp({ callData: executed('executeUserOpWithErrorString', USDC, approve(maxUint256), 0) }),
    [`Spender: ${BOB}`],
    ['unlimited-approval'],
  ],
  [
    'a delegatecall',
    safeOp({ callData: executed('executeUserOp', BOB, APPROVE, 1) }),
    [`Code to run: ${BOB}`],
    ['delegatecall'],
  ],
  [
    'a batch through a contract that can delegatecall',
    safeOp({ callData: batch.replace(MULTI_SEND_CALL_ONLY.slice(2).toLowerCase(), MULTI_SEND.slice(2)) }),
    ['5.5 USDC', `Code to run: ${MULTI_SEND}`],
    ['delegatecall'],
  ],
  [
    'a paymaster',
    safeOp({ paymasterAndData: PAYMASTER }),
    [`Fee payer (paymaster): ${BOB}`, 'Maximum network fee: 0.022 ETH'],
    ['unknown-paymaster'],
  ],
  [
    'an invalid paymaster',
    safeOp({ paymasterAndData: '0x1234' }),
    [
      'Approve a user operation',
      '5.5 USDC',
      `Entry point 0.7: ${ENTRY_POINT_07}`,
      'Max fee per gas: 20 gwei',
      'Max priority fee per gas: 1 gwei',
      'Nonce: 3',
    ],
    ['malformed-call'],
  ],
  ['an invalid factory', safeOp({ initCode: '0x1234' }), ['Factory: 0x1234']],
  [
    'an unknown operation type of a Safe, in a user operation',
    safeOp({ callData: executed('executeUserOp', USDC, APPROVE, 2) }),
    ['Approve a user operation', 'Unknown call'],
    ['malformed-call'],
  ],
  [
    'a user operation of entry point 0.8',
    packed({ paymasterAndData: PAYMASTER }),
    [
      `Account: ${ALICE}`,
      '5.5 USDC',
      `Spender: ${BOB}`,
      `Fee payer (paymaster): ${BOB}`,
      'Maximum network fee: 0.022 ETH',
      'Max fee per gas: 20 gwei',
      'Max priority fee per gas: 1 gwei',
    ],
    ['unknown-paymaster'],
  ],
  [
    // From 0.8 on, the hashed initCode of a delegated account starts with its delegate, which looks like a factory.
    'one that deploys an account, or belongs to a delegated one',
    packed({ initCode: `${BOB}1234` }),
    [`Factory or delegate: ${BOB}`],
  ],
  [
    'one of the account that signs, which makes its calls once it is delegated',
    packed({ sender: ME }),
    [`Account: ${ME}`, '5.5 USDC', 'This makes calls from your own account.'],
    ['own-operation'],
  ],
  ['one with the EIP-7702 marker', packed({ initCode: '0x7702' }), ['Factory or delegate: 0x7702']],
  [
    // At 0.9, the signed data ends with the marker of a paymaster's signature, without the signature and its length.
    "one of entry point 0.9, without the paymaster's signature",
    packed(
      { paymasterAndData: `${PAYMASTER.slice(0, -4)}ffff22e325a297439656` },
      '0x433709009B8330FDa32311DF1C2AFA402eD8D009',
    ),
    ['Entry point 0.9: 0x433709009B8330FDa32311DF1C2AFA402eD8D009', `Fee payer (paymaster): ${BOB}`, 'Nonce: 1'],
    ['unknown-paymaster'],
  ],
  [
    'a message of a Safe',
    typedData(
      'SafeMessage(bytes message)',
      { chainId: 1, verifyingContract: ALICE },
      { message: `0x${'12'.repeat(32)}` },
    ),
    ['Sign a message as a Safe', `Safe: ${ALICE}`],
    ['hash-message'],
  ],
];

/** An operation of an account that Keystead does not know is a danger, whatever it does. */
const isForeign = ({ primaryType, message }: TypedData): boolean =>
  primaryType !== 'SafeMessage' && (message.sender ?? message.safe) !== ME;

describeRows(
  ROWS.map(([name, data, says, dangers = []]): Row => [
    name,
    data,
    says,
    isForeign(data) ? [...dangers, 'foreign-operation'].sort() : dangers,
  ]),
);

it('an operation of another own account is a danger that names it', () => {
  const view = { ...VIEW, names: { [ALICE.toLowerCase()]: 'Smart account 1' } };
  const explanation = explainTyped(packed(), view);
  expect(codesOf(explanation)).toEqual(['own-operation']);
  expect(explanation.dangers[0]?.text).toContain('your Smart account 1');
  expect(explanation.fee).toBe('up to 0.02 ETH');
});

describe('typed data that resembles an operation of a Safe', () => {
  it.each([
    ['with an additional member', SAFE_OP.replace('address safe', 'uint256 more,address safe')],
    ['with a member of another type', SAFE_OP.replace('bytes callData', 'bytes32 callData')],
    ['with a number of another width', SAFE_OP.replace('uint128 callGasLimit', 'uint64 callGasLimit')],
  ])('%s is not decoded as one', (_name, type) => {
    const callData = type.includes('bytes32') ? `0x${'11'.repeat(32)}` : MESSAGE.callData;
    const explanation = explainTyped(safeOp({ more: 1, callData }, type));
    expect(saying(explanation)).toContain('Meaning: unknown');
    // It is an operation by its members all the same.
    expect(codesOf(explanation)).toEqual(['foreign-operation']);
  });

  it('does not say who pays if that is unknown', () => {
    const told = saying(explainTyped(safeOp({ paymasterAndData: '0x1234' })));
    expect(told).not.toContain('Fee payer');
    expect(told).not.toContain('Maximum network fee');
  });

  it('does not call the delegate of an EIP-7702 account a factory, in an operation built by viem', () => {
    const { domain, message } = getUserOperationTypedData({
      chainId: 1,
      entryPointAddress: entryPoint08Address,
      userOperation: {
        sender: ALICE,
        nonce: 1n,
        callData: APPROVE,
        factory: '0x7702',
        callGasLimit: 1n,
        verificationGasLimit: 1n,
        preVerificationGas: 1n,
        maxFeePerGas: 1n,
        maxPriorityFeePerGas: 1n,
        signature: '0x',
        authorization: { address: BOB, chainId: 1, nonce: 0, r: '0x1', s: '0x1', yParity: 0 },
      },
    });
    const fields = Object.fromEntries(Object.entries(message).map(([name, value]) => [name, String(value)]));
    const told = saying(explainTyped(packed(fields, domain?.verifyingContract)));
    expect(told).toContain(`Factory or delegate: ${BOB}`);
  });

  it('warns about an unknown entry point', () => {
    const explanation = explainTyped(safeOp({ entryPoint: BOB }));
    expect(explanation.warnings).toEqual([
      'Unknown entry point 0x742d…f44e. Keystead cannot tell what it does with the operation.',
      // Its call data.
      'A value is too long to show in full. You see only the beginning.',
    ]);
    expect(saying(explanation)).toContain('Network fee: up to 0.02 ETH');
    expect(saying(explanation)).toContain(`Entry point: ${BOB}`);
  });

  it('says so if the message names no entry point', () => {
    const explanation = explainTyped({ ...packed(), domain: {}, types: { ...packed().types, EIP712Domain: [] } });
    expect(explanation.warnings).toContain('This operation names no entry point.');
    expect(saying(explanation)).toContain('Entry point: not named');
    expect(saying(explanation)).not.toContain('0x'.padEnd(42, '0'));
  });

  it('warns about a call to the account itself, and flags value to the zero address', () => {
    const zero: Hex = '0x0000000000000000000000000000000000000000';
    const callData = encodeCalls([
      { to: ALICE, value: 0n, data: '0x12345678' },
      { to: zero, value: 1n, data: '0x' },
    ]);
    const explanation = explainTyped(safeOp({ callData }));
    expect(explanation.warnings.join()).toContain('is to the account itself');
    expect(codesOf(explanation)).toContain('burn-address');
  });
});

describe('an operation of somebody else', () => {
  const half = (high: bigint, low: bigint): Hex => encodePacked(['uint128', 'uint128'], [high, low]);
  const message = {
    sender: ALICE,
    nonce: '0',
    initCode: '0x',
    callData: '0x',
    accountGasLimits: half(400_000n, 123_456n),
    preVerificationGas: '50000',
    gasFees: half(1_000_000_007n, 20_000_000_009n),
    paymasterAndData: PAYMASTER,
  };
  const explained = () =>
    explainTyped(
      typedData(
        'PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)',
        { name: 'ERC4337', version: '1', chainId: 1, verifyingContract: entryPoint08Address },
        message,
      ),
    );

  it('has its packed numbers one by one, and no number that they make together', () => {
    const { changes, main } = explained();
    const rows = [...changes, ...main].map(({ label, value }) => `${label}: ${value}`);
    const open = rows.join('\n').replaceAll(',', '');
    for (const part of ['123456', '400000', '1000000007', '20000000009', '70000', '30000'])
      expect(open).toContain(part);
    expect(open.toLowerCase()).toContain(BOB.toLowerCase());
    for (const packed of [message.accountGasLimits, message.gasFees]) {
      expect(open).not.toContain(BigInt(packed).toString());
      expect(open).not.toContain(packed.slice(2));
    }
    expect(open).not.toMatch(/\d{16}|digits\)/u);
    expect(open).toContain('Data for the paymaster: 0x1234');
  });
});
