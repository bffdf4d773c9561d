import { type Address, encodeFunctionData, erc20Abi, type Hex, toHex } from 'viem';
import {
  estimateMaxPriorityFeePerGas,
  getBalance,
  getBlock,
  getCode,
  getGasPrice,
  getTransactionCount,
} from 'viem/actions';

import { entryOf } from '../../core/decode/metadata/contract-metadata';
import { InvalidIntentError } from '../../core/erc4337/invalid-intent';
import { KINDS } from '../../core/kinds';
import { withGasMargin } from '../../core/erc4337/user-operation';
import { isSmart, shortAddress } from './account-name';
import { type Holdings } from './portfolio';
import { inField, InvalidFieldError } from './errors';
import { networkOfChain } from './network';
import { estimateGas, type NodeClient } from './node';
import { readData } from './read-fields';
import { type Recipient, resolveRecipient } from './recipient';
import { type Token } from './tokens';
import { type Account, type Chain } from './types';
import { payerOf, type Usable } from './usable';
import { COIN_DECIMALS, formatAmount, parseAmount } from './units';

/** One transfer or call as it is entered. */
export type Row = {
  readonly id: number;
  readonly to: string;
  /** The address of a token; empty for the network's coin. */
  readonly token: string;
  readonly amount: string;
  readonly data: string;
};

export const emptyRow = (id: number, token = ''): Row => ({ id, to: '', token, amount: '', data: '' });

/** One transfer or call as it will be sent. */
export type Transfer = {
  readonly recipient: Recipient;
  readonly token: Token | undefined;
  /** In the smallest unit of the token or coin. */
  readonly amount: bigint;
  readonly call: { readonly to: Address; readonly value: bigint; readonly data: Hex };
};

/** @returns What is sent, and to whom, in one line. */
export const transferLine = ({ recipient, token, amount }: Transfer, chain: Chain): string =>
  `${formatAmount(amount, token?.decimals)} ${token?.symbol ?? networkOfChain(chain).symbol} to ${recipient.name ?? shortAddress(recipient.address)}`;

/** Something that can be spent: the coin, or one of the tokens. */
export type Asset = { readonly token: Token | undefined; readonly symbol: string; readonly decimals: number };

/** @returns The coin of the network, then its watched tokens. */
export const assetsOf = (chain: Chain, tokens: readonly Token[]): readonly Asset[] => [
  { token: undefined, symbol: networkOfChain(chain).symbol, decimals: COIN_DECIMALS },
  ...tokens.map((token) => ({ token, symbol: token.symbol, decimals: token.decimals })),
];

export const assetOf = (row: Pick<Row, 'token'>, assets: readonly Asset[]): Asset =>
  assets.find(({ token }) => (token?.address ?? '') === row.token) ?? (assets[0] as Asset);

type TransferContext = {
  readonly chain: Chain;
  readonly node: NodeClient;
  readonly assets: readonly Asset[];
  readonly accounts: readonly Account[];
  readonly contacts: Parameters<typeof resolveRecipient>[1]['contacts'];
};

/**
 * Reads what was entered, and looks up names.
 *
 * @throws {InvalidFieldError} If a field is invalid; the message names it, and the call if there are several.
 */
export async function readTransfers(rows: readonly Row[], context: TransferContext): Promise<readonly Transfer[]> {
  const transfers: Transfer[] = [];
  for (const [index, row] of rows.entries()) {
    const suffix = rows.length === 1 ? '' : ` (call ${index + 1})`;
    const { token, symbol, decimals } = assetOf(row, context.assets);
    const recipient = await inField(`to-${row.id}`, () => resolveRecipient(row.to.trim(), context, `To${suffix}`));
    const amount = row.amount.trim() === '' && row.data !== '' ? 0n : parseAmount(row.amount, decimals);
    if (amount === undefined)
      throw new InvalidFieldError(
        `amount-${row.id}`,
        `Amount${suffix}: must be an amount of ${symbol}, such as 0.1, with at most ${decimals} decimals`,
      );
    const to = recipient.address;
    const call =
      token === undefined
        ? {
            to,
            value: amount,
            data: await inField(`data-${row.id}`, () => readData(row.data.trim(), `Data${suffix}`)),
          }
        : {
            to: token.address,
            value: 0n,
            data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
          };
    transfers.push({ recipient, token, amount, call });
  }
  return transfers;
}

/** @throws {InvalidFieldError} If this kind of account cannot make these calls at once; names the amount. */
export function assertAtOnce(rows: readonly Row[], transfers: readonly Transfer[], { options }: Account): void {
  try {
    entryOf(KINDS, String(options.kind))?.encodeCalls(transfers.map(({ call }) => call));
  } catch (error) {
    if (!(error instanceof InvalidIntentError)) throw error;
    const { index } = error;
    throw new InvalidFieldError(
      `amount-${rows[index]?.id}`,
      `Amount (call ${index + 1}): must be 0, because this kind of account sends coins only by themselves`,
    );
  }
}

/** @returns Whether the network's paymaster service pays the fee. */
export const isSponsored = (from: Usable, chain: Chain): boolean => payerOf(from, chain) === 'paymaster';

/** Who pays the network fee, for people. */
export const PAYERS = {
  paymaster: 'The paymaster service of the network pays the network fee.',
  account: 'The account pays the network fee.',
  unsure: 'Keystead shows who pays the network fee before you approve.',
} as const;

/** @returns Who pays the network fee, for people. */
export const payerText = (from: Usable, chain: Chain): string => PAYERS[payerOf(from, chain)];

/** The most that one unit of gas may cost now, in wei: what Keystead offers. */
async function gasPriceOf(node: NodeClient): Promise<bigint> {
  const { baseFeePerGas } = await getBlock(node);
  if (baseFeePerGas === null) return getGasPrice(node);
  return 2n * baseFeePerGas + (await estimateMaxPriorityFeePerGas(node));
}

/** An address that no account has. */
const freshAddress = (): Address => toHex(crypto.getRandomValues(new Uint8Array(20)));

/** @returns What it takes to bring an account into being by sending to its address, in gas; zero where it is free. */
async function creationGas(node: NodeClient, from: Address, to: Address): Promise<bigint> {
  const [sent, empty] = await Promise.all([1n, 0n].map((value) => estimateGas(node, { from, to, value })));
  return sent !== undefined && empty !== undefined && sent > empty ? sent - empty : 0n;
}

/** Gas of a user operation with some calls that may also deploy its account, where state has no price of its own. */
const OPERATION_GAS = 1_500_000n;
/** What it creates then, compared with an account: code, and about nine storage slots (EIP-8037). */
const ACCOUNTS_CREATED = 10n;

/** The gas that Keystead sets for sending coins. A recipient that is not known yet may be a new account. */
async function gasOfSending(account: Account, to: Address, balance: bigint, node: NodeClient): Promise<bigint> {
  const from = account.address as Address;
  // A node that cannot tell has no price for state yet.
  if (isSmart(account))
    return OPERATION_GAS + ACCOUNTS_CREATED * (await creationGas(node, from, freshAddress()).catch(() => 0n));
  return withGasMargin(await estimateGas(node, { from, to, value: balance / 2n }));
}

/**
 * @param to - The recipient, if it is known.
 * @returns The most of an asset that an account can send, keeping back what the fee may cost; at least zero.
 * @throws If the node does not respond, or says that sending fails.
 */
export async function mostOf(
  asset: Asset,
  from: Usable,
  chain: Chain,
  node: NodeClient,
  balance: bigint,
  to?: Address,
): Promise<bigint> {
  if (asset.token !== undefined || balance === 0n || isSponsored(from, chain)) return balance;
  const [gas, price] = await Promise.all([
    gasOfSending(from.account, to ?? freshAddress(), balance, node),
    gasPriceOf(node),
  ]);
  const fee = gas * price;
  return balance > fee ? balance - fee : 0n;
}

/** @returns Whether nothing is at an address, so that sending coins to it creates an account (EIP-161). */
async function isNew(node: NodeClient, address: Address): Promise<boolean> {
  const [balance, nonce, code] = await Promise.all([
    getBalance(node, { address }),
    getTransactionCount(node, { address }),
    getCode(node, { address }),
  ]);
  return balance === 0n && nonce === 0 && (code === undefined || code === '0x');
}

/**
 * @returns What it costs to create the accounts that coins are sent to, in wei; zero if all exist, or the network does
 *   not charge for it; undefined if the node cannot tell.
 */
export async function creationCostOf(
  transfers: readonly Transfer[],
  account: Account,
  node: NodeClient,
): Promise<bigint | undefined> {
  const paid = transfers.filter(({ call }) => call.value > 0n).map(({ call }) => call.to);
  try {
    const gas = await Promise.all(
      [...new Set(paid)].map(async (to) =>
        (await isNew(node, to)) ? creationGas(node, account.address as Address, to) : 0n,
      ),
    );
    const total = gas.reduce((sum, each) => sum + each, 0n);
    return total === 0n ? 0n : total * (await gasPriceOf(node));
  } catch {
    return undefined;
  }
}

/** @returns The most that sending costs with what Keystead offers, in wei; undefined if the node cannot tell. */
export async function feeOf(
  transfers: readonly Transfer[],
  account: Account,
  node: NodeClient,
): Promise<bigint | undefined> {
  // The bundler estimates user operations, and Keystead shows its fee before anything is signed.
  if (isSmart(account)) return undefined;
  try {
    const [price, ...gas] = await Promise.all([
      gasPriceOf(node),
      ...transfers.map(({ call }) => estimateGas(node, { from: account.address as Address, ...call })),
    ]);
    return price * gas.reduce((total, each) => total + withGasMargin(each), 0n);
  } catch {
    return undefined;
  }
}

/** @returns What is wrong with what an account has, for people; undefined if it has enough. */
export function shortageOf(
  transfers: readonly Transfer[],
  assets: readonly Asset[],
  holdings: Holdings | undefined,
): string | undefined {
  if (holdings === undefined) return undefined;
  for (const [index, { token, symbol, decimals }] of assets.entries()) {
    const wanted = transfers
      .filter((transfer) => transfer.token === token)
      .reduce((total, { amount }) => total + amount, 0n);
    const has = index === 0 ? holdings.coin : (holdings.tokens[index - 1] ?? 0n);
    if (wanted > has)
      return `The account has ${formatAmount(has, decimals)} ${symbol}, and this sends ${formatAmount(wanted, decimals)} ${symbol}.`;
  }
  return undefined;
}
