import { expect } from '@jest/globals';
import { type KeyringAccount } from '@metamask/keyring-api';
import { type Json } from '@metamask/snaps-sdk';

import { ENTRY_POINTS } from '../../src/erc4337/entry-points';
import { textOf } from '../helpers/screen-text';
import { type Answer, installKeystead, type Wallet, walletError } from '../helpers/installed-snap';
import { type FaultyStorage, serveFaultyStorage } from '../helpers/faulty-storage';
import { type SimulatedNode, startSimulatedNode } from '../helpers/simulated-node';
import { startStorageProcess, type StorageProcess } from '../helpers/storage-process';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
const SECRET = 'no screen shows this secret';
const OTHER_PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
/** What `test/helpers/storage-process.ts` lets in. */
const CREDENTIALS = { key: 'a-key', secret: SECRET };

/** The storage service of this repository, as it is run, and a place in front of it where answers go wrong. */
let storage: StorageProcess;
let front: FaultyStorage;
beforeAll(async () => {
  storage = await startStorageProcess(CREDENTIALS);
  front = await serveFaultyStorage(storage.url);
});
afterEach(() => {
  front.heal();
});
afterAll(async () => {
  await front.stop();
  await storage.stop();
});

type Keystead = Awaited<ReturnType<typeof installKeystead>>;
type Note = { cid: string; size: number; accounts: number; createdAt: number };
type Restored = { accounts: KeyringAccount[]; chains: number; skipped: { what: string; reason: string }[] };

/** Sends a request and approves its dialog. @returns The answer, and what the dialog said. */
async function approved<T>(
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

const settings = () => ({ url: front.url, ...CREDENTIALS });

/** A chain as `keystead_setChain` stores it. To restore it, its node and its bundler are asked. */
let chain: Record<string, Json>;
let node: SimulatedNode;
beforeAll(async () => {
  node = await startSimulatedNode();
  chain = {
    chainId: 'eip155:31337',
    rpcUrl: `${node.url}/node-with-a-key`,
    bundlerUrl: `${node.url}/bundler`,
    entryPoint: ENTRY_POINTS['0.7'],
    entryPointVersion: '0.7',
  };
});
afterAll(() => node.stop());

async function installWithStorage(wallet?: Wallet, state?: Record<string, Json>, phrase?: string) {
  const keystead = await installKeystead(wallet, state, undefined, phrase);
  const { error } = await approved(keystead, 'keystead_setStorage', settings());
  expect(error).toBeUndefined();
  return keystead;
}

describe('keystead_setStorage', () => {
  it('shows what is set up, tries it, and stores it; the secret is in no answer and on no screen', async () => {
    const keystead = await installKeystead();
    expect((await keystead.call('keystead_getStorage')).result).toBeNull();
    const first = await approved(keystead, 'keystead_setStorage', settings());
    expect(first.result).toEqual({ url: front.url, key: 'a-key' });
    expect(first.said).toContain(front.url);
    expect((await keystead.call('keystead_getStorage')).result).toEqual({ url: front.url, key: 'a-key' });
    const change = await approved(keystead, 'keystead_setStorage', { ...settings(), url: storage.url });
    expect(change.said).toContain(`Old: ${front.url} New: ${storage.url}`);
    expect(change.said).toContain('Secret: stays as it is');
    const page = (await keystead.snap.onHomePage()).getInterface().content;
    expect(JSON.stringify([first, change, page])).not.toContain(SECRET);
  });

  it('sends nothing before the person has agreed, and keeps nothing if they do not', async () => {
    const keystead = await installKeystead();
    const before = front.requests.length;
    const request = keystead.send('keystead_setStorage', settings());
    await (await request.getInterface()).cancel();
    expect((await request).response.error).toMatchObject({ code: 4001 });
    expect(front.requests.length).toBe(before);
    expect((await keystead.call('keystead_getStorage')).result).toBeNull();
  });

  it('keeps nothing that the service does not take, and does not repeat what the service says', async () => {
    const keystead = await installKeystead();
    const wrong = await approved(keystead, 'keystead_setStorage', { ...settings(), secret: 'wrong secret' });
    expect(wrong.error).toMatchObject({
      code: -32002,
      message: `The storage service at ${new URL(front.url).host} did not accept the key and secret (HTTP 403).`,
    });
    front.answer((_request, response) => {
      response.writeHead(500).end(`you sent ${SECRET}`);
    });
    const echoed = await approved(keystead, 'keystead_setStorage', settings());
    expect(echoed.error?.message).toContain('refused (HTTP 500)');
    expect(JSON.stringify([wrong, echoed])).not.toMatch(/wrong secret|no screen/u);
    expect((await keystead.call('keystead_getStorage')).result).toBeNull();
  });

  it.each<[string, object, string]>([
    ['http', { url: 'http://storage.example' }, 'params.url: must be an https URL'],
    ['a private network', { url: 'https://10.0.0.1' }, 'params.url: must be an https URL'],
    ['a user name in the address', { url: 'https://me@storage.example' }, 'params.url: must be an https URL'],
    ['a query', { url: 'https://storage.example/?a=b' }, 'params.url: must be a URL without a query'],
    ['a colon in the key', { key: 'a:b' }, 'params.key: must be 1 to 256 visible ASCII characters without a colon'],
    ['no key', { key: '' }, 'params.key: must be 1 to 256 visible ASCII characters without a colon'],
    ['a line break in the secret', { secret: 'top\nsecret' }, 'params.secret: must be 1 to 256 characters'],
    ['a secret that is no text', { secret: 5 }, 'params.secret: must be 1 to 256 characters'],
    ['something else', { password: 'top secret' }, 'params.password: is not a known field'],
  ])('refuses %s', async (_name, wrong, message) => {
    const { call } = await installKeystead();
    const { error } = await call('keystead_setStorage', { ...settings(), ...wrong } as Json);
    expect(error).toMatchObject({ code: -32602 });
    expect(error?.message).toContain(message);
    expect(JSON.stringify(error)).not.toMatch(/top|no screen/u);
  });
});

/** A wallet with a derived and an imported account, a smart account on two chains, and a chain. */
async function fullWallet() {
  const keystead = await installWithStorage({}, { version: 1, chains: { '31337': chain } });
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
  return { keystead, accounts, derived };
}

describe('keystead_backUp and keystead_restore', () => {
  it('bring back accounts, imported keys and chains on a new machine with the same phrase', async () => {
    const { keystead, accounts } = await fullWallet();
    const backup = await approved<Note>(keystead, 'keystead_backUp');
    expect(backup.said).toMatch(/Accounts 4 Imported private keys 2 Chains 1/u);
    expect(backup.said).toContain(front.url);
    expect(backup.result).toMatchObject({ accounts: 4, size: 4096 });
    const { cid } = backup.result!;
    expect(textOf((await keystead.snap.onHomePage()).getInterface().content)).toContain(cid);

    const fresh = await installWithStorage();
    const restored = await approved<Restored>(fresh, 'keystead_restore', { cid });
    for (const { address } of accounts) expect(restored.said).toContain(address);
    expect(restored.said).toContain('Old wallet');
    expect(restored.said).toContain(`${node.url}/node-with-a-key`);
    expect(restored.result).toEqual({ accounts, chains: 1, skipped: [] });
    expect(fresh.told.map(({ method }) => method)).toEqual(accounts.map(() => 'notify:accountCreated'));
    expect((await fresh.call('keyring_listAccounts')).result).toEqual(accounts);
    expect((await fresh.call('keystead_getChains')).result).toEqual([chain]);
    const old = accounts.find(({ options }) => options.label === 'Old wallet')!;
    const exported = await approved(fresh, 'keyring_exportAccount', { id: old.id });
    expect(exported.result).toEqual({ privateKey: KEY });
    expect(textOf((await fresh.snap.onHomePage()).getInterface().content)).toContain(cid);

    // Again: nothing is left to add, so nobody is asked and nobody is told.
    const told = fresh.told.length;
    expect((await fresh.call<Restored>('keystead_restore', { cid })).result).toEqual(restored.result);
    expect(fresh.told.length).toBe(told);
  });

  it('keep what is here, and add only what is missing', async () => {
    const { keystead, accounts, derived } = await fullWallet();
    const { result } = await approved<Note>(keystead, 'keystead_backUp');
    const other = { ...chain, rpcUrl: 'http://127.0.0.1:1/mine' };
    const second = await installWithStorage({}, { version: 1, chains: { '31337': other } });
    await second.create();
    await second.call('keyring_updateAccount', {
      account: { ...derived, options: { ...derived.options, label: 'Mine' } } as Json,
    });
    await second.create({ type: 'eip155:erc4337', index: 3, chainId: 'eip155:10' });
    const more = await second.create();
    const restored = await approved<Restored>(second, 'keystead_restore', { cid: result!.cid });
    expect(restored.said).not.toContain(derived.address);
    expect(restored.said).toContain('Accounts: 3');
    expect(restored.said).toContain('Chains: 0');
    const now = (await second.call<KeyringAccount[]>('keyring_listAccounts')).result!;
    expect(now.map(({ id }) => id).sort()).toEqual([...accounts.map(({ id }) => id), more.id].sort());
    expect(now.find(({ id }) => id === derived.id)?.options.label).toBe('Mine');
    expect(now.find(({ options, type }) => type === 'eip155:erc4337' && options.index === 3)?.scopes).toEqual([
      'eip155:10',
      'eip155:31337',
    ]);
    expect((await second.call('keystead_getChains')).result).toEqual([other]);
  });

  it('continue past an account that the wallet refuses, and say so', async () => {
    const { keystead, accounts } = await fullWallet();
    const { result } = await approved<Note>(keystead, 'keystead_backUp');
    const refused = accounts[1]!;
    let refusing = true;
    const fresh = await installWithStorage({
      manageAccounts: ({ params }) => {
        if (refusing && (params.account as { id?: string } | undefined)?.id === refused.id)
          throw walletError('not this one');
        return null;
      },
    });
    const restored = await approved<Restored>(fresh, 'keystead_restore', { cid: result!.cid });
    expect(restored.result?.accounts).toEqual(accounts.filter(({ id }) => id !== refused.id));
    expect(restored.result?.skipped).toEqual([
      { what: refused.address, reason: 'The wallet did not add the account: not this one' },
    ]);
    refusing = false;
    const again = await approved<Restored>(fresh, 'keystead_restore', { cid: result!.cid });
    expect(again.said).toContain('Accounts: 1');
    expect(again.result?.skipped).toEqual([]);
    expect(again.result?.accounts).toHaveLength(accounts.length);
  });

  it('change nothing if the person says no', async () => {
    const { keystead } = await fullWallet();
    const before = front.requests.length;
    const backup = keystead.send('keystead_backUp');
    await (await backup.getInterface()).cancel();
    expect((await backup).response.error).toMatchObject({ code: 4001 });
    expect(front.requests.length).toBe(before);
    const { result } = await approved<Note>(keystead, 'keystead_backUp');
    const fresh = await installWithStorage();
    const restoration = fresh.send('keystead_restore', { cid: result!.cid });
    await (await restoration.getInterface()).cancel();
    expect((await restoration).response.error).toMatchObject({ code: 4001 });
    expect((await fresh.call('keyring_listAccounts')).result).toEqual([]);
    expect((await fresh.call('keystead_getChains')).result).toEqual([]);
  });

  it('need a storage service, and say so', async () => {
    const { call } = await installKeystead();
    for (const [method, params] of [
      ['keystead_backUp', undefined],
      ['keystead_restore', { cid: `b${'a'.repeat(58)}` }],
    ] as const)
      expect((await call(method, params)).error).toMatchObject({
        code: -32001,
        message: expect.stringContaining('keystead_setStorage') as unknown as string,
      });
  });

  it.each(['', 'cid', '../../etc', `b${'a'.repeat(58)}/file`, `/ipfs/b${'a'.repeat(58)}`, 5, null])(
    'refuse %p as a CID',
    async (cid) => {
      const { call } = await installKeystead();
      expect((await call('keystead_restore', { cid } as Json)).error).toMatchObject({
        code: -32602,
        data: { field: 'params.cid' },
      });
    },
  );
});

describe('a backup that is not as it was made', () => {
  let cid: string;
  let file: Buffer;
  beforeAll(async () => {
    const { keystead } = await fullWallet();
    ({ cid } = (await approved<Note>(keystead, 'keystead_backUp')).result!);
    file = await storage.cat(cid);
  });

  it('holds nothing of the accounts in the clear', () => {
    expect(file.length).toBe(4096);
    expect(file.toString('latin1')).not.toMatch(/4af1bceebf7f|eip155|Old wallet|privateKey|127\.0\.0\.1/u);
  });

  /** Restores other bytes under their own CID. */
  const restoring = async (bytes: Buffer, phrase?: string) => {
    const keystead = await installWithStorage({}, undefined, phrase);
    const { error } = await keystead.call('keystead_restore', { cid: await storage.add(bytes) });
    expect((await keystead.call('keyring_listAccounts')).result).toEqual([]);
    return error;
  };

  const flipped = (at: number): Buffer => {
    const bytes = Buffer.from(file);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  };

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

  it.each([0, 1, 8, 9, 76, 77, 100, 4095])('is refused when it is cut to %d bytes', async (length) => {
    expect((await restoring(file.subarray(0, length)))?.data).toMatchObject({
      fault: length === 0 ? 'not-a-backup' : 'truncated',
    });
  });

  it('is refused with bytes behind it, or of another size class', async () => {
    expect((await restoring(Buffer.concat([file, Buffer.from([0])])))?.data).toMatchObject({ fault: 'truncated' });
    const longer = Buffer.concat([file, Buffer.alloc(4096)]);
    longer.writeUInt32BE(8192, 9);
    expect((await restoring(longer))?.data).toMatchObject({ fault: 'changed' });
  });

  it('is refused by another recovery phrase, in words', async () => {
    const error = await restoring(file, OTHER_PHRASE);
    expect(error).toMatchObject({ data: { fault: 'phrase' } });
    expect(error?.message).toContain('made with another recovery phrase');
  });

  it('is refused when it is too large, or a directory', async () => {
    const keystead = await installWithStorage();
    const large = await storage.add(Buffer.alloc(4 * 1024 * 1024 + 1));
    expect((await keystead.call('keystead_restore', { cid: large })).error?.message).toBe(
      'The file is too large for a backup. Nothing was changed.',
    );
    const directory = await storage.addDirectory(file);
    expect((await keystead.call('keystead_restore', { cid: directory })).error?.message).toContain(
      'has something else than a file there',
    );
  });

  it('is noticed when the service itself sends other bytes for the CID', async () => {
    const keystead = await installWithStorage();
    front.answer((request, response, pass) => {
      if (request.url?.includes('block/get') === true) response.writeHead(200).end(flipped(2000));
      else pass();
    });
    const { error } = await keystead.call('keystead_restore', { cid });
    expect(error?.message).toContain('answered with something else than what belongs to the CID');
    expect((await keystead.call('keyring_listAccounts')).result).toEqual([]);
  });
});

describe('a storage service that fails', () => {
  const backUpWith = async (answer: Parameters<FaultyStorage['answer']>[0]) => {
    const keystead = await installWithStorage();
    await keystead.create();
    front.answer(answer);
    const { error } = await approved(keystead, 'keystead_backUp');
    expect(textOf((await keystead.snap.onHomePage()).getInterface().content)).not.toContain('Last backup');
    return error;
  };

  it.each<[string, Parameters<FaultyStorage['answer']>[0], string]>([
    ['refuses the credentials', (_, response) => response.writeHead(403).end(), 'did not accept the key and secret'],
    ['is full', (_, response) => response.writeHead(507).end('quota'), 'refused (HTTP 507)'],
    ['hangs up', (request) => request.destroy(), 'could not be reached'],
    ['answers with HTML', (_, response) => response.writeHead(200).end('<html>'), 'answered with less or more'],
    ['answers with nothing', (_, response) => response.writeHead(200).end(), 'answered with less or more'],
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
      'answered with',
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
      'answered with less or more',
    ],
    [
      'takes the file and does not have it',
      (request, response, pass) => {
        if (request.url?.includes('block/get') === true) response.writeHead(500).end('{"Message":"gone","Code":0}');
        else pass();
      },
      'refused (HTTP 500)',
    ],
  ])('that %s is told of in words, and no backup is noted', async (_name, answer, words) => {
    const error = await backUpWith(answer);
    expect(error).toMatchObject({ code: -32002 });
    expect(error?.message).toContain(words);
    expect(error?.message).toMatch(/^The storage service at 127\.0\.0\.1:\d+ /u);
    expect(JSON.stringify(error)).not.toContain(SECRET);
  });
});
