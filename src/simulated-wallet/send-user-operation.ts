import type { KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';

import { LibraryBundlerClient as BundlerClient } from '../clients/library-bundler';
import { type AccountVersion, ENTRY_POINTS } from '../core/erc4337/entry-points';
import { type UserOperation } from '../core/erc4337/user-operation';
import { type Hex, quantityToHex } from '../core/eth/bytes';
import { RpcError, userRejected } from './rpc-error';
import { submitRequest } from './submit-request';
import { type Caller } from './caller';

type Prepared = {
  readonly nonce: Hex;
  readonly initCode: Hex;
  readonly callData: Hex;
  readonly gasLimits?: {
    readonly callGasLimit: Hex;
    readonly verificationGasLimit: Hex;
    readonly preVerificationGas: Hex;
  };
  readonly dummyPaymasterAndData: Hex;
  readonly dummySignature: Hex;
  readonly bundlerUrl: string;
};
type Patch = { readonly paymasterAndData: Hex };

const POLL_INTERVAL = 1000;
/** Polls for about two minutes. */
const MAX_POLLS = 120;

const toRpcForm = (operation: Omit<UserOperation, 'authorization'>): Json =>
  Object.fromEntries(
    Object.entries(operation).map(([name, value]) => [name, typeof value === 'bigint' ? quantityToHex(value) : value]),
  );

async function waitForInclusion(bundler: BundlerClient, hash: Hex): Promise<Hex> {
  for (let poll = 0; poll < MAX_POLLS; poll += 1) {
    const receipt = await bundler.getUserOperationReceipt(hash);
    if (receipt !== undefined) return receipt.transactionHash;
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
  }
  throw new RpcError(-32603, `The user operation ${hash} was sent but is not included yet.`);
}

/**
 * Implements `eth_sendTransaction` for a smart account with the steps of MetaMask's UserOperationController: prepare,
 * estimate, patch, confirm, sign and send.
 *
 * @returns The hash of the transaction in which the bundler included the user operation.
 * @throws {RpcError} 4001 if the person rejects; -32603 if the operation is not included after about two minutes.
 */
export async function sendUserOperation(
  { to, value = '0x0', data = '0x' }: Readonly<Record<string, Json>>,
  account: KeyringAccount,
  { wallet, screens, origin }: Caller,
): Promise<Json> {
  const { networks } = wallet;
  const chainId = BigInt(await networks.currentId());
  const scope = `eip155:${chainId}`;
  const ask = async <T>(method: string, params: Json[]): Promise<T> =>
    (await submitRequest(wallet, account, scope, method, params)) as unknown as T;

  const prepared = await ask<Prepared>('eth_prepareUserOperation', [{ to: to ?? null, value, data }]);
  const bundler = new BundlerClient({ url: prepared.bundlerUrl });
  const version = account.options.entryPointVersion as AccountVersion;
  const target = {
    version,
    chainId,
    entryPoint: (account.options.entryPoint as Hex | undefined) ?? ENTRY_POINTS[version],
  };
  const gasPrice = BigInt((await networks.request('eth_gasPrice')) as string);
  const draft: UserOperation = {
    sender: account.address as Hex,
    nonce: BigInt(prepared.nonce),
    initCode: prepared.initCode,
    callData: prepared.callData,
    callGasLimit: BigInt(prepared.gasLimits?.callGasLimit ?? 0),
    verificationGasLimit: BigInt(prepared.gasLimits?.verificationGasLimit ?? 0),
    preVerificationGas: BigInt(prepared.gasLimits?.preVerificationGas ?? 0),
    maxFeePerGas: 2n * gasPrice,
    maxPriorityFeePerGas: gasPrice,
    paymasterAndData: prepared.dummyPaymasterAndData,
    signature: prepared.dummySignature,
  };
  const limits = prepared.gasLimits === undefined ? await bundler.estimateGas(draft, target) : {};
  const estimated = { ...draft, ...limits };
  const patch = await ask<Patch>('eth_patchUserOperation', [toRpcForm(estimated)]);
  const operation = { ...estimated, paymasterAndData: patch.paymasterAndData };
  const isConfirmed = await screens.confirm('Send a user operation', origin, [
    ['From', account.address],
    ['To', String(to)],
    ['Amount', `${BigInt(value as string)} wei`],
    ['Data', String(data)],
  ]);
  if (!isConfirmed) throw userRejected();
  const signature = await ask<Hex>('eth_signUserOperation', [toRpcForm(operation)]);
  return waitForInclusion(bundler, await bundler.sendUserOperation({ ...operation, signature }, target));
}
