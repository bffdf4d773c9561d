import { getAddress, parseErc6492Signature } from 'viem';

import { withDeployment } from '../../../../src/core/erc4337/erc6492';
import { BATCH_06 } from '../../../../src/core/erc4337/simple-account/batches';
import {
  joinPaymasterAndData,
  splitPaymasterAndData,
  withVerificationGas,
} from '../../../../src/core/erc4337/packed-fields';
import { fromRpcForm, toRpcForm } from '../../../../src/core/erc4337/rpc-form';
import { type UserOperation, withGasMargin } from '../../../../src/core/erc4337/user-operation';
import { type Hex } from '../../../../src/core/eth/bytes';
import { OPERATION } from '../../../support/user-operation';

const FACTORY: Hex = `0x${'fa'.repeat(20)}`;
const PAYMASTER: Hex = `0x${'ee'.repeat(20)}`;
const VERSIONS = ['0.7', '0.8', '0.9'] as const;
const fields = {
  ...{ paymaster: PAYMASTER, paymasterVerificationGasLimit: 7n, paymasterPostOpGasLimit: 8n },
  paymasterData: '0x1234' as Hex,
};
const signed = { ...fields, paymasterSignature: '0xabcdef' as Hex };

describe('a user operation in the form of JSON-RPC', () => {
  const operations: readonly UserOperation[] = [
    OPERATION,
    { ...OPERATION, initCode: FACTORY },
    { ...OPERATION, initCode: `${FACTORY}12` },
    { ...OPERATION, paymasterAndData: joinPaymasterAndData(fields) },
    { ...OPERATION, initCode: `${FACTORY}12`, paymasterAndData: joinPaymasterAndData(fields) },
  ];

  it.each(VERSIONS)('of %s has its parts apart, and becomes the same operation again', (version) => {
    for (const operation of operations) {
      const form = toRpcForm(operation, version);
      expect(fromRpcForm(form)).toEqual(operation);
      expect('factory' in form).toBe(operation.initCode !== '0x');
      expect('paymaster' in form).toBe(operation.paymasterAndData !== '0x');
      expect(form).not.toHaveProperty('initCode');
      expect(form).not.toHaveProperty('eip7702Auth');
    }
  });

  it('of 0.6 has them packed', () => {
    for (const operation of operations) {
      const { initCode, paymasterAndData } = operation;
      expect(toRpcForm(operation, '0.6')).toMatchObject({ initCode, paymasterAndData });
      expect(fromRpcForm(toRpcForm(operation, '0.6'))).toEqual(operation);
    }
  });

  it('of 0.9 has the signature of the paymaster apart, which earlier versions do not know', () => {
    const operation = { ...OPERATION, paymasterAndData: joinPaymasterAndData(signed) };
    expect(toRpcForm(operation, '0.9')).toMatchObject({ paymasterData: '0x1234', paymasterSignature: '0xabcdef' });
    expect(fromRpcForm(toRpcForm(operation, '0.9'))).toEqual(operation);
    expect(toRpcForm(operation, '0.8')).not.toHaveProperty('paymasterSignature');
    expect(fromRpcForm(toRpcForm(operation, '0.8'))).toEqual(operation);
  });

  it('may leave out what is empty', () => {
    const { factory: _factory, ...rest } = { factory: FACTORY, ...toRpcForm(OPERATION, '0.7') };
    expect(fromRpcForm({ ...rest, factory: FACTORY }).initCode).toBe(FACTORY);
    expect(fromRpcForm({ ...rest, paymaster: PAYMASTER }).paymasterAndData).toBe(`${PAYMASTER}${'00'.repeat(32)}`);
  });

  it('carries a delegation (EIP-7702) with padded numbers', () => {
    const authorization = { chainId: 1n, address: FACTORY, nonce: 0n, yParity: 1, r: 5n, s: 6n } as const;
    expect(toRpcForm({ ...OPERATION, authorization }, '0.8').eip7702Auth).toEqual({
      ...{ chainId: '0x1', address: FACTORY, nonce: '0x0', yParity: '0x1' },
      ...{ r: `0x${'0'.repeat(63)}5`, s: `0x${'0'.repeat(63)}6` },
    });
  });
});

describe('the gas limit for the verification of a paymaster', () => {
  it.each(VERSIONS)('is replaced, and nothing else of its data in %s', (version) => {
    const whole = version === '0.9' ? signed : fields;
    const raised = withVerificationGas(joinPaymasterAndData(whole), version, 99n);
    expect(splitPaymasterAndData(raised, version)).toEqual({ ...whole, paymasterVerificationGasLimit: 99n });
  });

  it('is none without a paymaster', () => {
    expect(withVerificationGas('0x', '0.7', 99n)).toBe('0x');
  });
});

test('the signature of an account that is not deployed carries its deployment (ERC-6492), and no other', () => {
  expect(withDeployment('0xabCD', '0x')).toBe('0xabCD');
  expect(parseErc6492Signature(withDeployment('0xabCD', `${FACTORY}12`))).toEqual({
    ...{ address: getAddress(FACTORY), data: '0x12', signature: '0xabcd' },
  });
});

test('gas gets a fifth more, rounded up', () => {
  expect([0n, 1n, 4n, 5n, 6n, 100n, 101n].map(withGasMargin)).toEqual([0n, 2n, 5n, 6n, 8n, 120n, 122n]);
});

test('a batch of SimpleAccount 0.6 sends no value, and the call that would is named', () => {
  const call = { to: FACTORY, value: 0n, data: '0x12' } as const;
  expect(BATCH_06.encode([call, call])).toMatch(/^0x18dfb3c7/u);
  expect(() => BATCH_06.encode([call, { ...call, value: 1n }])).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/\[1\].*cannot send value in a batch/u) as string,
    }) as Error,
  );
});
