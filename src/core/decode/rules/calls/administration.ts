import { type Hex } from '../../../eth/bytes';
import { type AbiType, address, bytes, bytes32, mapped, uint256, type ValuesOf } from '../../../eth/abi';
import { address as addressLine, byteCount, text } from '../../words/lines';
import { nameOf, shortAddress } from '../../words/sentences';
import { nativeAmount } from '../../words/units';
import { type Call, type CallRule, rule, type Scene } from './rule';

/** Opaque bytes are shown by their length. */
const size = mapped(bytes, byteCount);

/** The sentence of the danger. Addresses come shortened, or as "your account"; the contract is the one that is called. */
type Sentence<Args> = (args: Args, contract: string) => string;

/**
 * A rule for a function that changes who controls an account or a contract. All of them are flagged.
 *
 * @param labels - The row label of each argument; undefined for one that means nothing to a person.
 * @param callsOf - The calls that the function makes.
 */
const administration = <const Types extends readonly AbiType<unknown>[]>(
  selector: string,
  name: string,
  types: Types,
  { title, danger }: { readonly title: string; readonly danger: Sentence<ValuesOf<Types>> },
  labels: readonly (string | undefined)[],
  callsOf: (args: ValuesOf<Types>) => readonly Call[] = () => [],
): CallRule =>
  rule(selector, name, types, (args, { to }, { findings, view }) => {
    findings.danger('account-administration', () => danger(args, nameOf(to, view)));
    const lines = labels.flatMap((label, index) => {
      if (label === undefined) return [];
      return types[index] === address ? addressLine(label, args[index] as Hex) : text(label, String(args[index]));
    });
    return { title, lines: [addressLine('Contract', to), ...lines], calls: callsOf(args) };
  });

/** The same for a function whose only argument is an address. */
const ofAddress = (selector: string, name: string, title: string, label: string, danger: Sentence<string>): CallRule =>
  administration(
    selector,
    name,
    [address],
    { title, danger: ([who], contract) => danger(shortAddress(who), contract) },
    [label],
  );

const callOnUpgrade = (to: Hex, data: string): Call[] => (data === '' ? [] : [{ to, data, delegate: true }]);

const withdrawal = (selector: string, name: string): CallRule =>
  rule(selector, name, [address, uint256], ([recipient, wei], { to }, scene: Scene) => {
    const amount = nativeAmount(wei, scene);
    const [contract, who] = [nameOf(to, scene.view), nameOf(recipient, scene.view)];
    scene.findings.danger(
      'account-administration',
      () => `This withdraws a deposit of ${amount} from ${contract} and sends it to ${who}.`,
    );
    return {
      title: 'Withdraw a deposit',
      summary: `Withdraw a deposit of ${amount} to ${who}`,
      lines: [addressLine('Contract', to), addressLine('Recipient', recipient), text('Amount', amount)],
    };
  });

const NEW_CODE = 'New code';
const NEW_OWNER = 'New owner';
const REQUIRED = 'Required signatures';

const newOwner: Sentence<string> = (owner, contract) => `This gives control of ${contract} to ${owner}.`;
const addedOwner: Sentence<string> = (owner, contract) => `This makes ${owner} an owner of ${contract}.`;
const removedOwner: Sentence<string> = (owner, contract) => `This removes ${owner} as an owner of ${contract}.`;
const newCode: Sentence<string> = (code, contract) =>
  `This replaces the code of ${contract} with the code at ${code}, which then controls everything it holds.`;
const newEntryPoint: Sentence<string> = (entryPoint, contract) =>
  `This makes ${entryPoint} the entry point of ${contract}. The entry point can act for the account.`;

/** Ownership, upgrades, roles, the owners and modules of smart accounts, and deposits at entry points. */
export const ADMINISTRATION_RULES: readonly CallRule[] = [
  // ERC-173, and OpenZeppelin's Ownable.
  ofAddress('f2fde38b', 'transferOwnership', 'Transfer ownership', NEW_OWNER, newOwner),
  administration(
    '715018a6',
    'renounceOwnership',
    [],
    { title: 'Renounce ownership', danger: (_args, contract) => `This leaves ${contract} without an owner.` },
    [],
  ),
  ofAddress('13af4035', 'setOwner', 'Change the owner', NEW_OWNER, newOwner),
  // Proxies: UUPS (ERC-1822), ERC-1967, and OpenZeppelin's ProxyAdmin.
  ofAddress('3659cfe6', 'upgradeTo', 'Replace the code', NEW_CODE, newCode),
  administration(
    '4f1ef286',
    'upgradeToAndCall',
    [address, bytes],
    { title: 'Replace the code', danger: ([code], contract) => newCode(shortAddress(code), contract) },
    [NEW_CODE],
    ([code, data]) => callOnUpgrade(code, data),
  ),
  ofAddress(
    '8f283970',
    'changeAdmin',
    'Change the upgrade admin',
    'New admin',
    (admin, contract) => `This lets ${admin} replace the code of ${contract}, now and in the future.`,
  ),
  administration(
    '99a88ec4',
    'upgrade',
    [address, address],
    {
      title: 'Replace the code of a proxy',
      danger: ([proxy, code]) => newCode(shortAddress(code), shortAddress(proxy)),
    },
    ['Proxy', NEW_CODE],
  ),
  administration(
    '9623609d',
    'upgradeAndCall',
    [address, address, bytes],
    {
      title: 'Replace the code of a proxy',
      danger: ([proxy, code]) => newCode(shortAddress(code), shortAddress(proxy)),
    },
    ['Proxy', NEW_CODE],
    ([, code, data]) => callOnUpgrade(code, data),
  ),
  // OpenZeppelin's AccessControl.
  administration(
    '2f2ff15d',
    'grantRole',
    [bytes32, address],
    {
      title: 'Grant a role',
      danger: ([, who], contract) => `This gives ${shortAddress(who)} a role in ${contract}, with all its rights.`,
    },
    ['Role', 'Account'],
  ),
  administration(
    'd547741f',
    'revokeRole',
    [bytes32, address],
    {
      title: 'Revoke a role',
      danger: ([, who], contract) => `This takes a role in ${contract} away from ${shortAddress(who)}.`,
    },
    ['Role', 'Account'],
  ),
  // Safe.
  administration(
    '0d582f13',
    'addOwnerWithThreshold',
    [address, uint256],
    { title: 'Add an owner', danger: ([owner], contract) => addedOwner(shortAddress(owner), contract) },
    [NEW_OWNER, REQUIRED],
  ),
  administration(
    'f8dc5dd9',
    'removeOwner',
    [address, address, uint256],
    { title: 'Remove an owner', danger: ([, owner], contract) => removedOwner(shortAddress(owner), contract) },
    [undefined, 'Owner', REQUIRED],
  ),
  administration(
    'e318b52b',
    'swapOwner',
    [address, address, address],
    {
      title: 'Replace an owner',
      danger: ([, old, fresh], contract) =>
        `This makes ${shortAddress(fresh)} an owner of ${contract} in place of ${shortAddress(old)}.`,
    },
    [undefined, 'Old owner', NEW_OWNER],
  ),
  administration(
    '694e80c3',
    'changeThreshold',
    [uint256],
    {
      title: 'Change the number of required signatures',
      danger: ([count], contract) => `This changes the number of signatures that ${contract} requires to ${count}.`,
    },
    [REQUIRED],
  ),
  ofAddress(
    '610b5925',
    'enableModule',
    'Let a module act for the account',
    'Module',
    (module, contract) => `This lets module ${module} act for ${contract} without its owners' signatures.`,
  ),
  administration(
    'e009cfde',
    'disableModule',
    [address, address],
    {
      title: 'Remove a module',
      danger: ([, module], contract) => `This removes module ${shortAddress(module)} from ${contract}.`,
    },
    [undefined, 'Module'],
  ),
  ofAddress(
    'e19a9dd9',
    'setGuard',
    'Change the guard',
    'Guard',
    (guard, contract) => `This makes ${guard} the guard of ${contract}. The guard can block its transactions.`,
  ),
  ofAddress(
    'f08a0323',
    'setFallbackHandler',
    'Change the fallback handler',
    'Handler',
    (handler, contract) => `This makes ${handler} answer the calls that ${contract} does not handle itself.`,
  ),
  // Smart accounts.
  ofAddress('7065cb48', 'addOwner', 'Add an owner', NEW_OWNER, addedOwner),
  ofAddress('173825d9', 'removeOwner', 'Remove an owner', 'Owner', removedOwner),
  ofAddress('584465f2', 'setEntryPoint', 'Change the entry point', 'Entry point', newEntryPoint),
  ofAddress('1b71bb6e', 'updateEntryPoint', 'Change the entry point', 'Entry point', newEntryPoint),
  // ERC-7579.
  administration(
    '9517e29f',
    'installModule',
    [uint256, address, size],
    {
      title: 'Install a module',
      danger: ([, module], contract) =>
        `This installs module ${shortAddress(module)} in ${contract}. Depending on its kind, it can act for the account.`,
    },
    ['Kind', 'Module', 'Data'],
  ),
  administration(
    'a71763a8',
    'uninstallModule',
    [uint256, address, bytes],
    {
      title: 'Remove a module',
      danger: ([, module], contract) => `This removes module ${shortAddress(module)} from ${contract}.`,
    },
    ['Kind', 'Module'],
  ),
  // Deposits that pay for user operations, in SimpleAccount and at entry points.
  withdrawal('4d44560d', 'withdrawDepositTo'),
  withdrawal('205c2878', 'withdrawTo'),
  ofAddress(
    'c23a5cea',
    'withdrawStake',
    'Withdraw a stake',
    'Recipient',
    (to, contract) => `This withdraws the stake from ${contract} and sends it to ${to}.`,
  ),
];
