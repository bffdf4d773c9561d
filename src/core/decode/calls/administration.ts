import { type Hex } from '../../eth/bytes';
import { type AbiType, address, bytes, bytes32, mapped, uint256, type ValuesOf } from '../../eth/abi';
import { address as addressLine, byteCount, text } from '../lines';
import { ether } from '../units';
import { type Call, type CallRule, rule } from './rule';

/** What a person reads in place of a number of wei, and of bytes that say nothing. */
const wei = mapped(uint256, ether);
const size = mapped(bytes, byteCount);

/**
 * A rule for a function that changes who rules: all of them are flagged.
 *
 * @param labels - What each argument is called on the screen; undefined for one that says nothing to a person.
 * @param callsOf - The calls that it makes.
 */
const administration = <const Types extends readonly AbiType<unknown>[]>(
  selector: string,
  name: string,
  types: Types,
  title: string,
  labels: readonly (string | undefined)[],
  callsOf: (args: ValuesOf<Types>) => readonly Call[] = () => [],
): CallRule =>
  rule(selector, name, types, (args, { to }, { findings }) => {
    findings.danger('account-administration');
    const lines = labels.flatMap((label, index) => {
      if (label === undefined) return [];
      return types[index] === address ? addressLine(label, args[index] as Hex) : text(label, String(args[index]));
    });
    return { title, lines: [addressLine('Contract', to), ...lines], calls: callsOf(args) };
  });

/** The same where somebody's address is all that it takes. */
const ofSomeone = (selector: string, name: string, title: string, label: string): CallRule =>
  administration(selector, name, [address], title, [label]);

const callOnUpgrade = (to: Hex, data: string): Call[] => (data === '' ? [] : [{ to, data, delegate: true }]);

const withdrawal = (selector: string, name: string): CallRule =>
  administration(selector, name, [address, wei], 'Take out a deposit', ['Recipient', 'Amount']);

const NEW_CODE = 'New code';
const NEW_OWNER = 'New owner';
const NEEDED = 'Signatures needed';

/** Ownership, upgrades, roles, the owners and modules of smart accounts, and the deposit at an entry point. */
export const ADMINISTRATION_RULES: readonly CallRule[] = [
  // ERC-173, and OpenZeppelin's Ownable.
  ofSomeone('f2fde38b', 'transferOwnership', 'Give away ownership', NEW_OWNER),
  administration('715018a6', 'renounceOwnership', [], 'Give up ownership', []),
  ofSomeone('13af4035', 'setOwner', 'Change the owner', NEW_OWNER),
  // Proxies: UUPS (ERC-1822), ERC-1967, and OpenZeppelin's ProxyAdmin.
  ofSomeone('3659cfe6', 'upgradeTo', 'Replace the code', NEW_CODE),
  administration('4f1ef286', 'upgradeToAndCall', [address, bytes], 'Replace the code', [NEW_CODE], ([code, data]) =>
    callOnUpgrade(code, data),
  ),
  ofSomeone('8f283970', 'changeAdmin', 'Change who may replace the code', 'New admin'),
  administration('99a88ec4', 'upgrade', [address, address], 'Replace the code of a proxy', ['Proxy', NEW_CODE]),
  administration(
    '9623609d',
    'upgradeAndCall',
    [address, address, bytes],
    'Replace the code of a proxy',
    ['Proxy', NEW_CODE],
    ([, code, data]) => callOnUpgrade(code, data),
  ),
  // OpenZeppelin's AccessControl.
  administration('2f2ff15d', 'grantRole', [bytes32, address], 'Give somebody a role', ['Role', 'To']),
  administration('d547741f', 'revokeRole', [bytes32, address], 'Take a role from somebody', ['Role', 'From']),
  // Safe.
  administration('0d582f13', 'addOwnerWithThreshold', [address, uint256], 'Add an owner', [NEW_OWNER, NEEDED]),
  administration('f8dc5dd9', 'removeOwner', [address, address, uint256], 'Remove an owner', [
    undefined,
    'Owner',
    NEEDED,
  ]),
  administration('e318b52b', 'swapOwner', [address, address, address], 'Replace an owner', [
    undefined,
    'Old owner',
    NEW_OWNER,
  ]),
  administration('694e80c3', 'changeThreshold', [uint256], 'Change the signatures needed', [NEEDED]),
  ofSomeone('610b5925', 'enableModule', 'Let a module act for the account', 'Module'),
  administration('e009cfde', 'disableModule', [address, address], 'Remove a module', [undefined, 'Module']),
  ofSomeone('e19a9dd9', 'setGuard', 'Change the guard', 'Guard'),
  ofSomeone('f08a0323', 'setFallbackHandler', 'Change the fallback handler', 'Handler'),
  // Smart accounts.
  ofSomeone('7065cb48', 'addOwner', 'Add an owner', NEW_OWNER),
  ofSomeone('173825d9', 'removeOwner', 'Remove an owner', 'Owner'),
  ofSomeone('584465f2', 'setEntryPoint', 'Change the entry point', 'Entry point'),
  ofSomeone('1b71bb6e', 'updateEntryPoint', 'Change the entry point', 'Entry point'),
  // ERC-7579.
  administration('9517e29f', 'installModule', [uint256, address, size], 'Install a module', ['Kind', 'Module', 'Data']),
  administration('a71763a8', 'uninstallModule', [uint256, address, bytes], 'Remove a module', ['Kind', 'Module']),
  // SimpleAccount and entry points: the money that pays for user operations.
  withdrawal('4d44560d', 'withdrawDepositTo'),
  withdrawal('205c2878', 'withdrawTo'),
  ofSomeone('c23a5cea', 'withdrawStake', 'Take out a stake', 'Recipient'),
];
