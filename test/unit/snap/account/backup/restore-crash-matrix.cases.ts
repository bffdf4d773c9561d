import { backUp } from '../../../../../src/snap/account/backup/back-up';
import { type BackupDeps } from '../../../../../src/snap/account/backup/deps';
import { StorageRepository } from '../../../../../src/snap/account/backup/repository';
import { restore } from '../../../../../src/snap/account/backup/restore';
import { perRun } from '../../../../support/nightly';
import { startKeyring } from '../../../../support/wallet/keyring';
import { type Fault, WALLET_FAULTS } from '../../../../support/wallet/faults';
import { WalletDouble } from '../../../../support/wallet/wallet-double';
import { startStorageProcess, type StorageProcess } from '../../../../support/storage-process';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
const ORIGIN = 'metamask';
const CREDENTIALS = { key: 'a-key', secret: 'a secret' };

let storage: StorageProcess;
let cid: string;
let backedUp: Map<string, string>;

/** The snap's real code on a simulated wallet whose storage service is set up. */
function startOn(wallet: WalletDouble) {
  const { deps, keyring } = startKeyring({ wallet });
  const repository = new StorageRepository({
    read: (key) => Promise.resolve(wallet.read(key)),
    write: (key, value) => Promise.resolve(wallet.write(key, value)),
  });
  const ask: BackupDeps['ask'] = async ({ initial, draw }) => {
    await deps.consent(draw(initial));
    return initial;
  };
  return { keyring, deps: { ...deps, ask, storage: repository } satisfies BackupDeps };
}

const freshWallet = (): WalletDouble => {
  const wallet = new WalletDouble();
  wallet.state = { version: 1, storage: { url: storage.url, ...CREDENTIALS } };
  return wallet;
};

beforeAll(async () => {
  storage = await startStorageProcess(CREDENTIALS);
  const wallet = freshWallet();
  const { keyring, deps } = startOn(wallet);
  await keyring.createAccount({});
  await keyring.createAccount({ privateKey: KEY });
  await keyring.createAccount({ type: 'eip155:erc4337', chainId: 'eip155:1' });
  ({ cid = '' } = await backUp(undefined, deps, ORIGIN));
  backedUp = wallet.stored;
});
afterAll(() => storage.stop());

/** Restores with one failing call. Also settles if the snap is killed. */
async function restoreWithFault(wallet: WalletDouble, at: number, fault: Fault): Promise<void> {
  await new Promise<void>((resolve) => {
    wallet.plan({ at, fault }, resolve);
    restore({ cid }, startOn(wallet).deps, ORIGIN).then(
      () => {
        resolve();
      },
      () => {
        resolve();
      },
    );
  });
  wallet.plan();
}

describe('restoring a backup, with one failing call', () => {
  it('loses and duplicates no account, and completes when repeated', async () => {
    const calls = await (async () => {
      const wallet = freshWallet();
      await restore({ cid }, startOn(wallet).deps, ORIGIN);
      return [...wallet.calls];
    })();
    expect(calls.filter((call) => call === 'created')).toHaveLength(3);
    for (let at = 0; at < calls.length; at++) {
      for (const fault of perRun([WALLET_FAULTS[at % WALLET_FAULTS.length]!], WALLET_FAULTS)) {
        const wallet = freshWallet();
        await restoreWithFault(wallet, at, fault);
        const where = `call ${at} (${calls[at] ?? ''}) ${fault}`;
        for (const [id, address] of wallet.known) expect([where, wallet.stored.get(id)]).toEqual([where, address]);
        const again = await restore({ cid }, startOn(wallet).deps, ORIGIN);
        expect([where, again.skipped]).toEqual([where, []]);
        expect([where, new Map([...wallet.stored].sort())]).toEqual([where, new Map([...backedUp].sort())]);
        expect([where, new Map([...wallet.known].sort())]).toEqual([where, new Map([...backedUp].sort())]);
      }
    }
  });

  it('stores each account before announcing it', async () => {
    const wallet = freshWallet();
    await restore({ cid }, startOn(wallet).deps, ORIGIN);
    wallet.calls.forEach((call, at) => {
      if (call === 'created') expect(wallet.calls.slice(0, at)).toContain('write');
    });
    expect(wallet.calls[wallet.calls.indexOf('created') - 1]).toBe('write');
  });
});

describe('restoring over damaged data', () => {
  it('replaces an account that cannot be read', async () => {
    const wallet = freshWallet();
    await restore({ cid }, startOn(wallet).deps, ORIGIN);
    const [id] = [...backedUp.keys()];
    wallet.write(`accounts.${id ?? ''}`, { account: 5 });
    const { accounts, skipped } = await restore({ cid }, startOn(wallet).deps, ORIGIN);
    expect(accounts).toHaveLength(3);
    expect(skipped).toEqual([]);
    expect(new Map([...wallet.stored].sort())).toEqual(new Map([...backedUp].sort()));
  });
});

describe('the record of the last backup', () => {
  it('is created by a restore if there is none, and otherwise stays unchanged', async () => {
    const wallet = freshWallet();
    const { deps } = startOn(wallet);
    await restore({ cid }, deps, ORIGIN);
    expect(await deps.storage.lastBackup()).toMatchObject({ cid, accounts: 3 });
    const later = { cid, size: 1, accounts: 7, createdAt: 5 };
    await deps.storage.noteBackup(later);
    await restore({ cid }, deps, ORIGIN);
    expect(await deps.storage.lastBackup()).toEqual(later);
  });
});
