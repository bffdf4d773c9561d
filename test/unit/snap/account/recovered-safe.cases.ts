import { type Json } from '@metamask/snaps-sdk';
import { type Hex, keccak256, pad, recoverAddress, toEventSelector } from 'viem';

import { GUARD_SLOT, HANDLER_SLOT, MODULE_4337, PROXY_CODE_HASH, SINGLETON } from '../../../../src/core/safe/contracts';
import { safe07 } from '../../../../src/core/safe';
import { THRESHOLD_SLOT } from '../../../../src/core/safe/owners/owners';
import { UserRejectedError } from '../../../../src/core/errors';
import { fromHex, toHex } from '../../../../src/core/eth/bytes';
import { ENTRY_POINTS } from '../../../../src/core/erc4337/entry-points';
import { isSmart } from '../../../../src/snap/account/account';
import { accountNames } from '../../../../src/snap/account/account-name';
import { findRecovered } from '../../../../src/snap/account/find-recovered';
import { signFor } from '../../../../src/snap/account/keys';
import { smartAccountOf } from '../../../../src/snap/account/smart-account';
import { contentNow, readContent, writtenContent } from '../../../../src/snap/account/backup/content';
import { restoreAccount } from '../../../../src/snap/account/backup/restore-account';
import { standInModule } from '../../../../src/devnet/chain/state';
import { preparedCode, PROXY_CODE } from '../../../support/prepared-code';
import { answersOf, answerTo, GUARDED } from '../../../support/recovery-node';
import { flat } from '../../../support/screen-text';
import { NodeRefusal, type SimulatedNode, startSimulatedNode } from '../../../support/simulated-node';
import { keyringOf, startKeyring } from '../../../support/wallet/keyring';
import { WalletDouble } from '../../../support/wallet/wallet-double';

const CHAIN = 'eip155:31337';
const OLD: Hex = '0x5555555555555555555555555555555555555555';
const ATTACKER: Hex = '0x6666666666666666666666666666666666666666';
const OPTIONS = { type: 'eip155:erc4337', chainId: CHAIN, kind: 'safe-0.7', index: 2, address: OLD };

const STAND_IN = standInModule().address.toLowerCase() as Hex;

it('knows the code of a Safe from the factory that makes it', () => {
  expect(keccak256(PROXY_CODE)).toBe(PROXY_CODE_HASH);
});

describe('a Safe that a recovery gave to another phrase', () => {
  let node: SimulatedNode;
  /** What the contract at the address has. */
  let contract: {
    code: Hex;
    singleton: Hex;
    owners: Hex[];
    threshold: number;
    modules: Hex[];
    guard: Hex;
    handler: Hex;
  };
  /** Contracts that are Safes like it. */
  let alike: Hex[];
  beforeEach(async () => {
    alike = [];
    node = await startSimulatedNode({
      eth_getCode: ([address]) =>
        address === OLD || alike.includes(address as Hex)
          ? contract.code
          : address === STAND_IN
            ? preparedCode(STAND_IN)
            : '0x6001',
      eth_getStorageAt: ([, slot]) =>
        pad(slot === GUARD_SLOT ? contract.guard : slot === HANDLER_SLOT ? contract.handler : contract.singleton),
      eth_call: ([call]) => {
        const { data } = call as { data: Hex };
        const { owners, modules, threshold } = contract;
        if (data.startsWith('0xe75235b8')) return pad(`0x${threshold}`);
        return answerTo(data, answersOf({ ...GUARDED, owners, modules }));
      },
    });
  });
  afterEach(() => node.stop());

  /** A wallet of another phrase than the account was made with, whose third Safe has the account's new owner. */
  async function start(wallet = new WalletDouble()) {
    const started = startKeyring({ wallet });
    const rpcUrl = node.url;
    await started.deps.chains.put({
      chainId: CHAIN,
      rpcUrl,
      entryPoint: ENTRY_POINTS['0.7'],
      entryPointVersion: '0.7',
    });
    const { address: _old, ...plain } = OPTIONS;
    const own = await started.keyring.createAccount(plain);
    const owner = own.options.owner as Hex;
    contract = {
      code: PROXY_CODE,
      singleton: SINGLETON,
      owners: [owner],
      threshold: 1,
      modules: [MODULE_4337],
      guard: '0x0',
      handler: MODULE_4337,
    };
    return { ...started, own, owner };
  }
  type Started = Awaited<ReturnType<typeof start>>;

  it.each<[string, () => void, string]>([
    [
      'has other code, which can answer anything',
      () => (contract.code = '0x6001'),
      'options.address: must be a Safe 1.4.1 that is deployed',
    ],
    [
      'has the key and an attacker as owners',
      () => contract.owners.push(ATTACKER),
      'options.address: must be a Safe without other owners, who could take what it holds',
    ],
    [
      "has an attacker's module",
      () => contract.modules.push(ATTACKER),
      `options.address: must be a Safe with known modules only. Module ${ATTACKER} could take what it holds`,
    ],
    [
      'has a guard, which could hold back what it sends',
      () => (contract.guard = ATTACKER),
      'options.address: must be a Safe without a guard',
    ],
    [
      "has an attacker's fallback handler, which could accept signatures for it",
      () => (contract.handler = ATTACKER),
      'options.address: must be a Safe for which only the module for user operations (ERC-4337) answers calls',
    ],
    [
      'has no fallback handler',
      () => (contract.handler = '0x0'),
      'options.address: must be a Safe for which only the module for user operations (ERC-4337) answers calls',
    ],
    [
      'runs no code of a Safe',
      () => (contract.singleton = OLD),
      'options.address: must be a Safe 1.4.1 that is deployed',
    ],
    [
      'has another owner',
      () => (contract.owners = [OLD]),
      'options.address: must be a Safe that has the key of this index',
    ],
    [
      'needs two signatures',
      () => (contract.threshold = 2),
      'options.address: must be a Safe that needs one signature',
    ],
    [
      'has no module',
      () => (contract.modules = []),
      'options.address: must be a Safe with the module for user operations',
    ],
  ])('is not added if it %s', async (_what, change, message) => {
    const { keyring, own } = await start();
    change();
    await expect(keyring.createAccount(OPTIONS)).rejects.toThrow(message);
    expect(await keyring.listAccounts()).toEqual([own]);
  });

  it.each<[string, Record<string, Json | undefined>, string]>([
    ['of another kind', { kind: 'simple-account-0.7' }, 'options.address: must be omitted, unless kind is "safe-0.7"'],
    ['without an index', { index: undefined }, 'options.address: must be omitted without an index or a privateKey'],
    ['with a salt', { salt: '0x1' }, 'options.salt: must be omitted if address is given'],
    ['on a network that is not set up', { chainId: 'eip155:5' }, 'options.chainId: must be a network that is set up'],
    ['at no address', { address: '0x12' }, 'options.address: must be an address'],
  ])('is not added %s', async (_what, change, message) => {
    const { keyring } = await start();
    const options = JSON.parse(JSON.stringify({ ...OPTIONS, ...change })) as unknown;
    await expect(keyring.createAccount(options)).rejects.toThrow(message);
  });

  it('is added only after a dialog with its whole address, its network and the danger', async () => {
    const { keyring, deps, own } = await start();
    contract.modules.push(STAND_IN);
    const shown: string[] = [];
    const rejecting = keyringOf({
      ...deps,
      consent: (content) => {
        shown.push(flat(content));
        return Promise.reject(new UserRejectedError());
      },
    });
    await expect(rejecting.createAccount(OPTIONS)).rejects.toThrow(UserRejectedError);
    expect(shown).toHaveLength(1);
    expect(shown[0]).toContain(OLD);
    expect(shown[0]).toContain('31337');
    expect(shown[0]).toContain('If it ever belonged to someone else, they may still be able to take what it receives');
    expect(await keyring.listAccounts()).toEqual([own]);
    await keyring.createAccount(OPTIONS);
    expect(await keyring.listAccounts()).toHaveLength(2);
  });

  it('is added with its old address, beside the Safe of the same key, and once', async () => {
    const { keyring, deps, own, owner } = await start();
    const account = await keyring.createAccount(OPTIONS);
    expect(account).toMatchObject({ address: OLD, options: { index: 2, owner, isRecovered: true } });
    expect(account.id).not.toBe(own.id);
    expect(await keyring.createAccount(OPTIONS)).toEqual(account);
    const names = accountNames(await deps.accounts.entries());
    expect(names).toEqual({ [own.address.toLowerCase()]: 'Safe 3', [OLD]: 'Safe 3 (5555)' });
  });

  it('is signed for by the new key, at the old address, and never deployed', async () => {
    const { keyring, deps, owner } = await start();
    const { id } = await keyring.createAccount(OPTIONS);
    const stored = await deps.accounts.get(id);
    if (!isSmart(stored)) throw new Error('not a smart account');
    expect(smartAccountOf(stored)).toMatchObject({ address: OLD, initCode: '0x' });
    const digest = safe07.messageDigest!(fromHex(`0x${'11'.repeat(32)}`), OLD, 31337n);
    const { r, s, yParity } = await signFor(stored, deps.entropy, digest);
    const signature = { r: toHex(r), s: toHex(s), yParity };
    expect(await recoverAddress({ hash: toHex(digest), signature })).toBe(owner);
  });

  describe('and that got another owner since', () => {
    const ask = (keyring: Started['keyring'], id: string, method: string, params: Json[]) =>
      keyring.submitRequest({
        ...{ id, account: id, scope: CHAIN, origin: 'https://dapp.example' },
        request: { method, params },
      } as Parameters<Started['keyring']['submitRequest']>[0]);

    async function startShared(threshold: number, owners: (own: Hex) => Hex[]) {
      const started = await start();
      const { id } = await started.keyring.createAccount(OPTIONS);
      const configuration = (await started.deps.chains.find(31_337n))!;
      await started.deps.chains.put({ ...configuration, bundlerUrl: node.url });
      const { eth_getStorageAt: storage } = node.answers;
      node.answers.eth_getStorageAt = (params, ...more) =>
        params[1] === THRESHOLD_SLOT ? pad(`0x${threshold}`) : storage!(params, ...more);
      const call = node.answers.eth_call!;
      // The next nonce.
      node.answers.eth_call = (params, ...more) =>
        (params[0] as { to: Hex }).to === OLD ? call(params, ...more) : pad('0x0');
      contract.owners = owners(started.owner);
      return { ...started, id };
    }

    it('gives no site a signature that the other owner has not joined', async () => {
      const { keyring, deps, id } = await startShared(2, (own) => [own, ATTACKER]);
      await expect(ask(keyring, id, 'personal_sign', ['0x6869', OLD])).rejects.toThrow('2 of 2 owners of this account');
      expect(await deps.messages.read()).toMatchObject([{ account: OLD, message: '0x6869' }]);
    });

    it('has no operation signed that the other owner has to sign too', async () => {
      const { keyring, id } = await startShared(2, (own) => [own, ATTACKER]);
      const operation = {
        ...{ sender: OLD, nonce: '0x0', initCode: '0x', callData: '0x', paymasterAndData: '0x', signature: '0x' },
        ...{ callGasLimit: '0x1', verificationGasLimit: '0x1', preVerificationGas: '0x1' },
        ...{ maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' },
      };
      await expect(ask(keyring, id, 'eth_signUserOperation', [operation])).rejects.toThrow('2 owners of this account');
    });

    it('is not signed for once its key is not an owner', async () => {
      const { keyring, id } = await startShared(1, () => [ATTACKER]);
      await expect(ask(keyring, id, 'personal_sign', ['0x6869', OLD])).rejects.toThrow('not one of its owners');
    });

    it('is signed for by the new key alone while one signature is enough', async () => {
      const { keyring, id } = await startShared(1, (own) => [own, ATTACKER]);
      expect(await ask(keyring, id, 'personal_sign', ['0x6869', OLD])).toMatchObject({ pending: false });
    });
  });

  it('is found on the network by the phrase alone, among contracts that only claim it', async () => {
    const { deps, owner } = await start();
    const topic = toEventSelector('AddedOwner(address)');
    node.answers.eth_getLogs = ([filter]) =>
      JSON.stringify(filter).includes(topic) && JSON.stringify(filter).includes(owner.slice(2))
        ? [{ address: OLD }, { address: OLD }]
        : [];
    const found = [{ chainId: CHAIN, address: OLD }];
    expect(await findRecovered({ index: 2 }, deps)).toEqual({ found, unsearched: [] });
    expect(await findRecovered({ index: 1 }, deps)).toEqual({ found: [], unsearched: [] });
    contract.owners = [OLD];
    expect(await findRecovered({ index: 2 }, deps)).toEqual({ found: [], unsearched: [] });
    node.answers.eth_getLogs = () => {
      throw new NodeRefusal('at most 10,000 blocks', -32005);
    };
    expect(await findRecovered({ index: 2 }, deps)).toEqual({ found: [], unsearched: [CHAIN] });
    await expect(findRecovered({ index: -1 }, deps)).rejects.toThrow('params.index: must be an integer from 0');
  });

  it('is found among many contracts that logged its key before, or that are no Safes', async () => {
    const { deps } = await start();
    const others = Array.from({ length: 95 }, (_none, at) => `0x${(at + 16).toString(16).padStart(40, '0')}` as const);
    node.answers.eth_getLogs = () => [...others, OLD, ...others.slice(0, 20)].map((address) => ({ address }));
    expect((await findRecovered({ index: 2 }, deps)).found).toEqual([{ chainId: CHAIN, address: OLD }]);
    // More Safes than are asked: the newest are, and the search says that it was not complete.
    alike = others.slice(0, 30);
    node.answers.eth_getLogs = () => [...alike, OLD].map((address) => ({ address }));
    const many = await findRecovered({ index: 2 }, deps);
    expect(many.found[0]).toEqual({ chainId: CHAIN, address: OLD });
    expect(many.unsearched).toEqual([CHAIN]);
  });

  it('is deleted at the request of a page only after a dialog that says what is lost', async () => {
    const { keyring, deps } = await start();
    const { id } = await keyring.createAccount(OPTIONS);
    const shown: string[] = [];
    const asking = keyringOf({
      ...deps,
      origin: 'https://page.example',
      consent: (content) => {
        shown.push(flat(content));
        return Promise.reject(new UserRejectedError());
      },
    });
    await expect(asking.deleteAccount(id)).rejects.toThrow(UserRejectedError);
    expect(shown).toHaveLength(1);
    expect(shown[0]).toContain('not its address');
    expect(await keyring.listAccounts()).toHaveLength(2);
  });

  it('comes back from a backup, with its address', async () => {
    const { keyring, deps } = await start();
    const account = await keyring.createAccount({ ...OPTIONS, label: 'Family' });
    const content = await contentNow(await deps.accounts.list(), deps, 0);
    const { accounts, unread } = readContent(writtenContent(content));
    expect(unread).toEqual([]);
    const fresh = startKeyring({ wallet: new WalletDouble() });
    const entry = accounts.find(({ address }) => address === OLD)!;
    expect(await restoreAccount(entry, fresh.deps)).toEqual(account);
    // Without the mark, the address is one that the key does not give.
    const { isRecovered: _none, ...smart } = entry.smart!;
    await expect(restoreAccount({ ...entry, smart }, fresh.deps)).rejects.toThrow(
      'address: must be the address of the key in the backup',
    );
  });
});
