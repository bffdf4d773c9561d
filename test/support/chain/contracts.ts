import {
  type Abi,
  type Address,
  concat,
  createTestClient,
  encodeAbiParameters,
  encodeDeployData,
  getContractAddress,
  type Hex,
  http,
  parseAbi,
  parseEther,
  publicActions,
  walletActions,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { DELEGATES, type DelegateVersion } from '../../../src/core/erc4337/delegates';
import { STAND_IN_PERIOD } from '../../../src/devnet/chain/state';
import { type AccountVersion, ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { KIND_OF_VERSION, KINDS } from '../../../src/core/kinds';
import {
  MODULE_4337,
  MODULE_SETUP,
  MULTI_SEND_CALL_ONLY,
  PROXY_FACTORY,
  SINGLETON,
} from '../../../src/core/safe/contracts';
import { DEVELOPMENT_CHAIN } from '../development-chain';
import { FALLBACK_VERIFIERS, SIGNER_FACTORIES } from '../../../src/core/safe/passkey/signer';
import { peer } from './peers';
import { compileFile } from './solc';

/**
 * The deployer that is at this address on every chain, and on anvil from the start: call data is salt, then init code.
 */
const DETERMINISTIC_DEPLOYER: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

const NO_SALT: Hex = `0x${'00'.repeat(32)}`;
/** The salts of the canonical deployments. */
const SALTS: Readonly<Record<Exclude<AccountVersion, '0.9'>, Hex>> = {
  '0.6': NO_SALT,
  '0.7': '0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3',
  '0.8': '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9',
};

type Artifact = { readonly abi: Abi; readonly bytecode: Hex };
const artifact = (version: AccountVersion, name: string): Artifact =>
  peer<Artifact>(`aa-v${version.replace('.', '')}/artifacts/${name}.json`);

/** Keys of anvil's test phrase. Account 0 deploys; alto gets others. */
const DEPLOYER_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

/** @returns A client of a development chain that can change what it likes, and sends as account 0. */
export const chainClient = (url: string, id: number = DEVELOPMENT_CHAIN.id) =>
  createTestClient({
    account: privateKeyToAccount(DEPLOYER_KEY),
    chain: { ...DEVELOPMENT_CHAIN, id },
    mode: 'anvil',
    transport: http(url),
    pollingInterval: 20,
  })
    .extend(publicActions)
    .extend(walletActions);
export type ChainClient = ReturnType<typeof chainClient>;

async function deployAt(
  chain: ChainClient,
  salt: Hex,
  initCode: Hex,
  expected: Address,
  deployer = DETERMINISTIC_DEPLOYER,
): Promise<void> {
  const hash = await chain.sendTransaction({ to: deployer, data: concat([salt, initCode]) });
  await chain.waitForTransactionReceipt({ hash });
  if ((await chain.getCode({ address: expected })) === undefined)
    throw new Error(`nothing was deployed at ${expected}`);
}

/**
 * Puts a contract at an address where it cannot be deployed: its constructor runs there, in a call for its runtime
 * code, then in a transaction for what it stores and creates.
 */
async function etch(chain: ChainClient, address: Address, initCode: Hex): Promise<void> {
  await chain.setCode({ address, bytecode: initCode });
  await chain.setNonce({ address, nonce: 1 });
  const { data: runtime } = await chain.call({ to: address });
  const hash = await chain.sendTransaction({ to: address });
  await chain.waitForTransactionReceipt({ hash });
  await chain.setCode({ address, bytecode: runtime ?? '0x' });
}

/**
 * Deploys the entry point and the SimpleAccountFactory of a version at their canonical addresses. Of 0.9 only a release
 * candidate is published, which would be at other addresses.
 */
export async function deployCanonical(chain: ChainClient, version: AccountVersion): Promise<void> {
  const entryPoint = ENTRY_POINTS[version];
  if (version === '0.9') {
    await etch(chain, entryPoint, artifact(version, 'EntryPoint').bytecode);
    const argument = encodeAbiParameters([{ type: 'address' }], [entryPoint]);
    const code = concat([artifact(version, 'SimpleAccountFactory').bytecode, argument]);
    await etch(chain, KINDS[KIND_OF_VERSION[version]].factory, code);
    return;
  }
  await deployAt(chain, SALTS[version], artifact(version, 'EntryPoint').bytecode, entryPoint);
  const constructorArguments = encodeAbiParameters([{ type: 'address' }], [entryPoint]);
  const factory = concat([artifact(version, 'SimpleAccountFactory').bytecode, constructorArguments]);
  await deployAt(chain, NO_SALT, factory, KINDS[KIND_OF_VERSION[version]].factory);
}

/** Deploys Simple7702Account of a version at its canonical address, the one of 0.9 as a release candidate. */
export async function deployDelegate(chain: ChainClient, version: DelegateVersion): Promise<void> {
  const { bytecode } = artifact(version, 'Simple7702Account');
  const argument = encodeAbiParameters([{ type: 'address' }], [ENTRY_POINTS[version]]);
  if (version === '0.9') await etch(chain, DELEGATES[version], concat([bytecode, argument]));
  else await deployAt(chain, NO_SALT, bytecode, DELEGATES[version]);
}

/** @returns The ABI of the version's entry point, from its package. */
export const entryPointAbi = (version: AccountVersion): Abi => artifact(version, 'EntryPoint').abi;

/** @returns A contract in a file of this folder, compiled from its source. */
function compiledFrom(file: string, name: string): Artifact {
  const contract = compileFile(file, {
    viaIR: true,
    optimizer: { enabled: true },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  })[name];
  if (contract === undefined) throw new Error(`no contract ${name} in ${file}`);
  return { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` };
}

const DEPOSIT_ABI = parseAbi(['function depositTo(address account) payable']);

async function deploy(chain: ChainClient, { abi, bytecode }: Artifact, args: readonly unknown[]): Promise<Address> {
  const nonce = await chain.getTransactionCount({ address: chain.account.address });
  const hash = await chain.sendTransaction({ data: encodeDeployData({ abi, bytecode, args }) });
  await chain.waitForTransactionReceipt({ hash });
  return getContractAddress({ from: chain.account.address, nonce: BigInt(nonce) });
}

/** Deploys a paymaster, and deposits at its entry point what it pays with. */
async function deployWithDeposit(
  chain: ChainClient,
  contract: Artifact,
  [entryPoint, ...more]: readonly [Address, ...unknown[]],
): Promise<Address> {
  const paymaster = await deploy(chain, contract, [entryPoint, ...more]);
  const deposit = await chain.writeContract({
    address: entryPoint,
    abi: DEPOSIT_ABI,
    functionName: 'depositTo',
    args: [paymaster],
    value: parseEther('10'),
  });
  await chain.waitForTransactionReceipt({ hash: deposit });
  return paymaster;
}

/** Deploys the test paymaster for a version. */
export const deployPaymaster = (chain: ChainClient, version: AccountVersion, signer: Address): Promise<Address> =>
  deployWithDeposit(chain, compiledFrom('test-paymaster.sol', 'TestPaymaster'), [ENTRY_POINTS[version], signer]);

/** Deploys the paymaster that is paid in tokens, for a version from 0.7 on. */
export const deployTokenPaymaster = (chain: ChainClient, version: Exclude<AccountVersion, '0.6'>): Promise<Address> =>
  deployWithDeposit(chain, compiledFrom('token-paymaster.sol', 'TokenPaymaster'), [ENTRY_POINTS[version]]);

/** Deploys the token FEE, with 6 decimals, that anyone can mint. */
export const deployFeeToken = (chain: ChainClient): Promise<Address> =>
  deploy(chain, compiledFrom('token-paymaster.sol', 'FeeToken'), []);

/** The deployer of Safe's contracts. It has the very code of {@link DETERMINISTIC_DEPLOYER}. */
const SAFE_SINGLETON_DEPLOYER: Address = '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7';

/** Other clients, such as permissionless, have a Safe set up by it. */
export const MULTI_SEND: Address = '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526';

/** What Safe's own SDK (protocol-kit) also needs, at the canonical addresses of 1.4.1. */
export const SAFE_SDK_CONTRACTS = {
  'handler/CompatibilityFallbackHandler': '0xfd0732Dc9E303f09fCEf3a7388Ad10A83459Ec99',
  'libraries/CreateCall': '0x9b35Af71d77eaf8d7e40252370304687390A1A52',
  'libraries/SignMessageLib': '0xd53cd0aB83D845Ac265BE939c57F53AD838012c9',
  'accessors/SimulateTxAccessor': '0x3d4BA2E0884aa488718476ca2FB8Efc291A46199',
} as const;

const safeArtifact = (path: string): Artifact =>
  peer<Artifact>(`@safe-global/safe-contracts/build/artifacts/contracts/${path}.sol/${path.split('/').at(-1)}.json`);
const moduleArtifact = (name: string): Artifact =>
  peer<Artifact>(`@safe-global/safe-4337/build/artifacts/contracts/${name}`);

/** @returns The ABI of a Safe that answers as ERC-1271. */
export const safeModuleAbi = (): Abi => moduleArtifact('Safe4337Module.sol/Safe4337Module.json').abi;

/** Deploys Safe's factory of passkey signers and its verifier of P-256, at their canonical addresses. */
export async function deployPasskeySigners(chain: ChainClient): Promise<void> {
  const passkey = (name: string): Artifact =>
    peer<Artifact>(`@safe-global/safe-passkey/build/artifacts/contracts/${name}`);
  const [factory] = SIGNER_FACTORIES;
  const [verifier] = FALLBACK_VERIFIERS;
  if (factory === undefined || verifier === undefined) throw new Error('no signer factory or no verifier is known');
  const factoryCode = passkey('SafeWebAuthnSignerFactory.sol/SafeWebAuthnSignerFactory.json').bytecode;
  await deployAt(chain, NO_SALT, factoryCode, factory.address);
  const verifierCode = passkey('verifiers/FCLP256Verifier.sol/FCLP256Verifier.json').bytecode;
  await deployAt(chain, NO_SALT, verifierCode, verifier.address);
}

/** Deploys the bytecode that Safe publishes; it lands at the addresses that are in the kind. */
export async function deploySafe(chain: ChainClient): Promise<void> {
  const deployer = await chain.getCode({ address: DETERMINISTIC_DEPLOYER });
  await chain.setCode({ address: SAFE_SINGLETON_DEPLOYER, bytecode: deployer ?? '0x' });
  const entryPoint = encodeAbiParameters([{ type: 'address' }], [ENTRY_POINTS['0.7']]);
  const module = concat([moduleArtifact('Safe4337Module.sol/Safe4337Module.json').bytecode, entryPoint]);
  const setup = moduleArtifact('SafeModuleSetup.sol/SafeModuleSetup.json').bytecode;
  const contracts = {
    Safe: SINGLETON,
    'proxies/SafeProxyFactory': PROXY_FACTORY,
    'libraries/MultiSendCallOnly': MULTI_SEND_CALL_ONLY,
    'libraries/MultiSend': MULTI_SEND,
    ...SAFE_SDK_CONTRACTS,
  };
  for (const [path, address] of Object.entries(contracts))
    await deployAt(chain, NO_SALT, safeArtifact(path).bytecode, address, SAFE_SINGLETON_DEPLOYER);
  await deployAt(chain, NO_SALT, module, MODULE_4337);
  await deployAt(chain, NO_SALT, setup, MODULE_SETUP);
}

/** Deploys the stand-in for the recovery module, whose bytecode is not published. @returns Its address. */
export async function deployRecoveryStandIn(chain: ChainClient): Promise<Address> {
  const { abi, bytecode } = compiledFrom('recovery-stand-in.sol', 'RecoveryStandIn');
  const initCode = encodeDeployData({ abi, bytecode, args: [STAND_IN_PERIOD] });
  const address = getContractAddress({
    opcode: 'CREATE2',
    from: DETERMINISTIC_DEPLOYER,
    salt: NO_SALT,
    bytecode: initCode,
  });
  await deployAt(chain, NO_SALT, initCode, address);
  return address;
}
