import {
  assertApart,
  confirmationsNeeded,
  leftInWords,
  looksAfter,
  lostTogether,
  modulesOf,
  moduleWithGuardians,
  readerOf,
  standingOf,
} from '../../../src/companion/model/recovery';
import { type Account } from '../../../src/companion/model/types';
import { type Proposal, proposalParts, readProposal } from '../../../src/companion/model/recovery-proposal';
import { RECOVERY_MODULES } from '../../../src/core/safe/recovery/modules';
import { type NodeReader } from '../../../src/core/safe/recovery/answer';
import { type Recoverable } from '../../../src/core/safe/recovery/situation';
import { readRecovery } from '../../../src/core/safe/recovery/state';
import { QuantityAnswerStruct } from '../../../src/core/structs/hex';
import { type Chain, GUARDED, MODULE, nodeWith, NOW, party, RECOVERING, SAFE } from '../../support/recovery-node';

const PROPOSAL: Proposal = {
  chainId: 10n,
  safe: SAFE,
  module: MODULE.address,
  newOwners: [party('b')],
  newThreshold: 1n,
};
const LINK = proposalParts(PROPOSAL).slice(1);
const BROKEN = '0x70997970C51812dc3A010C7d01b50e0d17dc79c8';

describe('the link to a recovery', () => {
  it('holds everything that guardians confirm', () => {
    const read = readProposal(LINK);
    expect(proposalParts(read).join('/').toLowerCase()).toBe(proposalParts(PROPOSAL).join('/').toLowerCase());
    expect(read).toMatchObject({ chainId: 10n, newThreshold: 1n });
    const asked = { ...read, sender: 'Ann', rpcUrl: 'https://node.example/' };
    expect(readProposal(proposalParts(asked).slice(1))).toEqual(asked);
  });

  it.each<[string, readonly string[], string]>([
    ['nothing', [], 'network: must be a whole number above 0'],
    ['a network in hex', ['0xa', ...LINK.slice(1)], 'network: must be a whole number above 0'],
    ['half an address', [LINK[0]!, '0x12', ...LINK.slice(2)], 'account: must be an address'],
    ['no module', [...LINK.slice(0, 2), 'module', ...LINK.slice(3)], 'module: must be an address'],
    ['no signature', [...LINK.slice(0, 3), '0', LINK[4]!], 'required signatures: must be a whole number above 0'],
    ['no owner', [...LINK.slice(0, 4), ''], 'new owners: must be an address'],
    [
      'too many owners',
      [...LINK.slice(0, 4), new Array(21).fill(party('b')).join('.')],
      'new owners: must be at most 20',
    ],
    ['a broken checksum', [LINK[0]!, BROKEN, ...LINK.slice(2)], 'account: must be an address with the right checksum'],
    ['a new owner with a broken checksum', [...LINK.slice(0, 4), BROKEN], 'new owners: must be an address with the'],
    ['a node without encryption', [...LINK.slice(0, 6), 'http://node.example'], 'node: must be an https URL'],
    ['something more', [...LINK, 'x'], 'link: must have at most seven parts'],
  ])('is refused with %s', (_what, parts, message) => {
    expect(() => readProposal(parts)).toThrow(message);
  });
});

describe('how far a recovery is', () => {
  /** Nobody has confirmed. */
  const unconfirmed = (chain: Chain): NodeReader => {
    const node = nodeWith(chain);
    return {
      ask: (method, params, result) => {
        const [call] = params as [{ data?: string }];
        if (call.data?.startsWith('0x37d82c36') === true) return Promise.resolve(result.create(`0x${'0'.repeat(64)}`));
        return node.ask(method, params, result);
      },
    };
  };
  const stage = async (chain: Chain, proposal = PROPOSAL) =>
    (await standingOf(proposal, [MODULE], unconfirmed(chain))).stage;

  it.each<[string, Chain, string]>([
    ['before guardians confirmed', GUARDED, 'confirming'],
    ['during the delay', RECOVERING, 'waiting'],
    ['after the delay', { ...RECOVERING, executeAfter: NOW }, 'due'],
    ['with another recovery pending', { ...RECOVERING, newOwners: [party('c')] }, 'other'],
    [
      'with the same owners and another threshold pending',
      { ...RECOVERING, newOwners: [party('b'), party('c')], newThreshold: 2n },
      'other',
    ],
    ['once the account has the owners', { ...GUARDED, owners: [party('b')] }, 'finished'],
  ])('%s', async (_when, chain, expected) => {
    expect(await stage(chain)).toBe(expected);
  });

  it('is not finished while the account has the owners, but needs another number of them', async () => {
    const chain = { ...GUARDED, owners: [party('c'), party('b')] };
    const both = { ...PROPOSAL, newOwners: [party('b'), party('c')] };
    expect(await stage(chain, { ...both, newThreshold: 2n })).toBe('confirming');
    expect(await stage(chain, both)).toBe('finished');
  });

  it.each<[string, Chain, bigint]>([
    ['the threshold', GUARDED, 2n],
    ['the threshold, for the recovery that is pending itself', RECOVERING, 2n],
    ['one more than another pending recovery has', { ...RECOVERING, newOwners: [party('c')] }, 3n],
    ['the threshold, if that is more', { ...RECOVERING, newOwners: [party('c')], approvals: 1n }, 2n],
  ])('takes as many confirmations as %s', async (_what, chain, needed) => {
    expect(confirmationsNeeded(await standingOf(PROPOSAL, [MODULE], unconfirmed(chain)))).toBe(needed);
  });

  it('is read again once the delay is over by this clock, until the network says so', async () => {
    const waiting = await standingOf(PROPOSAL, [MODULE], unconfirmed(RECOVERING));
    const over = RECOVERING.executeAfter;
    const seconds = [-3600n, -1n, 0n, 11n, 12n, 24n];
    expect(seconds.map((later) => looksAfter(waiting, over + later))).toEqual([0n, 0n, 1n, 1n, 2n, 3n]);
    const due = await standingOf(PROPOSAL, [MODULE], unconfirmed({ ...RECOVERING, executeAfter: NOW }));
    expect(looksAfter(due, over)).toBe(0n);
  });

  it('is not said of a module that Keystead does not know', async () => {
    await expect(standingOf(PROPOSAL, RECOVERY_MODULES, nodeWith(GUARDED))).rejects.toThrow(
      'module: must be a recovery module that Keystead knows. Do not confirm this recovery.',
    );
  });

  it('is read through any wallet, whose malformed answers are refused', async () => {
    const reader = readerOf('A wallet', () => Promise.resolve('nonsense'));
    await expect(reader.ask('eth_blockNumber', [], QuantityAnswerStruct)).rejects.toThrow(
      'eth_blockNumber: must have a valid result. A wallet returned something else.',
    );
  });
});

describe('the module of a lost account', () => {
  const OTHER = { ...MODULE, address: party('6') };
  const at = async (chain: Chain, module = MODULE): Promise<Recoverable> => ({
    module,
    state: (await readRecovery(SAFE, module, nodeWith(chain)))!,
  });
  const find = async (...recoveries: Promise<Recoverable>[]) =>
    moduleWithGuardians({ recoveries: await Promise.all(recoveries) });

  it.each<[string, Promise<Recoverable>[], string]>([
    ['is on no list', [], 'Address: must be an account with guardians'],
    ['is switched off', [at({ ...GUARDED, modules: [] })], 'Address: must be an account with guardians'],
    [
      'has no guardians',
      [at({ ...GUARDED, guardians: [], threshold: 0n })],
      'Address: must be an account with guardians',
    ],
    [
      'is one of two with guardians',
      [at(GUARDED), at({ ...GUARDED, modules: [OTHER.address] }, OTHER)],
      'Recovery module: must be chosen',
    ],
  ])('is not guessed if it %s', async (_what, recoveries, rule) => {
    await expect(find(...recoveries)).rejects.toThrow(rule);
  });

  it('is found if it is the only one with guardians that is switched on', async () => {
    expect(await find(at({ ...GUARDED, modules: [] }, OTHER), at(GUARDED))).toBe(MODULE.address);
  });
});

describe('guardians of the same phrase', () => {
  const options = { owner: party('b'), kind: 'safe-0.7' };
  const safe = { id: 'safe', address: SAFE, type: 'eip155:erc4337', options } as unknown as Account;
  const eoa = { id: 'eoa', address: party('c'), type: 'eip155:eoa', options: {} } as unknown as Account;
  const entropy = { type: 'private-key' };
  const imported = { ...eoa, id: 'imported', address: party('d'), options: { entropy } } as unknown as Account;
  const accounts = [safe, eoa, imported];

  it.each([SAFE, party('b'), party('C')])('are refused: %s', (guardian) => {
    expect(() => {
      assertApart([party('1'), guardian], safe, accounts);
    }).toThrow(
      `Guardians: must not be accounts of your recovery phrase, which are lost and stolen with it, but ${guardian}`,
    );
  });

  it('are not imported accounts, and an imported account shares its key with none', () => {
    expect(lostTogether(safe, accounts)).toEqual([SAFE, party('b'), party('c')]);
    assertApart([party('1'), party('d')], safe, accounts);
    assertApart([party('c')], { ...safe, options: { ...options, entropy } } as unknown as Account, accounts);
  });
});

it('adds the stand-in of a devnet to the modules, and nothing elsewhere', () => {
  expect(modulesOf(undefined)).toBe(RECOVERY_MODULES);
  const devnet = { recoveryModule: { ...MODULE, period: 180 } } as unknown as Parameters<typeof modulesOf>[0];
  expect(modulesOf(devnet)[0]).toEqual({ ...MODULE, period: 180n });
});

it('counts down in words', () => {
  expect([-5n, 0n, 65n, 3_700n, 100_000n].map(leftInWords)).toEqual([
    '0 s',
    '0 s',
    '1 min 5 s',
    '1 h 1 min',
    '1 d 3 h',
  ]);
});
