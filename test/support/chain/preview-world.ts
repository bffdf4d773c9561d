import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  type Abi,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  parseEther,
  toHex as viemToHex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

import { NodeClient } from '../../../src/clients/node';
import { PERMIT2 } from '../../../src/core/simulation/asset-logs';
import {
  type CallGas,
  type Changes,
  type SimulatedCall,
  type Simulation,
} from '../../../src/core/decode/effects/outcome';
import { DELEGATES } from '../../../src/core/erc4337/delegates';
import { ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { KIND_NAMES, type KindName, KINDS } from '../../../src/core/kinds';
import { operationCalls } from '../../../src/core/erc4337/operation-calls';
import { DELEGATED_KINDS } from '../../../src/core/erc4337/simple-account/delegated';
import { type Call } from '../../../src/core/erc4337/user-operation';
import { delegationCode } from '../../../src/core/eth/authorization';
import { type Log } from '../../../src/core/schemas/receipt';
import { startAnvil } from '../../../src/devnet/anvil';
import { writeFirstState } from '../../../src/devnet/chain/state';
import { anvilRpc, DEPLOYER, type Receipt } from './anvil-rpc';
import { chainClient } from './contracts';
import { compilePreviewContracts, type Contract, uniswapFactory } from './preview-contracts';

export const CHAIN_ID = 31_337n;
export const OWNER_KEY: Hex = `0x${'51'.repeat(32)}`;
export const PERSON: Hex = '0x90f79bf6eb2c4f870365e785982e1f101e93b906';
/** Above what any of the calls uses, so that anvil does not estimate, and mines what fails. */
const GAS_LIMIT = 3_000_000n;
const GAS = viemToHex(GAS_LIMIT);
/** What a wallet offers. */
const CALL_GAS: CallGas = { limit: GAS_LIMIT, maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };

export const UNIT = 10n ** 18n;
/** How many NFTs each account begins with. */
const NFTS = 12n;
export const ITEM_IDS = [1n, 2n, 3n];

/** An account of any kind, with the assets of the test. */
export type Holder = {
  /**
   * `delegated` is an externally owned account that has a delegate (EIP-7702), at entry point 0.8; `upgraded` is one
   * that gets it in the transaction that makes the calls.
   */
  readonly name: KindName | 'eoa' | 'delegated' | 'upgraded';
  readonly address: Hex;
  /** The first NFT that is its own; as many follow as no other account has. */
  readonly firstNft: bigint;
  /** @returns What the wallet would simulate. */
  readonly simulation: (calls: readonly Call[]) => Simulation;
  /** Whether this kind can execute the calls at all. */
  readonly canExecute: (calls: readonly Call[]) => boolean;
  /**
   * Executes them on the chain.
   *
   * @returns The index of the transaction that fails, the fees that the account paid, and what contracts logged, of an
   * account that makes all calls in one transaction.
   */
  readonly execute: (calls: readonly Call[]) => Promise<{
    readonly failed: number | undefined;
    readonly fees: bigint;
    readonly logs?: readonly Log[];
  }>;
};

/** What an account holds and allows, by names that {@link namesOf} gives to what is previewed. */
export type Holdings = {
  readonly amounts: ReadonlyMap<string, bigint>;
  readonly allowances: ReadonlyMap<string, bigint>;
};

type Deployed = { readonly address: Hex; readonly abi: Abi };

/**
 * Starts a chain with the devnet's contracts, those of the test, and an account of each kind that holds some of each
 * asset.
 */
export async function startPreviewWorld() {
  const compiled = compilePreviewContracts();
  const directory = mkdtempSync(join(tmpdir(), 'keystead-preview-'));
  const state = join(directory, 'state.json');
  writeFirstState(state);
  const anvil = await startAnvil({ state });
  const stop = async (): Promise<void> => {
    await anvil.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    return { ...(await prepare(anvil.url, compiled)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function prepare(url: string, compiled: Readonly<Record<string, Contract>>) {
  const rpc = await anvilRpc(url);
  const chain = chainClient(url);

  const send = async (from: Hex, call: { to?: Hex; value?: bigint; data: Hex }): Promise<Receipt> => {
    return rpc<Receipt>('eth_sendTransactionSync', [{ from, gas: GAS, ...call, value: viemToHex(call.value ?? 0n) }]);
  };
  const sendOrFail = async (from: Hex, call: { to?: Hex; value?: bigint; data: Hex }): Promise<Receipt> => {
    const receipt = await send(from, call);
    if (receipt.status !== '0x1') throw new Error(`setting up failed: ${JSON.stringify(call).slice(0, 200)}`);
    return receipt;
  };
  const contract = (name: string): Contract => {
    const found = compiled[name];
    if (found === undefined) throw new Error(`no contract ${name}`);
    return found;
  };
  const deployCode = async (abi: Abi, bytecode: Hex, args: readonly unknown[] = []): Promise<Deployed> => {
    const data = encodeDeployData({ abi, bytecode, args });
    const { contractAddress, status } = await rpc<Receipt>('eth_sendTransactionSync', [
      { from: DEPLOYER, data, gas: viemToHex(16_000_000n) },
    ]);
    if (contractAddress === null || status !== '0x1') throw new Error('nothing was deployed');
    return { address: contractAddress, abi };
  };
  const deploy = (name: string, args: readonly unknown[] = []): Promise<Deployed> =>
    deployCode(contract(name).abi, contract(name).bytecode, args);

  const gold = await deploy('TestToken', ['GOLD', 18]);
  const contracts = {
    gold,
    usd: await deploy('TestToken', ['USD', 6]),
    noReturn: await deploy('NoReturnToken'),
    fee: await deploy('FeeToken'),
    rebasing: await deploy('RebasingToken'),
    lying: await deploy('LyingToken'),
    nft: await deploy('TestNft'),
    items: await deploy('TestMultiToken'),
    weth: await deploy('WETH9'),
    router: await deploy('Router'),
    multicall: await deploy('Multicall3'),
    drainer: await deploy('Drainer'),
    coins: await deploy('Coins'),
    once: await deploy('Once'),
    bait: await deploy('Bait', [gold.address]),
    spam: await deploy('SpamToken'),
    old: await deploy('OldToken'),
    permit2: { address: PERMIT2, abi: contract('MinimalPermit2').abi },
    factory: await deployCode(uniswapFactory().abi, uniswapFactory().bytecode, [DEPLOYER]),
  };
  const proxy = await deploy('OnceProxy', [contracts.once.address]);
  await rpc('anvil_setCode', [PERMIT2, contract('MinimalPermit2').runtime]);

  type Name = keyof typeof contracts;
  /** A call of a contract of the test. */
  const call = (name: Name, functionName: string, args: readonly unknown[] = [], value = 0n): Call => ({
    to: contracts[name].address,
    value,
    data: encodeFunctionData({ abi: contracts[name].abi, functionName, args }),
  });
  const read = async <T>(name: Name, functionName: string, args: readonly unknown[] = []): Promise<T> => {
    const { to, data } = call(name, functionName, args);
    const answer = await rpc<Hex>('eth_call', [{ to, data }, 'latest']);
    return decodeFunctionResult({ abi: contracts[name].abi, functionName, data: answer }) as T;
  };

  /** A pool with a million of each. */
  const pool = async (a: Name, b: Name): Promise<Hex> => {
    const tokens = [contracts[a].address, contracts[b].address];
    await sendOrFail(DEPLOYER, call('factory', 'createPair', tokens));
    const pair = await read<Hex>('factory', 'getPair', tokens);
    for (const name of [a, b])
      await sendOrFail(
        DEPLOYER,
        name === 'weth' ? call('weth', 'transfer', [pair, 100n * UNIT]) : call(name, 'mint', [pair, 1_000_000n * UNIT]),
      );
    const mint = encodeFunctionData({
      abi: [
        { type: 'function', name: 'mint', stateMutability: 'nonpayable', inputs: [{ type: 'address' }], outputs: [] },
      ],
      args: [DEPLOYER],
    });
    await sendOrFail(DEPLOYER, { to: pair, data: mint });
    return pair;
  };
  await sendOrFail(DEPLOYER, call('weth', 'deposit', [], 200n * UNIT));
  const pools = { goldUsd: await pool('gold', 'usd'), goldWeth: await pool('gold', 'weth') };
  await sendOrFail(DEPLOYER, call('rebasing', 'mint', [contracts.multicall.address, 1_000n * UNIT]));

  const eoaAccount = privateKeyToAccount(OWNER_KEY);
  const owner = eoaAccount.address;

  async function provide(address: Hex, firstNft: bigint): Promise<void> {
    await rpc('anvil_setBalance', [address, viemToHex(parseEther('1000'))]);
    for (const name of ['gold', 'usd', 'noReturn', 'fee', 'rebasing'] as const)
      await sendOrFail(DEPLOYER, call(name, 'mint', [address, 100_000n * UNIT]));
    for (let at = 0n; at < NFTS; at++) await sendOrFail(DEPLOYER, call('nft', 'mint', [address, firstNft + at]));
    for (const id of ITEM_IDS) await sendOrFail(DEPLOYER, call('items', 'mint', [address, id, 1_000n]));
    await sendOrFail(address, call('weth', 'deposit', [], 50n * UNIT));
  }

  const eoa: Holder = {
    name: 'eoa',
    address: owner,
    firstNft: 100n,
    simulation: (calls) => ({
      chainId: CHAIN_ID,
      account: owner,
      calls: calls.map((one): SimulatedCall => ({ from: owner, ...one, gas: CALL_GAS })),
    }),
    canExecute: () => true,
    execute: async (calls) => {
      let fees = 0n;
      for (const [at, one] of calls.entries()) {
        const { status, gasUsed, effectiveGasPrice } = await send(owner, one);
        fees += hexToBigInt(gasUsed) * hexToBigInt(effectiveGasPrice);
        if (status !== '0x1') return { failed: at, fees };
      }
      return { failed: undefined, fees };
    },
  };
  await provide(owner, eoa.firstNft);

  /** @returns A deployed smart account. Its entry point executes what it is sent, without validating it. */
  async function smartAccount(name: KindName, at: number): Promise<Holder> {
    const kind = KINDS[name];
    const deployment = { factory: kind.factory, owner, salt: 0n };
    const address = kind.address(deployment);
    const entryPoint = kind.entryPoint ?? ENTRY_POINTS[kind.entryPointVersion];
    const operation = { sender: address, initCode: kind.initCode(deployment), callData: '0x' } as const;
    const [creation] = operationCalls(operation, { entryPoint });
    if (creation === undefined) throw new Error('no deployment');
    for (const from of [creation.from, entryPoint])
      await rpc('anvil_setBalance', [from, viemToHex(parseEther('1000'))]);
    await sendOrFail(creation.from, creation);
    if ((await rpc<Hex>('eth_getCode', [address, 'latest'])) === '0x') throw new Error(`no account of ${name}`);
    const firstNft = 100n * BigInt(at + 2);
    await provide(address, firstNft);
    const executionOf = (calls: readonly Call[]) =>
      operationCalls({ sender: address, initCode: '0x', callData: kind.encodeCalls(calls) }, { entryPoint });
    return {
      name,
      address,
      firstNft,
      simulation: (calls) => ({ chainId: CHAIN_ID, account: address, calls: executionOf(calls) }),
      canExecute: (calls) =>
        name !== 'simple-account-0.6' || calls.length === 1 || calls.every(({ value }) => value === 0n),
      execute: async (calls) => {
        const [execution] = executionOf(calls);
        if (execution === undefined) throw new Error('no call');
        const { status } = await send(entryPoint, execution);
        return { failed: status === '0x1' ? undefined : 0, fees: 0n };
      },
    };
  }
  const holders = [eoa];
  for (const [at, name] of KIND_NAMES.entries()) holders.push(await smartAccount(name, at));

  const { encodeCalls } = DELEGATED_KINDS['0.8'];
  const delegate = DELEGATES['0.8'];

  /** @returns An account whose delegate executes what the entry point sends it. */
  async function delegated(firstNft: bigint): Promise<Holder> {
    const { address } = privateKeyToAccount(`0x${'52'.repeat(32)}`);
    const entryPoint = ENTRY_POINTS['0.8'];
    await provide(address, firstNft);
    await rpc('anvil_setCode', [address, delegationCode(delegate)]);
    const executionOf = (calls: readonly Call[]) =>
      operationCalls({ sender: address, initCode: '0x', callData: encodeCalls(calls) }, { entryPoint });
    return {
      name: 'delegated',
      address,
      firstNft,
      simulation: (calls) => ({ chainId: CHAIN_ID, account: address, calls: executionOf(calls) }),
      canExecute: () => true,
      execute: async (calls) => {
        const [execution] = executionOf(calls);
        if (execution === undefined) throw new Error('no call');
        const { status, logs } = await send(entryPoint, execution);
        return { failed: status === '0x1' ? undefined : 0, fees: 0n, logs };
      },
    };
  }

  /** @returns An account that is delegated by a transaction of type 4 to itself. */
  async function upgraded(firstNft: bigint): Promise<Holder> {
    const account = privateKeyToAccount(`0x${'53'.repeat(32)}`);
    const { address } = account;
    await provide(address, firstNft);
    return {
      name: 'upgraded',
      address,
      firstNft,
      simulation: (calls) => ({
        chainId: CHAIN_ID,
        account: address,
        calls: [{ from: address, to: address, value: 0n, data: encodeCalls(calls) }],
        delegations: [{ authority: address, address: delegate }],
      }),
      canExecute: () => true,
      execute: async (calls) => {
        const chainId = Number(CHAIN_ID);
        const nonce = await chain.getTransactionCount({ address });
        const authorization = { chainId, address: delegate, nonce: nonce + 1 };
        const raw = await account.signTransaction({
          type: 'eip7702',
          chainId,
          nonce,
          to: address,
          data: encodeCalls(calls),
          gas: hexToBigInt(GAS),
          maxFeePerGas: 10n ** 11n,
          maxPriorityFeePerGas: 1n,
          authorizationList: [await account.signAuthorization(authorization)],
        });
        const { status, gasUsed, effectiveGasPrice } = await rpc<Receipt>('eth_sendRawTransactionSync', [raw]);
        const fees = hexToBigInt(gasUsed) * hexToBigInt(effectiveGasPrice);
        return { failed: status === '0x1' ? undefined : 0, fees };
      },
    };
  }
  const nextNft = (): bigint => 100n * BigInt(holders.length + 1);
  holders.push(await delegated(nextNft()));
  holders.push(await upgraded(nextNft()));

  const nftIds = [...holders.flatMap(({ firstNft }) => Array.from({ length: 20 }, (_, at) => firstNft + BigInt(at)))];
  const fungible = ['gold', 'usd', 'noReturn', 'fee', 'rebasing', 'lying', 'weth'] as const;
  const spenders = ['drainer', 'router', 'permit2'] as const;
  const approvable = ['gold', 'usd', 'noReturn', 'fee', 'weth'] as const;

  /** Reads everything that the account holds and allows, in one call. */
  async function holdingsOf({ address, firstNft }: Holder): Promise<Holdings> {
    const amounts: [string, Call][] = [
      ['native', call('multicall', 'getEthBalance', [address])],
      ...fungible.map((name): [string, Call] => [
        `erc20 ${contracts[name].address}`,
        call(name, 'balanceOf', [address]),
      ]),
      ...nftIds.map((id): [string, Call] => [`erc721 ${contracts.nft.address}/${id}`, call('nft', 'ownerOf', [id])]),
      ...ITEM_IDS.map((id): [string, Call] => [
        `erc1155 ${contracts.items.address}/${id}`,
        call('items', 'balanceOf', [address, id]),
      ]),
    ];
    const ownNfts = nftIds.filter((id) => id >= firstNft && id < firstNft + 20n);
    const allowances: [string, Call][] = spenders.flatMap((spender): [string, Call][] => {
      const to = contracts[spender].address.toLowerCase();
      return [
        ...approvable.map((name): [string, Call] => [
          `amount ${contracts[name].address} ${to}`,
          call(name, 'allowance', [address, to]),
        ]),
        ...ownNfts.map((id): [string, Call] => [
          `nft ${contracts.nft.address}/${id} ${to}`,
          call('nft', 'getApproved', [id]),
        ]),
        ...(['nft', 'items'] as const).map((name): [string, Call] => [
          `everything ${contracts[name].address} ${to}`,
          call(name, 'isApprovedForAll', [address, to]),
        ]),
      ];
    });
    allowances.push([
      `permit2 ${contracts.gold.address} ${contracts.drainer.address.toLowerCase()}`,
      call('permit2', 'allowance', [address, contracts.gold.address, contracts.drainer.address]),
    ]);
    const wanted = [...amounts, ...allowances];
    const results = await read<readonly { success: boolean; returnData: Hex }[]>('multicall', 'aggregate3Value', [
      wanted.map(([, { to, data }]) => ({ target: to, allowFailure: true, value: 0n, callData: data })),
    ]);
    const words = new Map(
      wanted.map(([name], at) => {
        const { success, returnData } = results[at]!;
        return [name, success ? hexToBigInt(returnData.slice(0, 66) as Hex) : 0n];
      }),
    );
    const own = hexToBigInt(address);
    return {
      amounts: new Map(
        amounts.map(([name]) => [
          name,
          name.startsWith('erc721') ? (words.get(name) === own ? 1n : 0n) : words.get(name)!,
        ]),
      ),
      allowances: new Map(
        allowances.map(([name]) => {
          const word = words.get(name)!;
          return [name, name.startsWith('nft') ? (word === BigInt(name.split(' ')[2]!) ? 1n : 0n) : word];
        }),
      ),
    };
  }

  return {
    node: new NodeClient({ url }),
    url,
    rpc,
    send,
    call,
    holders,
    contracts,
    compiled,
    proxy: proxy.address,
    pools,
    eoaAccount,
    holdingsOf,
  };
}
export type PreviewWorld = Awaited<ReturnType<typeof startPreviewWorld>>;

/** What a preview says, under the names of {@link Holdings}. */
export function namesOf({ sends, receives, allows }: Changes) {
  const nameOf = ({ asset }: Changes['sends'][number]): string => {
    if (asset.kind === 'native') return 'native';
    return asset.kind === 'erc20' ? `erc20 ${asset.token}` : `${asset.kind} ${asset.token}/${asset.id}`;
  };
  const moved = [
    ...sends.map((one): [string, bigint] => [nameOf(one), -one.amount]),
    ...receives.map((one): [string, bigint] => [nameOf(one), one.amount]),
  ];
  const allowed = allows.map((one): [string, bigint] => {
    const token = one.kind === 'nft' ? `${one.token}/${one.id}` : one.token;
    return [`${one.kind} ${token} ${one.spender}`, one.kind === 'amount' ? one.amount : 1n];
  });
  return { moved, allowed };
}
