import { expect } from '@jest/globals';

import { textOf } from '../../support/screen-text';
import { type FaultyStorage } from '../../support/faulty-storage';
import { useEmptiedSnap } from '../../support/wallet/emptied';
import { answerOf, SnapInProcess } from '../../support/wallet/in-process';
import { installKeystead, type Keystead } from '../../support/wallet/installed';
import { WalletDouble } from '../../support/wallet/wallet-double';
import { approved, type Note, SECRET, useBackupWorld } from '../backup-world';

const world = useBackupWorld();
const start = useEmptiedSnap(installKeystead);

/** An emptied snap with the storage service, which may still show the last backup. */
const emptied = async () => world().setUp(await start({ mayKeep: ['storage', 'backup'] }));

describe('a modified backup', () => {
  let cid: string;
  let file: Buffer;
  beforeAll(async () => {
    const keystead = await emptied();
    await world().fill(keystead);
    ({ cid } = (await approved<Note>(keystead, 'keystead_backUp')).result!);
    file = await world().storage.cat(cid);
  });

  it('contains no account data in plain text', () => {
    expect(file.length).toBe(4096);
    expect(file.toString('latin1')).not.toMatch(/4af1bceebf7f|eip155|Old wallet|privateKey|127\.0\.0\.1/u);
  });

  /** Restores other bytes under their own CID. */
  const restoringIn = async (keystead: Keystead, bytes: Buffer) => {
    const { error } = await keystead.call('keystead_restore', { cid: await world().storage.add(bytes) });
    expect((await keystead.call('keyring_listAccounts')).result).toEqual([]);
    return error;
  };

  const flipped = (at: number): Buffer => {
    const bytes = Buffer.from(file);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  };

  describe('in its bytes', () => {
    // A rejected backup changes nothing.
    let keystead: Keystead;
    beforeAll(async () => {
      keystead = await emptied();
    });
    const restoring = (bytes: Buffer) => restoringIn(keystead, bytes);

    it.each<[string, number, string]>([
      ['the magic', 0, 'not-a-backup'],
      ['the last byte of the magic', 7, 'not-a-backup'],
      ['the version', 8, 'version'],
      ['the length', 12, 'truncated'],
      ['the salt', 13, 'phrase'],
      ['the last byte of the salt', 44, 'phrase'],
      ['the commitment', 45, 'phrase'],
      ['the last byte of the commitment', 76, 'phrase'],
      ['the first byte of the ciphertext', 77, 'changed'],
      ['the padding', 4000, 'changed'],
      ['the first byte of the tag', 4080, 'changed'],
      ['the last byte of the tag', 4095, 'changed'],
    ])('is refused with a flipped bit in %s', async (_where, at, fault) => {
      const error = await restoring(flipped(at));
      expect(error).toMatchObject({ code: -32003, data: { code: 'backup-unreadable', fault } });
      expect(error?.message).toMatch(/^The (?:file|backup) .+ Nothing was changed(?: here)?\.$/u);
    });

    it.each([0, 1, 8, 9, 76, 77, 100, 4095])('is rejected when truncated to %d bytes', async (length) => {
      expect((await restoring(file.subarray(0, length)))?.data).toMatchObject({
        fault: length === 0 ? 'not-a-backup' : 'truncated',
      });
    });

    it('is rejected with extra bytes, or with another size class', async () => {
      expect((await restoring(Buffer.concat([file, Buffer.from([0])])))?.data).toMatchObject({ fault: 'truncated' });
      const longer = Buffer.concat([file, Buffer.alloc(4096)]);
      longer.writeUInt32BE(8192, 9);
      expect((await restoring(longer))?.data).toMatchObject({ fault: 'changed' });
    });
  });

  it('is rejected with another recovery phrase, with an explanation', async () => {
    const storage = world().settings();
    const wallet = new WalletDouble({ phrase: 'another', state: { version: 1, storage } });
    wallet.services = [storage.url];
    const snap = new SnapInProcess(wallet, 'built');
    const { error } = await answerOf(snap.keyring('keystead_restore', { cid }));
    expect(error).toMatchObject({ data: { fault: 'phrase' } });
    expect(error?.message).toContain('made with another recovery phrase');
    expect(await snap.keyring('keyring_listAccounts')).toEqual([]);
  });

  it('is rejected if it is too large or a directory', async () => {
    const keystead = await emptied();
    const large = await world().storage.add(Buffer.alloc(4 * 1024 * 1024 + 1));
    expect((await keystead.call('keystead_restore', { cid: large })).error?.message).toBe(
      'The file is too large for a backup. Nothing was changed.',
    );
    const directory = await world().storage.addDirectory(file);
    expect((await keystead.call('keystead_restore', { cid: directory })).error?.message).toContain(
      'returned something other than a file',
    );
  });

  it('is detected if the service sends other bytes for the CID', async () => {
    const keystead = await emptied();
    world().front.answer((request, response, pass) => {
      if (request.url?.includes('block/get') === true) response.writeHead(200).end(flipped(2000));
      else pass();
    });
    const { error } = await keystead.call('keystead_restore', { cid });
    expect(error?.message).toContain('returned data that does not match the CID');
    expect((await keystead.call('keyring_listAccounts')).result).toEqual([]);
  });
});

describe('a storage service that fails', () => {
  const homeOf = async ({ snap }: Keystead) => textOf((await snap.onHomePage()).getInterface().content);
  const backUpWith = async (answer: Parameters<FaultyStorage['answer']>[0]) => {
    const keystead = await emptied();
    await keystead.create();
    const before = await homeOf(keystead);
    world().front.answer(answer);
    const { error } = await approved(keystead, 'keystead_backUp');
    // The file of each backup differs, so a recorded backup would show another CID.
    expect(await homeOf(keystead)).toBe(before);
    return error;
  };

  it.each<[string, Parameters<FaultyStorage['answer']>[0], string]>([
    ['refuses the credentials', (_, response) => response.writeHead(403).end(), 'did not accept the key and secret'],
    ['is full', (_, response) => response.writeHead(507).end('quota'), 'rejected the request (HTTP 507)'],
    ['hangs up', (request) => request.destroy(), 'could not be reached'],
    ['answers with HTML', (_, response) => response.writeHead(200).end('<html>'), 'returned too few or too many bytes'],
    ['answers with nothing', (_, response) => response.writeHead(200).end(), 'returned too few or too many bytes'],
    [
      'sends the snap elsewhere',
      (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      'could not be reached',
    ],
    [
      'tells another CID',
      (_, response) =>
        response
          .writeHead(200)
          .end('{"Name":"f","Hash":"bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku","Size":"1"}\n'),
      'returned data that does not match the CID',
    ],
    [
      'sends without an end',
      (_, response) => {
        const send = (): void => {
          while (response.write(Buffer.alloc(65_536, 32)));
          response.once('drain', send);
        };
        send();
      },
      'returned too few or too many bytes',
    ],
    [
      'takes the file and does not have it',
      (request, response, pass) => {
        if (request.url?.includes('block/get') === true) response.writeHead(500).end('{"Message":"gone","Code":0}');
        else pass();
      },
      'rejected the request (HTTP 500)',
    ],
  ])('that %s gives a readable error, and no backup is recorded', async (_name, answer, words) => {
    const error = await backUpWith(answer);
    expect(error).toMatchObject({ code: -32002 });
    expect(error?.message).toContain(words);
    expect(error?.message).toMatch(/^The storage service at 127\.0\.0\.1:\d+ /u);
    expect(JSON.stringify(error)).not.toContain(SECRET);
  });
});
