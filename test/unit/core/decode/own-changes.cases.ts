import { encodeFunctionData, parseAbi } from 'viem';

import { explainUserOperation } from '../../../../src/core/decode/explain/user-operation';
import { type Explanation } from '../../../../src/core/decode/explanation';
import { type Hex } from '../../../../src/core/eth/bytes';
import { ALICE, BOB, codesOf, ME, USDC, VIEW } from '../../../support/explaining';

const CAROL: Hex = '0x66666666666666666666666666666666DEaDbeef';
/** The recovery module with a delay of three days. */
const MODULE: Hex = '0x38275826E1933303E508433dD5f289315Da2541c';
const SENTINEL: Hex = '0x0000000000000000000000000000000000000001';

const encode = (signature: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: parseAbi([`function ${signature}`] as string[]), args } as never);
const at = (to: Hex, signature: string, args: readonly unknown[]) => ({ to, value: 0n, data: encode(signature, args) });

const enable = (module: Hex) => at(ME, 'enableModule(address)', [module]);
const guardian = (address: Hex, threshold: bigint, module = MODULE) =>
  at(module, 'addGuardianWithThreshold(address,uint256)', [address, threshold]);
const owner = (address: Hex, threshold: bigint) =>
  at(ME, 'addOwnerWithThreshold(address,uint256)', [address, threshold]);

/** An operation of a Safe, with the calls that it makes. */
function operation(calls: readonly { readonly to: Hex; readonly value: bigint; readonly data: Hex }[]): Explanation {
  const none = { nonce: 0n, callGasLimit: 90_000n, verificationGasLimit: 90_000n, preVerificationGas: 1n };
  return explainUserOperation(
    {
      ...none,
      sender: ME,
      initCode: '0x',
      callData: '0x12345678',
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
      paymasterAndData: '0x',
      signature: '0x',
    },
    {
      place: { chainId: 1n, entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032', version: '0.7' },
      accountTitle: 'Safe 0.7',
      calls,
      wasPrepared: true,
      funds: undefined,
    },
    VIEW,
  );
}

const dangersOf = ({ dangers }: Explanation): string => dangers.map(({ text }) => text).join(' ');

describe('changes of the account itself, by what they come to', () => {
  it('guardians: how many are enough, and after which delay, in one sentence', () => {
    const explanation = operation([enable(MODULE), guardian(ALICE, 1n), guardian(BOB, 1n), guardian(CAROL, 2n)]);
    expect(explanation.title).toBe(
      'Add 3 guardians of your account: any 2 of its guardians can replace its owners after 3 days',
    );
    expect(dangersOf(explanation)).toBe(
      'This adds 3 guardians of your account: any 2 of its guardians can replace its owners after 3 days. Reject it unless you started this yourself.',
    );
    const { main } = explanation;
    for (const address of [ALICE, BOB, CAROL])
      expect(main.some(({ value }) => value.toLowerCase() === address.toLowerCase())).toBe(true);
  });

  it('guardians at a module that is not known: every step is said', () => {
    const text = dangersOf(operation([enable(USDC), guardian(ALICE, 1n, USDC)]));
    expect(text).toContain('1 of its guardians can replace its owners, after a delay');
    expect(text).toContain('lets module');
  });

  it('a guardian that is removed: a recovery that has begun goes on', () => {
    const remove = at(MODULE, 'revokeGuardianWithThreshold(address,address,uint256)', [SENTINEL, BOB, 1n]);
    expect(dangersOf(operation([remove]))).toContain(
      'from the guardians of your account: any of its guardians can replace its owners after 3 days. A recovery that has begun goes on.',
    );
  });

  it.each<[string, readonly ReturnType<typeof at>[], string]>([
    ['one who signs with the others', [owner(BOB, 2n)], 'an owner of your account: 2 owners must sign from now on'],
    ['one who signs alone', [owner(BOB, 1n)], 'an owner of your account: any owner can sign alone from now on'],
    [
      'two, the last of whom decides how many must sign',
      [owner(BOB, 1n), owner(CAROL, 3n)],
      'owners of your account: 3 owners must sign from now on',
    ],
    [
      'one who is removed',
      [at(ME, 'removeOwner(address,address,uint256)', [SENTINEL, BOB, 1n])],
      'as an owner of your account: any owner can sign alone from now on',
    ],
    [
      'the number of signatures alone',
      [at(ME, 'changeThreshold(uint256)', [2n])],
      'for your account, 2 owners must sign from now on',
    ],
  ])('owners: %s', (_what, calls, sentence) => {
    const explanation = operation(calls);
    expect(dangersOf(explanation)).toContain(sentence);
    expect(explanation.title).toContain(sentence.split(/[:,] /u).at(-1));
    expect(codesOf(explanation)).toEqual(['account-administration']);
  });

  it('never stands in the title over something else that the request does', () => {
    const transfer = at(USDC, 'transfer(address,uint256)', [BOB, 5_000_000n]);
    expect(operation([owner(BOB, 2n), transfer]).title).not.toMatch(/from now on$/u);
    expect(operation([owner(BOB, 2n), enable(USDC)]).title).not.toMatch(/from now on$/u);
  });
});
