import fc from 'fast-check';
import { Transaction, type TransactionLike, TypedDataEncoder } from 'ethers';

import { InvalidParamsError, KeysteadError } from '../../src/core/errors';
import { type Hex, toHex } from '../../src/core/eth/bytes';
import { type TypedData, typedDataDigest } from '../../src/core/eth/typed-data';
import {
  EOA_METHODS,
  METHODS,
  USER_OPERATION_METHODS,
  type UserOperationMethodName,
} from '../../src/snap/account/methods';
import { SetChainStruct } from '../../src/core/schemas/chain-configuration';
import { parse } from '../../src/core/structs/struct';
import { anyTypedData } from '../support/any-typed-data';
import { VIEW } from '../support/explaining';
import { fuzzing, mutated, SECRET } from '../support/fuzz';
import { signWith } from '../support/local-signer';
import { fullOf, partOf } from '../support/vectors';

const KEY = '0x4646464646464646464646464646464646464646464646464646464646464646';

const ADDRESS = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const recorded = (name: string) =>
  fc.constantFrom(...(fullOf(name) ?? partOf(name)).vectors.map(({ params }) => params));
const intents = [
  [{ to: ADDRESS, value: '0x1', data: '0x' }],
  [
    { to: ADDRESS, value: '0x0', data: '0xa9059cbb' },
    { to: null, value: '0x2', data: '0x6001' },
  ],
];
const operation = {
  sender: ADDRESS,
  nonce: '0x1',
  initCode: `${ADDRESS}5fbfb9cf`,
  callData: '0xb61d27f6',
  callGasLimit: '0x5208',
  verificationGasLimit: '0x10000',
  preVerificationGas: '0xc350',
  maxFeePerGas: '0x59682f00',
  maxPriorityFeePerGas: '0x3b9aca00',
  paymasterAndData: '0x',
  signature: '0x',
};

const SEEDS = {
  personal_sign: recorded('personal-sign'),
  eth_signTransaction: fc.oneof(
    recorded('tx-ethers-eip155'),
    recorded('tx-ethers-eip2930'),
    recorded('tx-ethers-eip1559'),
  ),
  eth_signTypedData_v4: fc.oneof(
    recorded('typed-ethers'),
    anyTypedData.map((data) => [ADDRESS, data]),
  ),
};

const OPERATION_SEEDS: Record<UserOperationMethodName, fc.Arbitrary<unknown>> = {
  eth_prepareUserOperation: fc.constantFrom(...intents),
  eth_patchUserOperation: fc.constant([operation]),
  eth_signUserOperation: fc.constantFrom([operation], [operation, ADDRESS]),
  eth_decodeUserOperationCallData: fc.constant([operation]),
};

/** The error is our own, names a field and a rule, and repeats no input. */
function expectRefusal(error: unknown): void {
  expect(error).toBeInstanceOf(KeysteadError);
  const { message, data } = error as KeysteadError;
  expect(message).not.toMatch(/undefined|\[object|is not a function|Cannot read/u);
  expect(message + JSON.stringify(data)).not.toContain(SECRET);
  expect(message.length).toBeLessThan(400);
  if (error instanceof InvalidParamsError) {
    expect(error.field).not.toBe('');
    expect(error.rule).not.toBe('');
  }
}

describe('mutated parameters', () => {
  it.each(EOA_METHODS)('%s: are rejected with an explanation, or shown and signed', async (method) => {
    await fc.assert(
      fc.asyncProperty(mutated(SEEDS[method]), async (params) => {
        const before = JSON.stringify(params);
        try {
          const prepared = METHODS[method].decode(params);
          const { title, lines, sections } = prepared.explain(VIEW);
          expect(title).not.toBe('');
          expect(lines.length + sections.length).toBeGreaterThan(0);
          await signWith(KEY, method, params);
        } catch (error) {
          expectRefusal(error);
        }
        expect(JSON.stringify(params)).toBe(before);
      }),
      fuzzing(400),
    );
  });

  it.each(Object.keys(USER_OPERATION_METHODS) as UserOperationMethodName[])(
    '%s: are rejected with an explanation, or accepted',
    (method) => {
      fc.assert(
        fc.property(mutated(OPERATION_SEEDS[method]), (params) => {
          try {
            expect(USER_OPERATION_METHODS[method].decode(params).account?.field).not.toBe('');
          } catch (error) {
            expectRefusal(error);
          }
        }),
        fuzzing(400),
      );
    },
  );

  it('keystead_setChain: are rejected with an explanation, or accepted with https and loopback URLs only', () => {
    const seeds = fc.constantFrom(
      { chainId: 'eip155:1', rpcUrl: 'https://node.example/v3/key', bundlerUrl: 'https://bundler.example' },
      {
        chainId: 'eip155:31337',
        rpcUrl: 'http://127.0.0.1:8545',
        bundlerUrl: 'http://localhost:4337',
        entryPointVersion: '0.8',
        paymasterUrl: 'https://paymaster.example',
        paymasterContext: { policy: 'x' },
        name: 'Devnet',
        symbol: 'ETH',
        explorerUrl: 'http://localhost:4000',
      },
    );
    fc.assert(
      fc.property(mutated(seeds), (params) => {
        try {
          const {
            rpcUrl,
            bundlerUrl = rpcUrl,
            explorerUrl = rpcUrl,
            name = '',
          } = parse(SetChainStruct, params, 'params');
          expect(name).toMatch(/^[ -~]{0,50}$/u);
          for (const url of [rpcUrl, bundlerUrl, explorerUrl])
            expect(url).toMatch(/^https:\/\/|^http:\/\/(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])(?:[:/]|$)/u);
        } catch (error) {
          expectRefusal(error);
        }
      }),
      fuzzing(400),
    );
  });
});

describe('accepted mutations', () => {
  it('of a transaction are signed as ethers reads them', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(mutated(SEEDS.eth_signTransaction), async (params) => {
        const result = await signWith(KEY, 'eth_signTransaction', params).catch(() => undefined);
        if (result === undefined) return;
        const [{ from, ...fields }] = params as [Record<string, unknown>];
        // ethers keeps the nonce as a number.
        if (BigInt(fields.nonce as Hex) > Number.MAX_SAFE_INTEGER) return;
        taken += 1;
        const { v, r, s } = result as { v: Hex; r: Hex; s: Hex };
        expect(from).toBeDefined();
        const theirs = Transaction.from({
          ...fields,
          type: Number(fields.type),
          nonce: Number(fields.nonce),
        } as TransactionLike);
        theirs.signature = { r, s, v: fields.type === '0x0' ? BigInt(v) : 27 + Number(v) };
        expect(theirs.from).toBe('0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F');
      }),
      fuzzing(400),
    );
    expect(taken).toBeGreaterThan(0);
  });

  it('of typed data have the same digest as in ethers, if ethers accepts them', () => {
    let taken = 0;
    fc.assert(
      fc.property(mutated(anyTypedData), (data) => {
        let ours: string;
        try {
          ours = toHex(typedDataDigest(data as TypedData));
        } catch {
          return;
        }
        const { types, domain, message, primaryType } = data as TypedData;
        const { EIP712Domain, ...others } = types as Record<string, { name: string; type: string }[]>;
        let theirs: string;
        try {
          const encoder = TypedDataEncoder.from(others);
          // ethers infers the primary type, and signs undeclared members of the domain.
          if (encoder.primaryType !== primaryType) return;
          const declared = Object.fromEntries((EIP712Domain ?? []).map(({ name }) => [name, domain[name]]));
          theirs = TypedDataEncoder.hash(declared, others, message);
        } catch {
          return;
        }
        taken += 1;
        expect(ours).toBe(theirs);
      }),
      fuzzing(400),
    );
    expect(taken).toBeGreaterThan(0);
  });
});
