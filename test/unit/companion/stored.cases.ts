import {
  contacts,
  keepContacts,
  readContacts,
  removeContact,
  saveContact,
} from '../../../src/companion/model/contacts';
import { listOf, stored } from '../../../src/companion/model/stored';
import { tokensOn, unwatchToken, watchedTokens, watchToken } from '../../../src/companion/model/tokens';
import { type SnapClient } from '../../../src/companion/model/snap-client';
import { emptyBrowserStorage } from '../../support/companion/browser-storage';
import { ALICE, BOB, DEVNET, GOLD } from '../../support/companion/samples';

let entries: Map<string, string>;
beforeEach(() => {
  entries = emptyBrowserStorage();
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'localStorage');
});

describe('stored', () => {
  const isNumber = (entry: unknown): entry is number => typeof entry === 'number';

  it('reads what was written, as the same value until it changes', () => {
    const numbers = stored('numbers', listOf(isNumber), []);
    expect(numbers.read()).toEqual([]);
    numbers.write([1, 2]);
    expect(numbers.read()).toEqual([1, 2]);
    expect(numbers.read()).toBe(numbers.read());
    // As another tab of the page does.
    entries.set('numbers', '[3]');
    expect(numbers.read()).toEqual([3]);
  });

  it.each(['{', '"text"', '{"0":1}'])('counts %s as absent', (text) => {
    entries.set('numbers', text);
    expect(stored('numbers', listOf(isNumber), [7]).read()).toEqual([7]);
  });

  it('leaves out entries that are not sound', () => {
    entries.set('numbers', '[1,"2",null,3]');
    expect(stored('numbers', listOf(isNumber), []).read()).toEqual([1, 3]);
  });
});

describe('contacts', () => {
  /** A snap with contacts of its own. */
  const snapWith = (inSnap: { name: string; address: string }[]) => {
    const asked: string[] = [];
    const dapp = (method: string, params?: { contacts?: typeof inSnap; address?: string }) => {
      asked.push(method);
      if (method === 'keystead_saveContacts') inSnap.push(...params!.contacts!);
      if (method === 'keystead_removeContact') inSnap.splice(0, inSnap.length);
      return Promise.resolve(method === 'keystead_getContacts' ? [...inSnap] : null);
    };
    return { asked, client: { dapp } as unknown as SnapClient };
  };

  it('of the snap are copied: its names count, and those of this browser alone stay', async () => {
    saveContact({ name: 'Bobby', address: BOB.toLowerCase() as typeof BOB });
    saveContact({ name: 'Alice', address: ALICE });
    const { client } = snapWith([{ name: 'Bob', address: BOB }]);
    await readContacts(client);
    expect(contacts.read()).toEqual([
      { name: 'Alice', address: ALICE },
      { name: 'Bob', address: BOB, isInSnap: true },
    ]);
    // Removed in another browser.
    await readContacts(snapWith([]).client);
    expect(contacts.read()).toEqual([{ name: 'Alice', address: ALICE }]);
  });

  it('stay as they are if the snap does not answer, or refuses', async () => {
    saveContact({ name: 'Alice', address: ALICE });
    const failing = { dapp: () => Promise.reject(new Error('no')) } as unknown as SnapClient;
    await readContacts(failing);
    await expect(keepContacts(failing, [{ name: 'Bob', address: BOB }])).rejects.toThrow('no');
    expect(contacts.read()).toEqual([{ name: 'Alice', address: ALICE }]);
  });

  it('are kept in the snap, and removed from it', async () => {
    const { asked, client } = snapWith([]);
    await keepContacts(client, [{ name: 'Bob', address: BOB }]);
    expect(contacts.read()).toEqual([{ name: 'Bob', address: BOB, isInSnap: true }]);
    await removeContact(client, contacts.read()[0]!);
    expect(contacts.read()).toEqual([]);
    expect(asked).toEqual(['keystead_saveContacts', 'keystead_getContacts', 'keystead_removeContact']);
  });

  it('are sorted by name, and have one name for each address', async () => {
    saveContact({ name: 'Bob', address: BOB });
    saveContact({ name: 'Alice', address: ALICE });
    saveContact({ name: 'Carol', address: ALICE.toLowerCase() as typeof ALICE });
    expect(contacts.read().map(({ name }) => name)).toEqual(['Bob', 'Carol']);
    const { asked, client } = snapWith([]);
    await removeContact(client, { name: '', address: BOB.toLowerCase() as typeof BOB });
    expect(asked).toEqual([]);
    expect(contacts.read().map(({ name }) => name)).toEqual(['Carol']);
  });

  it('leaves out what is no contact', () => {
    const entry = { name: 'Alice', address: ALICE };
    entries.set(
      'keystead.contacts',
      JSON.stringify([entry, { name: '', address: BOB }, { name: 'x', address: '1' }, 4]),
    );
    expect(contacts.read()).toEqual([entry]);
  });
});

describe('tokens', () => {
  const gold = { chainId: DEVNET.chainId, address: GOLD, symbol: 'GOLD', name: 'Gold', decimals: 6 } as const;
  const lower = GOLD.toLowerCase() as typeof GOLD;
  const inSnap = { chainId: DEVNET.chainId, address: lower, symbol: 'GLD', decimals: 6 };

  it('lists those of a network, each once, however the snap spells the address', () => {
    const silver = { ...inSnap, address: BOB, symbol: 'SLV' } as const;
    const elsewhere = { ...gold, chainId: 'eip155:1' };
    expect(
      tokensOn(DEVNET.chainId, [gold, elsewhere], [inSnap, silver]).map(({ symbol, name }) => [symbol, name]),
    ).toEqual([
      ['GOLD', 'Gold'],
      ['SLV', 'SLV'],
    ]);
    expect(tokensOn(undefined, [gold], [inSnap])).toEqual([]);
  });

  it('watches a token once, and stops watching it here and in the snap', async () => {
    watchToken(gold);
    watchToken({ ...gold, address: lower, name: 'Gold again' });
    expect(watchedTokens.read()).toHaveLength(1);
    const asked: unknown[] = [];
    const client = {
      dapp: (method: string, params: unknown) => {
        asked.push([method, params]);
        return Promise.resolve(null);
      },
    } as unknown as SnapClient;
    await unwatchToken(client, gold);
    expect(watchedTokens.read()).toEqual([]);
    expect(asked).toEqual([['keystead_removeToken', { chainId: DEVNET.chainId, address: GOLD }]]);
  });
});
