import { setGuardians, turnOffAll } from '../../../../../src/core/safe/recovery/calls';
import { checkUp } from '../../../../../src/core/safe/recovery/check-up';
import { type Examined } from '../../../../../src/core/safe/recovery/finding';
import { delayInWords } from '../../../../../src/core/safe/recovery/modules';
import { readSituation, type Situation } from '../../../../../src/core/safe/recovery/situation';
import { type NodeReader } from '../../../../../src/core/safe/recovery/answer';
import { MODULE_4337 } from '../../../../../src/core/safe/contracts';
import { type Hex } from '../../../../../src/core/eth/bytes';
import {
  answersOf,
  answerTo,
  type Chain,
  GUARDED,
  MODULE,
  MODULE_CODE,
  NOW,
  party,
  RECOVERING,
  SAFE,
} from '../../../../support/recovery-node';

const DELAY_PROXY = '0x363d3d373d3d3d363d734a97e65188a950dd4b0f21f9b5434daee0bbf9f55af43d82803e903d91602b57fd5bf3';

/** `getThreshold()` of a Safe. */
const GET_THRESHOLD = '0xe75235b8';
const word = (number: bigint): Hex => `0x${number.toString(16).padStart(64, '0')}`;

/** A node with a Safe, its module, and other contracts with their code. One of its owners must sign, or more. */
const nodeOf = (chain: Chain, codes: Readonly<Record<Hex, Hex>> = {}, needed = 1n): NodeReader => ({
  ask: (method, params, result) => {
    const [first] = params as [Hex | { to: Hex; data: Hex }];
    const answer = (): unknown => {
      if (method === 'eth_getBlockByNumber') return { number: '0x10', timestamp: `0x${NOW.toString(16)}` };
      if (typeof first === 'string')
        return (
          new Map<Hex, Hex>([
            [SAFE, '0x12'],
            [MODULE.address, MODULE_CODE],
            ...(Object.entries(codes) as [Hex, Hex][]),
          ]).get(first) ?? '0x1234'
        );
      if (first.data === GET_THRESHOLD) return word(needed);
      return first.data === '0xdcafac09' ? word(5n) : answerTo(first.data, answersOf(chain));
    };
    return Promise.resolve(result.create(answer()));
  },
});
const read = (chain: Chain, codes?: Readonly<Record<Hex, Hex>>): Promise<Situation> =>
  readSituation(SAFE, [MODULE], nodeOf(chain, codes));

const safe = (situation: Situation | undefined): Examined => ({
  kind: 'safe',
  isImported: false,
  network: 'Sepolia',
  owner: party('a'),
  ofPhrase: [],
  passkeys: [],
  situation,
  practised: () => Number(NOW),
  now: NOW,
  timeOf: (seconds) => `second ${seconds}`,
  lacks: undefined,
});
const passkeyAt = (signer: Hex, at?: number) => ({
  signer,
  title: 'Passkey “Phone”',
  seen: at === undefined ? undefined : { at, day: 'that day' },
});
/** The same, seen otherwise. */
const seen = (situation: Situation, change: object): Examined => ({ ...safe(situation), ...change }) as Examined;
const say = (examined: Examined): string =>
  checkUp(examined)
    .map(({ loss }) => loss)
    .join(' ');
const words = async (chain: Chain, codes?: Readonly<Record<Hex, Hex>>): Promise<string> =>
  say(safe(await read(chain, codes)));
const THREE: Chain = {
  ...GUARDED,
  guardians: [party('1'), party('2'), party('3')],
  modules: [MODULE_4337, ...GUARDED.modules].map((one) => one.toLowerCase() as Hex),
};
const RECOVERABLE = /guardians can give the account to a new one after/u;

describe('the check-up of a Safe', () => {
  it.each<[string, Chain, Readonly<Record<Hex, Hex>>, RegExp]>([
    [
      'a module that Keystead does not know',
      { ...THREE, modules: [party('7')], guardians: [], threshold: 0n },
      {},
      /Keystead does not know it/u,
    ],
    ['known module, but other code there', THREE, { [MODULE.address]: '0x6002' }, /Keystead does not know it/u],
    ['a disabled module', { ...THREE, modules: [] }, {}, /switched off/u],
    ['no guardians', { ...THREE, guardians: [], threshold: 0n }, {}, /has no guardians/u],
    ['one guardian', { ...GUARDED, guardians: [party('1')], threshold: 1n }, {}, /one guardian alone/u],
    ['three guardians of whom any one is enough', { ...THREE, threshold: 1n }, {}, /Any one of its 3 guardians alone/u],
    ['guardians who all have to confirm', GUARDED, {}, /All 2 guardians have to confirm/u],
    ['no module', { ...GUARDED, modules: [], guardians: [], threshold: 0n }, {}, /Only your recovery phrase/u],
    [
      'a weak Delay modifier',
      { ...GUARDED, modules: [party('8')], guardians: [], threshold: 0n },
      { [party('8')]: DELAY_PROXY },
      /accepts forged signatures/u,
    ],
  ])('with %s does not call it recoverable', async (_what, chain, codes, message) => {
    const said = await words(chain, codes);
    expect(said).toMatch(message);
    expect(said).not.toMatch(RECOVERABLE);
  });

  it('says before anything else that the account has another owner now', async () => {
    const findings = checkUp(safe(await read({ ...THREE, owners: [party('b')] })));
    expect(findings.map(({ loss }) => loss)).toEqual([
      `Your key no longer controls this account. Its owners are now: ${party('b')}.`,
    ]);
  });

  it('names other owners first, also without a module', async () => {
    const shared = { owners: [party('b'), party('a')] };
    for (const chain of [THREE, { ...THREE, modules: [], guardians: [], threshold: 0n }]) {
      const [first, ...others] = checkUp(safe(await read({ ...chain, ...shared })));
      expect(first!.loss).toContain(`It has other owners besides your key: ${party('b')}.`);
      expect(others).not.toEqual([]);
    }
  });

  const SHARED: Chain = { ...GUARDED, modules: [], guardians: [], threshold: 0n };
  it.each<[string, number, bigint, string[]]>([
    [
      'of whom each can sign alone',
      2,
      1n,
      [
        'Each owner alone can take the account.',
        'If you lose your recovery phrase, the other owners can still use the account;',
      ],
    ],
    ['who must all sign', 2, 2n, ['All its owners must sign.', 'If one of its 2 owners loses the key']],
    ['of whom two must sign', 3, 2n, ['2 of its 3 owners must sign.', 'If 2 of its 3 owners lose their keys']],
  ])(
    'does not say that the phrase alone brings back an account of several owners, %s',
    async (_who, n, needed, parts) => {
      const owners = [party('b'), party('a'), party('c')].slice(0, n);
      const said = say(safe(await readSituation(SAFE, [MODULE], nodeOf({ ...SHARED, owners }, {}, needed))));
      for (const part of parts) expect(said).toContain(part);
      expect(said).not.toContain('Only your recovery phrase');
      expect(said).not.toMatch(RECOVERABLE);
    },
  );

  it.each<[string, Hex[], bigint, boolean, string[], RegExp]>([
    [
      'all, where each can sign alone',
      [party('b'), party('a')],
      1n,
      false,
      ['Only your recovery phrase brings this account back.'],
      /other owners can still use/u,
    ],
    [
      'two of three, of whom two must sign',
      [party('b'), party('a'), party('c')],
      2n,
      false,
      [
        '2 of its 3 owners have keys of your recovery phrase.',
        'so is the account',
        'Anyone who sees your recovery phrase',
      ],
      /other owners can still use/u,
    ],
    [
      'two of four, of whom two must sign',
      [party('b'), party('a'), party('c'), party('d')],
      2n,
      false,
      ['the other owners can still use the account', 'Anyone who sees your recovery phrase can take'],
      /so is the account/u,
    ],
    [
      'none of an imported account',
      [party('a'), party('c')],
      2n,
      true,
      ['If one of its 2 owners loses the key', 'Your recovery phrase does not bring your key back.'],
      /Anyone who sees/u,
    ],
  ])(
    'counts owners with keys of the same phrase as one: %s',
    async (_which, owners, needed, isImported, parts, never) => {
      const situation = await readSituation(SAFE, [MODULE], nodeOf({ ...SHARED, owners }, {}, needed));
      const said = say({ ...safe(situation), isImported, ofPhrase: [party('a'), party('b')] } as Examined);
      for (const part of parts) expect(said).toContain(part);
      expect(said).not.toMatch(never);
    },
  );

  it('says that the passkey of this browser opens an account that the key no longer controls', async () => {
    const situation = await read({ ...SHARED, owners: [party('b')] });
    const findings = checkUp({ ...safe(situation), passkeys: [passkeyAt(party('b'))] } as Examined);
    expect(findings[0]!.advice).toBe('Open it with the passkey.');
    expect(findings[1]!.loss).toContain('Passkey “Phone”');
  });

  it('does not call an account lost that a Delay modifier may bring back', async () => {
    const chain = { ...SHARED, modules: [party('8')], owners: [party('a'), party('b')] };
    const sound = await readSituation(SAFE, [MODULE], nodeOf(chain, { [party('8')]: DELAY_PROXY }, 2n));
    const said = (isWeak: boolean) =>
      say(safe({ ...sound, delays: sound.delays.map((delay) => ({ ...delay, isWeak })) }));
    expect(said(false)).toContain('Only the addresses of the Delay modifier might bring it back.');
    expect(said(true)).not.toContain('might bring it back');
  });

  it('names the phrase too where the only module is off or without guardians', async () => {
    for (const chain of [
      { ...THREE, modules: [] },
      { ...THREE, guardians: [], threshold: 0n },
    ])
      expect(await words(chain)).toContain('Only your recovery phrase brings this account back.');
  });

  it.each([0n, 3n])('is refused if the node says that %d of two owners must sign', async (needed) => {
    const lie = nodeOf({ ...SHARED, owners: [party('a'), party('b')] }, {}, needed);
    await expect(readSituation(SAFE, [MODULE], lie)).rejects.toThrow('threshold: must be at least 1');
  });

  it('says where a passkey among the owners is lost, and of no other owner', async () => {
    const situation = await read({ ...SHARED, owners: [party('b'), party('a')] });
    const of = (signer: Hex) => say({ ...safe(situation), passkeys: [passkeyAt(signer)] } as Examined);
    expect(of(party('B'))).toContain(`Passkey “Phone” is its owner ${party('b')}.`);
    expect(of(party('c'))).not.toContain('Passkey');
  });

  it.each<[string, number | undefined, RegExp]>([
    ['never worked here', undefined, /never seen to work here\. See whether it works, under Drills/u],
    ['worked two years ago', 2, /seen to work on that day\. See whether it works, under Drills/u],
    ['worked last month', 1 / 12, /^It was seen to work on that day\. Do not let it be the only owner/u],
  ])('says what is due with a passkey that %s', async (_what, years, advice) => {
    const situation = await read({ ...SHARED, owners: [party('b'), party('a')] });
    const seen = years === undefined ? undefined : Number(NOW) - Math.round(years * 365 * 86_400);
    const findings = checkUp({ ...safe(situation), passkeys: [passkeyAt(party('b'), seen)] } as Examined);
    expect(findings.at(-1)!.advice).toMatch(advice);
  });

  it('of an imported account speaks of its private key, which the phrase does not bring back', async () => {
    const said = say({ ...safe(await read(THREE)), isImported: true } as Examined);
    expect(said).toContain('If you lose your private key, 2 of your 3 guardians can give the account to a new one');
    expect(said).not.toContain('phrase');
  });

  it('warns of an unknown module beside good guardians', async () => {
    const findings = checkUp(safe(await read({ ...THREE, modules: [...THREE.modules, party('7')] })));
    expect(findings.map(({ next }) => next)).toEqual(['review-modules', 'none']);
  });

  it('says who can bring it back, and when', async () => {
    expect(await words(THREE)).toBe(
      'If you lose your phrase, 2 of your 3 guardians can give the account to a new one after 1 day.',
    );
  });

  it('does not call a delay of minutes enough', async () => {
    const situation = await read(THREE);
    const short = situation.recoveries.map(({ module, state }) => ({ module: { ...module, period: 180n }, state }));
    expect(say(safe({ ...situation, recoveries: short }))).toContain('after only 3 minutes');
  });

  it('gives everything that is wrong, not only the first', async () => {
    const situation = await read({ ...GUARDED, guardians: [party('1')], threshold: 1n });
    const short = situation.recoveries.map(({ module, state }) => ({ module: { ...module, period: 180n }, state }));
    const said = say(safe({ ...situation, recoveries: short }));
    expect(said).toContain('one guardian alone');
    expect(said).toContain('after only 3 minutes');
  });

  it.each<[string, Hex[], bigint, string]>([
    [
      'one of two, of whom any one is enough',
      [party('1'), party('2')],
      1n,
      'Without them, one guardian is left, who alone can give',
    ],
    [
      'one of three, of whom any one is enough',
      [party('1'), party('2'), party('3')],
      1n,
      'Without them, any one of the 2 others alone can give',
    ],
  ])('does not count a guardian of the same phrase as another: %s', async (_what, guardians, threshold, message) => {
    const said = say({ ...safe(await read({ ...THREE, guardians, threshold })), ofPhrase: [party('1')] } as Examined);
    expect(said).toContain(message);
    expect(said).not.toContain('Its one guardian');
  });

  it.each<[string, Hex[], string]>([
    [
      'two of three, so that nobody could recover it',
      [party('1'), party('2')],
      'Only 1 of the 2 that must confirm would be left, so nobody could recover the account through this module.',
    ],
    ['all', [party('1'), party('2'), party('3')], 'Only 0 of the 2 that must confirm would be left'],
    ['one of three', [party('3')], `lost and stolen with it: ${party('3')}.`],
  ])('does not count guardians of the same phrase: %s', async (_what, ofPhrase, message) => {
    const said = say({ ...safe(await read(THREE)), ofPhrase } as Examined);
    expect(said).toContain(message);
    expect(said).not.toMatch(RECOVERABLE);
  });

  it('of three guardians, one of the same phrase, says that both others have to confirm', async () => {
    const said = say({ ...safe(await read(THREE)), ofPhrase: [party('3')] } as Examined);
    expect(said).not.toContain('nobody could recover');
    expect(said).toContain('Without them, all 2 others have to confirm a recovery.');
  });

  it('says that a network did not answer', () => {
    expect(say(safe(undefined))).toContain('Sepolia did not answer');
  });

  it('of an account that is not deployed offers guardians', async () => {
    const situation = await read(GUARDED, { [SAFE]: '0x' });
    expect(situation.isDeployed).toBe(false);
    expect(checkUp(safe(situation)).map(({ next }) => next)).toEqual(['set-guardians']);
  });
});

describe('a Safe with two known modules', () => {
  const OTHER = { ...MODULE, address: party('6'), period: 3n * MODULE.period };
  /** What the Safe has at each of its modules. */
  const both = (first: Chain, second: Chain): NodeReader => {
    const modules = [MODULE.address.toLowerCase() as Hex, OTHER.address];
    const nodes = [first, second].map((chain) => nodeOf({ ...chain, modules }, { [OTHER.address]: MODULE_CODE }));
    return {
      ask: (method, params, result) => {
        const [call] = params as [{ to?: Hex }];
        return nodes[call.to === OTHER.address ? 1 : 0]!.ask(method, params, result);
      },
    };
  };
  const MORE: Chain = { ...THREE, threshold: 1n };
  const situation = (first: Chain, second: Chain) => readSituation(SAFE, [MODULE, OTHER], both(first, second));
  const chosen = { guardians: [party('1')], threshold: 1n };

  it('keeps the recovery of one apart from the guardians of the other', async () => {
    for (const pending of [MODULE, OTHER]) {
      const [first, second] = pending === MODULE ? [RECOVERING, MORE] : [MORE, RECOVERING];
      const { recoveries, unknown } = await situation(first, second);
      expect(unknown).toEqual([]);
      expect(recoveries.map(({ module, state }) => [module.address, state.pending !== undefined])).toEqual([
        [MODULE.address, pending === MODULE],
        [OTHER.address, pending === OTHER],
      ]);
      for (const { module, state } of recoveries)
        if (module === pending)
          expect(() => setGuardians(chosen, state)).toThrow('must not be changed during a recovery: cancel it first');
        else expect(setGuardians(chosen, state).every(({ to }) => to === module.address.toLowerCase())).toBe(true);
    }
  });

  it('says what the guardians of each can do, with its delay', async () => {
    const findings = checkUp(safe(await situation(THREE, MORE)));
    expect(findings.map(({ loss }) => loss)).toEqual([
      expect.stringMatching(/^If you lose your phrase, 2 of your 3 guardians .* after 1 day\.$/u),
      expect.stringMatching(/^Any one of its 3 guardians alone .* after 3 days\.$/u),
    ]);
  });

  it('is turned off in both, with the recovery that has begun cancelled first', async () => {
    const { recoveries } = await situation(THREE, RECOVERING);
    const calls = turnOffAll(recoveries.map(({ state }) => state));
    const cancelled = calls.filter(({ data }) => data === '0x0ba234d6');
    expect(cancelled.map(({ to }) => to)).toEqual([OTHER.address]);
    expect(calls.filter(({ data }) => data.startsWith('0xe009cfde'))).toHaveLength(2);
  });
});

describe('the situation of a Safe', () => {
  it('keeps what a disabled module still has', async () => {
    const { recoveries, offered } = await read({ ...RECOVERING, modules: [] });
    expect(recoveries[0]!.state.pending).toBeDefined();
    expect(offered).toEqual([MODULE]);
  });
});

describe('the check-up of other accounts', () => {
  it('says that the key of a delegated account keeps the last word', () => {
    const findings = checkUp({ kind: 'eoa', isImported: false, isDelegated: true });
    expect(findings.map(({ next }) => next)).toEqual(['move-to-safe', 'keep-phrase']);
    expect(findings[0]!.loss).toContain('its key keeps the last word');
  });

  it.each<[string, Examined, string]>([
    ['an account of the phrase', { kind: 'eoa', isImported: false, isDelegated: false }, 'keep-phrase'],
    ['an imported account', { kind: 'eoa', isImported: true, isDelegated: false }, 'back-up'],
    ['a SimpleAccount', { kind: 'simple', isImported: false }, 'move-to-safe'],
  ])('has a next step for %s', (_what, examined, next) => {
    expect(checkUp(examined).map((finding) => finding.next)).toEqual([next]);
  });

  it('writes delays in words', () => {
    expect([180n, 3_600n, 1_209_600n].map(delayInWords)).toEqual(['3 minutes', '1 hour', '14 days']);
  });
});

describe('a check-up', () => {
  it('says an attack in progress before anything else', async () => {
    const [first] = checkUp(safe(await read({ ...RECOVERING, modules: [...RECOVERING.modules, party('7')] })));
    expect(first!.loss).toMatch(
      /^A recovery has begun: from second 1800003600 on, the account can be given to 0xb{40}\.$/u,
    );
    expect(first!.advice).toContain('cancel it now');
  });

  it('never says that there is nothing to do during an attack', async () => {
    const findings = checkUp(
      seen(await read({ ...RECOVERING, guardians: THREE.guardians }), { practised: () => Number(NOW) }),
    );
    const advice = findings.map((finding) => finding.advice).join(' ');
    expect(advice).toContain('Each guardian has practised within a year.');
    expect(advice).not.toContain('Nothing to do');
  });

  it.each<[string, (guardian: Hex) => number | undefined, string]>([
    ['nobody has practised', () => undefined, 'Ask each for a practice run'],
    ['one has not', (one) => (one === party('1') ? undefined : Number(NOW)), 'Ask 1 of them for a practice run'],
    ['one did long ago', (one) => (one === party('1') ? 1 : Number(NOW)), 'Ask 1 of them for a practice run'],
    ['each did this year', () => Number(NOW) - 364 * 86_400, 'Nothing to do. Each guardian has practised'],
  ])('says what is due if %s', async (_when, practised, advice) => {
    const [only, ...others] = checkUp(seen(await read(THREE), { practised }));
    expect(others).toEqual([]);
    expect(only!.advice).toContain(advice);
  });

  it('says that practice is due beside what is wrong with the guardians', async () => {
    const situation = await read({ ...THREE, threshold: 3n });
    const advice = (practised: () => number | undefined) =>
      checkUp(seen(situation, { practised })).map((finding) => finding.advice);
    expect(advice(() => undefined)).toEqual([
      'Add a guardian, or let fewer confirm.',
      'Ask each for a practice run, which is due once a year.',
    ]);
    expect(advice(() => Number(NOW))).toEqual(['Add a guardian, or let fewer confirm.']);
  });

  it('says a missing reserve for cancelling', async () => {
    expect(say(seen(await read(THREE), { lacks: 'it has 0 ETH' }))).toContain(
      'It may be unable to pay for cancelling a recovery: it has 0 ETH.',
    );
  });
});

describe('the advice of a check-up', () => {
  const ALONE: Chain = { ...GUARDED, modules: [], guardians: [], threshold: 0n };
  const advice = (examined: Examined) => checkUp(examined).map((finding) => finding.advice);

  it('is to give the account to a new phrase, or to new owners if it has several', async () => {
    expect(advice(safe(await read(ALONE)))).toEqual(['Choose guardians, who can give the account to a new phrase.']);
    const shared = await read({ ...ALONE, owners: [party('a'), party('b')] });
    expect(advice(safe(shared)).at(-1)).toBe('Choose guardians, who can give the account to new owners.');
  });

  it('of an imported account of one owner speaks of its key', async () => {
    expect(say(seen(await read(ALONE), { isImported: true }))).toBe(
      'Only its private key controls this account. Your recovery phrase does not bring it back.',
    );
  });

  it('is to send nothing to an account that the key lost, unless a passkey opens it', async () => {
    const situation = await read({ ...ALONE, owners: [party('b')] });
    expect(advice(safe(situation))).toEqual([
      'Send nothing to it. If the new owner is yours, open the wallet with that phrase.',
    ]);
  });

  it('is to remove a weak Delay modifier, and to look at a sound one', async () => {
    const chain = { ...ALONE, modules: [party('8')] };
    const found = await read(chain, { [party('8')]: DELAY_PROXY });
    const first = (isWeak: boolean) =>
      advice(safe({ ...found, delays: found.delays.map((delay) => ({ ...delay, isWeak })) }))[0];
    expect(first(true)).toBe('Remove it now.');
    expect(first(false)).toBe('Look in Safe{Wallet} which addresses it lists.');
  });

  it('is one about one guardian, and does not speak of all of them', async () => {
    const findings = checkUp(safe(await read({ ...GUARDED, guardians: [party('1')], threshold: 1n })));
    expect(findings.map(({ loss }) => loss)).toEqual([
      expect.stringMatching(/^Its one guardian alone can give the account to a new owner after 1 day\./u),
    ]);
  });

  it('about all guardians does not speak of others if none is of the phrase', async () => {
    expect(await words(GUARDED)).toMatch(/^All 2 guardians have to confirm a recovery\./u);
    expect(await words({ ...GUARDED, threshold: 1n })).toMatch(/^Any one of its 2 guardians alone/u);
  });
});

describe('what a module has that is switched off', () => {
  it.each<[string, Partial<Chain>, number]>([
    ['guardians alone', {}, 1],
    ['a recovery alone', { ...RECOVERING, guardians: [], threshold: 0n }, 1],
    ['nothing', { guardians: [], threshold: 0n }, 0],
  ])('is kept if it is %s', async (_what, more, count) => {
    const { recoveries } = await read({ ...GUARDED, ...more, modules: [] });
    expect(recoveries).toHaveLength(count);
  });
});
