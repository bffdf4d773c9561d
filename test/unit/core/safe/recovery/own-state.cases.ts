import { pad } from 'viem';

import { P256_VERIFIERS } from '../../../../../src/core/safe/contracts';
import { type Hex } from '../../../../../src/core/eth/bytes';
import { type NodeReader } from '../../../../../src/core/safe/recovery/answer';
import { readOwnFacts } from '../../../../../src/core/safe/recovery/own-state';
import {
  answersOf,
  answerTo,
  type Chain,
  GUARDED,
  MODULE,
  MODULE_CODE,
  party,
  RECOVERING,
  SAFE,
} from '../../../../support/recovery-node';

const GET_SIGNER = '0xa541d91a';

type Lies = Readonly<Record<string, Hex>>;

/** @param lies - Answers that replace the contracts', by function name; `code` is that of every contract. */
const nodeWith = (chain: Chain, lies: Lies = {}): NodeReader => ({
  ask: (method, params, result) => {
    const answer = (): unknown => {
      if (method === 'eth_getCode') return lies.code ?? MODULE_CODE;
      const [{ data }] = params as [{ data: Hex }];
      if (data.startsWith(GET_SIGNER)) return lies.getSigner;
      return answerTo(data, { ...answersOf(chain), ...lies });
    };
    return Promise.resolve().then(() => result.create(answer()));
  },
});

const ask = (node: NodeReader, more: Partial<Parameters<typeof readOwnFacts>[0]> = {}) =>
  readOwnFacts({ account: SAFE, modules: [MODULE.address], signers: [], ...more }, node, [MODULE]);

describe('what a node says of an account before its own changes', () => {
  it('is left out if no account could have it', async () => {
    for (const lies of [
      { getThreshold: `0x${'2'.padStart(64, '0')}` },
      { getThreshold: `0x${'0'.repeat(64)}` },
      { getOwners: answersOf({ ...GUARDED, owners: [] }).getOwners! },
      { getOwners: answersOf({ ...GUARDED, owners: [party('a'), party('a')] }).getOwners! },
      { getOwners: '0x' },
    ] as const)
      expect((await ask(nodeWith(GUARDED, lies))).state).toBeUndefined();
    const twice = answersOf({ ...GUARDED, guardians: [party('1'), party('1')] }).getGuardians!;
    expect((await ask(nodeWith(GUARDED, { getGuardians: twice }))).state?.guarded).toEqual([]);
  });

  it('names the modules that have other code than Keystead knows, or none', async () => {
    for (const code of ['0x', '0x6002'] as const)
      expect((await ask(nodeWith(GUARDED, { code }))).otherCode).toEqual([MODULE.address]);
    expect((await ask(nodeWith(GUARDED))).otherCode).toEqual([]);
  });

  it('is owners, modules, guardians and a recovery that has begun', async () => {
    const { state } = await ask(nodeWith(RECOVERING));
    expect(state).toMatchObject({ owners: [party('a')], threshold: 1n, modules: GUARDED.modules });
    expect(state?.guarded).toMatchObject([
      { guardians: [party('1'), party('2')], threshold: 2n, pending: { newOwners: [party('b')] } },
    ]);
    expect((await ask(nodeWith(GUARDED))).state?.guarded[0]?.pending).toBeUndefined();
  });

  it('is nothing if the node fails, or if the account is deployed only now', async () => {
    const silent: NodeReader = { ask: () => Promise.reject(new Error('no answer')) };
    expect(await ask(silent)).toEqual({ state: undefined, passkeys: [], otherCode: [] });
    expect((await ask(nodeWith(GUARDED), { account: undefined })).state).toBeUndefined();
  });

  it('asks for the signers of passkeys, and calls none so that others can sign for', async () => {
    const getSigner = pad(party('9'));
    const passkeysOf = async (verifiers: Hex, answer: Hex = getSigner) =>
      (await ask(nodeWith(GUARDED, { getSigner: answer }), { signers: [['0x1', '0x2', verifiers]] })).passkeys;
    const fallback = P256_VERIFIERS[0].slice(2);
    for (const verifiers of [`0x100${'00'.repeat(20)}`, `0x${fallback}`, `0x100${fallback}`] as const)
      expect(await passkeysOf(verifiers)).toEqual([party('9')]);
    for (const verifiers of [`0x100${'12'.repeat(20)}`, `0x101${'00'.repeat(20)}`, '0x0'] as const)
      expect(await passkeysOf(verifiers)).toEqual([]);
    expect(await passkeysOf(`0x100${'00'.repeat(20)}`, '0x')).toEqual([]);
  });
});
