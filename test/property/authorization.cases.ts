import { hashAuthorization as ethersHash, verifyAuthorization as ethersVerify, Wallet } from 'ethers';
import fc from 'fast-check';
import { privateKeyToAccount } from 'viem/accounts';
import { hashAuthorization, recoverAuthorizationAddress } from 'viem/utils';

import {
  authorityOf,
  authorizationDigest,
  delegateIn,
  delegationCode,
  signedAuthorization,
} from '../../src/core/eth/authorization';
import { fromHex, type Hex, toHex } from '../../src/core/eth/bytes';
import { signDigest } from '../../src/core/eth/secp256k1';
import { signedTransaction, transactionDigest } from '../../src/core/eth/transaction';
import { toTransaction, TransactionStruct } from '../../src/core/schemas/transaction';
import { hexOf } from '../support/any-typed-data';
import { fuzzing } from '../support/fuzz';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const privateKey = fc.bigInt({ min: 1n, max: ORDER - 1n }).map((key): Hex => `0x${key.toString(16).padStart(64, '0')}`);
/** The numbers at which the RLP encoding changes. */
const number = (most: bigint) =>
  fc.oneof(fc.bigInt({ min: 0n, max: most }), fc.constantFrom(0n, 1n, 0x7fn, 0x80n, 0xffn, 0x100n));
/** viem uses numbers for chain ids and nonces. */
const SAFE = (1n << 53n) - 1n;

const authorization = fc.record({ chainId: number(SAFE), address: hexOf(20), nonce: number(SAFE) });

describe('an authorization', () => {
  it('is hashed and signed as viem and ethers do', async () => {
    await fc.assert(
      fc.asyncProperty(privateKey, authorization, async (key, one) => {
        const numbers = { address: one.address, chainId: Number(one.chainId), nonce: Number(one.nonce) };
        const digest = authorizationDigest(one);
        expect(toHex(digest)).toBe(hashAuthorization(numbers));
        expect(toHex(digest)).toBe(ethersHash(one));
        const signed = signedAuthorization(one, signDigest(digest, fromHex(key)));
        const account = privateKeyToAccount(key);
        const viems = await account.signAuthorization(numbers);
        expect([signed.r, signed.s, signed.yParity]).toEqual([BigInt(viems.r), BigInt(viems.s), viems.yParity]);
        expect(authorityOf(signed)).toBe(account.address);
        expect(await recoverAuthorizationAddress({ authorization: viems })).toBe(account.address);
        const { signature } = new Wallet(key).authorizeSync(one);
        expect([signed.r, signed.s]).toEqual([BigInt(signature.r), BigInt(signature.s)]);
        expect(ethersVerify(one, signature)).toBe(account.address);
      }),
      fuzzing(100),
    );
  });

  it('is hashed as ethers does where a number is not exact any more', () => {
    fc.assert(
      fc.property(number((1n << 256n) - 1n), hexOf(20), number((1n << 64n) - 1n), (chainId, address, nonce) => {
        expect(toHex(authorizationDigest({ chainId, address, nonce }))).toBe(ethersHash({ chainId, address, nonce }));
      }),
      fuzzing(200),
    );
  });

  it('has no authority if its signature is out of bounds, or was changed', () => {
    fc.assert(
      fc.property(privateKey, authorization, (key, one) => {
        const signed = signedAuthorization(one, signDigest(authorizationDigest(one), fromHex(key)));
        const authority = authorityOf(signed);
        expect(authorityOf({ ...signed, r: 0n })).toBeUndefined();
        expect(authorityOf({ ...signed, r: ORDER })).toBeUndefined();
        expect(authorityOf({ ...signed, s: 0n })).toBeUndefined();
        // The other signature of the same key is malleated (EIP-2).
        expect(authorityOf({ ...signed, s: ORDER - signed.s, yParity: signed.yParity === 0 ? 1 : 0 })).toBeUndefined();
        expect(authorityOf({ ...signed, nonce: signed.nonce + 1n })).not.toBe(authority);
        expect(authorityOf({ ...signed, chainId: signed.chainId + 1n })).not.toBe(authority);
      }),
      fuzzing(30),
    );
  });

  it('is what the code of a delegated account names', () => {
    fc.assert(
      fc.property(hexOf(20), (address) => {
        expect(delegateIn(delegationCode(address))?.toLowerCase()).toBe(address.toLowerCase());
        expect(delegateIn(`${delegationCode(address)}00`)).toBeUndefined();
        expect(delegateIn(`0xef0101${address.slice(2)}`)).toBeUndefined();
      }),
      fuzzing(50),
    );
  });
});

const accessList = fc.array(fc.record({ address: hexOf(20), storageKeys: fc.array(hexOf(32), { maxLength: 2 }) }), {
  maxLength: 2,
});
const transaction = fc.record({
  chainId: fc.bigInt({ min: 1n, max: SAFE }),
  nonce: number(SAFE),
  to: hexOf(20),
  value: number((1n << 256n) - 1n),
  data: fc.uint8Array({ maxLength: 100 }).map(toHex),
  gasLimit: number((1n << 64n) - 1n),
  maxFeePerGas: fc.bigInt({ min: 1n << 100n, max: (1n << 191n) - 1n }),
  maxPriorityFeePerGas: number((1n << 100n) - 1n),
  accessList,
  authorizations: fc.array(fc.tuple(privateKey, fc.record({ address: hexOf(20), nonce: number(SAFE) })), {
    minLength: 1,
    maxLength: 3,
  }),
});

const quantity = (value: bigint): Hex => `0x${value.toString(16)}`;

describe('a transaction of type 4', () => {
  it('is encoded and signed as viem does, from its JSON', async () => {
    await fc.assert(
      fc.asyncProperty(privateKey, transaction, async (key, { authorizations, gasLimit, ...tx }) => {
        const authorizationList = authorizations.map(([signer, { address, nonce }]) => {
          const one = { chainId: tx.chainId, address, nonce };
          return signedAuthorization(one, signDigest(authorizationDigest(one), fromHex(signer)));
        });
        const json = {
          type: '0x4',
          from: privateKeyToAccount(key).address,
          to: tx.to,
          data: tx.data,
          accessList: tx.accessList,
          ...Object.fromEntries(
            (['chainId', 'nonce', 'value', 'maxFeePerGas', 'maxPriorityFeePerGas'] as const).map((name) => [
              name,
              quantity(tx[name]),
            ]),
          ),
          gasLimit: quantity(gasLimit),
          authorizationList: authorizationList.map(({ address, ...numbers }) => ({
            address,
            chainId: quantity(numbers.chainId),
            nonce: quantity(numbers.nonce),
            yParity: quantity(BigInt(numbers.yParity)),
            r: quantity(numbers.r),
            s: quantity(numbers.s),
          })),
        };
        expect(TransactionStruct.is(json)).toBe(true);
        const decoded = toTransaction(json as never);
        const signature = signDigest(transactionDigest(decoded), fromHex(key));
        const raw = toHex(signedTransaction(decoded, signature));
        const theirs = await privateKeyToAccount(key).signTransaction({
          ...tx,
          type: 'eip7702',
          chainId: Number(tx.chainId),
          nonce: Number(tx.nonce),
          gas: gasLimit,
          authorizationList: authorizationList.map((one) => ({
            address: one.address,
            chainId: Number(one.chainId),
            nonce: Number(one.nonce),
            yParity: one.yParity,
            r: toHex(fromHex(`0x${one.r.toString(16).padStart(64, '0')}`)),
            s: toHex(fromHex(`0x${one.s.toString(16).padStart(64, '0')}`)),
          })),
        });
        expect(raw).toBe(theirs);
      }),
      fuzzing(100),
    );
  });
});
