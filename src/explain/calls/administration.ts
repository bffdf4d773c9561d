import { type Hex } from '../../eth/bytes';
import { type AbiType, address, bytes, bytes32, uint256, type ValuesOf } from '../../eth/abi';
import { address as addressLine, byteCount, text } from '../lines';
import { type Line } from '../types';
import { ether } from '../units';
import { type Call, type CallRule, rule } from './rule';

const contractLine = (contract: Hex): Line => addressLine('Contract', contract);

/** A rule for a function that changes who rules: all of them are flagged. */
const administration = <const Types extends readonly AbiType<unknown>[]>(
  selector: string,
  name: string,
  types: Types,
  title: string,
  linesOf: (args: ValuesOf<Types>) => readonly Line[],
  callsOf: (args: ValuesOf<Types>) => readonly Call[] = () => [],
): CallRule =>
  rule(selector, name, types, (args, { to }, { findings }) => {
    findings.danger('account-administration');
    return { title, lines: [contractLine(to), ...linesOf(args)], calls: callsOf(args) };
  });

const thresholdLine = (threshold: bigint): Line => text('Signatures needed', threshold.toString());

const someone =
  (label: string) =>
  ([who]: readonly [Hex]): Line[] => [addressLine(label, who)];

const proxyLines = ([proxy, code]: readonly [Hex, Hex, ...unknown[]]): Line[] => [
  addressLine('Proxy', proxy),
  addressLine('New code', code),
];

const callOnUpgrade = (to: Hex, data: string): Call[] => (data === '' ? [] : [{ to, data, delegate: true }]);

const newEntryPoint = (selector: string, name: string): CallRule =>
  administration(selector, name, [address], 'Change the entry point', someone('Entry point'));

const withdrawal = (selector: string, name: string): CallRule =>
  administration(selector, name, [address, uint256], 'Take out a deposit', ([to, amount]) => [
    addressLine('Recipient', to),
    text('Amount', ether(amount)),
  ]);

/** Ownership, upgrades, roles, the owners and modules of smart accounts, and the deposit at an entry point. */
export const ADMINISTRATION_RULES: readonly CallRule[] = [
  // ERC-173, and OpenZeppelin's Ownable.
  administration('f2fde38b', 'transferOwnership', [address], 'Give away ownership', someone('New owner')),
  administration('715018a6', 'renounceOwnership', [], 'Give up ownership', () => []),
  administration('13af4035', 'setOwner', [address], 'Change the owner', someone('New owner')),
  // Proxies: UUPS (ERC-1822), ERC-1967, and OpenZeppelin's ProxyAdmin.
  administration('3659cfe6', 'upgradeTo', [address], 'Replace the code', someone('New code')),
  administration(
    '4f1ef286',
    'upgradeToAndCall',
    [address, bytes],
    'Replace the code',
    ([code]) => [addressLine('New code', code)],
    ([code, data]) => callOnUpgrade(code, data),
  ),
  administration('8f283970', 'changeAdmin', [address], 'Change who may replace the code', someone('New admin')),
  administration('99a88ec4', 'upgrade', [address, address], 'Replace the code of a proxy', proxyLines),
  administration(
    '9623609d',
    'upgradeAndCall',
    [address, address, bytes],
    'Replace the code of a proxy',
    proxyLines,
    ([, code, data]) => callOnUpgrade(code, data),
  ),
  // OpenZeppelin's AccessControl.
  administration('2f2ff15d', 'grantRole', [bytes32, address], 'Give somebody a role', ([role, who]) => [
    text('Role', role),
    addressLine('To', who),
  ]),
  administration('d547741f', 'revokeRole', [bytes32, address], 'Take a role from somebody', ([role, who]) => [
    text('Role', role),
    addressLine('From', who),
  ]),
  // Safe.
  administration('0d582f13', 'addOwnerWithThreshold', [address, uint256], 'Add an owner', ([owner, threshold]) => [
    addressLine('New owner', owner),
    thresholdLine(threshold),
  ]),
  administration('f8dc5dd9', 'removeOwner', [address, address, uint256], 'Remove an owner', ([, owner, threshold]) => [
    addressLine('Owner', owner),
    thresholdLine(threshold),
  ]),
  administration('e318b52b', 'swapOwner', [address, address, address], 'Replace an owner', ([, old, owner]) => [
    addressLine('Old owner', old),
    addressLine('New owner', owner),
  ]),
  administration('694e80c3', 'changeThreshold', [uint256], 'Change the signatures needed', ([threshold]) => [
    thresholdLine(threshold),
  ]),
  administration('610b5925', 'enableModule', [address], 'Let a module act for the account', someone('Module')),
  administration('e009cfde', 'disableModule', [address, address], 'Remove a module', ([, module]) => [
    addressLine('Module', module),
  ]),
  administration('e19a9dd9', 'setGuard', [address], 'Change the guard', someone('Guard')),
  administration('f08a0323', 'setFallbackHandler', [address], 'Change the fallback handler', someone('Handler')),
  // Smart accounts.
  administration('7065cb48', 'addOwner', [address], 'Add an owner', someone('New owner')),
  administration('173825d9', 'removeOwner', [address], 'Remove an owner', someone('Owner')),
  newEntryPoint('584465f2', 'setEntryPoint'),
  newEntryPoint('1b71bb6e', 'updateEntryPoint'),
  // ERC-7579.
  administration('9517e29f', 'installModule', [uint256, address, bytes], 'Install a module', ([kind, module, data]) => [
    text('Kind', kind.toString()),
    addressLine('Module', module),
    text('Data', byteCount(data)),
  ]),
  administration('a71763a8', 'uninstallModule', [uint256, address, bytes], 'Remove a module', ([kind, module]) => [
    text('Kind', kind.toString()),
    addressLine('Module', module),
  ]),
  // SimpleAccount and entry points: the money that pays for user operations.
  withdrawal('4d44560d', 'withdrawDepositTo'),
  withdrawal('205c2878', 'withdrawTo'),
  administration('c23a5cea', 'withdrawStake', [address], 'Take out a stake', someone('Recipient')),
];
