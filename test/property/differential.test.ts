import {
  SignTypedDataVersion,
  personalSign as sigUtilPersonalSign,
  signTypedData as sigUtilSignTypedData,
} from '@metamask/eth-sig-util';
import { Transaction as EthersTransaction, type TransactionLike, TypedDataEncoder, Wallet } from 'ethers';
import fc from 'fast-check';
import { type Hex as ViemHex, parseTransaction, recoverTransactionAddress, type TransactionSerialized } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { addressOfPublicKey, checksumAddress } from '../../src/eth/address';
import { fromHex, type Hex, toHex } from '../../src/eth/bytes';
import { publicKeyOf } from '../../src/eth/secp256k1';
import { type TypedDataTypes } from '../../src/eth/typed-data';
import { signWith } from '../helpers/local-signer';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const hexOf = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(toHex);
const quantity = (most: bigint) => fc.bigInt({ min: 0n, max: most }).map((value): Hex => `0x${value.toString(16)}`);

const privateKey = fc.bigInt({ min: 1n, max: ORDER - 1n }).map((key): Hex => `0x${key.toString(16).padStart(64, '0')}`);
const address = hexOf(20);
const bytes = fc.uint8Array({ maxLength: 100 }).map(toHex);
const addressOf = (key: Hex): Hex => addressOfPublicKey(publicKeyOf(fromHex(key)));

describe('keys and addresses', () => {
  it('are those of viem and ethers', () => {
    fc.assert(
      fc.property(privateKey, (key) => {
        expect(addressOf(key)).toBe(privateKeyToAccount(key).address);
        expect(addressOf(key)).toBe(new Wallet(key).address);
        expect(checksumAddress(addressOf(key).toLowerCase() as Hex)).toBe(addressOf(key));
      }),
      { numRuns: 50 },
    );
  });
});

describe('personal_sign', () => {
  it('signs as viem, ethers and eth-sig-util do', async () => {
    await fc.assert(
      fc.asyncProperty(privateKey, bytes, async (key, message) => {
        const ours = await signWith(key, 'personal_sign', [message, addressOf(key)]);
        expect(ours).toBe(await privateKeyToAccount(key).signMessage({ message: { raw: message } }));
        expect(ours).toBe(await new Wallet(key).signMessage(fromHex(message)));
        expect(ours).toBe(sigUtilPersonalSign({ privateKey: Buffer.from(fromHex(key)), data: message }));
      }),
      { numRuns: 100 },
    );
  });
});

const accessList = fc.array(fc.record({ address, storageKeys: fc.array(hexOf(32), { maxLength: 3 }) }), {
  maxLength: 3,
});
const common = {
  nonce: quantity((1n << 53n) - 1n),
  gasLimit: quantity((1n << 64n) - 1n),
  to: fc.option(address, { nil: null }),
  value: quantity((1n << 256n) - 1n),
  data: bytes,
  chainId: fc.bigInt({ min: 1n, max: (1n << 53n) / 2n - 36n }).map((id): Hex => `0x${id.toString(16)}`),
};
const price = quantity((1n << 191n) - 1n);
const fees = fc
  .tuple(fc.bigInt({ min: 0n, max: (1n << 191n) - 1n }), fc.bigInt({ min: 0n, max: (1n << 191n) - 1n }))
  .map(([a, b]): [bigint, bigint] => (a < b ? [a, b] : [b, a]))
  .map((pair) => pair.map((fee): Hex => `0x${fee.toString(16)}`) as [Hex, Hex]);
const transaction = fc.oneof(
  fc.record({ type: fc.constant('0x0'), ...common, gasPrice: price }),
  fc.record({ type: fc.constant('0x1'), ...common, gasPrice: price, accessList }),
  fc
    .tuple(fc.record({ type: fc.constant('0x2'), ...common, accessList }), fees)
    .map(([tx, [maxPriorityFeePerGas, maxFeePerGas]]) => ({ ...tx, maxPriorityFeePerGas, maxFeePerGas })),
);

describe('eth_signTransaction', () => {
  it('signs as ethers does, and viem reads the transaction back with the same signer', async () => {
    await fc.assert(
      fc.asyncProperty(privateKey, transaction, async (key, tx) => {
        const from = addressOf(key);
        const ours = (await signWith(key, 'eth_signTransaction', [{ ...tx, from }])) as { v: Hex; r: Hex; s: Hex };
        const theirs = EthersTransaction.from({
          ...tx,
          type: Number(tx.type),
          nonce: Number(tx.nonce),
        } as TransactionLike);
        const { r, s, yParity } = new Wallet(key).signingKey.sign(theirs.unsignedHash);
        const v = tx.type === '0x0' ? 2n * BigInt(tx.chainId) + 35n + BigInt(yParity) : BigInt(yParity);
        expect(ours).toEqual({ v: `0x${v.toString(16)}`, r, s });
        theirs.signature = { r: ours.r, s: ours.s, v: tx.type === '0x0' ? BigInt(ours.v) : 27 + Number(ours.v) };
        expect(theirs.from).toBe(from);
        const serialized = theirs.serialized as ViemHex;
        expect(await recoverTransactionAddress({ serializedTransaction: serialized as TransactionSerialized })).toBe(
          from,
        );
        expect(parseTransaction(serialized).chainId).toBe(Number(tx.chainId));
      }),
      { numRuns: 150 },
    );
  });
});

/** A type with a value that fits it. */
type Typed = { readonly type: string; readonly value: fc.Arbitrary<unknown>; readonly types: TypedDataTypes };

const atomic: fc.Arbitrary<Typed> = fc
  .oneof(
    fc.constantFrom('bool', 'address', 'string', 'bytes'),
    fc.integer({ min: 1, max: 32 }).map((n) => `uint${8 * n}`),
    fc.integer({ min: 1, max: 32 }).map((n) => `int${8 * n}`),
    fc.integer({ min: 1, max: 32 }).map((n) => `bytes${n}`),
  )
  .map((type) => ({ type, value: valueOf(type), types: {} }));

function valueOf(type: string): fc.Arbitrary<unknown> {
  if (type === 'bool') return fc.boolean();
  if (type === 'address') return address;
  if (type === 'string') return fc.string({ unit: 'grapheme', maxLength: 20 });
  if (type === 'bytes') return bytes;
  const size = Number(/[0-9]+$/u.exec(type)?.[0]);
  if (type.startsWith('bytes')) return hexOf(size);
  const signed = type.startsWith('int');
  const bits = BigInt(size) - (signed ? 1n : 0n);
  return fc.bigInt({ min: signed ? -(1n << bits) : 0n, max: (1n << bits) - 1n }).map(String);
}

const arrayOf = (inner: Typed, length: number | undefined): Typed => ({
  type: `${inner.type}[${length ?? ''}]`,
  value: fc.array(inner.value, length === undefined ? { maxLength: 3 } : { minLength: length, maxLength: length }),
  types: inner.types,
});

let structs = 0;
function structOf(members: readonly Typed[]): Typed {
  const name = `Struct${structs++}`;
  return {
    type: name,
    value: fc.record(Object.fromEntries(members.map(({ value }, index) => [`m${index}`, value]))),
    types: Object.assign(
      { [name]: members.map(({ type }, index) => ({ name: `m${index}`, type })) },
      ...members.map(({ types }) => types),
    ) as TypedDataTypes,
  };
}

const { type: anyType } = fc.letrec<{ type: Typed; struct: Typed; array: Typed }>((tie) => ({
  type: fc.oneof({ maxDepth: 3, withCrossShrink: true }, atomic, tie('array'), tie('struct')),
  array: fc
    .tuple(tie('type'), fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }))
    .map(([inner, length]) => arrayOf(inner, length)),
  struct: fc.array(tie('type'), { minLength: 1, maxLength: 4 }).map(structOf),
}));

const DOMAIN_TYPES: Record<string, string> = {
  name: 'string',
  version: 'string',
  chainId: 'uint256',
  verifyingContract: 'address',
  salt: 'bytes32',
};
const domain = fc
  .record(
    { name: fc.string(), version: fc.string(), chainId: fc.nat(), verifyingContract: address, salt: hexOf(32) },
    { requiredKeys: [] },
  )
  .map((values) => ({
    values,
    members: Object.keys(DOMAIN_TYPES)
      .filter((name) => name in values)
      .map((name) => ({ name, type: DOMAIN_TYPES[name] as string })),
  }));

const typedData = fc
  .array(anyType, { minLength: 1, maxLength: 4 })
  .map(structOf)
  .chain((root) => fc.tuple(fc.constant(root), root.value, domain))
  .map(([root, message, { values, members }]) => ({
    types: { EIP712Domain: members, ...root.types },
    primaryType: root.type,
    domain: values,
    message: message as Record<string, unknown>,
  }));

describe('eth_signTypedData_v4', () => {
  it('signs as eth-sig-util, viem and ethers do', async () => {
    await fc.assert(
      fc.asyncProperty(privateKey, typedData, async (key, data) => {
        const ours = await signWith(key, 'eth_signTypedData_v4', [addressOf(key), data]);
        expect(ours).toBe(
          sigUtilSignTypedData({
            privateKey: Buffer.from(fromHex(key)),
            data: data as never,
            version: SignTypedDataVersion.V4,
          }),
        );
        expect(ours).toBe(await privateKeyToAccount(key).signTypedData(data as never));
        const { EIP712Domain, ...types } = data.types as Record<string, { name: string; type: string }[]>;
        const digest = TypedDataEncoder.hash(data.domain, types, data.message);
        expect(ours).toBe(new Wallet(key).signingKey.sign(digest).serialized);
      }),
      { numRuns: 200 },
    );
  });
});
