import { expect } from '@jest/globals';
import { type KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';

import { ENTRY_POINTS } from '../../src/core/erc4337/entry-points';
import { textOf } from '../support/screen-text';
import { type Answer, type Keystead } from '../support/wallet/installed';
import { type FaultyStorage, serveFaultyStorage } from '../support/faulty-storage';
import { type SimulatedNode, startSimulatedNode } from '../support/simulated-node';
import { startStorageProcess, type StorageProcess } from '../support/storage-process';

export const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
export const SECRET = 'no screen shows this secret';
/** The credentials that the storage service accepts. */
const CREDENTIALS = { key: 'a-key', secret: SECRET };

/** The accounts of a full wallet; `derived` is the first of them. */
export type Filled = { accounts: KeyringAccount[]; derived: KeyringAccount };
export type Note = { cid: string; size: number; accounts: number; createdAt: number };

/** Sends a request and approves its dialog. @returns The response, and the text of the dialog. */
export async function approved<T>(
  { send }: Keystead,
  method: string,
  params?: Json,
  origin?: string,
): Promise<Answer<T> & { said: string }> {
  const request = send(method, params, origin);
  const screen = await request.getInterface();
  const said = textOf(screen.content);
  await screen.ok();
  return { ...((await request).response as Answer<T>), said };
}

/** The real storage service of this repository, a proxy in front of it that can simulate failures, and a node. */
class BackupWorld {
  readonly storage: StorageProcess;
  readonly front: FaultyStorage;
  readonly node: SimulatedNode;
  /** A chain as `keystead_setChain` stores it. Restoring it contacts its node and its bundler. */
  readonly chain: Record<string, Json>;

  private constructor(storage: StorageProcess, front: FaultyStorage, node: SimulatedNode) {
    this.storage = storage;
    this.front = front;
    this.node = node;
    this.chain = {
      chainId: 'eip155:31337',
      rpcUrl: `${node.url}/node-with-a-key`,
      bundlerUrl: `${node.url}/bundler`,
      entryPoint: ENTRY_POINTS['0.7'],
      entryPointVersion: '0.7',
    };
  }

  static async start(): Promise<BackupWorld> {
    const storage = await startStorageProcess(CREDENTIALS);
    return new BackupWorld(storage, await serveFaultyStorage(storage.url), await startSimulatedNode());
  }

  async stop(): Promise<void> {
    await this.node.stop();
    await this.front.stop();
    await this.storage.stop();
  }

  /** The parameters of `keystead_setStorage`. */
  settings() {
    return { url: this.front.url, ...CREDENTIALS };
  }

  /** Gives a snap the storage service. */
  async setUp<Installed extends Keystead>(keystead: Installed): Promise<Installed> {
    const { error } = await approved(keystead, 'keystead_setStorage', this.settings());
    expect(error).toBeUndefined();
    return keystead;
  }

  /** Gives a snap a chain, a derived and an imported account, and smart accounts, one of them on two chains. */
  async fill(keystead: Keystead): Promise<Filled> {
    const { chainId, rpcUrl, bundlerUrl } = this.chain;
    const { result } = await approved(keystead, 'keystead_setChain', { chainId, rpcUrl, bundlerUrl } as Json);
    expect(result).toEqual(this.chain);
    const derived = await keystead.create();
    const imported = await keystead.create({ privateKey: KEY });
    await keystead.call('keyring_updateAccount', {
      account: { ...imported, options: { ...imported.options, label: 'Old wallet' } } as Json,
    });
    const smart = { type: 'eip155:erc4337', index: 3 };
    await keystead.create({ ...smart, chainId: 'eip155:31337' });
    await keystead.create({ ...smart, chainId: 'eip155:10' });
    await keystead.create({ type: 'eip155:erc4337', chainId: 'eip155:1', privateKey: KEY, salt: '0x2a' });
    const { result: accounts = [] } = await keystead.call<KeyringAccount[]>('keyring_listAccounts');
    return { accounts, derived };
  }
}

/**
 * A backup world for the tests of a file. After each test, the storage service works again.
 *
 * @returns A getter for the world, valid while tests run.
 */
export function useBackupWorld(): () => BackupWorld {
  let world: BackupWorld;
  beforeAll(async () => {
    world = await BackupWorld.start();
  });
  afterEach(() => {
    world.front.heal();
  });
  afterAll(() => world.stop());
  return () => world;
}
