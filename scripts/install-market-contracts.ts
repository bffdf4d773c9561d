import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Installs the contracts of markets for test/chain/protocols/orders.cases.ts: unpacks their published packages, without
 * those they depend on, and compiles what comes as sources only. Run by scripts/install-chain-peers.sh.
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

/** Contracts of one package, and the compiler and settings of the market itself. */
type Job = {
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

const JOBS: readonly Job[] = [
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
writeFileSync(COMPILED, JSON.stringify(Object.assign({}, ...JOBS.map(compile))));
