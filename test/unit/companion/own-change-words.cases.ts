import { changeLine } from '../../../src/companion/model/owner-change';
import { cancelLine, guardiansLine } from '../../../src/companion/model/recovery';
import { explainUserOperation } from '../../../src/core/decode/explain/user-operation';
import { MODULE_4337 } from '../../../src/core/safe/contracts';
import { type OwnerChange, ownerChangeCall } from '../../../src/core/safe/owners/changes';
import { type Call } from '../../../src/core/erc4337/user-operation';
import { type Hex } from '../../../src/core/eth/bytes';
import { cancelRecovery, setGuardians, turnOff } from '../../../src/core/safe/recovery/calls';
import { RECOVERY_MODULES } from '../../../src/core/safe/recovery/modules';
import { type OwnState } from '../../../src/core/safe/recovery/own-state';
import { ALICE, BOB, ME, NOW, USDC, VIEW } from '../../support/explaining';

const MODULE = RECOVERY_MODULES[3]!;
const KEY: Hex = '0x7777777777777777777777777777777777777777';

/** The title of the dialog of some calls of a Safe. */
const titleOf = (calls: readonly Call[], state: OwnState): string =>
  explainUserOperation(
    {
      sender: ME,
      nonce: 0n,
      initCode: '0x',
      callData: '0x',
      callGasLimit: 90_000n,
      verificationGasLimit: 90_000n,
      preVerificationGas: 1n,
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
      paymasterAndData: '0x',
      signature: '0x',
    },
    {
      domain: { chainId: 1n, entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032', version: '0.7' },
      accountTitle: 'Safe',
      calls,
      wasPrepared: true,
      funds: undefined,
    },
    { ...VIEW, isOwnPage: true, own: { state, otherCode: [], passkeys: [] } },
  ).title;

describe('own changes in words', () => {
  const owners = [KEY, ALICE];
  const state = { owners, threshold: 2n, modules: [MODULE_4337], guarded: [] };

  it.each<OwnerChange>([
    { kind: 'add', owner: BOB, threshold: 2 },
    { kind: 'add', owner: BOB, threshold: 1 },
    { kind: 'remove', owner: ALICE, threshold: 1 },
    { kind: 'replace', owner: ALICE, by: BOB },
    { kind: 'threshold', threshold: 1 },
  ])('of owners are the same on the page and in the dialog: $kind', (change) => {
    const current = { owners, threshold: 2 };
    const line = changeLine(change, current, () => undefined);
    expect(line).toBe(titleOf([ownerChangeCall(ME, current, change)], state));
  });

  it.each<[readonly Hex[], readonly Hex[], bigint]>([
    [[], [ALICE, BOB, USDC], 2n],
    [[], [BOB], 1n],
    [[ALICE, BOB], [ALICE, BOB, USDC], 2n],
    [[ALICE, BOB], [USDC, BOB], 1n],
    [[ALICE, BOB], [ALICE, BOB], 1n],
    [[ALICE, BOB], [], 0n],
  ])('of guardians are the same on the page and in the dialog: %j to %j', (before, after, threshold) => {
    const needed = BigInt(Math.min(2, before.length));
    const modules = before.length === 0 ? [MODULE_4337] : [MODULE.address, MODULE_4337];
    const guarded = { module: MODULE.address, guardians: before, threshold: needed };
    const now = { safe: ME, owners: [KEY], modules, ...guarded };
    const chosen = { guardians: after, threshold };
    const calls = after.length === 0 ? turnOff(now) : setGuardians(chosen, now);
    const title = titleOf(calls, { owners: [KEY], threshold: 1n, modules, guarded: [guarded] });
    expect(guardiansLine(chosen, MODULE, now, () => undefined)).toBe(title);
    const names = (address: string) => (address === USDC ? 'Ann' : undefined);
    expect(guardiansLine(chosen, MODULE, now, names)).toBe(title.replace('0xA0b8…eB48', 'Ann'));
  });

  it('of a recovery that is cancelled are the same on the page and in the dialog', () => {
    const pending = { newOwners: [BOB], newThreshold: 1n, executeAfter: NOW + 86_400n, approvals: 1n };
    const guarded = [{ module: MODULE.address, guardians: [ALICE], threshold: 1n, pending }];
    const title = titleOf([cancelRecovery(MODULE.address)], { ...state, guarded });
    expect(title).toBe('Cancel the recovery that would give the account to 0x742d…f44e on 2 Jan 2026');
    expect(cancelLine(pending, NOW, () => undefined)).toBe(title);
  });
});
