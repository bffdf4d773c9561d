import { type Json } from '@metamask/snaps-sdk';

import { type Hex } from '../../../../../src/core/eth/bytes';
import { UserRejectedError } from '../../../../../src/core/errors';
import { Mutex } from '../../../../../src/core/mutex';
import { type AccountRepository } from '../../../../../src/snap/account/repository';
import {
  type ContactDeps,
  removeContact,
  saveContacts,
} from '../../../../../src/snap/account/contacts/manage-contacts';
import { ContactRepository } from '../../../../../src/snap/account/contacts/repository';
import { memoryStore } from '../../../../support/memory-store';
import { ALICE, BOB, ME } from '../../../../support/explaining';

const ORIGIN = 'https://page.example';

/** The deps on a store, with one own account called Savings. */
function start(stored: Json = null, consent: ContactDeps['consent'] = () => Promise.resolve()) {
  const screens: string[] = [];
  const contacts = new ContactRepository(memoryStore(stored === null ? {} : { contacts: stored }));
  const deps: ContactDeps = {
    accounts: { names: () => Promise.resolve({ [ME.toLowerCase()]: 'Savings' }) } as unknown as AccountRepository,
    consent: async (screen) => {
      screens.push(JSON.stringify(screen));
      await consent(screen);
    },
    contacts,
    mutations: new Mutex(),
  };
  const save = (...added: readonly { name: unknown; address: unknown }[]) =>
    saveContacts({ contacts: added }, deps, ORIGIN);
  return { deps, save, screens, list: () => contacts.read() };
}
const named = (name: string, address: Hex = BOB) => ({ name, address });

describe('a contact is refused', () => {
  it.each([
    ['that is called like an address', '0x742d35Cc6634C0532925a3b844Bc454e4438f44e'],
    ['that is called like a shortened address', '0x742d…f44e'],
    ['that is called like an address after a word', 'Alice 0xd8dA…6045'],
    ['that is called like an address in Cyrillic letters', '0х742d…f44e'],
    ['that is called like an address in full-width letters', '０ｘ７４２ｄ'],
    ['whose letters imitate others', 'Аlice'],
    ['with a character that changes the direction', 'Alice \u202etxt'],
    ['with a control character', 'Alice\u0007'],
    ['with a line feed', 'Alice\nNetwork'],
    ['with an invisible character', 'Ali\u200bce'],
    ['without a name', ' '],
    ['with a long name', 'A'.repeat(65)],
  ])('%s', async (_what, name) => {
    const { save, screens, list } = start();
    await expect(save(named(name))).rejects.toThrow(
      'params.contacts[0].name: must be 1 to 64 characters of text, without lookalike letters, and not look like an address',
    );
    expect([screens, await list()]).toEqual([[], []]);
  });

  it.each([
    ['has the name of an own account', [named('savings ')]],
    ['has the name of another contact', [named('ALICE')]],
    ['shares its name with another one of the request', [named('Carol', ALICE), named('Carol')]],
  ])('that %s', async (_what, added) => {
    const { save, screens, list } = start([named('Alice', ALICE)]);
    await expect(save(...added)).rejects.toThrow('must have a name that none of your accounts and other contacts has');
    expect(screens).toEqual([]);
    expect(await list()).toEqual([named('Alice', ALICE)]);
  });

  it('that is an own account', async () => {
    await expect(start().save(named('Bob', ME))).rejects.toThrow(
      'params.contacts[0]: must not be one of your own accounts',
    );
  });

  it('that is the 501st', async () => {
    const many = Array.from({ length: 500 }, (_, at) =>
      named(`Person ${at}`, `0x${(at + 1).toString(16).padStart(40, '0')}`),
    );
    await expect(start(many).save(named('Bob'))).rejects.toThrow(
      'params.contacts: must be at most 500 with those that are saved',
    );
  });
});

describe('contacts', () => {
  it('are saved once the person agrees to each name and whole address', async () => {
    const { save, screens, list } = start();
    await save(named('Alice', ALICE), named('Боб'));
    expect(screens).toHaveLength(1);
    for (const shown of ['Alice', 'Боб', ORIGIN, ALICE, BOB]) expect(screens[0]).toContain(shown);
    expect(await list()).toEqual([named('Alice', ALICE), named('Боб')]);
  });

  it('stay as they are if the person refuses', async () => {
    const { save, list } = start(null, () => Promise.reject(new UserRejectedError()));
    await expect(save(named('Bob'))).rejects.toThrow(UserRejectedError);
    expect(await list()).toEqual([]);
  });

  it('are renamed, and the dialog shows the old name; nothing is asked if nothing changes', async () => {
    const { save, screens, list } = start([named('Bob')]);
    await save(named('Bob'));
    expect(screens).toEqual([]);
    await save(named('Robert', BOB.toLowerCase() as Hex));
    expect(screens[0]).toContain('Old name');
    expect((await list()).map(({ name }) => name)).toEqual(['Robert']);
  });

  it('are removed by their address, whatever its case', async () => {
    const { deps, list } = start([named('Bob'), named('Alice', ALICE)]);
    await removeContact({ address: BOB.toLowerCase() }, deps);
    await removeContact({ address: BOB.toLowerCase() }, deps);
    expect(await list()).toEqual([named('Alice', ALICE)]);
  });

  it('that cannot be read are dropped', async () => {
    expect(await start([named('0x1234'), 5, named('Bob')]).list()).toEqual([named('Bob')]);
    expect(await start('damaged').list()).toEqual([]);
  });
});
