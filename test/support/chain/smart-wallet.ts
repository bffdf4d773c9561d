import { type KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';
import { foundry } from 'viem/chains';
import { type Hex } from 'viem';

import { LibraryBundlerClient, type UserOperationReceipt } from '../../../src/clients/library-bundler';
import { type AccountVersion, ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { type UserOperation } from '../../../src/core/erc4337/user-operation';
import { toUserOperation } from '../../../src/core/schemas/user-operation';
import { textOf } from '../screen-text';
import { type Answer, installKeystead } from '../wallet/installed';
import { type World } from './world';

export const CHAIN = `eip155:${foundry.id}`;
export const CHAIN_ID = BigInt(foundry.id);

type Intent = { readonly to?: Hex | null; readonly value: Hex; readonly data: Hex };
export type Details = {
  readonly callData: Hex;
  readonly initCode: Hex;
  readonly nonce: Hex;
  readonly gasLimits?: { callGasLimit: Hex; verificationGasLimit: Hex; preVerificationGas: Hex };
  readonly dummySignature: Hex;
  readonly dummyPaymasterAndData: Hex;
  readonly bundlerUrl: string;
};
/** As it goes over the wire: quantities are hex too. */
export type WireOperation = Record<Exclude<keyof UserOperation, 'authorization'>, Hex>;

const FEES = { maxFeePerGas: '0x12a05f200', maxPriorityFeePerGas: '0x3b9aca00' } as const;

/** @throws With the snap's sentence if it refused. */
export function must<T>({ result, error }: Answer<T>): T {
  if (error !== undefined) throw new Error(error.message);
  return result as T;
}

/** The operation that a wallet makes of what the snap prepared. */
export const operationOf = (sender: string, details: Details): WireOperation => ({
  sender: sender as Hex,
  nonce: details.nonce,
  initCode: details.initCode,
  callData: details.callData,
  callGasLimit: details.gasLimits?.callGasLimit ?? '0x0',
  verificationGasLimit: details.gasLimits?.verificationGasLimit ?? '0x0',
  preVerificationGas: details.gasLimits?.preVerificationGas ?? '0x0',
  ...FEES,
  paymasterAndData: details.dummyPaymasterAndData,
  signature: details.dummySignature,
});

/**
 * The built snap, with what a wallet does around the three methods.
 *
 * @param secretRecoveryPhrase - Default: that of the runtime.
 */
export async function installSmartWallet(world: World, secretRecoveryPhrase?: string) {
  const keystead = await installKeystead(secretRecoveryPhrase === undefined ? {} : { secretRecoveryPhrase });
  const { send, submit } = keystead;
  const bundler = new LibraryBundlerClient({ url: world.bundlerUrl });

  /** Sends a configuration change and approves it, unless nothing would change: then the snap does not ask. */
  const setChain = async (change: Record<string, Json> = {}): Promise<Answer> => {
    const params = { chainId: CHAIN, rpcUrl: world.rpcUrl, bundlerUrl: world.bundlerUrl, ...change };
    const request = send('keystead_setChain', params);
    const screen = await Promise.race([request.getInterface(), request.then(() => undefined)]);
    await screen?.ok();
    return (await request).response;
  };

  const createSmart = async (version: AccountVersion, index: number): Promise<KeyringAccount> => {
    const options = { type: 'eip155:erc4337', chainId: CHAIN, entryPointVersion: version, index };
    return must(await keystead.call<KeyringAccount>('keyring_createAccount', { options }));
  };

  const createSafe = async (index: number): Promise<KeyringAccount> => {
    const options = { type: 'eip155:erc4337', chainId: CHAIN, kind: 'safe-0.7', index };
    return must(await keystead.call<KeyringAccount>('keyring_createAccount', { options }));
  };

  const resultOf = <T>({ response }: { readonly response: unknown }): Answer<T> => {
    const { result, error } = response as Answer<{ pending: false; result: T }>;
    return result === undefined ? { ...(error && { error }) } : { result: result.result };
  };

  const ask = async <T>(account: KeyringAccount, method: string, params: unknown[], scope = CHAIN) =>
    resultOf<T>(await submit(account.id, method, params as Json, scope));

  /** Asks, and approves in the snap's dialog. */
  const askAndApprove = async <T>(account: KeyringAccount, method: string, params: unknown[]): Promise<Answer<T>> => {
    const request = submit(account.id, method, params as Json, CHAIN);
    await (await request.getInterface()).ok();
    return resultOf<T>(await request);
  };

  const prepare = (account: KeyringAccount, intents: Intent[], scope?: string) =>
    ask<Details>(account, 'eth_prepareUserOperation', intents, scope);

  const patch = (account: KeyringAccount, operation: WireOperation) =>
    ask<{ paymasterAndData: Hex }>(account, 'eth_patchUserOperation', [operation]);

  /** Signs, and approves in the snap's dialog. */
  const sign = async (account: KeyringAccount, operation: WireOperation, entryPoint?: string): Promise<Answer<Hex>> => {
    const params = entryPoint === undefined ? [operation] : [operation, entryPoint];
    const request = submit(account.id, 'eth_signUserOperation', params, CHAIN);
    const screen = await request.getInterface();
    await screen.ok();
    // What cannot succeed takes a second approval.
    if (/cannot pay for this operation|fails in a simulation|The calls send/u.test(textOf(screen.content)))
      await (await request.getInterface()).ok();
    return resultOf<Hex>(await request);
  };

  /** From intents to a signed operation. */
  const signedOperation = async (account: KeyringAccount, intents: Intent[]): Promise<WireOperation> => {
    const prepared = operationOf(account.address, must(await prepare(account, intents)));
    const patched = { ...prepared, ...must(await patch(account, prepared)) };
    return { ...patched, signature: must(await sign(account, patched)) };
  };

  const placeOf = (version: AccountVersion) => ({ version, entryPoint: ENTRY_POINTS[version], chainId: CHAIN_ID });

  /** Waits until an operation is included. */
  const included = async (hash: Hex): Promise<UserOperationReceipt> => {
    for (;;) {
      const receipt = await bundler.getUserOperationReceipt(hash);
      if (receipt !== undefined) return receipt;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  /** Sends a signed operation to the bundler and waits until it is included. */
  const include = async (operation: WireOperation, version: AccountVersion): Promise<UserOperationReceipt> =>
    included(await bundler.sendUserOperation(toUserOperation(operation), placeOf(version)));

  return {
    ...keystead,
    bundler,
    setChain,
    createSmart,
    createSafe,
    ask,
    askAndApprove,
    prepare,
    patch,
    sign,
    signedOperation,
    placeOf,
    include,
    included,
  };
}
export type SmartWallet = Awaited<ReturnType<typeof installSmartWallet>>;
