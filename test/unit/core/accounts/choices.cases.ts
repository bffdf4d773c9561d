import {
  choiceOf,
  COMMON_CHOICES,
  OTHER_CHOICES,
  recommendedFor,
  recommendedKind,
} from '../../../../src/core/accounts/choices';
import { KIND_NAMES, KINDS } from '../../../../src/core/kinds';

const ALL = [...COMMON_CHOICES, ...OTHER_CHOICES];
const EOA = { type: 'eip155:eoa', scopes: ['eip155:0'], methods: ['personal_sign'] };
const smart = (chainId: string, methods: readonly string[]) => ({
  type: 'eip155:erc4337',
  scopes: [chainId],
  methods: [...methods, 'eth_signUserOperation'],
});
const SAFE = smart('eip155:1', ['personal_sign']);
const SAFE_ELSEWHERE = smart('eip155:5', ['personal_sign']);
const SIMPLE = smart('eip155:1', []);
const SIMPLE_ELSEWHERE = smart('eip155:5', []);

describe('the kinds of account that people choose from', () => {
  it('are all that there are, once each', () => {
    expect(ALL.map(({ kind }) => kind).sort()).toEqual([...KIND_NAMES, 'eoa'].sort());
  });

  it('say what they cannot do, as their contracts are', () => {
    for (const { kind, limits } of ALL) {
      const cannotSign = kind !== 'eoa' && KINDS[kind].messageDigest === undefined;
      expect([kind, limits.includes('cannot sign in')]).toEqual([kind, cannotSign]);
      expect(choiceOf(kind).kind).toBe(kind);
    }
    expect(COMMON_CHOICES.every(({ limits }) => limits.includes('Sites that use Keystead'))).toBe(true);
  });

  it('have one recommendation: a Safe where it can send', () => {
    expect(recommendedKind({ bundlerUrl: 'https://bundler.example' })).toBe('safe-0.7');
    expect([recommendedKind({}), recommendedKind(undefined)]).toEqual(['eoa', 'eoa']);
  });
});

describe('the account for a site', () => {
  it.each([
    ['none without accounts', [], 'eip155:1', undefined],
    ['one that signs, not the first', [SIMPLE, SAFE, EOA], 'eip155:1', SAFE],
    ['one on the network of the site', [SAFE, EOA], 'eip155:10', EOA],
    ['the first that signs, if the site has no network', [SIMPLE, SAFE, EOA], undefined, SAFE],
    [
      'one that signs elsewhere rather than one that signs nothing',
      [SIMPLE, SAFE_ELSEWHERE],
      'eip155:1',
      SAFE_ELSEWHERE,
    ],
    ['one that signs nothing, if there is no other', [SIMPLE_ELSEWHERE, SIMPLE], 'eip155:1', SIMPLE],
  ])('is %s', (_what, accounts, chainId, expected) => {
    expect(recommendedFor(accounts, chainId)).toBe(expected);
  });
});
