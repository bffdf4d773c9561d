import { type Hex } from '../../../../../src/core/eth/bytes';
import { readRecovery } from '../../../../../src/core/safe/recovery/state';
import {
  answersOf,
  type Chain,
  GUARDED,
  MODULE,
  nodeWith,
  NOW,
  party,
  RECOVERING,
  SAFE,
  SENTINEL,
} from '../../../../support/recovery-node';

const read = (chain: Chain, lies: Readonly<Record<string, Hex>> = {}) =>
  readRecovery(SAFE, MODULE, nodeWith(chain, lies));

/** The longest list that a Safe has here, and one more. */
const modules = (count: number): Hex[] =>
  Array.from({ length: count }, (_none, at) => `0x${(at + 16).toString(16).padStart(40, '0')}` as const);

describe('reading a recovery from a node', () => {
  it.each<[string, string, Partial<Chain>]>([
    ['a module twice', 'modules: must contain each address once', { modules: [party('7'), party('7')] }],
    ['a reserved module', 'modules: must not contain the zero address or 0x…01', { modules: [SENTINEL] }],
    ['a list that goes on too early', 'modules: must go on after the last module of a full page', { next: party('7') }],
    [
      'a list without an end',
      'modules: must contain each address once',
      { modules: modules(20), next: modules(20)[19]! },
    ],
    ['an owner twice', 'owners: must contain each address once', { owners: [party('a'), party('a')] }],
    ['a reserved owner', 'owners: must not contain the zero address or 0x…01', { owners: [party('0')] }],
    ['no owner', 'owners: must not be empty', { owners: [] }],
    ['a guardian twice', 'guardians: must contain each address once', { guardians: [party('1'), party('1')] }],
    [
      'a reserved guardian',
      'guardians: must not contain the zero address or 0x…01',
      { guardians: [SENTINEL, party('1')] },
    ],
    [
      'the account as its guardian',
      'guardians: must not contain the account itself',
      { guardians: [SAFE, party('1')] },
    ],
    ['more confirmations than guardians', 'threshold: must be at most the number of guardians', { threshold: 3n }],
    ['guardians who need not confirm', 'threshold: must be at least 1 with guardians', { threshold: 0n }],
  ])('refuses %s', async (_what, message, lie) => {
    await expect(read({ ...GUARDED, ...lie })).rejects.toThrow(message);
  });

  it.each<[string, string, Partial<Chain>]>([
    ['without new owners', 'recovery.newOwners: must not be empty', { newOwners: [] }],
    ['with no signature required', 'recovery.newThreshold: must be at least 1', { newThreshold: 0n }],
    ['with too many signatures required', 'recovery.newThreshold: must be at least 1', { newThreshold: 2n }],
    ['that nobody began', 'nonce: must be at least 1 after a recovery began', { nonce: 0n }],
    [
      'later than its delay',
      "recovery.executeAfter: must be within the module's delay",
      { executeAfter: NOW + MODULE.period + 1n },
    ],
    ['with owners but without a time', 'recovery: must be empty without a time', { executeAfter: 0n }],
  ])('refuses a recovery %s', async (_what, message, lie) => {
    await expect(read({ ...RECOVERING, ...lie })).rejects.toThrow(message);
  });

  const honest = answersOf(RECOVERING);
  /** The answer with another word at an index. */
  const withWord = (answer: Hex, index: number, word: string): Hex =>
    `${answer.slice(0, 2 + 64 * index)}${word}${answer.slice(2 + 64 * (index + 1))}` as Hex;
  it.each<[string, string, (answer: Hex) => Hex]>([
    ['is missing', '', () => '0x'],
    ['ends too early', '', (answer) => answer.slice(0, -64) as Hex],
    ['has bytes after its end', '', (answer) => `${answer}${'0'.repeat(64)}`],
    ['has half a word', '', (answer) => `${answer}00`],
  ])('refuses every answer that %s', async (_how, _none, change) => {
    const fields: Readonly<Record<string, string>> = {
      getModulesPaginated: 'modules',
      getOwners: 'owners',
      getGuardians: 'guardians',
      threshold: 'threshold',
      nonce: 'nonce',
      getRecoveryRequest: 'recovery',
    };
    expect(Object.keys(honest)).toEqual(Object.keys(fields));
    for (const [name, field] of Object.entries(fields))
      await expect(read(RECOVERING, { [name]: change(honest[name]!) })).rejects.toThrow(
        `${field}: must be an answer that the contract can give`,
      );
  });

  it.each<[string, string, Hex]>([
    [
      'an address with dirty bytes',
      'getOwners',
      honest.getOwners!.replace(/0{24}(?=a{40})/u, `1${'0'.repeat(23)}`) as Hex,
    ],
    ['a time above 64 bits', 'getRecoveryRequest', withWord(honest.getRecoveryRequest!, 3, `1${'0'.repeat(63)}`)],
    ['a list of 2^40 entries', 'getGuardians', `0x${'20'.padStart(64, '0')}${'10000000000'.padStart(64, '0')}`],
  ])('refuses %s', async (_what, name, lie) => {
    expect(lie).not.toBe(honest[name]);
    await expect(read(RECOVERING, { [name]: lie })).rejects.toThrow('must be an answer that the contract can give');
  });

  it('refuses other code at the address of the module', async () => {
    await expect(read(GUARDED, { code: '0x6002' })).rejects.toThrow(
      'module: must have the code of the Social Recovery Module 0.1.0',
    );
  });

  it('says that a network does not have the module', async () => {
    expect(await read(GUARDED, { code: '0x' })).toBeUndefined();
  });

  it('reads guardians and no recovery', async () => {
    const { modules: enabled, owners, guardians, threshold, nonce } = GUARDED;
    expect(await read(GUARDED)).toEqual({
      safe: SAFE,
      module: MODULE.address,
      modules: enabled,
      isEnabled: true,
      owners,
      ownersNeeded: 1n,
      guardians,
      threshold,
      nonce,
      time: NOW,
    });
  });

  it('reads a pending recovery, also while the module is disabled', async () => {
    const { newOwners, newThreshold, executeAfter, approvals } = RECOVERING;
    expect(await read({ ...RECOVERING, modules: [] })).toMatchObject({
      isEnabled: false,
      pending: { newOwners, newThreshold, executeAfter, approvals },
    });
  });

  it('reads a recovery with more owners than anyone needs, which hides nothing', async () => {
    const newOwners = Array.from({ length: 2000 }, (_, at) => `0x${(at + 2).toString(16).padStart(40, '0')}` as const);
    expect((await read({ ...RECOVERING, newOwners }))?.pending?.newOwners).toHaveLength(2000);
  });

  it('reads a Safe that has neither modules nor guardians', async () => {
    expect(await read({ ...GUARDED, modules: [], guardians: [], threshold: 0n })).toMatchObject({
      isEnabled: false,
      modules: [],
      guardians: [],
    });
  });
});

describe('the bounds of what a node may answer', () => {
  it('are the delay of the module, as many signatures as new owners, and as many confirmations as guardians', async () => {
    const last = NOW + MODULE.period;
    expect((await read({ ...RECOVERING, executeAfter: last }))?.pending?.executeAfter).toBe(last);
    const two = { newOwners: [party('b'), party('c')], newThreshold: 2n };
    expect((await read({ ...RECOVERING, ...two }))?.pending).toMatchObject(two);
    expect((await read({ ...GUARDED, threshold: 1n }))?.threshold).toBe(1n);
    const words = (count: bigint): Hex => `0x${count.toString(16).padStart(64, '0')}`;
    const owners = [party('a'), party('b')];
    expect((await read({ ...GUARDED, owners }, { getThreshold: words(2n) }))?.ownersNeeded).toBe(2n);
    for (const wrong of [0n, 3n])
      await expect(read({ ...GUARDED, owners }, { getThreshold: words(wrong) })).rejects.toThrow(
        'threshold: must be at least 1, and at most the number of owners',
      );
  });

  it.each<[string, Partial<Chain>]>([
    ['a new owner', { newOwners: [party('b')] }],
    ['a number of signatures', { newThreshold: 1n }],
    ['a confirmation', { approvals: 1n }],
  ])('are nothing without a time: not %s', async (_what, more) => {
    const empty = { newOwners: [], newThreshold: 0n, approvals: 0n, executeAfter: 0n };
    expect((await read({ ...GUARDED, ...empty }))?.pending).toBeUndefined();
    await expect(read({ ...GUARDED, ...empty, ...more })).rejects.toThrow('recovery: must be empty without a time');
  });
});
