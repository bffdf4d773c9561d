import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  type Abi,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  parseAbi,
  toHex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { type Call } from '../../../../src/core/erc4337/user-operation';
import { fromHex, toHex as bytesToHex } from '../../../../src/core/eth/bytes';
import { signatureToBytes, signDigest } from '../../../../src/core/eth/secp256k1';
import { type TypedData, typedDataDigest } from '../../../../src/core/eth/typed-data';
import { startAnvil } from '../../../../src/devnet/anvil';
import { type Amounts } from '../../order-rows';
import { anvilRpc, DEPLOYER, type Receipt } from '../anvil-rpc';
import { describeWithPeers } from '../peers';
import { compilePreviewContracts } from '../preview-contracts';

const PACKAGES = join(process.cwd(), 'test/chain/markets/node_modules');

/** Describes tests that fill orders. Without the contracts, each is skipped by name and says how to install them. */
export function describeWithMarkets(name: string, tests: () => void): void {
  if (existsSync(join(PACKAGES, 'compiled.json'))) describeWithPeers(name, tests);
  else describe.skip(`${name} (skipped: run scripts/install-chain-peers.sh first)`, tests);
}

/** @returns A file of a market's package. */
export const marketFile = (path: string): string => readFileSync(join(PACKAGES, path), 'utf8');

/** @returns A file of a repository that {@link isInstalled}. */
export function repositoryFile(repository: string, path: string): string {
  const commits = JSON.parse(readFileSync(join(PACKAGES, '../repositories.json'), 'utf8')) as Record<string, string>;
  return marketFile(`${repository}@${commits[repository]}/${path}`);
}

export type Artifact = { readonly abi: Abi; readonly bytecode: Hex };

/** The contracts that were compiled when the packages were installed, by name. */
const compiled = (): Readonly<Record<string, Artifact>> =>
  existsSync(join(PACKAGES, 'compiled.json'))
    ? (JSON.parse(marketFile('compiled.json')) as Record<string, Artifact>)
    : {};

export const compiledContract = (name: string): Artifact => compiled()[name]!;

/** @returns Whether the contract of a market is installed. */
export const isInstalled = ({ contract }: { readonly contract?: string }): boolean =>
  contract === undefined || contract in compiled();

/** @returns The code in one of TypeChain's factories, which are programs. */
export function factoryCode(path: string): Hex {
  const [, code] = /_bytecode\s*=\s*"(0x[0-9a-f]+)"/u.exec(marketFile(path)) ?? [];
  if (code === undefined) throw new Error(`no code in ${path}`);
  return code as Hex;
}

export const USDC: Hex = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
export const WETH: Hex = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
export const APES: Hex = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D';
/** A collection of ERC-1155 that nobody knows. */
export const ITEMS: Hex = '0x1717171717171717171717171717171717171717';
export const ZERO: Hex = '0x0000000000000000000000000000000000000000';
export const COIN: Hex = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
export const WORD: Hex = `0x${'00'.repeat(32)}`;

/** The account whose orders are filled. */
const KEY: Hex = `0x${'a7'.repeat(32)}`;
export const ACCOUNT: Hex = privateKeyToAccount(KEY).address;
/** A market maker that signs the other side, or the services that an order names. */
const OTHER_KEY: Hex = `0x${'b8'.repeat(32)}`;
export const OTHER: Hex = privateKeyToAccount(OTHER_KEY).address;
/** Fills the orders. */
export const FILLER: Hex = '0xf111e4f111e4f111e4f111e4f111e4f111e4f111';
/** Gets a fee. */
export const SERVICE: Hex = '0x5e4511ce5e4511ce5e4511ce5e4511ce5e4511ce';
/** Gets what the account should get. */
export const STRANGER: Hex = '0x66666666666666666666666666666666DEaDbeef';
/** Whom the markets themselves pay, by no word of an order. */
export const MARKET_FEES: Hex = '0xfee5fee5fee5fee5fee5fee5fee5fee5fee5fee5';

const PARTIES = [ACCOUNT, OTHER, SERVICE, STRANGER, MARKET_FEES];

const MANY = 2n ** 106n;
/** 2033: after any build of the tests, and the same in each run. */
const START = 2_000_000_000n;
const GAS = toHex(25_000_000n);

const TOKENS = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function ownerOf(uint256) view returns (address)',
  'function mint(address, uint256)',
  'function deposit() payable',
  'function approve(address, uint256)',
  'function setApprovalForAll(address, bool)',
]);
const ITEMS_ABI = parseAbi([
  'function balanceOf(address, uint256) view returns (uint256)',
  'function mint(address, uint256, uint256)',
]);
const AGGREGATE = parseAbi([
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3Value(Call3Value[] calls) payable returns (Result[])',
  'function getEthBalance(address) view returns (uint256)',
]);

/** The ID of the items of ERC-1155 that everybody has. */
export const ITEM_ID = 5n;

const sign =
  (key: Hex) =>
  (digest: Uint8Array): Hex =>
    bytesToHex(signatureToBytes(signDigest(digest, fromHex(key))));
export const signAsOther = sign(OTHER_KEY);

/** @returns The signature by which the account places an order. */
export const signOrder = (data: TypedData, by = ACCOUNT): Hex =>
  (by === OTHER ? signAsOther : sign(KEY))(typedDataDigest(data));

/** An order that is about to be signed, and how it is filled. */
export type Placed = {
  readonly data: TypedData;
  /** The call with which {@link FILLER} fills it at the worst terms that the contract accepts. */
  readonly fill: (signature: Hex) => Call;
  /** The call that comes before, if an order is opened first. */
  readonly open?: (signature: Hex) => Call;
  /** The NFT that it is about, who has it, and whether any other of the collection would do. */
  readonly ape?: { readonly id: bigint; readonly holder: Hex; readonly isAny?: boolean };
  /** Only a part of it is filled. */
  readonly isPart?: boolean;
  /** The order itself names no end. */
  readonly isEndless?: boolean;
  /** The other side of the order, if the order names it. */
  readonly counterparty?: Hex;
  /** How far from its bound an auction is in its last second. */
  readonly slack?: bigint;
  /** The most by which a fee differs from its least, where an auction moves it. */
  readonly feeSlack?: bigint;
};

/** What an order can be told before it is drawn: the time of the block that fills it, and a number that is its own. */
export type Moment = { readonly now: bigint; readonly serial: bigint };

export type Filled = {
  /** What each party lost and gained, by its address in lower case. */
  readonly changes: Readonly<Record<string, Amounts>>;
  /** Everybody to whom a token or an NFT was moved, in lower case. */
  readonly receivers: readonly string[];
};

export type Markets = Awaited<ReturnType<typeof startMarkets>>;

/** Starts a chain that says it is Ethereum, with tokens at the addresses that they have there. */
export async function startMarkets() {
  const anvil = await startAnvil({ chainId: 1 });
  try {
    return { ...(await prepare(anvil.url)), stop: anvil.stop };
  } catch (error) {
    await anvil.stop();
    throw error;
  }
}

async function prepare(url: string) {
  const rpc = await anvilRpc(url);
  let now = START;
  let serial = 0n;

  const send = async (from: Hex, { to, data, value = 0n }: Partial<Call>): Promise<Receipt> => {
    now += 1n;
    await rpc('evm_setNextBlockTimestamp', [Number(now)]);
    const receipt = await rpc<Receipt>('eth_sendTransactionSync', [
      // The lowest price: a market may pay for a higher one.
      { from, to, data, value: toHex(value), gas: GAS, maxFeePerGas: toHex(10n ** 12n), maxPriorityFeePerGas: '0x0' },
    ]);
    if (receipt.status !== '0x1') {
      const why = await rpc('eth_call', [{ from, to, data, value: toHex(value), gas: GAS }, 'latest']).catch(String);
      throw new Error(`a transaction failed: ${String(why)}`);
    }
    return receipt;
  };

  const deploy = async ({ abi, bytecode }: Artifact, args: readonly unknown[] = []): Promise<Hex> => {
    const { contractAddress } = await send(DEPLOYER, { data: encodeDeployData({ abi, bytecode, args }) });
    if (contractAddress === null) throw new Error('nothing was deployed');
    return contractAddress;
  };

  /** Runs a constructor at the address that a contract has on Ethereum: what it signs with its address has to fit. */
  const place = async (address: Hex, { abi, bytecode }: Artifact, args: readonly unknown[] = []): Promise<void> => {
    await rpc('anvil_setCode', [address, encodeDeployData({ abi, bytecode, args })]);
    const code = await rpc<Hex>('eth_call', [{ from: DEPLOYER, to: address, gas: GAS }, 'latest']);
    await send(DEPLOYER, { to: address, data: '0x' });
    await rpc('anvil_setCode', [address, code]);
  };

  const token = (to: Hex, functionName: string, args: readonly unknown[], value = 0n): Call => ({
    to,
    value,
    data: encodeFunctionData({ abi: TOKENS, functionName, args } as never),
  });

  /** Lets a contract move all that a party has. */
  const approve = async (party: Hex, spender: Hex): Promise<void> => {
    for (const each of [USDC, WETH]) await send(party, token(each, 'approve', [spender, 2n ** 256n - 1n]));
    for (const each of [APES, ITEMS]) await send(party, token(each, 'setApprovalForAll', [spender, true]));
  };

  const { TestToken, WETH9, TestNft, TestMultiToken, Multicall3 } = compilePreviewContracts();
  await place(USDC, TestToken!, ['USDC', 6]);
  await place(WETH, WETH9!);
  await place(APES, TestNft!);
  await place(ITEMS, TestMultiToken!);
  const multicall = await deploy(Multicall3!);

  /** Gives a party more of each token than orders move. */
  const fund = async (party: Hex): Promise<void> => {
    await rpc('anvil_setBalance', [party, toHex(4n * MANY)]);
    await send(party, token(WETH, 'deposit', [], 2n * MANY));
    await send(DEPLOYER, token(USDC, 'mint', [party, MANY]));
  };
  for (const party of [ACCOUNT, OTHER, FILLER]) {
    await fund(party);
    await send(DEPLOYER, {
      to: ITEMS,
      data: encodeFunctionData({ abi: ITEMS_ABI, functionName: 'mint', args: [party, ITEM_ID, MANY] }),
    });
  }

  /** What the parties hold, and who has an NFT. */
  async function holdings(ape: bigint | undefined): Promise<Record<string, Amounts>> {
    const reads = PARTIES.flatMap((party) =>
      [
        ['USDC', USDC, encodeFunctionData({ abi: TOKENS, functionName: 'balanceOf', args: [party] })],
        ['WETH', WETH, encodeFunctionData({ abi: TOKENS, functionName: 'balanceOf', args: [party] })],
        ['ETH', multicall, encodeFunctionData({ abi: AGGREGATE, functionName: 'getEthBalance', args: [party] })],
        [
          `ITEMS#${ITEM_ID}`,
          ITEMS,
          encodeFunctionData({ abi: ITEMS_ABI, functionName: 'balanceOf', args: [party, ITEM_ID] }),
        ],
      ].map(([asset, target, callData]) => ({
        party,
        asset: asset!,
        target: target as Hex,
        callData: callData as Hex,
      })),
    );
    const owner =
      ape === undefined
        ? []
        : [{ target: APES, callData: encodeFunctionData({ abi: TOKENS, functionName: 'ownerOf', args: [ape] }) }];
    const calls = [...reads, ...owner].map(({ target, callData }) => ({
      target,
      allowFailure: false,
      value: 0n,
      callData,
    }));
    const data = encodeFunctionData({ abi: AGGREGATE, functionName: 'aggregate3Value', args: [calls] });
    const answer = await rpc<Hex>('eth_call', [{ to: multicall, data, gas: GAS }, 'latest']);
    const results = decodeFunctionResult({ abi: AGGREGATE, functionName: 'aggregate3Value', data: answer });
    const held: Record<string, Amounts> = {};
    for (const [at, { party, asset }] of reads.entries())
      (held[party.toLowerCase()] ??= {})[asset] = hexToBigInt(results[at]!.returnData);
    if (ape !== undefined)
      for (const party of PARTIES)
        held[party.toLowerCase()]![`APES#${ape}`] =
          hexToBigInt(results[reads.length]!.returnData) === hexToBigInt(party) ? 1n : 0n;
    return held;
  }

  /** Fills an order. */
  async function fill(placed: Placed, signature: Hex): Promise<Filled> {
    const before = await holdings(placed.ape?.id);
    const call = placed.fill(signature);
    const open = placed.open?.(signature);
    if (open !== undefined) await send(FILLER, open);
    const { logs } = await send(FILLER, call);
    const after = await holdings(placed.ape?.id);
    const changes = Object.fromEntries(
      Object.entries(after).map(([party, amounts]) => [
        party,
        Object.fromEntries(
          Object.entries(amounts)
            .map(([asset, amount]) => [asset, amount - (before[party]?.[asset] ?? 0n)] as const)
            .filter(([, amount]) => amount !== 0n),
        ),
      ]),
    );
    const receivers = logs
      .filter(({ address }) => [USDC, WETH, APES, ITEMS].some((each) => each.toLowerCase() === address.toLowerCase()))
      .flatMap(({ topics }) => {
        // `Transfer` has the receiver as its second indexed value, `TransferSingle` as its third.
        const receiver = topics[0] === TRANSFER ? topics[2] : topics[0] === TRANSFER_SINGLE ? topics[3] : undefined;
        return receiver === undefined ? [] : [`0x${receiver.slice(26)}`.toLowerCase()];
      });
    // What passes through the market itself is not its own.
    return { changes, receivers: [...new Set(receivers)].filter((each) => each !== call.to.toLowerCase()) };
  }

  return {
    url,
    rpc,
    send,
    deploy,
    place,
    approve,
    fund,
    fill,
    /** Makes the NFT of an order, and what it knows before it is drawn. */
    next: (): Moment => {
      serial += 1n;
      // The NFT is made in a block before.
      return { now: now + 2n, serial };
    },
    /** Makes the NFT of an order, or passes the same time. */
    make: ({ ape }: Placed): Promise<unknown> =>
      send(DEPLOYER, ape === undefined ? { to: DEPLOYER } : token(APES, 'mint', [ape.holder, ape.id])),
    /** Lets time pass until then, if it has not. */
    passUntil: (time: bigint): void => {
      if (time > now) now = time;
    },
  };
}

/** The topics of `Transfer(address,address,uint256)` and `TransferSingle(address,address,address,uint256,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const TRANSFER_SINGLE = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';
