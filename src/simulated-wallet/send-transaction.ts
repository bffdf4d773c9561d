import type { KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';
import { concat, toRlp } from 'viem/utils';

import { type Hex, quantityToHex } from '../core/eth/bytes';
import { invalidParams, userRejected } from './rpc-error';
import { submitRequest } from './submit-request';
import { type Caller } from './caller';

type Request = Readonly<Record<string, Json>>;
type Signature = { readonly v: Hex; readonly r: Hex; readonly s: Hex };

const quantity = (value: Json | undefined, field: string): bigint => {
  if (typeof value !== 'string' || !/^0x(?:0|[1-9a-f][0-9a-f]*)$/iu.test(value))
    throw invalidParams(`params[0].${field}: must be a hex quantity`);
  return BigInt(value);
};

const GAS_MARGIN_PERCENT = 120n;

/** Fills in what the dapp left out: nonce, gas limit and fees (EIP-1559). */
async function fillTransaction(request: Request, from: string, { wallet: { networks } }: Caller) {
  const { to, value = '0x0', gas, nonce, maxFeePerGas, maxPriorityFeePerGas } = request;
  const data = request.data ?? request.input ?? '0x';
  const call = { from, ...(typeof to === 'string' && { to }), value, data };
  const ask = async (method: string, params: Json): Promise<bigint> =>
    BigInt((await networks.request(method, params)) as string);
  const tip =
    maxPriorityFeePerGas === undefined
      ? await ask('eth_maxPriorityFeePerGas', [])
      : quantity(maxPriorityFeePerGas, 'maxPriorityFeePerGas');
  const { baseFeePerGas } = (await networks.request('eth_getBlockByNumber', ['latest', false])) as {
    baseFeePerGas?: string;
  };
  return {
    type: '0x2',
    chainId: await networks.currentId(),
    nonce: quantityToHex(
      nonce === undefined ? await ask('eth_getTransactionCount', [from, 'pending']) : quantity(nonce, 'nonce'),
    ),
    gasLimit: quantityToHex(
      gas === undefined ? ((await ask('eth_estimateGas', [call])) * GAS_MARGIN_PERCENT) / 100n : quantity(gas, 'gas'),
    ),
    maxPriorityFeePerGas: quantityToHex(tip),
    maxFeePerGas: quantityToHex(
      maxFeePerGas === undefined ? 2n * BigInt(baseFeePerGas ?? 0) + tip : quantity(maxFeePerGas, 'maxFeePerGas'),
    ),
    ...(typeof to === 'string' && { to }),
    value: quantityToHex(quantity(value, 'value')),
    data: data as Hex,
    accessList: [],
    from,
  };
}

type Filled = Awaited<ReturnType<typeof fillTransaction>>;

/** @returns The signed transaction of type 2 (EIP-1559), in the envelope of EIP-2718. */
function serialize(tx: Filled, { v, r, s }: Signature): Hex {
  const number = (value: Hex): Hex => (BigInt(value) === 0n ? '0x' : quantityToHex(BigInt(value)));
  const fields = [
    number(tx.chainId),
    number(tx.nonce),
    number(tx.maxPriorityFeePerGas),
    number(tx.maxFeePerGas),
    number(tx.gasLimit),
    tx.to === undefined ? '0x' : (tx.to as Hex),
    number(tx.value),
    tx.data,
    [],
    number(v),
    number(r),
    number(s),
  ];
  return concat(['0x02', toRlp(fields)]);
}

/** `eth_sendTransaction` of an externally owned account. @returns The transaction's hash. */
export async function sendTransaction(request: Request, account: KeyringAccount, caller: Caller): Promise<Json> {
  const { wallet, screens, origin } = caller;
  const tx = await fillTransaction(request, account.address.toLowerCase(), caller);
  const isConfirmed = await screens.confirm('Send a transaction', origin, [
    ['From', account.address],
    ['To', tx.to ?? 'New contract'],
    ['Amount', `${BigInt(tx.value)} wei`],
    ['Data', tx.data],
    ['Maximum network fee', `${BigInt(tx.gasLimit) * BigInt(tx.maxFeePerGas)} wei`],
  ]);
  if (!isConfirmed) throw userRejected();
  const scope = `eip155:${BigInt(tx.chainId)}`;
  const signature = (await submitRequest(wallet, account, scope, 'eth_signTransaction', [tx])) as Signature;
  return wallet.networks.request('eth_sendRawTransaction', [serialize(tx, signature)]);
}
