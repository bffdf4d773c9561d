import { type Call } from '../../../../../src/core/erc4337/user-operation';
import { type Hex } from '../../../../../src/core/eth/bytes';
import {
  beginRecovery,
  cancelRecovery,
  confirmBySignatures,
  confirmRecovery,
  disableModule,
  finalizeRecovery,
  type Guarding,
  setGuardians,
  turnOff,
  turnOffAll,
} from '../../../../../src/core/safe/recovery/calls';
import { decodeFunctionData, parseAbi } from 'viem';
import { MODULE, party, SAFE, SENTINEL } from '../../../../support/recovery-node';

/** Written out here, so that it does not come from the file that it checks. */
const ABI = parseAbi([
  'function enableModule(address module)',
  'function disableModule(address prevModule, address module)',
  'function addGuardianWithThreshold(address guardian, uint256 threshold)',
  'function revokeGuardianWithThreshold(address prevGuardian, address guardian, uint256 threshold)',
  'function changeThreshold(uint256 threshold)',
  'function cancelRecovery()',
  'function confirmRecovery(address wallet, address[] newOwners, uint256 newThreshold, bool execute)',
  'function multiConfirmRecovery(address wallet, address[] newOwners, uint256 newThreshold, (address signer, bytes signature)[] signatures, bool execute)',
  'function executeRecovery(address wallet, address[] newOwners, uint256 newThreshold)',
  'function finalizeRecovery(address wallet)',
]);
const moduleAddress = MODULE.address.toLowerCase() as Hex;
const said = ({ to, value, data }: Call): unknown[] => {
  expect(value).toBe(0n);
  const { functionName, args = [] } = decodeFunctionData({ abi: ABI, data });
  const lower = JSON.stringify(args, (_key, arg: unknown) =>
    typeof arg === 'bigint' ? Number(arg) : arg,
  ).toLowerCase();
  return [to === moduleAddress ? 'module' : to, functionName, ...(JSON.parse(lower) as unknown[])];
};
const all = (calls: readonly Call[]) => calls.map(said);

const [first, second, third] = [party('1'), party('2'), party('3')];
const NOTHING: Guarding = {
  safe: SAFE,
  module: MODULE.address,
  modules: [party('4')],
  owners: [party('a')],
  guardians: [],
  threshold: 0n,
};
const pending = { newOwners: [party('b')], newThreshold: 1n, executeAfter: 1n, approvals: 1n };
const ON: Guarding = {
  ...NOTHING,
  modules: [party('6'), moduleAddress, party('4')],
  guardians: [first, second],
  threshold: 2n,
};

describe('choosing guardians', () => {
  it.each<[string, Hex[], bigint, string]>([
    ['nobody', [], 1n, 'guardians: must be 1 to 20 addresses'],
    ['the zero address', [party('0')], 1n, 'guardians[0]: must not be the zero address or 0x…01'],
    ['the sentinel', [first, SENTINEL], 1n, 'guardians[1]: must not be the zero address or 0x…01'],
    [
      'the account itself',
      [SAFE.toUpperCase().replace('0X', '0x') as Hex],
      1n,
      'guardians[0]: must not be the account itself',
    ],
    ['an owner', [first, party('A')], 1n, 'guardians[1]: must not be an owner of the account'],
    ['somebody twice', [party('b'), party('B')], 1n, 'guardians[1]: must not be in the list twice'],
    ['nobody to confirm', [first], 0n, 'threshold: must be at least 1, and at most the number of guardians'],
    [
      'more to confirm than there are',
      [first],
      2n,
      'threshold: must be at least 1, and at most the number of guardians',
    ],
  ])('refuses %s', (_what, guardians, threshold, message) => {
    expect(() => setGuardians({ guardians, threshold }, NOTHING)).toThrow(message);
  });

  it('is refused during a recovery, which it would not stop', () => {
    expect(() => setGuardians({ guardians: [third], threshold: 1n }, { ...ON, pending })).toThrow(
      'guardians: must not be changed during a recovery: cancel it first',
    );
  });

  it('enables the module and adds each guardian, never with a threshold above their number', () => {
    expect(all(setGuardians({ guardians: [first, second, third], threshold: 2n }, NOTHING))).toEqual([
      [SAFE, 'enableModule', moduleAddress],
      ['module', 'addGuardianWithThreshold', first, 1],
      ['module', 'addGuardianWithThreshold', second, 2],
      ['module', 'addGuardianWithThreshold', third, 2],
    ]);
  });

  it('revokes guardians of an earlier time, who would be back with the module', () => {
    const forgotten = { ...ON, modules: [party('4')] };
    expect(all(setGuardians({ guardians: [third], threshold: 1n }, forgotten))).toEqual([
      [SAFE, 'enableModule', moduleAddress],
      ['module', 'addGuardianWithThreshold', third, 1],
      ['module', 'revokeGuardianWithThreshold', third, first, 1],
      ['module', 'revokeGuardianWithThreshold', third, second, 1],
    ]);
  });

  it('changes only what differs', () => {
    expect(setGuardians({ guardians: [second, first], threshold: 2n }, ON)).toEqual([]);
    expect(all(setGuardians({ guardians: [first, second], threshold: 1n }, ON))).toEqual([
      ['module', 'changeThreshold', 1],
    ]);
    expect(all(setGuardians({ guardians: [first], threshold: 1n }, ON))).toEqual([
      ['module', 'revokeGuardianWithThreshold', first, second, 1],
    ]);
  });
});

describe('turning recovery off', () => {
  it('revokes every guardian and disables the module', () => {
    expect(all(turnOff(ON))).toEqual([
      ['module', 'revokeGuardianWithThreshold', SENTINEL, first, 1],
      ['module', 'revokeGuardianWithThreshold', SENTINEL, second, 0],
      [SAFE, 'disableModule', party('6'), moduleAddress],
    ]);
  });

  it('cancels a pending recovery first', () => {
    expect(all(turnOff({ ...ON, pending }))[0]).toEqual(['module', 'cancelRecovery']);
  });

  it('removes what a disabled module still has', () => {
    expect(all(turnOff({ ...ON, modules: [party('4')], guardians: [first], threshold: 1n }))).toEqual([
      [SAFE, 'enableModule', moduleAddress],
      ['module', 'revokeGuardianWithThreshold', SENTINEL, first, 0],
      [SAFE, 'disableModule', SENTINEL, moduleAddress],
    ]);
    expect(turnOff(NOTHING)).toEqual([]);
    expect(all(turnOff({ ...NOTHING, pending }))).toEqual([['module', 'cancelRecovery']]);
  });
});

describe('turning recovery off in several modules', () => {
  const other: Guarding = { ...ON, module: party('6'), guardians: [third], threshold: 1n };
  const named = ({ to, data }: Call): unknown => {
    const { functionName, args } = decodeFunctionData({ abi: ABI, data });
    return [to, functionName, args?.map((arg) => String(arg).toLowerCase()).join()];
  };

  it('names the module before each as it is then', () => {
    const calls = turnOffAll([ON, other]).map(named);
    expect(calls).toContainEqual([SAFE, 'disableModule', `${party('6')},${moduleAddress}`]);
    expect(calls.at(-1)).toEqual([SAFE, 'disableModule', `${SENTINEL},${party('6')}`]);
    const reversed = turnOffAll([other, ON]).map(named);
    expect(reversed).toContainEqual([SAFE, 'disableModule', `${SENTINEL},${party('6')}`]);
    expect(reversed.at(-1)).toEqual([SAFE, 'disableModule', `${SENTINEL},${moduleAddress}`]);
    expect(turnOffAll([])).toEqual([]);
  });

  it('removes a module that is none for recovery, only if it is enabled', () => {
    expect(all([disableModule({ safe: SAFE, module: party('4'), modules: ON.modules })])).toEqual([
      [SAFE, 'disableModule', moduleAddress, party('4')],
    ]);
    expect(() => disableModule({ safe: SAFE, module: party('9'), modules: ON.modules })).toThrow(
      'module: must be in the list that the contract has now',
    );
  });
});

describe('the calls of a recovery', () => {
  const owners = { newOwners: [party('c'), party('b')], newThreshold: 2n };

  it('keep the order of the new owners, which guardians sign', () => {
    expect(all([confirmRecovery(MODULE.address, SAFE, owners, { begin: true })])).toEqual([
      ['module', 'confirmRecovery', SAFE, owners.newOwners, 2, true],
    ]);
    expect(all([beginRecovery(MODULE.address, SAFE, owners)])).toEqual([
      ['module', 'executeRecovery', SAFE, owners.newOwners, 2],
    ]);
  });

  it('put signatures in ascending order of their signers', () => {
    const signatures = [party('e'), party('1'), party('F')].map((signer) => ({ signer, signature: '0x12' as const }));
    const call = confirmBySignatures(MODULE.address, SAFE, owners, signatures, { begin: false });
    const inOrder = [party('1'), party('e'), party('f')].map((signer) => ({ signer, signature: '0x12' }));
    expect(said(call)).toEqual(['module', 'multiConfirmRecovery', SAFE, owners.newOwners, 2, inOrder, false]);
  });

  it('refuse no signature, and two of one guardian', () => {
    const by =
      (...signers: Hex[]) =>
      () =>
        confirmBySignatures(
          MODULE.address,
          SAFE,
          owners,
          signers.map((signer) => ({ signer, signature: '0x' })),
          {
            begin: false,
          },
        );
    expect(by()).toThrow('signatures: must be a non-empty list');
    expect(by(party('e'), party('E'), party('1'))).toThrow('signatures[1].signer: must not be in the list twice');
  });

  it('finalize and cancel', () => {
    expect(all([finalizeRecovery(MODULE.address, SAFE), cancelRecovery(MODULE.address)])).toEqual([
      ['module', 'finalizeRecovery', SAFE],
      ['module', 'cancelRecovery'],
    ]);
  });
});

describe('the bounds of guardians', () => {
  const many = (count: number): Hex[] =>
    Array.from({ length: count }, (_, at): Hex => `0x${(at + 16).toString(16).padStart(40, '0')}`);

  it('are 20 of them, and a threshold up to their number', () => {
    expect(setGuardians({ guardians: many(20), threshold: 20n }, NOTHING)).toHaveLength(21);
    expect(setGuardians({ guardians: many(1), threshold: 1n }, NOTHING)).toHaveLength(2);
    expect(() => setGuardians({ guardians: many(21), threshold: 1n }, NOTHING)).toThrow('guardians: must be 1 to 20');
    expect(() => setGuardians({ guardians: many(20), threshold: 21n }, NOTHING)).toThrow('threshold: must be at least');
  });

  it('are kept while they change: the threshold goes with the last of the calls', () => {
    expect(all(setGuardians({ guardians: [first, second, third], threshold: 3n }, ON))).toEqual([
      ['module', 'addGuardianWithThreshold', third, 3],
    ]);
    expect(all(setGuardians({ guardians: [second, third], threshold: 2n }, ON))).toEqual([
      ['module', 'addGuardianWithThreshold', third, 2],
      ['module', 'revokeGuardianWithThreshold', third, first, 2],
    ]);
    expect(all(setGuardians({ guardians: [second], threshold: 1n }, ON))).toEqual([
      ['module', 'revokeGuardianWithThreshold', SENTINEL, first, 1],
    ]);
  });

  it('may be there without the module, which only has to be switched on', () => {
    const off = { ...ON, modules: [party('4')] };
    expect(all(setGuardians({ guardians: [first, second], threshold: 2n }, off))).toEqual([
      [SAFE, 'enableModule', moduleAddress],
    ]);
    expect(all(setGuardians({ guardians: [first, second], threshold: 1n }, off))).toEqual([
      [SAFE, 'enableModule', moduleAddress],
      ['module', 'changeThreshold', 1],
    ]);
  });

  it('are none in a module that is on without any: it is only switched off', () => {
    expect(all(turnOff({ ...ON, guardians: [], threshold: 0n }))).toEqual([
      [SAFE, 'disableModule', party('6'), moduleAddress],
    ]);
  });
});

test('turning recovery off in all modules switches none of them on, and each off once', () => {
  const states = [ON, { ...ON, module: party('6'), guardians: [third], threshold: 1n }];
  const names = turnOffAll(states).map(({ data }) => decodeFunctionData({ abi: ABI, data }).functionName);
  expect(names.filter((name) => name === 'enableModule')).toEqual([]);
  expect(names.filter((name) => name === 'disableModule')).toHaveLength(2);
  expect(names.filter((name) => name === 'revokeGuardianWithThreshold')).toHaveLength(3);
});
