import { createHmac, createDecipheriv, hkdfSync } from 'node:crypto';

import fc from 'fast-check';

import { readContent } from '../../../../../src/snap/account/backup/content';
import { MAX_BACKUP_BYTES, seal, unseal } from '../../../../../src/snap/account/backup/seal';
import { withBackupSecret } from '../../../../../src/snap/account/backup/secret';
import { ENTRY_POINTS } from '../../../../../src/core/erc4337/entry-points';
import { BackupUnreadableError } from '../../../../../src/core/errors';
import { anyText, fuzzing } from '../../../../support/fuzz';
import { perRun } from '../../../../support/nightly';

const secret = (phrase: string): Uint8Array => new Uint8Array(createHmac('sha256', phrase).digest());

const sealed = async (content: string): Promise<Uint8Array> => {
  const file = await seal(content, secret('phrase'));
  if (file === undefined) throw new Error('too large');
  return file;
};

const faultOf = (file: Uint8Array, phrase = 'phrase'): Promise<string> =>
  unseal(file, secret(phrase)).then(
    () => 'none',
    (error: unknown) => {
      if (error instanceof BackupUnreadableError) return error.fault;
      throw error;
    },
  );

describe('a sealed backup', () => {
  it('opens with the same secret, for any text', async () => {
    await fc.assert(
      fc.asyncProperty(anyText(6000), async (text) => {
        const wellFormed = text.toWellFormed();
        expect(await unseal(await sealed(wellFormed), secret('phrase'))).toBe(wellFormed);
      }),
      fuzzing(50),
    );
  });

  it.each([
    ['once it is sealed', undefined],
    ['where it cannot be sealed', () => Promise.reject(new Error('no cipher'))],
  ])('leaves no copy of the content behind, %s', async (_when, encrypt) => {
    const text = 'a private key '.repeat(20);
    const joined = jest.spyOn(crypto.subtle, 'sign');
    const padded = jest.spyOn(crypto.subtle, 'encrypt');
    if (encrypt !== undefined) padded.mockImplementation(encrypt);
    await sealed(text).catch(() => undefined);
    const copies = [joined.mock.calls[0]?.[2], padded.mock.calls[0]?.[2]] as Uint8Array[];
    jest.restoreAllMocks();
    for (const copy of copies) expect(Buffer.from(copy).toString('latin1')).not.toContain('key');
  });

  it('matches docs/backup.md, byte by byte', async () => {
    const file = Buffer.from(await sealed('{"a":1}'));
    expect(file.subarray(0, 8).toString()).toBe('KEYSTEAD');
    expect(file[8]).toBe(1);
    expect(file.readUInt32BE(9)).toBe(file.length);
    const bits = Buffer.from(hkdfSync('sha256', secret('phrase'), file.subarray(13, 45), 'keystead/backup/1', 64));
    expect(bits.subarray(32).equals(file.subarray(45, 77))).toBe(true);
    const decipher = createDecipheriv('aes-256-gcm', bits.subarray(0, 32), Buffer.alloc(12));
    decipher.setAAD(file.subarray(0, 77)).setAuthTag(file.subarray(-16));
    const plain = Buffer.concat([decipher.update(file.subarray(77, -16)), decipher.final()]);
    expect(plain.readUInt32BE(0)).toBe(7);
    expect(plain.subarray(4, 11).toString()).toBe('{"a":1}');
    expect(plain.subarray(11).every((byte) => byte === 0)).toBe(true);
  });

  it('reveals only a power of two as its size', async () => {
    const sizes = await Promise.all(
      [0, 1, 3999, 3999 + 1, 8000, 100_000].map(async (n) => (await sealed('x'.repeat(n))).length),
    );
    expect(sizes).toEqual([4096, 4096, 4096, 8192, 8192, 131_072]);
    expect(await seal('x'.repeat(MAX_BACKUP_BYTES), secret('phrase'))).toBeUndefined();
  });

  it('is different each time, even for the same content', async () => {
    const [first, second] = [await sealed('same'), await sealed('same')];
    expect(Buffer.from(first.subarray(13)).equals(Buffer.from(second.subarray(13)))).toBe(false);
    expect(first.subarray(77).filter((byte, at) => byte === second[77 + at]).length).toBeLessThan(100);
  });

  it('has its own key even if the random bytes repeat', async () => {
    jest.spyOn(crypto, 'getRandomValues').mockImplementation((array) => array);
    const [first, again, second] = [await sealed('one'), await sealed('one'), await sealed('two')];
    const saltOf = (file: Uint8Array): string => Buffer.from(file.subarray(13, 45)).toString('hex');
    expect(saltOf(first)).toBe(saltOf(again));
    expect(saltOf(first)).not.toBe(saltOf(second));
    expect(await unseal(second, secret('phrase'))).toBe('two');
  });

  it('does not open with any byte changed', async () => {
    const file = await sealed('{"accounts":[]}');
    const faults = new Set<string>();
    // Every byte of the head, and some of what is encrypted.
    for (let at = 0; at < file.length; at += at < 128 ? 1 : perRun(16, 1)) {
      const bent = Uint8Array.from(file);
      bent[at] = (bent[at] ?? 0) ^ (1 << (at % 8));
      faults.add(await faultOf(bent));
    }
    expect([...faults].sort()).toEqual(['changed', 'not-a-backup', 'phrase', 'truncated', 'version']);
  });

  it('does not open if truncated or extended, or with another secret', async () => {
    const file = await sealed('{"accounts":[]}');
    for (const length of [0, 1, 8, 9, 40, 77, 4095]) expect(await faultOf(file.subarray(0, length))).not.toBe('none');
    expect(await faultOf(Uint8Array.from([...file, 0]))).toBe('truncated');
    expect(await faultOf(file, 'another phrase')).toBe('phrase');
  });

  it('is recognized if it has a later version', async () => {
    const file = await sealed('{}');
    file[8] = 2;
    await expect(unseal(file, secret('phrase'))).rejects.toThrow(
      /format version 2, but this version of Keystead reads version 1/u,
    );
  });
});

describe('the content of a backup', () => {
  const account = { address: `0x${'a'.repeat(40)}`, key: { source: 'derived', index: 0 } };

  it('is read entry by entry, so additions of a later version do not affect the rest', () => {
    const text = JSON.stringify({ createdAt: 1, accounts: [account, { ...account, colour: 'red' }], chains: [5] });
    expect(readContent(text)).toEqual({
      createdAt: 1,
      contacts: [],
      tokens: [],
      signed: [],
      accounts: [account],
      chains: [],
      unread: [
        {
          what: 'accounts[1]',
          reason: 'this version of Keystead cannot read it: accounts[1].colour: is not a known field',
        },
        { what: 'chains[0]', reason: 'this version of Keystead cannot read it: chains[0]: must be an object' },
      ],
    });
  });

  const chain = {
    chainId: 'eip155:1',
    rpcUrl: 'https://node.example',
    bundlerUrl: 'https://bundler.example',
    entryPoint: ENTRY_POINTS['0.7'],
    entryPointVersion: '0.7',
  };

  it.each<[string, object]>([
    ['chains[1].rpcUrl: must be an https URL', { rpcUrl: 'http://node.example' }],
    ['chains[1].bundlerUrl: must be an https URL', { bundlerUrl: 'https://10.0.0.1' }],
    ['chains[1].paymasterUrl: must be an https URL', { paymasterUrl: 'https://localhost.' }],
    ['chains[1].chainId: must be one EVM chain', { chainId: 'eip155:0' }],
    ['chains[1].entryPointVersion: must be 0.6', { entryPoint: ENTRY_POINTS['0.6'] }],
    ['chains[1].factory: must be an address', { factory: '0x12' }],
  ])('has no chain that could not be set up: %s', (rule, change) => {
    const chains = [chain, { ...chain, ...change }, chain];
    const content = readContent(JSON.stringify({ createdAt: 1, accounts: [], chains }));
    expect(content.chains).toEqual([chain, chain]);
    expect(content.unread).toMatchObject([{ what: 'chains[1]', reason: expect.stringContaining(rule) as string }]);
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"createdAt":-1,"accounts":[],"chains":[]}',
    '{"createdAt":1,"accounts":{},"chains":[]}',
  ])('rejects %p', (text) => {
    expect(() => readContent(text)).toThrow(BackupUnreadableError);
  });
});

describe('the backup secret', () => {
  it('is wiped after use, even if the use fails', async () => {
    const entropy = () => Promise.resolve(new Uint8Array(32).fill(7));
    const lent: Uint8Array[] = [];
    const use = (fails: boolean) => async (secret: Uint8Array) => {
      lent.push(secret);
      await Promise.resolve();
      expect(secret).toEqual(new Uint8Array(32).fill(7));
      if (fails) throw new Error('failed');
    };
    await withBackupSecret(entropy, use(false));
    await expect(withBackupSecret(entropy, use(true))).rejects.toThrow('failed');
    expect(lent).toEqual([new Uint8Array(32), new Uint8Array(32)]);
  });
});
