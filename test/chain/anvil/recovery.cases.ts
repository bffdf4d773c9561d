import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Hex } from 'viem';

import { NodeClient } from '../../../src/clients/node';
import { type Anvil, startAnvil } from '../../../src/devnet/anvil';
import { writeFirstState } from '../../../src/devnet/chain/state';
import { confirmedBy } from '../../../src/core/safe/recovery/approvals';
import {
  beginRecovery,
  cancelRecovery,
  confirmBySignatures,
  confirmRecovery,
  finalizeRecovery,
  setGuardians,
  turnOff,
} from '../../../src/core/safe/recovery/calls';
import { type RecoveryModule, RECOVERY_MODULES } from '../../../src/core/safe/recovery/modules';
import { assertNewOwners, type NewOwners } from '../../../src/core/safe/recovery/new-owners';
import { readRecovery } from '../../../src/core/safe/recovery/state';
import { chainClient, type ChainClient } from '../../support/chain/contracts';
import { guardedSafe, MODULES, person } from '../../support/chain/guarded-safe';

const [owner, fresh, other] = [person('owner').address, person('fresh').address, person('other').address];
const guardians = [person('guardian 1'), person('guardian 2'), person('guardian 3')] as const;
const [one, two, three] = guardians;
const to = (newOwner: Hex): NewOwners => ({ newOwners: [newOwner], newThreshold: 1n });
const BEGIN = { begin: true };
const NOT_YET = { begin: false };

describe.each(MODULES)('recovery by guardians through %s, on anvil', (_name, placed) => {
  const folder = mkdtempSync(join(tmpdir(), 'keystead-'));
  let anvil: Anvil;
  let chain: ChainClient;
  let module: RecoveryModule;
  let account: Awaited<ReturnType<typeof guardedSafe>>;
  let snapshot: Hex;

  beforeAll(async () => {
    const state = join(folder, 'chain.json');
    writeFirstState(state);
    anvil = await startAnvil({ state });
    chain = chainClient(anvil.url);
    // Below it are the addresses of the prepared contracts.
    await chain.setNonce({ address: chain.account.address, nonce: 1000 });
    module = await placed(chain);
    account = await guardedSafe(chain, anvil.url, module, owner);
    const chosen = { guardians: guardians.map(({ address }) => address), threshold: 2n };
    await account.asSafe(setGuardians(chosen, await account.read()));
    snapshot = await chain.snapshot();
  });
  beforeEach(async () => {
    await chain.revert({ id: snapshot });
    snapshot = await chain.snapshot();
  });
  afterAll(async () => {
    await anvil.stop();
    rmSync(folder, { recursive: true });
  });

  /** Two guardians confirm, and the delay begins. */
  const begin = async (recovery: NewOwners): Promise<void> => {
    const { nonce } = await account.read();
    const signatures = [await account.signed(one, recovery, nonce), await account.signed(two, recovery, nonce)];
    await account.anyone(confirmBySignatures(module.address, account.safe, recovery, signatures, BEGIN));
  };
  const finalize = () => account.anyone(finalizeRecovery(module.address, account.safe));

  it('has the guardians that were chosen', async () => {
    const state = await account.read();
    expect(state).toMatchObject({ isEnabled: true, threshold: 2n, nonce: 0n, owners: [owner.toLowerCase()] });
    expect(new Set(state.guardians)).toEqual(new Set(guardians.map(({ address }) => address.toLowerCase())));
    expect(state.pending).toBeUndefined();
  });

  it('begins with enough confirmations only, and says who confirmed', async () => {
    const { safe } = account;
    const recovery = to(fresh);
    await account.sendAs(one.address, confirmRecovery(module.address, safe, recovery, NOT_YET));
    await expect(account.anyone(beginRecovery(module.address, safe, recovery))).rejects.toThrow();
    const at = { node: new NodeClient({ url: anvil.url }), block: 'latest' } as const;
    const { guardians: all } = await account.read();
    expect(await confirmedBy(module.address, safe, recovery, all, at)).toEqual([one.address.toLowerCase()]);
    await account.sendAs(two.address, confirmRecovery(module.address, safe, recovery, BEGIN));
    const { pending, nonce, time } = await account.read();
    expect(pending).toEqual({
      newOwners: [fresh.toLowerCase()],
      newThreshold: 1n,
      approvals: 2n,
      executeAfter: time + module.period,
    });
    expect(nonce).toBe(1n);
  });

  it('is cancelled by the account, and what guardians signed before is void', async () => {
    const recovery = to(fresh);
    const before = await account.signed(three, recovery, 0n);
    await begin(recovery);
    await account.asSafe([cancelRecovery(module.address)]);
    expect((await account.read()).pending).toBeUndefined();
    const again = confirmBySignatures(module.address, account.safe, recovery, [before], NOT_YET);
    await expect(account.anyone(again)).rejects.toThrow();
    await account.passTime(module.period);
    await expect(finalize()).rejects.toThrow();
    expect(await account.owners()).toEqual([owner]);
  });

  it('is finalized by anyone after the delay, and the network refuses the old owner', async () => {
    await begin(to(fresh));
    await account.asSafe([cancelRecovery(module.address)]);
    await begin(to(fresh));
    await account.passTime(module.period - 60n);
    await expect(finalize()).rejects.toThrow();
    await account.spendAs(owner);
    await account.passTime(60n);
    await finalize();
    expect(await account.owners()).toEqual([fresh]);
    await expect(account.spendAs(owner)).rejects.toThrow('GS026');
    await account.spendAs(fresh);
    expect(await account.read()).toMatchObject({ isEnabled: true, threshold: 2n, owners: [fresh.toLowerCase()] });
  });

  it('replaces one owner by several', async () => {
    const recovery = { newOwners: [fresh, other], newThreshold: 2n };
    await begin(recovery);
    await account.passTime(module.period);
    await finalize();
    expect(new Set(await account.owners())).toEqual(new Set([fresh, other]));
    await expect(account.spendAs(fresh)).rejects.toThrow('GS020');
  });

  describe('when something goes wrong', () => {
    it('does not count a guardian who confirmed other owners', async () => {
      await account.sendAs(one.address, confirmRecovery(module.address, account.safe, to(fresh), NOT_YET));
      const wrong = confirmRecovery(module.address, account.safe, to(other), BEGIN);
      await expect(account.sendAs(two.address, wrong)).rejects.toThrow();
      expect((await account.read()).pending).toBeUndefined();
      const reversed = { newOwners: [other, fresh], newThreshold: 1n };
      const signature = await account.signed(three, { ...reversed, newOwners: [fresh, other] }, 0n);
      const call = confirmBySignatures(module.address, account.safe, reversed, [signature], NOT_YET);
      await expect(account.anyone(call)).rejects.toThrow();
    });

    it('lets a second recovery replace the first with more confirmations only, and starts the delay again', async () => {
      await begin(to(fresh));
      const first = await account.read();
      await expect(begin(to(other))).rejects.toThrow();
      await account.passTime(60n);
      const signatures = await Promise.all(guardians.map((guardian) => account.signed(guardian, to(other), 1n)));
      await account.anyone(confirmBySignatures(module.address, account.safe, to(other), signatures, BEGIN));
      const { pending } = await account.read();
      expect(pending).toMatchObject({ newOwners: [other.toLowerCase()], approvals: 3n });
      expect(pending!.executeAfter).toBeGreaterThan(first.pending!.executeAfter);
    });

    it('does not lose a recovery while the module is disabled: only cancelling ends it', async () => {
      await begin(to(fresh));
      const state = await account.read();
      const disable = turnOff({ ...state, pending: undefined, guardians: [] });
      await account.asSafe(disable);
      expect(await account.read()).toMatchObject({ isEnabled: false, pending: { newOwners: [fresh.toLowerCase()] } });
      await account.passTime(module.period);
      await expect(finalize()).rejects.toThrow();
      await account.asSafe([cancelRecovery(module.address)]);
      expect((await account.read()).pending).toBeUndefined();
    });

    it('refuses, before a guardian signs, owners with which it could never be finalized', async () => {
      const { safe } = account;
      const { guardians: all } = await account.read();
      for (const newOwners of [[three.address], [safe], [fresh, fresh]]) {
        const recovery = { newOwners, newThreshold: 1n };
        expect(() => {
          assertNewOwners(recovery, { safe, guardians: all });
        }).toThrow('recovery.newOwners');
        // The module lets it begin all the same.
        await begin(recovery);
        await account.passTime(module.period);
        await expect(finalize()).rejects.toThrow();
        await account.asSafe([cancelRecovery(module.address)]);
      }
      expect(await account.owners()).toEqual([owner]);
    });

    it('is turned off with everything it had, so that nothing is back with the module', async () => {
      await begin(to(fresh));
      await account.asSafe(turnOff(await account.read()));
      const after = await account.read();
      expect(after).toMatchObject({ isEnabled: false, guardians: [], threshold: 0n });
      expect(after.pending).toBeUndefined();
      await account.asSafe(setGuardians({ guardians: [one.address], threshold: 1n }, after));
      expect(await account.read()).toMatchObject({ isEnabled: true, guardians: [one.address.toLowerCase()] });
    });
  });

  it('is refused where the module has other code', async () => {
    const node = new NodeClient({ url: anvil.url });
    await expect(readRecovery(account.safe, { ...module, codeHash: `0x${'00'.repeat(32)}` }, node)).rejects.toThrow(
      'module: must have the code of',
    );
    const missing = RECOVERY_MODULES.find(({ address }) => address !== module.address)!;
    expect(await readRecovery(account.safe, missing, node)).toBeUndefined();
  });
});

if (process.env.SOCIAL_RECOVERY_BYTECODE === undefined)
  it.skip('recovery through the real module (skipped: SOCIAL_RECOVERY_BYTECODE names no file with its bytecode)', () => {
    expect(MODULES).toHaveLength(2);
  });
