import { encodeFunctionData, encodePacked, type Hex as ViemHex, parseAbi } from 'viem';

import { explainUserOperation } from '../../../../src/core/decode/explain/user-operation';
import { type Explanation, type Viewpoint } from '../../../../src/core/decode/explanation';
import { MULTI_SEND_CALL_ONLY, SIGNER_FACTORY } from '../../../../src/core/safe/contracts';
import { type Hex } from '../../../../src/core/eth/bytes';
import { type OwnFacts, type OwnState } from '../../../../src/core/safe/recovery/own-state';
import { ALICE, BOB, codesOf, ME, NOW, USDC, VIEW, written } from '../../../support/explaining';

const CAROL: Hex = '0x66666666666666666666666666666666DEaDbeef';
const KEY: Hex = '0x7777777777777777777777777777777777777777';
/** The recovery module with a delay of three days. */
const MODULE: Hex = '0x38275826E1933303E508433dD5f289315Da2541c';
/** The one with a delay of three minutes. */
const TEST_MODULE: Hex = '0x949d01d424bE050D09C16025dd007CB59b3A8c66';
const SENTINEL: Hex = '0x0000000000000000000000000000000000000001';
const NODE = { name: 'node.example' };

type Call = { readonly to: Hex; readonly value: bigint; readonly data: Hex };

const encode = (signature: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as string[]), args } as never);
const at = (to: Hex, signature: string, args: readonly unknown[]): Call => ({
  to,
  value: 0n,
  data: encode(signature, args),
});

const enable = (module: Hex) => at(ME, 'enableModule(address)', [module]);
const disable = (module: Hex) => at(ME, 'disableModule(address,address)', [SENTINEL, module]);
const guardian = (address: Hex, threshold: bigint, module = MODULE) =>
  at(module, 'addGuardianWithThreshold(address,uint256)', [address, threshold]);
const revoke = (address: Hex, threshold: bigint) =>
  at(MODULE, 'revokeGuardianWithThreshold(address,address,uint256)', [SENTINEL, address, threshold]);
const owner = (address: Hex, threshold: bigint) =>
  at(ME, 'addOwnerWithThreshold(address,uint256)', [address, threshold]);
const remove = (address: Hex, threshold: bigint) =>
  at(ME, 'removeOwner(address,address,uint256)', [SENTINEL, address, threshold]);
const swap = (old: Hex, by: Hex) => at(ME, 'swapOwner(address,address,address)', [SENTINEL, old, by]);
const threshold = (count: bigint) => at(ME, 'changeThreshold(uint256)', [count]);
const cancel = (module = MODULE) => at(module, 'cancelRecovery()', []);

/** A MultiSend, which the account runs as its own code. */
const multiSend = (calls: readonly Call[]): Hex => {
  const packed = calls.map(({ to, value, data }) =>
    encodePacked(
      ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
      [0, to, value, BigInt(data.length / 2 - 1), data as ViemHex],
    ).slice(2),
  );
  return encode('multiSend(bytes)', [`0x${packed.join('')}`]);
};
/** The same in a call of the account to itself. */
const nested = (calls: readonly Call[]): Call =>
  at(ME, 'execTransactionFromModule(address,uint256,bytes,uint8)', [MULTI_SEND_CALL_ONLY, 0n, multiSend(calls), 1]);

const state = (more: Partial<OwnState> = {}): OwnFacts => ({
  state: { owners: [KEY], threshold: 1n, modules: [MODULE], guarded: [], ...more },
  otherCode: [],
  passkeys: [],
});
const guarded = (guardians: readonly Hex[], needed: bigint, more: Partial<OwnState['guarded'][number]> = {}) =>
  state({ guarded: [{ module: MODULE, guardians, threshold: needed, ...more }] });

type View = Partial<Viewpoint> & { readonly isFirst?: boolean; readonly isOwn?: boolean };

/** An operation of a Safe, with the calls that it makes. */
function operation(calls: readonly Call[], { isFirst = false, isOwn = false, ...view }: View = {}): Explanation {
  const none = { nonce: 0n, callGasLimit: 90_000n, verificationGasLimit: 90_000n, preVerificationGas: 1n };
  return explainUserOperation(
    {
      ...none,
      sender: ME,
      initCode: isFirst ? `0x${'12'.repeat(30)}` : '0x',
      callData: '0x12345678',
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
      paymasterAndData: '0x',
      signature: '0x',
    },
    {
      domain: { chainId: 1n, entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032', version: '0.7' },
      accountTitle: 'Safe 0.7',
      ownKey: KEY,
      calls,
      wasPrepared: true,
      funds: undefined,
    },
    { ...VIEW, node: NODE, ...view, ...(isOwn && { isOwnPage: true }) },
  );
}

const dangersOf = ({ dangers }: Explanation): string => dangers.map(({ text }) => text).join(' ');
const rowsOf = ({ main }: Explanation): string => main.map(written).join('\n');

describe('what looks like another change of the account itself', () => {
  it('setting guardians at a module that Keystead does not know: one danger, from the own page too', () => {
    const explanation = operation([enable(USDC), guardian(ALICE, 1n, USDC), guardian(BOB, 2n, USDC)], { isOwn: true });
    expect(explanation.title).toBe("Let module 0xA0b8…eB48 act for your account without its owners' signatures");
    expect(dangersOf(explanation)).toBe(
      'Keystead does not know the code of this module. It can do anything, without a delay. Reject it unless you started this yourself.',
    );
  });

  it('setting guardians at a known address that has other code on this network', () => {
    const own = { ...state(), otherCode: [MODULE] };
    const explanation = operation([enable(MODULE), guardian(ALICE, 1n)], { isOwn: true, own });
    expect(dangersOf(explanation)).toContain('Keystead does not know the code of this module.');
    expect(explanation.title).not.toContain('after 3 days');
  });

  it('setting guardians of whom one is enough, or whose delay is short', () => {
    const one = operation([enable(MODULE), guardian(ALICE, 1n), guardian(BOB, 1n)], { isOwn: true, isFirst: true });
    expect(one.title).toBe('Set 2 guardians: any one can replace the owner after 3 days');
    expect(dangersOf(one)).toContain('One guardian alone can take the account.');
    const soon = operation([enable(TEST_MODULE), guardian(ALICE, 1n, TEST_MODULE)], { isOwn: true });
    expect(soon.title).toContain('after 3 minutes');
  });

  it('replacing an owner, dressed as adding one', () => {
    const own = state({ owners: [KEY, BOB], threshold: 2n });
    for (const calls of [[owner(CAROL, 2n), remove(KEY, 2n)], [swap(KEY, CAROL)]]) {
      const explanation = operation(calls, { isOwn: true, own });
      expect(explanation.title).toBe('Replace owner 0x7777…7777 with 0x6666…beef: 2 of 2 owners must sign');
      expect(dangersOf(explanation)).toContain('Keystead can then no longer sign for this account.');
    }
  });

  it('a threshold that a call inside of another call lowers, wherever it comes in the order of the calls', () => {
    const own = state({ owners: [KEY, BOB], threshold: 2n });
    for (const calls of [
      [nested([threshold(1n)])],
      [threshold(2n), nested([threshold(1n)])],
      [nested([threshold(2n)]), threshold(1n)],
      [nested([threshold(2n), threshold(1n)])],
    ]) {
      const explanation = operation(calls, { isOwn: true, own });
      expect(dangersOf(explanation)).toContain('Fewer than before are enough.');
    }
  });

  it('a threshold that the data of another contract claims to raise', () => {
    const claim = at(ALICE, 'multicall(bytes[])', [[encode('changeThreshold(uint256)', [2n])]]);
    const aggregate = at('0xcA11bde05977b3631167028862bE2a173976CA11', 'aggregate((address,bytes)[])', [
      [[ME, encode('changeThreshold(uint256)', [2n])]],
    ]);
    for (const other of [claim, aggregate]) {
      const explanation = operation([owner(BOB, 1n), other], { isOwn: true });
      expect(`${dangersOf(explanation)} ${explanation.warnings.join(' ')}`).toContain(
        'Add 0x742d…f44e as owner: any owner can sign alone',
      );
      expect(explanation.title).not.toMatch(/^From now on/u);
    }
  });

  it('an owner who is removed again after a call that could use the signature', () => {
    const explanation = operation([owner(CAROL, 1n), at(ALICE, 'mint()', []), remove(CAROL, 1n)], { own: state() });
    expect(dangersOf(explanation)).toContain('Add 0x6666…beef as owner: either can sign alone');
    expect(dangersOf(explanation)).toContain('Remove 0x6666…beef as owner: its one owner signs alone');
  });

  it('cancelling a recovery of another account, or at another contract', () => {
    const ofAnother = at(BOB, 'execTransactionFromModule(address,uint256,bytes,uint8)', [
      MODULE,
      0n,
      encode('cancelRecovery()', []),
      0,
    ]);
    const own = guarded([ALICE], 1n, {
      pending: { newOwners: [CAROL], newThreshold: 1n, executeAfter: NOW + 86_400n, approvals: 1n },
    });
    for (const call of [ofAnother, cancel(USDC)])
      expect(operation([call], { own }).title).not.toContain('that would give the account to');
  });

  it('switching on a module that has guardians from earlier', () => {
    const explanation = operation([enable(MODULE)], { own: guarded([CAROL], 1n), isOwn: true });
    expect(explanation.title).toBe(
      'Turn on recovery (1 guardian in all): that one alone can replace the owner after 3 days',
    );
    expect(rowsOf(explanation)).toContain('Before: 1 of 1 owner, 1 of 1 guardian, says node.example');
  });

  it('switching off a module that keeps its guardians, while a recovery goes on', () => {
    const pending = { newOwners: [CAROL], newThreshold: 1n, executeAfter: NOW + 86_400n, approvals: 1n };
    const explanation = operation([disable(MODULE)], { own: guarded([ALICE, BOB], 2n, { pending }) });
    expect(explanation.title).toBe('Turn off recovery, but keep its guardians');
    expect(dangersOf(explanation)).toContain('A recovery that has begun goes on.');
  });

  it('a state before that no account could have: nothing is compared with it, and the screen says whose word it is', () => {
    for (const calls of [[remove(BOB, 1n)], [owner(KEY, 1n)], [threshold(3n)]]) {
      const explanation = operation(calls, { own: state({ owners: [KEY, CAROL], threshold: 2n }) });
      expect(explanation.title).not.toMatch(/ of \d|as before|either/u);
      expect(rowsOf(explanation)).toContain('Before: 2 of 2 owners, says node.example');
    }
  });

  it('a state before that a node says which a site added: nothing is compared with it', () => {
    const node = { name: 'node.example', addedBy: 'https://site.example' };
    const explanation = operation([threshold(1n)], { own: state({ owners: [KEY, BOB], threshold: 1n }), node });
    expect(explanation.title).toBe('From now on any owner can sign alone');
    expect(rowsOf(explanation)).toContain('says node.example, a node that https://site.example added');
  });

  it('never takes the title from something else that the request does', () => {
    const transfer = at(USDC, 'transfer(address,uint256)', [BOB, 5_000_000n]);
    for (const other of [transfer, enable(USDC), at(ALICE, 'mint()', []), guardian(ALICE, 1n)])
      expect(operation([owner(BOB, 2n), other]).title).not.toMatch(/must sign$/u);
  });
});

describe('changes of the account itself, by what they come to', () => {
  it('guardians: how many are enough, and after which delay, in one sentence', () => {
    const calls = [enable(MODULE), guardian(ALICE, 1n), guardian(BOB, 1n), guardian(CAROL, 2n)];
    const explanation = operation(calls);
    expect(explanation.title).toBe('Add 3 guardians: any 2 can replace the owners after 3 days');
    expect(dangersOf(explanation)).toBe(
      'This changes who controls your account. Add 3 guardians: any 2 can replace the owners after 3 days. Reject it unless you started this yourself.',
    );
    for (const address of [ALICE, BOB, CAROL]) expect(rowsOf(explanation)).toContain(address);
    for (const view of [{ isFirst: true }, { own: guarded([], 0n) }]) {
      const asked = operation(calls, { ...view, isOwn: true });
      expect(asked.title).toBe('Set 3 guardians: any 2 can replace the owner after 3 days');
      expect([...asked.dangers, ...asked.warnings]).toEqual([]);
    }
  });

  it.each<[string, readonly Call[], OwnFacts, string]>([
    [
      'one more',
      [guardian(CAROL, 2n)],
      guarded([ALICE, BOB], 2n),
      'Add 1 guardian (3 guardians in all): any 2 can replace',
    ],
    [
      'one fewer',
      [revoke(BOB, 1n)],
      guarded([ALICE, BOB], 1n),
      'Remove guardian 0x742d…f44e (1 guardian in all): that one alone can',
    ],
    [
      'the number alone',
      [at(MODULE, 'changeThreshold(uint256)', [2n])],
      guarded([ALICE, BOB, CAROL], 3n),
      'From now on any 2 can replace the owner after 3 days, not 3 as before',
    ],
    [
      'none any more',
      [revoke(BOB, 1n), revoke(ALICE, 0n), disable(MODULE)],
      guarded([ALICE, BOB], 2n),
      'Turn off recovery, remove 2 guardians',
    ],
  ])('guardians: %s', (_what, calls, own, title) => {
    expect(operation(calls, { own }).title).toContain(title);
  });

  it('a guardian that is removed: a recovery that has begun goes on', () => {
    const explanation = operation([revoke(BOB, 1n)]);
    expect(explanation.title).toBe('Remove guardian 0x742d…f44e: any one can replace the owners after 3 days');
    expect(dangersOf(explanation)).toContain('A recovery that has begun goes on.');
  });

  it('a recovery that is cancelled: who would get the account, and when', () => {
    const pending = { newOwners: [CAROL], newThreshold: 1n, executeAfter: NOW + 2n * 86_400n, approvals: 1n };
    const explanation = operation([cancel()], { own: guarded([ALICE], 1n, { pending }) });
    expect(explanation.title).toBe('Cancel the recovery that would give the account to 0x6666…beef on 3 Jan 2026');
    expect(rowsOf(explanation)).toContain(
      'Before: 1 of 1 owner, 1 of 1 guardian, a recovery has begun, says node.example',
    );
    expect(explanation.dangers).toEqual([]);
    expect(operation([cancel()]).title).toBe('Cancel the recovery of the account');
  });

  it.each<[string, readonly Call[], OwnFacts | undefined, string]>([
    ['one who signs with the others', [owner(BOB, 2n)], state(), 'Add 0x742d…f44e as owner: 2 of 2 owners must sign'],
    ['one who signs alone', [owner(BOB, 1n)], state(), 'Add 0x742d…f44e as owner: either can sign alone'],
    ['one, without knowing the others', [owner(BOB, 2n)], undefined, 'Add 0x742d…f44e as owner: 2 owners must sign'],
    [
      'two, the last of whom decides how many must sign',
      [owner(BOB, 1n), owner(CAROL, 3n)],
      state(),
      'Add 0x742d…f44e and 0x6666…beef as owners: 3 of 3 owners must sign',
    ],
    [
      'one who is removed',
      [remove(BOB, 1n)],
      state({ owners: [BOB, KEY], threshold: 1n }),
      'Remove 0x742d…f44e as owner: its one owner signs alone',
    ],
    [
      'the number of signatures alone',
      [threshold(2n)],
      state({ owners: [BOB, KEY], threshold: 1n }),
      'From now on 2 of 2 owners must sign',
    ],
    ['a passkey', [owner(BOB, 1n)], { ...state(), passkeys: [BOB] }, 'Add a passkey as owner: either can sign alone'],
  ])('owners: %s', (_what, calls, own, sentence) => {
    const explanation = operation(calls, own && { own });
    expect(explanation.title).toBe(sentence);
    expect(dangersOf(explanation)).toContain(`This changes who controls your account. ${sentence}.`);
    expect(codesOf(explanation)).toEqual(['account-administration']);
    const asked = operation(calls, { ...(own && { own }), isOwn: true });
    expect(asked.title).toBe(sentence);
    expect([...asked.dangers, ...asked.warnings]).toEqual([]);
  });

  it('asks the node about the account, the modules and the signers of a change, and once', () => {
    const question = operation([enable(MODULE), guardian(ALICE, 1n)]).unresolved?.own;
    expect(question).toEqual({ account: ME, modules: [MODULE.toLowerCase()], signers: [] });
    expect(operation([owner(BOB, 1n)], { isFirst: true }).unresolved?.own?.account).toBeUndefined();
    expect(operation([owner(BOB, 1n)], { own: state() }).unresolved?.own).toBeUndefined();
    expect(operation([at(USDC, 'transfer(address,uint256)', [BOB, 1n])]).unresolved?.own).toBeUndefined();
  });
});

describe('a call between two steps', () => {
  const ping = (to: Hex): Call => ({ to, value: 0n, data: '0x' });
  const shown = (calls: readonly Call[], view?: View): string => {
    const { title, dangers, warnings } = operation(calls, view);
    return [title, ...dangers.map(({ text }) => text), ...warnings].join('\n');
  };

  test.each([
    [
      'an owner who is there only for it',
      [owner(CAROL, 1n), ping(CAROL), remove(CAROL, 1n)],
      /make .*an owner|Add .*owner/iu,
    ],
    ['the same for somebody else', [owner(CAROL, 1n), ping(BOB), remove(CAROL, 1n)], /make .*an owner|Add .*owner/iu],
    ['a key that is there only for it', [swap(KEY, CAROL), ping(CAROL), swap(CAROL, KEY)], /can then no longer sign/u],
    [
      'a module that is on only for it',
      [enable(CAROL), ping(CAROL), disable(CAROL)],
      /It can do anything, without a delay/u,
    ],
    [
      'a module that is on only for a call of its own',
      [enable(CAROL), at(CAROL, 'cancelRecovery()', []), disable(CAROL)],
      /It can do anything, without a delay/u,
    ],
  ])('%s is said, from the own page too', (_name, calls, words) => {
    for (const isOwn of [true, false]) expect(shown(calls, { own: state(), isOwn })).toMatch(words);
    expect(codesOf(operation(calls, { own: state() }))).toContain('account-administration');
  });

  test('fewer owners for a moment are said', () => {
    const calls = [threshold(1n), ping(BOB), threshold(2n)];
    const own = state({ owners: [KEY, BOB], threshold: 2n });
    expect(shown(calls, { own, isOwn: true })).toContain('Fewer than before are enough.');
  });
});

test('a guardian who is added while recovery is turned off is said', () => {
  const own = guarded([ALICE, BOB], 2n);
  const { title, dangers } = operation([disable(MODULE), guardian(CAROL, 1n)], { own, isOwn: true });
  expect(title).toContain('add 1 guardian');
  expect(dangers.map(({ text }) => text).join()).toContain('One guardian alone can take the account.');
});

test('a delay that is too short to notice a recovery is a danger, also from the own page', () => {
  const calls = [enable(TEST_MODULE), guardian(ALICE, 1n, TEST_MODULE)];
  const { dangers } = operation(calls, { own: state(), isOwn: true });
  expect(dangers.map(({ text }) => text).join()).toContain('is too short to notice a recovery');
});

test('a node that a site added does not make an address a passkey', () => {
  const own = { ...state(), passkeys: [CAROL] };
  const node = { ...NODE, addedBy: 'https://dapp.example' };
  expect(operation([owner(CAROL, 1n)], { own, node }).title).not.toContain('passkey');
});

describe('steps that follow each other', () => {
  it('are one change inside of another call, too', () => {
    const { title } = operation([nested([enable(MODULE), guardian(ALICE, 1n), guardian(BOB, 2n)])]);
    expect(title).toBe('Add 2 guardians: any 2 can replace the owners after 3 days');
  });

  it('are one change if there are more than ten', () => {
    const many = Array.from({ length: 12 }, (_, count) =>
      owner(`0x${(count + 0x1001).toString(16).padStart(40, '0')}`, 1n),
    );
    expect(operation(many).title).toBe(
      'Add 0x0000…1001, 0x0000…1002, 0x0000…1003 and 9 more as owners: any owner can sign alone',
    );
  });

  it('have no danger of one guardian if there is no other', () => {
    const one = operation([enable(MODULE), guardian(ALICE, 1n)], { isOwn: true, isFirst: true });
    expect(dangersOf(one)).toBe('');
    const fast = operation([enable(TEST_MODULE)], { isOwn: true, own: state({ modules: [] }) });
    expect(dangersOf(fast)).not.toContain('is too short to notice');
  });
});

describe('the title of a change', () => {
  const ADDED = 'Add 0x742d…f44e as owner: 2 owners must sign';

  it('stays beside what changes nothing', () => {
    expect(operation([owner(BOB, 2n)], { gasPrice: 1n }).title).toBe(ADDED);
    expect(operation([owner(BOB, 2n)]).title).toBe(ADDED);
  });

  it('is none beside a call of the account to itself that nobody can read', () => {
    expect(operation([owner(BOB, 2n), { to: ME, value: 0n, data: '0x12345678' }]).title).not.toBe(ADDED);
  });

  it.each<[string, Call]>([
    ['a call of the factory of signers that nobody can read', { to: SIGNER_FACTORY, value: 0n, data: '0x12345678' }],
    ['a call of a module that is not changed', at(MODULE, 'invalidateNonce()', [])],
    ['coins that are sent', { to: BOB, value: 5n, data: '0x' }],
  ])('is none beside %s', (_what, call) => {
    expect(operation([owner(BOB, 2n), call]).title).not.toBe(ADDED);
  });
});

test('a call of the account to itself is said if its steps do not say what it does', () => {
  const SELF = 'One of the calls is to the account itself.';
  const warned = (...calls: readonly Call[]): boolean => operation(calls).warnings.join().includes(SELF);
  expect(warned(owner(BOB, 2n))).toBe(false);
  expect(warned(owner(BOB, 2n), { to: ME, value: 0n, data: '0x12345678' })).toBe(true);
});

test('the signers of passkeys that are created are asked about', () => {
  const create = at(SIGNER_FACTORY, 'createSigner(uint256,uint256,uint176)', [1n, 2n, 3n]);
  expect(operation([create, owner(BOB, 2n)]).unresolved?.own?.signers).toEqual([['0x1', '0x2', '0x3']]);
});
