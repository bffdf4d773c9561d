import { FALLBACK_VERIFIERS, SIGNER_FACTORIES, signerAddress } from '../../../../src/core/erc4337/safe/passkey/signer';
import { type Hex } from '../../../../src/core/eth/bytes';
import { type NodeReader } from '../../../../src/core/recovery/answer';
import { readOwnFacts } from '../../../../src/core/recovery/own-state';
import { preparedContracts } from '../../../../src/devnet/chain/state';
import { makePasskey } from '../../../support/passkey';
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
} from '../../../support/recovery-node';

const FACTORY = SIGNER_FACTORIES[0]!.address;
const FACTORY_CODE = preparedContracts().contracts[FACTORY.toLowerCase() as Hex]!.code;
const GET_THRESHOLD = '0xe75235b8';

type Lies = Readonly<Record<string, Hex>>;

/** @param lies - Answers that replace the contracts', by function name; `code` is that of every contract. */
const nodeWith = (chain: Chain, lies: Lies = {}): NodeReader => ({
  ask: (method, params, result) => {
    const answer = (): unknown => {
      if (method === 'eth_getCode') {
        const isFactory = (params[0] as string).toLowerCase() === FACTORY.toLowerCase();
        return lies.code ?? (isFactory ? FACTORY_CODE : MODULE_CODE);
      }
      const [{ data }] = params as [{ data: Hex }];
      if (data === GET_THRESHOLD) return lies.ownersNeeded ?? `0x${'1'.padStart(64, '0')}`;
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
      { ownersNeeded: `0x${'2'.padStart(64, '0')}` },
      { ownersNeeded: `0x${'0'.repeat(64)}` },
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

  it('computes the signers of passkeys itself, and calls none so that others can sign for', async () => {
    const { point } = makePasskey();
    const factory = FACTORY;
    const signer = { factory, point, verifiers: `0x0100${'00'.repeat(20)}` } as const;
    const known = { ...signer, verifiers: `0x0000${FALLBACK_VERIFIERS[0]!.address.slice(2)}` } as const;
    const passkeysOf = async (one: typeof signer | typeof known, lies: Lies = {}) =>
      (await ask(nodeWith(GUARDED, lies), { signers: [one] })).passkeys;
    for (const one of [signer, known]) expect(await passkeysOf(one)).toEqual([signerAddress(one, FACTORY_CODE)]);
    expect(await passkeysOf(signer, { code: '0x6001' })).toEqual([]);
    for (const verifiers of [
      `0x0100${'12'.repeat(20)}`,
      `0x0101${'00'.repeat(20)}`,
      `0x0000${'00'.repeat(20)}`,
    ] as const)
      expect(await passkeysOf({ ...signer, verifiers } as unknown as typeof signer)).toEqual([]);
  });
});
