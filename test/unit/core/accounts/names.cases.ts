import { defaultName, displayedNames, type Named } from '../../../../src/core/accounts/account-name';
import { ContactNameStruct, isName } from '../../../../src/core/accounts/contact';

const address = '0x29C76e6aD8f28BB1004902578Fb108c507Be341b';
const derived = (index: number) => ({ source: 'derived', index }) as const;
const imported = { source: 'imported' } as const;

describe('the default name of an account', () => {
  it.each<[Omit<Named, 'address'>, string]>([
    [{ key: derived(0) }, 'Keystead 1'],
    [{ key: derived(1) }, 'Keystead 2'],
    [{ key: imported }, 'Imported account 29C7'],
    [{ key: derived(2), smart: { kind: 'simple-account-0.7', isUsual: true } }, 'Smart account 3'],
    [{ key: derived(2), smart: { kind: 'simple-account-0.7', isUsual: false } }, 'Smart account 3 (29C7)'],
    [{ key: derived(2), smart: { kind: 'simple-account-0.6', isUsual: true } }, 'Smart account 3 (0.6)'],
    [{ key: derived(2), smart: { kind: 'simple-account-0.6', isUsual: false } }, 'Smart account 3 (0.6, 29C7)'],
    [{ key: derived(0), smart: { kind: 'safe-0.7', isUsual: true } }, 'Safe 1'],
    [{ key: derived(0), smart: { kind: 'of-tomorrow', isUsual: true } }, 'Smart account 1'],
    [{ key: imported, smart: { kind: 'safe-0.7', isUsual: false } }, 'Imported Safe 29C7'],
  ])('of %j is %j', (named, name) => {
    expect(defaultName({ address, ...named })).toBe(name);
  });
});

describe('the displayed names of accounts', () => {
  const labelled = (...labels: unknown[]): Named[] => labels.map((label, at) => ({ address, key: derived(at), label }));

  it('are those that the person gave, and the default ones of others', () => {
    expect(displayedNames(labelled('Savings', undefined, 5))).toEqual(['Savings', 'Keystead 2', 'Keystead 3']);
  });

  it('are followed by the default ones where two are equal at a glance, or look like default ones', () => {
    expect(displayedNames(labelled('Savings', ' savings ', 'Other'))).toEqual([
      'Savings (Keystead 1)',
      expect.stringMatching(/savings.*\(Keystead 2\)$/u),
      'Other',
    ]);
    expect(displayedNames(labelled('a', 'A', 'a')).map((name) => /Keystead (\d)/u.exec(name)?.[1])).toEqual([
      ...['1', '2', '3'],
    ]);
    expect(displayedNames(labelled('Keystead 2', 'Smart account 1', 'Keystead'))).toEqual([
      'Keystead 2 (Keystead 1)',
      'Smart account 1 (Keystead 2)',
      'Keystead',
    ]);
    const smart = { kind: 'simple-account-0.6', isUsual: false } as const;
    const [name] = displayedNames([{ address, key: derived(0), smart, label: 'Safe 1' }]);
    expect(name).toBe('Safe 1 (Smart account 1, 0.6, 29C7)');
  });
});

describe('the name of a contact', () => {
  it.each(['A', 'Alice', 'a'.repeat(64), ' Alice ', 'Bäckerei Müller'])('can be %j', (name) => {
    expect([isName(name), ContactNameStruct.is(name)]).toEqual([true, true]);
  });

  it.each([5, undefined, ['Alice'], '', ' ', 'a'.repeat(65), 'two\nlines', 'hid\u200bden'])('cannot be %j', (name) => {
    expect([isName(name), ContactNameStruct.is(name)]).toEqual([false, false]);
  });

  it.each(['Аlice', '0xd8dA', 'my 0x12'])('cannot be %j, which an account may be called', (name) => {
    expect([isName(name), ContactNameStruct.is(name)]).toEqual([true, false]);
  });
});
