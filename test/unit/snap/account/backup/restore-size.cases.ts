import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';

import { type BackupDeps } from '../../../../../src/snap/account/backup/deps';
import { StorageRepository } from '../../../../../src/snap/account/backup/repository';
import { restore } from '../../../../../src/snap/account/backup/restore';
import { MAX_BACKUP_BYTES } from '../../../../../src/snap/account/backup/seal';
import { cidOf, RAW } from '../../../../../src/clients/storage/cid';
import { BackupUnreadableError } from '../../../../../src/core/errors';
import { startKeyring } from '../../../../support/wallet/keyring';
import { WalletDouble } from '../../../../support/wallet/wallet-double';

/** A storage service with a single block, which is a file. */
let server: Server;
let file = new Uint8Array(0);
beforeAll(
  () =>
    new Promise<void>((resolve) => {
      server = createServer((_, response) => void response.writeHead(200).end(file));
      server.listen(0, '127.0.0.1', resolve);
    }),
);
afterAll(
  () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => {
        resolve();
      });
    }),
);

/** The result of restoring a file of a given size, and the wallet afterwards. */
async function restoring(length: number) {
  file = new Uint8Array(length);
  const wallet = new WalletDouble();
  const { port } = server.address() as AddressInfo;
  wallet.state = { version: 1, storage: { url: `http://127.0.0.1:${port}`, key: 'key', secret: 'a secret' } };
  const { deps } = startKeyring({ wallet });
  const storage = new StorageRepository({
    read: (key) => Promise.resolve(wallet.read(key)),
    write: (key, value) => Promise.resolve(wallet.write(key, value)),
  });
  const ask: BackupDeps['ask'] = () => Promise.reject(new Error('there must be no dialog'));
  const { text: cid } = await cidOf(1, RAW, file);
  const error = await restore({ cid }, { ...deps, ask, storage }, 'metamask').then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, calls: wallet.calls.filter((call) => call !== 'read') };
}

describe('restoring a file of any size', () => {
  it('is rejected above the maximum backup size with an explanation and without a dialog', async () => {
    const { error, calls } = await restoring(MAX_BACKUP_BYTES + 1);
    expect(error).toBeInstanceOf(BackupUnreadableError);
    expect(error).toMatchObject({
      message: 'The file is too large for a backup. Nothing was changed.',
      data: { fault: 'not-a-backup' },
    });
    expect(calls).toEqual([]);
  });

  it('reads a file of the maximum size, and reports what is wrong with it', async () => {
    const { error } = await restoring(MAX_BACKUP_BYTES);
    expect(error).toBeInstanceOf(BackupUnreadableError);
    expect(error).toMatchObject({ message: expect.not.stringContaining('too large') as string });
  });
});
