import {
  SignTypedDataVersion,
  personalSign as sigUtilPersonalSign,
  signTypedData as sigUtilSignTypedData,
} from '@metamask/eth-sig-util';
import { Transaction as EthersTransaction, type TransactionLike, TypedDataEncoder, Wallet } from 'ethers';
import fc from 'fast-check';
import { type Hex as ViemHex, parseTransaction, recoverTransactionAddress, type TransactionSerialized } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { addressOfPublicKey } from '../../src/core/eth/checksum';
import { fromHex, type Hex, toHex } from '../../src/core/eth/bytes';
import { publicKeyOf } from '../../src/core/eth/secp256k1';
import { signedTransaction } from '../../src/core/eth/transaction';
import { toTransaction } from '../../src/core/schemas/transaction';
import { anyTypedData, hexOf } from '../support/any-typed-data';
import { anyText, fuzzing } from '../support/fuzz';
import { signWith } from '../support/local-signer';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** The numbers at which the RLP encoding changes. */
const edge = fc.constantFrom(0n, 1n, 0x7fn, 0x80n, 0xffn, 0x100n);
const quantity = (most: bigint) =>
  fc
    .oneof({ weight: 3, arbitrary: fc.bigInt({ min: 0n, max: most }) }, edge)
    .map((value): Hex => `0x${value.toString(16)}`);

const privateKey = fc.bigInt({ min: 1n, max: ORDER - 1n }).map((key): Hex => `0x${key.toString(16).padStart(64, '0')}`);
const address = hexOf(20);
const bytes = fc.uint8Array({ maxLength: 100 }).map(toHex);
const addressOf = (key: Hex): Hex => addressOfPublicKey(publicKeyOf(fromHex(key)));

describe('keys and addresses', () => {
  it('equal those of viem and ethers', () => {
    fc.assert(
      fc.property(privateKey, (key) => {
        expect(addressOf(key)).toBe(privateKeyToAccount(key).address);
        expect(addressOf(key)).toBe(new Wallet(key).address);
      }),
      fuzzing(50),
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
      fuzzing(100),
    );
  });
});

const accessList = fc.array(fc.record({ address, storageKeys: fc.array(hexOf(32), { maxLength: 3 }) }), {
  maxLength: 3,
});
/** viem uses numbers for chain ids. */
const MOST_OF_VIEM = (1n << 53n) / 2n - 36n;
const common = {
  nonce: quantity((1n << 53n) - 1n),
  gasLimit: quantity((1n << 64n) - 1n),
  to: fc.option(address, { nil: null }),
  value: quantity((1n << 256n) - 1n),
  data: bytes,
  chainId: fc
    .oneof(fc.bigInt({ min: 1n, max: MOST_OF_VIEM }), fc.bigInt({ min: 1n, max: (1n << 63n) - 37n }))
    .map((id): Hex => `0x${id.toString(16)}`),
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
        const signature = { r: fromHex(ours.r), s: fromHex(ours.s), yParity };
        expect(toHex(signedTransaction(toTransaction({ ...tx, from } as never), signature))).toBe(serialized);
        if (BigInt(tx.chainId) > MOST_OF_VIEM) return;
        expect(await recoverTransactionAddress({ serializedTransaction: serialized as TransactionSerialized })).toBe(
          from,
        );
        expect(parseTransaction(serialized).chainId).toBe(Number(tx.chainId));
      }),
      fuzzing(150),
    );
  });
});

describe('eth_signTypedData_v4', () => {
  it('signs as eth-sig-util, viem and ethers do', async () => {
    await fc.assert(
      fc.asyncProperty(privateKey, anyTypedData, async (key, data) => {
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
      fuzzing(200),
    );
  });

  it('signs a Cosmos domain, whose contract is a string, as eth-sig-util and viem do', async () => {
    const text = (name: string) => ({ name, type: 'string' });
    const domain = [text('name'), text('version'), { name: 'chainId', type: 'uint256' }, text('verifyingContract')];
    await fc.assert(
      fc.asyncProperty(privateKey, anyText(), fc.boolean(), async (key, contract, hasSalt) => {
        const data = {
          types: { EIP712Domain: hasSalt ? [...domain, text('salt')] : domain, Tx: [text('memo')] },
          primaryType: 'Tx',
          domain: {
            name: 'Injective Web3',
            version: '1.0.0',
            chainId: '0x1',
            verifyingContract: contract,
            ...(hasSalt && { salt: '0' }),
          },
          message: { memo: 'hello' },
        };
        const ours = await signWith(key, 'eth_signTypedData_v4', [addressOf(key), data]);
        const version = SignTypedDataVersion.V4;
        expect(ours).toBe(
          sigUtilSignTypedData({ privateKey: Buffer.from(fromHex(key)), data: data as never, version }),
        );
        expect(ours).toBe(await privateKeyToAccount(key).signTypedData(data as never));
      }),
      fuzzing(50),
    );
  });
});
