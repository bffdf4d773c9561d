import { type Json } from '@metamask/snaps-sdk';
import { type Hex, parseEther } from 'viem';

import { DAPP, type ForDapps, installForDapps, LOCAL_PAGE } from '../dapp';
import { type ChainClient } from './contracts';
import { CHAIN, must } from './smart-wallet';
import { type World } from './world';

/** @returns An address of one repeated digit. */
export const recipient = (digit: string): Hex => `0x${digit.repeat(40)}`;

const THREE = ['1', '2', '3'].map((digit) => ({ to: recipient(digit), value: '0x1' }));

/** @returns The parameters of `wallet_sendCalls`: three atomic calls, unless changed. */
export const callsOf = (from: Hex, change: Record<string, unknown> = {}): Json =>
  [{ version: '2.0.0', from, chainId: '0x7a69', atomicRequired: true, calls: THREE, ...change }] as unknown as Json;

let keys = 0;

/**
 * The snap with one externally owned account of a new key, connected to two sites.
 *
 * @param change - Parameters of `keystead_setChain` that differ from the world's; undefined leaves one out.
 * @param value - The account's balance in wei.
 */
export async function startAccount(
  world: World,
  change: Record<string, Json | undefined> = {},
  value = parseEther('5'),
) {
  const keystead = await installForDapps();
  const params = { chainId: CHAIN, rpcUrl: world.rpcUrl, bundlerUrl: world.bundlerUrl, ...change };
  must(await keystead.approve('keystead_setChain', params as Json, LOCAL_PAGE));
  const privateKey: Hex = `0x${(++keys).toString(16).padStart(2, '0').repeat(32)}`;
  const creation = keystead.send('keyring_createAccount', { options: { type: 'eip155:eoa', privateKey } });
  await (await creation.getInterface()).ok();
  const { address } = must((await creation).response as never) as { address: Hex };
  await world.chain.setBalance({ address, value });
  await keystead.connect();
  await keystead.connect(LOCAL_PAGE);
  return { keystead, address, privateKey };
}

type CallsStatus = {
  readonly status: number;
  readonly atomic: boolean;
  readonly receipts?: readonly { readonly transactionHash: Hex; readonly status: Hex }[];
};

/** @returns The status of a batch that is no longer pending; blocks come meanwhile. */
export async function statusOf({ ask }: ForDapps, chain: ChainClient, id: string, origin = DAPP): Promise<CallsStatus> {
  for (;;) {
    const status = must(await ask<CallsStatus>('wallet_getCallsStatus', [id], origin));
    if (status.status !== 100) return status;
    await chain.mine({ blocks: 1 });
  }
}

/** Takes a delegation back, approves, and waits until that is mined. */
export async function takeBack({ send }: ForDapps, chain: ChainClient, address: Hex, chainId = CHAIN): Promise<void> {
  const undo = send('keystead_takeBackDelegation', { chainId, address });
  await (await undo.getInterface()).ok();
  const hash = must((await undo).response as never) as Hex;
  await chain.waitForTransactionReceipt({ hash });
}
