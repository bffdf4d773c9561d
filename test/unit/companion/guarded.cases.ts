import { type Hex, keccak256, pad, toBytes } from 'viem';

import { guardedBy } from '../../../src/companion/model/guarded';
import { ServiceFailedError } from '../../../src/core/errors';
import { type NodeReader } from '../../../src/core/recovery/answer';
import { GUARDED, MODULE, nodeWith, party, SAFE } from '../../support/recovery-node';

const ADDED = keccak256(toBytes('GuardianAdded(address,address)'));
const ME = party('1');
const log = (safe: Hex, { guardian = ME, address = MODULE.address, event = ADDED } = {}) => ({
  address,
  topics: [event, pad(safe), pad(guardian)],
});

/** A node of the Safe, whose logs are these. */
const nodeOf = (logs: readonly unknown[], chain = GUARDED): NodeReader => ({
  ask: (method, params, result) =>
    method === 'eth_getLogs'
      ? Promise.resolve().then(() => result.create(logs))
      : nodeWith(chain).ask(method, params, result),
});
const FOUND = { safe: SAFE, module: MODULE.address };

it.each<[string, readonly unknown[]]>([
  ['another contract', [log(SAFE, { address: party('9') })]],
  ['another event', [log(SAFE, { event: pad('0x1') })]],
  ['another guardian', [log(SAFE, { guardian: party('2') })]],
  ['fewer topics', [{ address: MODULE.address, topics: [ADDED] }]],
  ['nothing', []],
])('believes no log of %s', async (_what, logs) => {
  expect(await guardedBy(ME, [MODULE], nodeOf(logs))).toEqual([]);
});

it('believes no log of a Safe that does not name the guardian now', async () => {
  const chain = { ...GUARDED, guardians: [party('2'), party('3')] };
  expect(await guardedBy(ME, [MODULE], nodeOf([log(SAFE)], chain))).toEqual([]);
  expect(await guardedBy(ME, [MODULE], nodeOf([log(SAFE)], { ...GUARDED, modules: [] }))).toEqual([]);
});

it('finds each Safe once', async () => {
  expect(await guardedBy(ME, [MODULE], nodeOf([log(SAFE), log(SAFE)]))).toEqual([FOUND]);
});

it('does not say that there is none if newer logs crowd it out, or a Safe could not be read', async () => {
  const crowd = Array.from({ length: 20 }, (_, index) => log(`0x${String(index + 1000).padStart(40, '0')}`));
  const others = { ...GUARDED, guardians: [party('2'), party('3')] };
  await expect(guardedBy(ME, [MODULE], nodeOf([log(SAFE), ...crowd], others))).rejects.toThrow(
    'Accounts: 21 name this account as a guardian in the log, and not all of them could be looked at',
  );
  const { ask } = nodeOf([log(SAFE)]);
  const silent: NodeReader = {
    ask: (method, ...rest) =>
      method === 'eth_getLogs' ? ask(method, ...rest) : Promise.reject(new ServiceFailedError('silent')),
  };
  await expect(guardedBy(ME, [MODULE], silent)).rejects.toThrow('Accounts: 1 name this account');
});

it('says that a node does not search', async () => {
  const refuses: NodeReader = { ask: () => Promise.reject(new ServiceFailedError('too many blocks')) };
  await expect(guardedBy(ME, [MODULE], refuses)).rejects.toThrow('too many blocks');
});
