import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Installs the contracts of markets for test/chain/orders.test.ts: unpacks their published packages, without those they
 * depend on, fetches the sources of those without a package, and compiles what comes as sources only. If a repository
 * cannot be reached, the tests of its market are skipped by name. Run by scripts/install-chain-peers.sh.
 */

const FOLDER = join(process.cwd(), 'test/chain/markets');
const PACKAGES = join(FOLDER, 'node_modules');
const COMPILED = join(PACKAGES, 'compiled.json');

/** A package in this folder: several versions of one package are beside each other. */
const folderOf = (specifier: string): string => join(PACKAGES, specifier);

function unpack(specifier: string, integrity: string): void {
  const folder = folderOf(specifier);
  if (existsSync(folder)) return;
  mkdirSync(dirname(folder), { recursive: true });
  const scratch = mkdtempSync(join(PACKAGES, '.unpacking-'));
  try {
    const packing = ['pack', '--silent', specifier, '--pack-destination', scratch];
    const file = join(scratch, execFileSync('npm', packing).toString().trim());
    const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
    if (found !== integrity) throw new Error(`${specifier} has the hash ${found}, not ${integrity}`);
    execFileSync('tar', ['xzf', file, '-C', scratch]);
    renameSync(join(scratch, 'package'), folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A host that does not answer counts as one that cannot be reached. */
const FETCH_MS = 60_000;

/** Fetches one commit of a repository. Its hash covers all files. @returns Whether it is there. */
function fetchSources(repository: string, commit: string): boolean {
  const folder = folderOf(`${repository}@${commit}`);
  if (existsSync(folder)) return true;
  mkdirSync(dirname(folder), { recursive: true });
  const scratch = mkdtempSync(join(PACKAGES, '.fetching-'));
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' };
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', scratch, ...words], { stdio: 'pipe', timeout: FETCH_MS, env });
  try {
    git('init', '--quiet');
    git('fetch', '--quiet', '--depth', '1', `https://github.com/${repository}`, commit);
    git('-c', 'advice.detachedHead=false', 'checkout', '--quiet', commit);
    renameSync(scratch, folder);
    return true;
  } catch (error) {
    console.warn(`Not installed: ${repository}. ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Contracts of one package, and the compiler and settings of the market itself. */
type Job = {
  /** The repository of the sources, if they are no package. */
  readonly repository?: string;
  readonly compiler: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** The folders of imports, by how their path begins. */
  readonly folders: Readonly<Record<string, string>>;
  /** The paths of the contracts, each followed by `:` and its name, where that is another. */
  readonly contracts: Readonly<Record<string, string>>;
};

const ZEROX = '@0x/contracts-zero-ex@0.38.6/contracts/src/features/nft_orders';
const INCH = '@1inch/limit-order-protocol-contract@4.3.3/contracts';
const LOOKS_1 = '@looksrare/contracts-exchange-v1@1.4.1/contracts';
const LOOKS_2 = '@looksrare/contracts-exchange-v2@0.1.3/contracts';

const repositories = JSON.parse(readFileSync(join(FOLDER, 'repositories.json'), 'utf8')) as Record<string, string>;
const sourcesOf = (repository: string): string => `${repository}@${repositories[repository]}`;

const INCH_5 = '1inch/limit-order-protocol';
const JAM = 'bebop-dex/bebop-jam-contracts';
const BLUR = 'code-423n4/2022-10-blur';
const ELEMENT = 'element-market/ElementEx';

const JOBS: readonly Job[] = [
  {
    repository: INCH_5,
    compiler: 'solc@0.8.17',
    settings: { optimizer: { enabled: true, runs: 1_000_000 } },
    folders: {
      '@1inch/solidity-utils/': '@1inch/solidity-utils@2.2.2/',
      '@openzeppelin/contracts/': '@openzeppelin/contracts@4.7.3/',
    },
    contracts: { LimitOrderProtocolV3: `${sourcesOf(INCH_5)}/contracts/LimitOrderProtocol.sol:LimitOrderProtocol` },
  },
  {
    repository: JAM,
    compiler: 'solc@0.8.30',
    settings: { optimizer: { enabled: true, runs: 1_239 }, viaIR: true },
    folders: { '@openzeppelin/contracts/': '@openzeppelin/contracts@5.1.0/' },
    contracts: { JamSettlement: `${sourcesOf(JAM)}/src/JamSettlement.sol` },
  },
  {
    repository: BLUR,
    compiler: 'solc@0.8.13',
    settings: { optimizer: { enabled: true, runs: 800 } },
    folders: {
      '@openzeppelin/contracts/': '@openzeppelin/contracts@4.4.2/',
      '@openzeppelin/contracts-upgradeable/': '@openzeppelin/contracts-upgradeable@4.4.2/',
    },
    contracts: {
      BlurExchange: `${sourcesOf(BLUR)}/contracts/BlurExchange.sol`,
      ExecutionDelegate: `${sourcesOf(BLUR)}/contracts/ExecutionDelegate.sol`,
      MerkleVerifier: `${sourcesOf(BLUR)}/contracts/lib/MerkleVerifier.sol`,
      PolicyManager: `${sourcesOf(BLUR)}/contracts/PolicyManager.sol`,
      StandardPolicyERC721: `${sourcesOf(BLUR)}/contracts/matchingPolicies/StandardPolicyERC721.sol`,
    },
  },
  {
    repository: ELEMENT,
    compiler: 'solc@0.8.17',
    settings: { optimizer: { enabled: true, runs: 200 } },
    folders: { '@openzeppelin/contracts/': '@openzeppelin/contracts@4.4.2/' },
    contracts: {
      ElementEx: `${sourcesOf(ELEMENT)}/contracts/ElementEx.sol`,
      ElementRegistry: `${sourcesOf(ELEMENT)}/contracts/features/SimpleFunctionRegistryFeature.sol:SimpleFunctionRegistryFeature`,
      ElementOwnable: `${sourcesOf(ELEMENT)}/contracts/features/OwnableFeature.sol:OwnableFeature`,
      ElementERC721Orders: `${sourcesOf(ELEMENT)}/contracts/features/nft_orders/ERC721OrdersFeature.sol:ERC721OrdersFeature`,
      ElementERC1155Orders: `${sourcesOf(ELEMENT)}/contracts/features/nft_orders/ERC1155OrdersFeature.sol:ERC1155OrdersFeature`,
    },
  },
  {
    compiler: 'solc@0.6.12',
    settings: { optimizer: { enabled: true, runs: 1_000_000 }, evmVersion: 'istanbul' },
    folders: {
      '@0x/contracts-utils/': '@0x/contracts-utils@4.8.52/',
      '@0x/contracts-erc20/': '@0x/contracts-erc20@3.3.57/',
    },
    contracts: {
      ERC721OrdersFeature: `${ZEROX}/ERC721OrdersFeature.sol`,
      ERC1155OrdersFeature: `${ZEROX}/ERC1155OrdersFeature.sol`,
    },
  },
  {
    compiler: 'solc@0.8.30',
    settings: { optimizer: { enabled: true, runs: 1_000_000 }, evmVersion: 'shanghai', viaIR: true },
    folders: {
      '@1inch/solidity-utils/': '@1inch/solidity-utils@6.6.0/',
      '@openzeppelin/contracts/': '@openzeppelin/contracts@5.1.0/',
    },
    contracts: { LimitOrderProtocol: `${INCH}/LimitOrderProtocol.sol` },
  },
  {
    compiler: 'solc@0.8.17',
    settings: { optimizer: { enabled: true, runs: 888_888 } },
    folders: { '@openzeppelin/contracts/': '@openzeppelin/contracts@4.4.2/' },
    contracts: {
      LooksRareExchange: `${LOOKS_1}/LooksRareExchange.sol`,
      CurrencyManager: `${LOOKS_1}/CurrencyManager.sol`,
      ExecutionManager: `${LOOKS_1}/ExecutionManager.sol`,
      RoyaltyFeeManager: `${LOOKS_1}/RoyaltyFeeManager.sol`,
      RoyaltyFeeRegistry: `${LOOKS_1}/royaltyFeeHelpers/RoyaltyFeeRegistry.sol`,
      StrategyAnyItemFromCollectionForFixedPrice: `${LOOKS_1}/executionStrategies/StrategyAnyItemFromCollectionForFixedPrice.sol`,
      StrategyStandardSaleForFixedPrice: `${LOOKS_1}/executionStrategies/StrategyStandardSaleForFixedPrice.sol`,
      TransferManagerERC721: `${LOOKS_1}/transferManagers/TransferManagerERC721.sol`,
      TransferManagerERC1155: `${LOOKS_1}/transferManagers/TransferManagerERC1155.sol`,
      TransferSelectorNFT: `${LOOKS_1}/TransferSelectorNFT.sol`,
    },
  },
  {
    compiler: 'solc@0.8.17',
    settings: { optimizer: { enabled: true, runs: 888_888 } },
    folders: { '@looksrare/contracts-libs/': '@looksrare/contracts-libs@3.0.3/' },
    contracts: {
      LooksRareProtocol: `${LOOKS_2}/LooksRareProtocol.sol`,
      TransferManager: `${LOOKS_2}/TransferManager.sol`,
      ProtocolFeeRecipient: `${LOOKS_2}/ProtocolFeeRecipient.sol`,
    },
  },
];

type Solc = {
  readonly compile: (input: string, callbacks: { import: (path: string) => { contents: string } }) => string;
};
type Output = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Readonly<
    Record<
      string,
      Record<string, { readonly abi: unknown; readonly evm: { readonly bytecode: { readonly object: string } } }>
    >
  >;
};

/** The compilers come without what they depend on, so the wrapper is that of the other tests' compiler. */
const wrapper = createRequire(join(process.cwd(), 'test/chain/peers/package.json'))('solc/wrapper') as (
  soljson: unknown,
) => Solc;

/** @returns The interface and the code of each contract of a job. */
function compile({ compiler, settings, folders, contracts }: Job): Record<string, unknown> {
  const read = (path: string): string => {
    const start = Object.keys(folders).find((prefix) => path.startsWith(prefix));
    return readFileSync(
      join(PACKAGES, start === undefined ? path : `${folders[start]}${path.slice(start.length)}`),
      'utf8',
    );
  };
  const places = Object.entries(contracts).map(([as, place]) => {
    const [path = '', name = as] = place.split(':');
    return { as, path, name };
  });
  const solc = wrapper(createRequire(join(folderOf(compiler), 'package.json'))('./soljson.js'));
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(places.map(({ path }) => [path, { content: read(path) }])),
    settings: {
      ...settings,
      outputSelection: Object.fromEntries(
        places.map(({ path, name }) => [path, { [name]: ['abi', 'evm.bytecode.object'] }]),
      ),
    },
  };
  const output = JSON.parse(
    solc.compile(JSON.stringify(input), { import: (path) => ({ contents: read(path) }) }),
  ) as Output;
  const failure = output.errors?.find(({ severity }) => severity === 'error');
  if (failure !== undefined) throw new Error(failure.formattedMessage);
  return Object.fromEntries(
    places.map(({ as, path, name }) => {
      const contract = output.contracts[path]?.[name];
      return [as, { abi: contract?.abi, bytecode: `0x${contract?.evm.bytecode.object ?? ''}` }];
    }),
  );
}

const pinned = JSON.parse(readFileSync(join(FOLDER, 'packages.json'), 'utf8')) as Record<string, string>;
for (const [specifier, integrity] of Object.entries(pinned)) unpack(specifier, integrity);
const fetched = Object.entries(repositories).flatMap(([repository, commit]) =>
  fetchSources(repository, commit) ? [repository] : [],
);
const jobs = JOBS.filter(({ repository }) => repository === undefined || fetched.includes(repository));
writeFileSync(COMPILED, JSON.stringify(Object.assign({}, ...jobs.map(compile))));
