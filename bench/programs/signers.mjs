/* Signs with other libraries what Keystead signs. Each returns the signature as 130 hex digits: r, s, parity. */
import { createFeeMarket1559Tx } from '@ethereumjs/tx';
import { Common, Mainnet } from '@ethereumjs/common';
import * as bitcoinerlab from '@bitcoinerlab/secp256k1';
import { personalSign, signTypedData, SignTypedDataVersion } from '@metamask/eth-sig-util';
import { secp256k1 as curves } from '@noble/curves/secp256k1.js';
import { SigningKey, Transaction, Wallet } from 'ethers';
import { eip191Signer, signTyped, Transaction as MicroTransaction } from 'micro-eth-signer';
import { keccak256, serializeTransaction } from 'viem';
import { privateKeyToAccount, sign as viemSign } from 'viem/accounts';

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const rsv = (r, s, parity) => `${r.toString(16).padStart(64, '0')}${s.toString(16).padStart(64, '0')}0${parity}`;
/** From 65 bytes r, s, v in hex. */
const ofWire = (text) => `${text.slice(2, 130)}0${Number.parseInt(text.slice(130), 16) - 27}`;
const withoutDomain = ({ EIP712Domain: _domain, ...types }) => types;

/** @returns A library and its functions, for one key. */
export function signers({ key, digest, message, permit, list, tx }) {
  const privateKey = Buffer.from(key, 'hex');
  const messageBytes = Buffer.from(message.slice(2), 'hex');
  const [wallet, account] = [new Wallet(`0x${key}`), privateKeyToAccount(`0x${key}`)];
  const ethersTyped = async ({ domain, types, message: value }) =>
    ofWire(await wallet.signTypedData(domain, withoutDomain(types), value));
  const viemTyped = async ({ domain, types, primaryType, message: value }) =>
    ofWire(await account.signTypedData({ domain, types: withoutDomain(types), primaryType, message: value }));
  const sigUtilTyped = (data) => ofWire(signTypedData({ privateKey, data, version: SignTypedDataVersion.V4 }));
  const microTyped = (data) => ofWire(signTyped(data, privateKey, false));
  const common = new Common({ chain: Mainnet });
  const { from: _from, ...unsigned } = tx;
  const viemTx = {
    type: 'eip1559',
    chainId: Number(tx.chainId),
    nonce: Number(tx.nonce),
    to: tx.to,
    value: BigInt(tx.value),
    data: tx.data,
    gas: BigInt(tx.gasLimit),
    maxFeePerGas: BigInt(tx.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(tx.maxPriorityFeePerGas),
    accessList: [],
  };
  return {
    '@noble/curves 2.4 (bare)': {
      digest: () => {
        const bytes = curves.sign(digest, privateKey, { prehash: false, format: 'recovered' });
        return `${hex(bytes.slice(1))}0${bytes[0]}`;
      },
    },
    '@bitcoinerlab/secp256k1 2.0 (bare)': {
      digest: () => {
        const { signature, recoveryId } = bitcoinerlab.signRecoverable(digest, privateKey);
        return `${hex(signature)}0${recoveryId}`;
      },
    },
    'ethers 6.17': {
      digest: () => {
        const { r, s, yParity } = new SigningKey(`0x${key}`).sign(digest);
        return rsv(BigInt(r), BigInt(s), yParity);
      },
      message: async () => ofWire(await wallet.signMessage(messageBytes)),
      permit: () => ethersTyped(permit),
      list: () => ethersTyped(list),
      transaction: async () => {
        const signed = Transaction.from(await wallet.signTransaction({ ...unsigned, type: 2 }));
        return rsv(BigInt(signed.signature.r), BigInt(signed.signature.s), signed.signature.yParity);
      },
    },
    'viem 2.57': {
      digest: async () => {
        const { r, s, yParity } = await viemSign({ hash: `0x${hex(digest)}`, privateKey: `0x${key}` });
        return rsv(BigInt(r), BigInt(s), yParity);
      },
      message: async () => ofWire(await account.signMessage({ message: { raw: message } })),
      permit: () => viemTyped(permit),
      list: () => viemTyped(list),
      transaction: async () => {
        const { r, s, yParity } = await viemSign({
          hash: keccak256(serializeTransaction(viemTx)),
          privateKey: `0x${key}`,
        });
        return rsv(BigInt(r), BigInt(s), yParity);
      },
    },
    'eth-sig-util 8.2 + @ethereumjs/tx 10.1': {
      message: () => ofWire(personalSign({ privateKey, data: message })),
      permit: () => sigUtilTyped(permit),
      list: () => sigUtilTyped(list),
      transaction: () => {
        const { r, s, v } = createFeeMarket1559Tx({ ...unsigned, type: 2 }, { common }).sign(privateKey);
        return rsv(r, s, v);
      },
    },
    'micro-eth-signer 0.20': {
      // Without extra entropy, like everyone else.
      message: () => ofWire(eip191Signer.sign(messageBytes, privateKey, false)),
      permit: () => microTyped(permit),
      list: () => microTyped(list),
      transaction: () => {
        const signed = MicroTransaction.prepare({
          type: 'eip1559',
          to: tx.to,
          value: BigInt(tx.value),
          data: tx.data,
          nonce: BigInt(tx.nonce),
          chainId: BigInt(tx.chainId),
          gasLimit: BigInt(tx.gasLimit),
          maxFeePerGas: BigInt(tx.maxFeePerGas),
          maxPriorityFeePerGas: BigInt(tx.maxPriorityFeePerGas),
          accessList: [],
        }).signBy(privateKey, false);
        return rsv(signed.raw.r, signed.raw.s, signed.raw.yParity);
      },
    },
  };
}
