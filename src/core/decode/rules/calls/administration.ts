import { type AbiType, address, bytes, bytes32, mapped, string, uint, uint256, type ValuesOf } from '../../../eth/abi';
import { SIGNER_FACTORY } from '../../../safe/contracts';
import { isSameAddress } from '../../../eth/address';
import { type Hex, quantityToHex } from '../../../eth/bytes';
import { type Change, type NameOf } from '../../effects/effect';
import { address as addressLine, byteCount, text } from '../../words/lines';
import { nativeAmount } from '../../words/units';
import { type ContractCall, type CallRule, rule } from './rule';

/** Opaque bytes are shown by their length. */
const size = mapped(bytes, byteCount);

type Meaning<Args> = {
  /**
   * The rest of a sentence that begins with "This" and says what happens. `contract` is the name of the one that is
   * called.
   */
  readonly does: (args: Args, contract: string, name: NameOf) => string;
  /** The index of the argument that is the address that gains something by it; none if it is left out. */
  readonly gains?: number;
  /** The step that it is, if a Safe calls it on itself: nobody else may. */
  readonly change?: (args: Args) => Omit<Change, 'of'>;
};

/**
 * A rule for a function that changes who controls an account or a contract.
 *
 * @param labels - The row label of each argument; undefined for one that means nothing to a person.
 * @param callsOf - The calls that the function makes.
 */
const row = <const Types extends readonly AbiType<unknown>[]>(
  selector: string,
  name: string,
  types: Types,
  title: string,
  labels: readonly (string | undefined)[],
  { does, gains, change }: Meaning<ValuesOf<Types>>,
  callsOf: (args: ValuesOf<Types>) => readonly ContractCall[] = () => [],
): CallRule =>
  rule(selector, name, types, (args, { to, from }) => ({
    title,
    effects: [
      {
        kind: 'control',
        by: gains === undefined ? undefined : (args[gains] as Hex),
        does: (nameOf) => does(args, nameOf(to), nameOf),
        ...(change && from !== undefined && isSameAddress(from, to) && { change: { of: to, ...change(args) } }),
      },
    ],
    lines: [
      addressLine('Contract', to),
      ...labels.flatMap((label, index) => {
        if (label === undefined) return [];
        return types[index] === address ? addressLine(label, args[index] as Hex) : text(label, String(args[index]));
      }),
    ],
    calls: callsOf(args),
  }));

type Words = (who: string, contract: string) => string;

/** The same for a function whose only argument is an address, which gains something by it. */
const to = (selector: string, name: string, title: string, label: string, words: Words): CallRule =>
  row(selector, name, [address], title, [label], {
    gains: 0,
    does: ([who], contract, nameOf) => words(nameOf(who), contract),
  });

/** The same for a name in a registry, which is a hash or a number. */
const named = (
  selector: string,
  name: string,
  before: readonly AbiType<unknown>[],
  after: readonly AbiType<unknown>[] = [],
): CallRule =>
  row(
    selector,
    name,
    [...before, address, ...after] as readonly AbiType<unknown>[],
    'Change the owner of a name',
    [...before.map(() => 'Name'), NEW_OWNER],
    {
      gains: before.length,
      does: (args, contract, nameOf) =>
        `gives a name in ${contract} to ${nameOf(args[before.length] as Hex)}, who controls it from then on`,
    },
  );

const callOnUpgrade = (code: Hex, data: string): ContractCall[] =>
  data === '' ? [] : [{ to: code, data, delegate: true }];

const withdrawal = (selector: string, name: string): CallRule =>
  rule(selector, name, [address, uint256], ([recipient, wei], { to: contract }, scene) => ({
    title: 'Withdraw a deposit',
    effects: [{ kind: 'withdrawal', contract, to: recipient, wei }],
    lines: [
      addressLine('Contract', contract),
      addressLine('Recipient', recipient),
      text('Amount', nativeAmount(wei, scene)),
    ],
  }));

const NEW_CODE = 'New code';
const NEW_OWNER = 'New owner';
const REQUIRED = 'Required signatures';

const newOwner: Words = (owner, contract) => `gives control of ${contract} to ${owner}`;
const addedOwner: Words = (owner, contract) => `makes ${owner} an owner of ${contract}`;
const removedOwner: Words = (owner, contract) => `removes ${owner} as an owner of ${contract}`;
const newCode: Words = (code, contract) =>
  `replaces the code of ${contract} with the code at ${code}, which then controls everything it holds`;
const newEntryPoint: Words = (entryPoint, contract) =>
  `makes ${entryPoint} the entry point of ${contract}. The entry point can act for the account`;

const OWNERSHIP: readonly CallRule[] = [
  // ERC-173, and OpenZeppelin's Ownable.
  to('f2fde38b', 'transferOwnership', 'Transfer ownership', NEW_OWNER, newOwner),
  row('715018a6', 'renounceOwnership', [], 'Renounce ownership', [], {
    does: (_args, contract) => `leaves ${contract} without an owner`,
  }),
  to('13af4035', 'setOwner', 'Change the owner', NEW_OWNER, newOwner),
  // DSAuth.
  to(
    '7a9e5e4b',
    'setAuthority',
    'Change the authority',
    'Authority',
    (who, contract) => `lets ${who} decide who controls ${contract}`,
  ),
  // OpenZeppelin's AccessControl.
  row('2f2ff15d', 'grantRole', [bytes32, address], 'Grant a role', ['Role', 'Account'], {
    gains: 1,
    does: ([, who], contract, name) => `gives ${name(who)} a role in ${contract}, with all its rights`,
  }),
  row('d547741f', 'revokeRole', [bytes32, address], 'Revoke a role', ['Role', 'Account'], {
    does: ([, who], contract, name) => `takes a role in ${contract} away from ${name(who)}`,
  }),
  // Names of ENS and of registries like it.
  named('5b0fc9c3', 'setOwner', [bytes32]),
  named('06ab5923', 'setSubnodeOwner', [bytes32, bytes32]),
  named('cf408823', 'setRecord', [bytes32], [address, uint(64)]),
  named('5ef2c7f0', 'setSubnodeRecord', [bytes32, bytes32], [address, uint(64)]),
  named('aca4d00d', 'setSubnodeRecord', [bytes32, string], [uint(64), uint(32), uint(64)]),
  named('28ed4f6c', 'reclaim', [uint256]),
  row('1896f70a', 'setResolver', [bytes32, address], 'Change the resolver of a name', ['Name', 'Resolver'], {
    gains: 1,
    does: ([, who], contract, name) => `lets ${name(who)} answer for a name in ${contract}`,
  }),
];

const CODE: readonly CallRule[] = [
  // Proxies: UUPS (ERC-1822), ERC-1967, OpenZeppelin's ProxyAdmin, and Safe before 1.0.
  to('3659cfe6', 'upgradeTo', 'Replace the code', NEW_CODE, newCode),
  row(
    '4f1ef286',
    'upgradeToAndCall',
    [address, bytes],
    'Replace the code',
    [NEW_CODE],
    { gains: 0, does: ([code], contract, name) => newCode(name(code), contract) },
    ([code, data]) => callOnUpgrade(code, data),
  ),
  to(
    '8f283970',
    'changeAdmin',
    'Change the upgrade admin',
    'New admin',
    (admin, contract) => `lets ${admin} replace the code of ${contract}, now and in the future`,
  ),
  row('99a88ec4', 'upgrade', [address, address], 'Replace the code of a proxy', ['Proxy', NEW_CODE], {
    gains: 1,
    does: ([proxy, code], _contract, name) => newCode(name(code), name(proxy)),
  }),
  row(
    '9623609d',
    'upgradeAndCall',
    [address, address, bytes],
    'Replace the code of a proxy',
    ['Proxy', NEW_CODE],
    { gains: 1, does: ([proxy, code], _contract, name) => newCode(name(code), name(proxy)) },
    ([, code, data]) => callOnUpgrade(code, data),
  ),
  to('7de7edef', 'changeMasterCopy', 'Replace the code', NEW_CODE, newCode),
];

/**
 * A Safe and a recovery module have this function. A Safe lets only itself call it, so any other contract that an
 * account calls changes how many guardians it takes.
 */
const CHANGE_THRESHOLD = rule('694e80c3', 'changeThreshold', [uint256], ([count], { to: contract, from }, { view }) => {
  const caller = from ?? view.signer;
  const isOwn = isSameAddress(contract, caller);
  return {
    title: isOwn ? 'Change the number of required signatures' : 'Change the number of guardians needed',
    effects: [
      {
        kind: 'control',
        does: (nameOf) =>
          isOwn
            ? `changes the number of signatures that ${nameOf(contract)} requires to ${count}`
            : `lets ${count} of the guardians that ${nameOf(caller)} has at ${nameOf(contract)} replace its owners, after a delay`,
        change: { of: caller, threshold: count, ...(!isOwn && { module: contract }) },
      },
    ],
    lines: [addressLine('Contract', contract), text(isOwn ? REQUIRED : 'Guardians needed', count.toString())],
  };
});

const OF_SAFE: readonly CallRule[] = [
  row('0d582f13', 'addOwnerWithThreshold', [address, uint256], 'Add an owner', [NEW_OWNER, REQUIRED], {
    gains: 0,
    change: ([added, threshold]) => ({ added, threshold }),
    does: ([owner], contract, name) => addedOwner(name(owner), contract),
  }),
  row('f8dc5dd9', 'removeOwner', [address, address, uint256], 'Remove an owner', [undefined, 'Owner', REQUIRED], {
    change: ([, removed, threshold]) => ({ removed, threshold }),
    does: ([, owner], contract, name) => removedOwner(name(owner), contract),
  }),
  row('e318b52b', 'swapOwner', [address, address, address], 'Replace an owner', [undefined, 'Old owner', NEW_OWNER], {
    gains: 2,
    change: ([, removed, added]) => ({ removed, added }),
    does: ([, old, fresh], contract, name) => `makes ${name(fresh)} an owner of ${contract} in place of ${name(old)}`,
  }),
  CHANGE_THRESHOLD,
  row('610b5925', 'enableModule', [address], 'Let a module act for the account', ['Module'], {
    gains: 0,
    change: ([module]) => ({ module, turns: 'on' }),
    does: ([module], contract, name) =>
      `lets module ${name(module)} act for ${contract} without its owners' signatures`,
  }),
  row('e009cfde', 'disableModule', [address, address], 'Remove a module', [undefined, 'Module'], {
    change: ([, module]) => ({ module, turns: 'off' }),
    does: ([, module], contract, name) => `removes module ${name(module)} from ${contract}`,
  }),
  to(
    'e19a9dd9',
    'setGuard',
    'Change the guard',
    'Guard',
    (guard, contract) => `makes ${guard} the guard of ${contract}. The guard can block its transactions`,
  ),
  to(
    'e068df37',
    'setModuleGuard',
    'Change the guard of modules',
    'Guard',
    (guard, contract) => `makes ${guard} the guard of the modules of ${contract}. The guard can block what they do`,
  ),
  to(
    'f08a0323',
    'setFallbackHandler',
    'Change the fallback handler',
    'Handler',
    (handler, contract) => `makes ${handler} answer the calls that ${contract} does not handle itself`,
  ),
];

/** A public key is no amount: its words count as any other bytes do. */
const KEY_WORDS = ['x', 'y', 'verifiers'].map((name) => ({ name, type: 'bytes32' }));

const SMART_ACCOUNTS: readonly CallRule[] = [
  to('7065cb48', 'addOwner', 'Add an owner', NEW_OWNER, addedOwner),
  row('173825d9', 'removeOwner', [address], 'Remove an owner', ['Owner'], {
    does: ([owner], contract, name) => removedOwner(name(owner), contract),
  }),
  to('584465f2', 'setEntryPoint', 'Change the entry point', 'Entry point', newEntryPoint),
  to('1b71bb6e', 'updateEntryPoint', 'Change the entry point', 'Entry point', newEntryPoint),
  // ERC-7579.
  row('9517e29f', 'installModule', [uint256, address, size], 'Install a module', ['Kind', 'Module', 'Data'], {
    gains: 1,
    does: ([, module], contract, name) =>
      `installs module ${name(module)} in ${contract}. Depending on its kind, it can act for the account`,
  }),
  row('a71763a8', 'uninstallModule', [uint256, address, bytes], 'Remove a module', ['Kind', 'Module'], {
    does: ([, module], contract, name) => `removes module ${name(module)} from ${contract}`,
  }),
  // Safe's factory of passkey signers. Another contract may do anything under this selector.
  rule('0d2f0489', 'createSigner', [uint256, uint256, uint(176)], (numbers, { to: factory }) => {
    const [x, y, verifiers] = [quantityToHex(numbers[0]), quantityToHex(numbers[1]), quantityToHex(numbers[2])];
    return {
      ...(isSameAddress(factory, SIGNER_FACTORY)
        ? {
            title: 'Create the signer of a passkey',
            inputs: KEY_WORDS,
            effects: [{ kind: 'passkey', parts: [x, y, verifiers] }],
          }
        : { title: 'Unknown call', isUnknown: true }),
      lines: [addressLine('Factory', factory), text('Public key', `${x}, ${y}`), text('Verifiers', verifiers)],
    };
  }),
  // Deposits that pay for user operations, in SimpleAccount and at entry points.
  withdrawal('4d44560d', 'withdrawDepositTo'),
  withdrawal('205c2878', 'withdrawTo'),
  rule('b760faf9', 'depositTo', [address], ([account]) => ({
    title: 'Deposit for user operations',
    effects: [{ kind: 'named', address: account, isRecipient: true }],
    lines: [addressLine('For the account', account)],
  })),
  to(
    'c23a5cea',
    'withdrawStake',
    'Withdraw a stake',
    'Recipient',
    (who, contract) => `withdraws the stake from ${contract} and sends it to ${who}`,
  ),
];

/**
 * Ownership, names in registries, upgrades, roles, the owners and modules of smart accounts, and deposits at entry
 * points.
 */
export const ADMINISTRATION_RULES: readonly CallRule[] = [...OWNERSHIP, ...CODE, ...OF_SAFE, ...SMART_ACCOUNTS];
