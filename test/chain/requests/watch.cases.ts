import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { expect } from '@jest/globals';
import { type Json } from '@metamask/snaps-sdk';
import { encodeFunctionData, type Hex, parseAbi, toHex } from 'viem';

import { SINGLETON } from '../../../src/core/safe/contracts';
import { ownerChangeCall } from '../../../src/core/safe/owners/changes';
import { lowerCase } from '../../../src/core/eth/bytes';
import { cancelRecovery, confirmBySignatures, setGuardians } from '../../../src/core/safe/recovery/calls';
import { type RecoveryModule } from '../../../src/core/safe/recovery/modules';
import { type Anvil, startAnvil } from '../../../src/devnet/anvil';
import { standInModule, writeFirstState } from '../../../src/devnet/chain/state';
import { serveSnap, type SnapServer } from '../../../src/devnet/snap-server';
import { chainClient, type ChainClient } from '../../support/chain/contracts';
import { guardedSafe, person } from '../../support/chain/guarded-safe';
import { flat } from '../../support/screen-text';
import { installKeystead, type Keystead } from '../../support/wallet/installed';
import { nodeError, WalletNetworks } from '../../support/wallet/wallet-networks';

const CHAIN_ID = 31_337n;
const [owner, fresh] = [person('owner').address, person('fresh').address];
const [one, two] = [person('guardian 1'), person('guardian 2')] as const;
const NEW_OWNER = { newOwners: [fresh], newThreshold: 1n };
const MULTICALL3: Hex = '0xca11bde05977b3631167028862be2a173976ca11';

/** The code of Multicall3, which viem has for networks without it but does not export. */
const multicall3Creation = (): Hex =>
  (jest.requireActual(join(dirname(require.resolve('viem')), 'constants/contracts.js')) as { multicall3Bytecode: Hex })
    .multicall3Bytecode;

type Home = {
  readonly content: unknown;
  readonly clickElement: (name: string) => Promise<void>;
  readonly typeInField: (name: string, value: string) => Promise<void>;
  readonly selectInDropdown: (name: string, value: string) => Promise<void>;
};

describe('accounts that Keystead Insights watches, on a real chain', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keystead-'));
  let anvil: Anvil;
  let server: SnapServer;
  let chain: ChainClient;
  let module: RecoveryModule;
  let account: Awaited<ReturnType<typeof guardedSafe>>;
  let keystead: Keystead;
  let clean: Hex;
  const networks = new WalletNetworks();
  /** What MetaMask was asked to say, in its own list. */
  const said: string[] = [];
  let locked = false;
  /** Why the last account is not watched, as the form says it. */
  let refusal: string | undefined;

  const rpc = async (method: string, params: readonly Json[]): Promise<Json> => {
    const response = await fetch(anvil.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as {
      result: Json;
      error?: { code: number; message: string; data?: Json };
    };
    if (error !== undefined) nodeError(error.code, error.message, error.data);
    return result;
  };
  const passOn = (): void => {
    networks.asked.length = 0;
    networks.answers = Object.fromEntries(
      ['eth_call', 'eth_getCode', 'eth_getStorageAt'].map((method) => [
        method,
        (params: readonly Json[]) => rpc(method, params),
      ]),
    );
  };

  beforeAll(async () => {
    const state = join(folder, 'chain.json');
    writeFirstState(state);
    anvil = await startAnvil({ state });
    chain = chainClient(anvil.url);
    // Below it are the addresses of the prepared contracts.
    await chain.setNonce({ address: chain.account.address, nonce: 1000 });
    module = standInModule();
    account = await guardedSafe(chain, anvil.url, module, owner);
    const chosen = { guardians: [one.address, two.address], threshold: 2n };
    await account.asSafe(setGuardians(chosen, await account.read()));
    networks.known = [CHAIN_ID];
    networks.selected = CHAIN_ID;
    server = await serveSnap(join(__dirname, '../../../dist-insights'), 0);
    keystead = await installKeystead({
      snapId: `local:${server.url}`,
      answer: async (request) => {
        const { type, message, encrypted } = (request.params ?? {}) as Record<string, Json>;
        if (request.method === 'snap_getBackgroundEvents') return [];
        if (request.method === 'snap_getClientStatus') return { locked, active: !locked };
        if (request.method === 'snap_notify') {
          if (type === 'inApp') said.push(String(message));
          return null;
        }
        // MetaMask would ask for the password.
        if (locked && encrypted === true) throw new Error('the wallet is locked');
        return networks.request(request);
      },
    });
  });
  afterAll(async () => {
    await server.stop();
    await anvil.stop();
    rmSync(folder, { recursive: true });
  });

  const home = async () => (await keystead.snap.onHomePage()).getInterface() as unknown as Home;
  const homeText = async () => flat((await home()).content);
  const watch = async (address: string): Promise<string> => {
    const shown = await keystead.snap.onHomePage();
    const page = shown.getInterface() as unknown as Home;
    await page.selectInDropdown('watched-network', `eip155:${CHAIN_ID}`);
    await page.typeInField('watched-address', address);
    await page.clickElement('add-watched');
    const { content } = shown.getInterface();
    refusal = /"error":"([^"]*)"/u.exec(JSON.stringify(content))?.[1];
    return flat(content);
  };
  /** Presses the first button of a kind. */
  const press = async (kind: 'seen' | 'unwatch'): Promise<void> => {
    const page = await home();
    const name = new RegExp(`"name":"(${kind}:[^"]+)"`, 'u').exec(JSON.stringify(page.content))?.[1];
    expect(name).toBeDefined();
    await page.clickElement(name!);
  };
  const unwatchAll = async (): Promise<void> => {
    while ((await homeText()).includes('Stop watching')) await press('unwatch');
  };
  /** An hour passes while nobody looks. */
  const look = async (): Promise<readonly string[]> => {
    said.length = 0;
    locked = true;
    const { response } = (await keystead.snap.onCronjob({ method: 'watch' })) as unknown as { response: object };
    expect(response).not.toHaveProperty('error');
    locked = false;
    return [...said];
  };
  const begin = async (): Promise<void> => {
    const { nonce } = await account.read();
    const signatures = [await account.signed(one, NEW_OWNER, nonce), await account.signed(two, NEW_OWNER, nonce)];
    await account.anyone(confirmBySignatures(module.address, account.safe, NEW_OWNER, signatures, { begin: true }));
  };

  beforeEach(async () => {
    clean = await chain.snapshot();
    passOn();
  });
  afterEach(async () => {
    await chain.revert({ id: clean });
    passOn();
    await unwatchAll();
  });

  it.each([
    ['text that is no address', 'vitalik.eth', 'Address: must be 0x and 40 hex digits'],
    [
      'an address with a typing error',
      '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96046',
      'Address: has a typing error: its checksum is wrong',
    ],
    [
      'a contract that is no Safe',
      standInModule().address,
      'This contract does not answer as a Safe, so nothing can be watched.',
    ],
  ])('are not %s', async (_what, address, why) => {
    expect(await watch(address)).not.toContain('Stop watching');
    expect(refusal).toBe(why);
  });

  it('raise an alarm when a recovery begins while the wallet is locked, once', async () => {
    expect([await watch(account.safe), refusal]).toEqual([expect.anything(), undefined]);
    expect(await homeText()).toContain('A Safe: 1 of 1 owner must sign');
    expect(await look()).toEqual([]);
    await begin();
    const [first, ...more] = await look();
    expect(first).toMatch(
      /^A recovery has begun, your wallet's node says: 0x\w{4}…\w{4} on Network 31337\. Open Keystead Insights in MetaMask\.$/u,
    );
    expect(more).toEqual([]);
    expect(await look()).toEqual([]);
    const text = await homeText();
    expect(text.slice(0, 40)).toContain('A watched account has changed');
    expect(text).toContain('A recovery has begun danger Guardians are replacing its owners. From ');
    expect(text).toContain(`New owner ${fresh}`);
    await press('seen');
    const seen = await homeText();
    expect(seen).not.toContain('A watched account has changed');
    expect(seen).toContain('A recovery is pending');
    await account.asSafe([cancelRecovery(module.address)]);
    expect(await look()).toEqual([]);
    expect(await homeText()).toContain('A recovery has ended');
  });

  it('raise an alarm when owners, signatures, modules or the contract that answers change', async () => {
    await watch(account.safe);
    const owners = { owners: [lowerCase(owner)], threshold: 1 };
    await account.asSafe([
      ownerChangeCall(account.safe, owners, { kind: 'add', owner: lowerCase(fresh), threshold: 2 }),
      {
        to: account.safe,
        value: 0n,
        data: encodeFunctionData({ abi: parseAbi(['function setFallbackHandler(address)']), args: [fresh] }),
      },
      {
        to: account.safe,
        value: 0n,
        data: encodeFunctionData({ abi: parseAbi(['function enableModule(address)']), args: [one.address] }),
      },
    ]);
    expect(await look()).toHaveLength(1);
    const text = await homeText();
    expect(text).toContain('Another contract now answers for it.');
    expect(text).toContain(
      `A module was switched on. It can move everything without the owners. Module ${one.address}`,
    );
    expect(text).toContain(`It has a new owner. New owner ${fresh}`);
    expect(text).toContain('2 of 2 owners must sign now. Before, it was 1 of 1 owner.');
  });

  it('raise an alarm when code is put in place of the Safe, whatever it answers', async () => {
    await watch(account.safe);
    const code = await chain.getCode({ address: account.safe });
    expect(code).toBeDefined();
    await chain.setStorageAt({ address: account.safe, index: 0, value: `0x${fresh.slice(2).padStart(64, '0')}` });
    // The new code answers as the old one did.
    await chain.setCode({ address: fresh, bytecode: (await chain.getCode({ address: SINGLETON }))! });
    expect(await look()).toHaveLength(1);
    expect(await homeText()).toContain('Its code was replaced. Whoever wrote the new code may control it.');
  });

  it('raise an alarm when an account with a key is delegated', async () => {
    await watch(two.address);
    expect(await homeText()).toContain('An account with a key');
    await chain.setCode({ address: two.address, bytecode: `0xef0100${one.address.slice(2)}` });
    expect(await look()).toHaveLength(1);
    expect(await homeText()).toContain(
      `It was delegated by EIP-7702: it now runs the code of another contract, which can move everything that it holds. Contract ${one.address}`,
    );
  });

  it.each<[string, () => void]>([
    ['does not answer', () => (networks.answers.eth_call = () => new Promise<never>(() => undefined))],
    ['is throttled', () => (networks.answers.eth_call = () => nodeError(-32_005, 'limit exceeded'))],
    ['answers nothing', () => (networks.answers.eth_call = () => '0x')],
    ['answers nonsense', () => (networks.answers.eth_call = () => `0x${'01'.repeat(64)}`)],
  ])('stay as they were seen if the node %s', async (_what, fail) => {
    await begin();
    await watch(account.safe);
    expect(await homeText()).toContain('A recovery is pending');
    fail();
    expect(await look()).toEqual([]);
    expect(await homeText()).toContain('A recovery is pending');
    expect(await homeText()).not.toContain('A recovery has ended');
  });

  it('cost a few requests an hour, where the network has Multicall3', async () => {
    const deployed = await chain.sendTransaction({ data: multicall3Creation() });
    const { contractAddress } = await chain.waitForTransactionReceipt({ hash: deployed });
    await chain.setCode({ address: MULTICALL3, bytecode: (await chain.getCode({ address: contractAddress! }))! });
    await watch(account.safe);
    await watch(two.address);
    await begin();
    networks.asked.length = 0;
    expect(await look()).toHaveLength(1);
    const methods = networks.asked.map(({ method }) => method).filter((method) => method !== 'eth_chainId');
    expect(methods.sort()).toEqual(['eth_call', 'eth_call', 'eth_getCode', 'eth_getCode', 'eth_getStorageAt']);
  });

  it('are asked of their own network, and are no more than ten', async () => {
    for (let index = 0; index < 10; index++) await watch(toHex(0xa_0000n + BigInt(index), { size: 20 }));
    await watch(toHex(0xb_0000n, { size: 20 }));
    expect((await homeText()).match(/Stop watching/gu)).toHaveLength(10);
  });
});
