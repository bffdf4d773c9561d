import { DELEGATES } from '../../erc4337/delegates';
import { ENTRY_POINTS } from '../../erc4337/entry-points';
import { MULTI_SEND_CALL_ONLY, SIGNER_FACTORY } from '../../safe/contracts';
import { type Hex } from '../../eth/bytes';
import { RECOVERY_MODULES } from '../../safe/recovery/modules';
import { entryOf } from '../metadata/contract-metadata';

/**
 * Contracts that have the same address on every network, or on the ones where they are known. Nobody else can deploy to
 * these addresses there: they come from deterministic deployments, or from the deployer's own key.
 */
const NAMES: Readonly<Record<string, string>> = {
  '0x000000000022d473030f116ddee9f6b43ac78ba3': 'Permit2',
  '0xca11bde05977b3631167028862be2a173976ca11': 'Multicall3',
  '0x0000000000000068f116a894984e2db1123eb395': 'Seaport 1.6',
  '0x00000000000000adc04c56bf30ac9d3c0aaf14dc': 'Seaport 1.5',
  '0x20f780a973856b93f63670377900c1d2a50a77c4': 'Element',
  '0xbbbbbbb520d69a9775e85b458c58c648259fad5f': 'Bebop',
  '0xbeb0b0623f66be8ce162ebdfa2ec543a522f4ea6': 'Bebop JAM',
  '0x0000000000e655fae4d56241588680f86e3b2377': 'LooksRare',
  '0x000000000000ad05ccc4f10045630fb830b95127': 'Blur',
  '0x6000da47483062a0d734ba3dc7576ce6a0b645c4': 'UniswapX 1',
  '0x00000011f84b9aa48e5f8aa8b9897600006289be': 'UniswapX 2',
  '0x1111111254eeb25477b68fb85ed929f73a960582': '1inch v5',
  '0x111111125421ca6dc452d289314280a0f8842a65': '1inch v6',
  '0xc92e8bdf79f0507f65a392b0ab4667716bfe0110': 'the CoW Protocol relayer',
  '0x9008d19f58aabd9ed0d60971565aa8510560ab41': 'CoW Protocol',
  '0xba12222222228d8ba445958a75a0704d566bf2c8': 'Balancer v2',
  '0xdb9b1e94b5b69df7e401ddbede43491141047db3': "MetaMask's DelegationManager",
  // Its enforcers 1.3.0: what each limits.
  '0x9bc0faf4aca5ae429f4c06aeeac517520cb16bd9': 'NativeTokenPeriodTransferEnforcer',
  '0x474e3ae7e169e940607cc624da8a15eb120139ab': 'ERC20PeriodTransferEnforcer',
  '0xd10b97905a320b13a0608f7e9cc506b56747df19': 'NativeTokenStreamingEnforcer',
  '0x56c97ae02f233b29fa03502ecc0457266d9be00e': 'ERC20StreamingEnforcer',
  '0xf71af580b9c3078fbc2bbf16fbb8eed82b330320': 'NativeTokenTransferAmountEnforcer',
  '0xf100b0819427117ecf76ed94b358b1a5b5c6d2fc': 'ERC20TransferAmountEnforcer',
  '0xe264f1f09a19505a1ca1a86d5b01e8bfdb64324a': 'ApprovalRevocationEnforcer',
  '0x99f2e9bf15ce5ec84685604836f71ab835dbbded': 'ExactCalldataEnforcer',
  '0x92bf12322527caa612fd31a0e810472bbb106a8f': 'ValueLteEnforcer',
  '0x1046bb45c8d673d4ea75321280db34899413c069': 'TimestampEnforcer',
  '0xde4f2fac4b3d87a1d9953ca5fc09fca7f366254f': 'NonceEnforcer',
  '0xe144b0b2618071b4e56f746313528a669c7e65c5': 'RedeemerEnforcer',
  '0x7f20f61b1f09b08d970938f6fa563634d65c4eeb': 'AllowedTargetsEnforcer',
  '0xc2b0d624c1c4319760c96503ba27c347f3260f55': 'AllowedCalldataEnforcer',
  '0x2c21fd0cb9dc8445cb3fb0dc5e7bb0aca01842b5': 'AllowedMethodsEnforcer',
  '0x04658b29f6b82ed55274221a06fc97d318e25416': 'LimitedCallsEnforcer',
  '0xf85210b21cc50302f477ba56686d2019dc9b67ad': "Coinbase's spend permissions",
  ...Object.fromEntries(
    Object.entries(ENTRY_POINTS).map(([version, address]) => [address.toLowerCase(), `entry point ${version}`]),
  ),
  [SIGNER_FACTORY.toLowerCase()]: 'the factory of passkeys',
  ...Object.fromEntries(RECOVERY_MODULES.map(({ name, address }) => [address.toLowerCase(), `the ${name}`])),
  ...Object.fromEntries(
    Object.entries(DELEGATES).map(([version, address]) => [address.toLowerCase(), `Simple7702Account ${version}`]),
  ),
};

/**
 * Contracts through which anybody can make any call, so anybody can take what they hold or may spend: Multicall3, its
 * predecessors, that of Uniswap's interface, and the MultiSendCallOnly contracts of Safe.
 */
const MULTICALLS: readonly string[] = [
  '0xca11bde05977b3631167028862be2a173976ca11',
  '0xf9cda624fbc7e059355ce98a31693d299facd963',
  '0x5ba1e12693dc8f9c48aad8770482f4739beed696',
  '0xeefba1e63905ef1d7acba5a8513c70307c1ce441',
  '0x1f98415757620b543a52e61c46b32eb19261f984',
];

/** Safe's contracts that make the calls of a batch and nothing else; `CallOnly` refuses to run other code. */
const CALL_ONLY_BATCHES: readonly string[] = [
  '0x40a2accbd92bca938b02010e17a5b8929b49130d',
  '0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b',
  MULTI_SEND_CALL_ONLY.toLowerCase(),
];

/**
 * @returns Whether running the code at an address can do no more than the calls in its data, which are ordinary ones.
 */
export const onlyMakesCalls = (address: Hex): boolean => CALL_ONLY_BATCHES.includes(address.toLowerCase());

/** @returns Whether anybody can take what a contract holds, and what it may spend. */
export const isPublicContract = (address: Hex): boolean =>
  MULTICALLS.includes(address.toLowerCase()) || onlyMakesCalls(address);

/**
 * Routers from which anybody can take what they hold, by functions such as `sweepToken`, by chain: Uniswap's
 * SwapRouter, SwapRouter02 and Universal Routers, and SushiSwap's RouteProcessors. What they may spend, only its owner
 * can use.
 */
const ROUTERS: readonly string[] = [
  ...['1', '10', '137', '42161', '8453'].map((chain) => `${chain}:0x3fc91a3afd70395cd496c647d5a6cc9d4b2b7fad`),
  ...['1', '10', '137', '42161'].flatMap((chain) => [
    `${chain}:0xe592427a0aece92de3edee1f18e0157c05861564`,
    `${chain}:0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45`,
  ]),
  '8453:0x2626664c2603336e57b271c5c0b26f421741e481',
  '8453:0x6ff5693b99212da76ad316178a184ab56d299b43',
  '1:0xef1c6e67703c7bd7107eed8303fbe6ec2554bf6b',
  '1:0x66a9893cc07d91d95644aedd05d03f95e1dba8af',
  '1:0x827179dd56d07a7eea32e3873493835da2866976',
  '1:0xe43ca1dee3f0fc1e2df73a0745674545f11a59f5',
  '137:0x0a6e511fe663827b9ca7e2d2542b20b37fc217a6',
];

/** Routers through which anybody can take what they may spend, too, by chain: SushiSwap's RouteProcessor2. */
const PUBLIC_SPENDERS: readonly string[] = [
  '1:0x044b75f554b886a065b9567891e45c79542d7357',
  '10:0xf0cbce1942a68beb3d1b73f0dd86c8dcc363ef49',
  '56:0xd75f5369724b513b497101fb15211160c1d96550',
  '100:0x145d82bca93cca2ae057d1c6f26245d1b9522e6f',
  '137:0x5097cbb61d3c75907656dc4e3bba892ff136649a',
  '250:0x3e603c14af37ebdad31709c4f848fc6ad5bec715',
  '42161:0xa7cac4207579a179c1069435d032ee0f9f150e5c',
  '43114:0xbaceb8ec6b9355dfc0269c18bac9d6e2bdc29c4f',
];

/** @returns Whether anybody can take tokens that a contract holds. */
export const isPublicHolder = (address: Hex, chainId: bigint | undefined): boolean =>
  isPublicSpender(address, chainId) || ROUTERS.includes(`${chainId}:${address.toLowerCase()}`);

/** @returns Whether anybody can take tokens that a contract may spend. */
export const isPublicSpender = (address: Hex, chainId: bigint | undefined): boolean =>
  isPublicContract(address) || PUBLIC_SPENDERS.includes(`${chainId}:${address.toLowerCase()}`);

/** The contracts that many people use, in lower case. */
export const knownContracts = (): readonly string[] => Object.keys(NAMES);

/** @returns The name of a contract that many people use, if it is one. */
export const contractName = (address: Hex): string | undefined => entryOf(NAMES, address.toLowerCase());
