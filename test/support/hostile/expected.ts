import { type MessageTypes, SignTypedDataVersion, signTypedData, type TypedMessage } from '@metamask/eth-sig-util';
import { SigningKey, Transaction, type TransactionLike, TypedDataEncoder } from 'ethers';
import { keccak256, pad, serializeTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { type Hex } from '../../../src/core/eth/bytes';
import { KEY } from './people';

/** The signatures of independent libraries for the parameters of a method. */
export const messageOf = (params: unknown): Hex => (params as readonly [Hex])[0];

/** The result of `personal_sign`. */
export const messageSignature = (params: unknown): Promise<Hex> =>
  privateKeyToAccount(KEY).signMessage({ message: { raw: messageOf(params) } });

type Wire = Readonly<Record<string, Hex>>;
export const transactionOf = (params: unknown): Wire => (params as readonly [Wire])[0];

const QUANTITY = /^(?:nonce|value|gasLimit|gasPrice|chainId|max.*)$/u;
/** ethers uses numbers for nonces, and takes minutes for long access lists. */
const isBeyondEthers = ({ nonce, accessList }: Wire): boolean =>
  !Number.isSafeInteger(Number(nonce)) || JSON.stringify(accessList ?? []).length > 100_000;

/** ethers keeps the signature of an authorization apart, and its nonce as a number. */
const listForEthers = (list: unknown): unknown[] =>
  (list as Readonly<Record<'chainId' | 'address' | 'nonce' | 'yParity' | 'r' | 's', Hex>>[]).map(
    ({ chainId, address, nonce, yParity, r, s }) => ({
      chainId,
      address,
      nonce,
      signature: { r: pad(r), s: pad(s), yParity: Number(yParity) },
    }),
  );

/** The digest by ethers or viem. Addresses are normalized, because libraries reject some spellings. */
function digestOf({ from: _from, v: _v, r: _r, s: _s, ...tx }: Wire): string {
  const to = tx.to?.toLowerCase() ?? null;
  if (!isBeyondEthers(tx))
    return Transaction.from({
      ...tx,
      to,
      type: Number(tx.type),
      nonce: Number(tx.nonce),
      ...(tx.authorizationList !== undefined && { authorizationList: listForEthers(tx.authorizationList) }),
    } as TransactionLike).unsignedHash;
  const quantities = Object.entries(tx).filter(([name]) => QUANTITY.test(name));
  const type = { '0x0': 'legacy', '0x1': 'eip2930', '0x2': 'eip1559' }[tx.type as string];
  const asNumbers = Object.fromEntries(quantities.map(([name, value]) => [name, BigInt(value)]));
  return keccak256(serializeTransaction({ ...tx, ...asNumbers, to, type, gas: asNumbers.gasLimit } as never));
}

/** The result of `eth_signTransaction`. */
export function transactionSignature(params: unknown) {
  const tx = transactionOf(params);
  const { r, s, yParity } = new SigningKey(KEY).sign(digestOf(tx));
  const v = tx.type === '0x0' ? 2n * BigInt(tx.chainId!) + 35n + BigInt(yParity) : BigInt(yParity);
  return { r, s, v: `0x${v.toString(16)}` };
}

export const dataOf = (params: unknown): Data => {
  const [, data] = params as readonly unknown[];
  return (typeof data === 'string' ? JSON.parse(data) : data) as Data;
};

type Data = TypedMessage<MessageTypes>;

/** eth-sig-util omits a struct from encodeType if a member's type contains a colon. */
const hasColon = ({ types }: Data): boolean =>
  Object.values(types).some((members) => members.some(({ type }) => type.includes(':')));

/** The signature of eth-sig-util, which MetaMask itself uses, or of ethers. */
export function typedDataSignature(params: unknown): string {
  const data = dataOf(params);
  if (!hasColon(data))
    return signTypedData({ privateKey: Buffer.from(KEY.slice(2), 'hex'), data, version: SignTypedDataVersion.V4 });
  const { EIP712Domain: _domain, ...types } = data.types;
  return new SigningKey(KEY).sign(TypedDataEncoder.hash(data.domain as never, types as never, data.message)).serialized;
}
