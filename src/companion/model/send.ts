import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem';
import { estimateFeesPerGas, estimateGas, getGasPrice } from 'viem/actions';

import { isSmart, shortAddress } from './account-name';
import { type Holdings } from './portfolio';
import { inField, InvalidFieldError } from './errors';
import { networkOfChain } from './network';
import { type NodeClient } from './node';
import { readData } from './read-fields';
import { type Recipient, resolveRecipient } from './recipient';
import { type Token } from './tokens';
import { type Account, type Chain } from './types';
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

/** @returns Whether the network's paymaster service pays the fee, for smart accounts. */
export const isSponsored = (account: Account, chain: Chain): boolean =>
  isSmart(account) && chain.paymasterUrl !== undefined;

/** The gas of a plain transfer, and of a user operation with some calls that may also deploy its account. */
const TRANSFER_GAS = 21_000n;
const OPERATION_GAS = 1_500_000n;

/** The most that one unit of gas may cost now, in wei. */
async function gasPriceOf(node: NodeClient): Promise<bigint> {
  try {
    return (await estimateFeesPerGas(node)).maxFeePerGas;
  } catch {
    // The network has no base fee.
    return getGasPrice(node);
  }
}

/** @returns The most of an asset that an account can send, keeping back what the fee may cost; at least zero. */
export async function mostOf(
  asset: Asset,
  account: Account,
  chain: Chain,
  node: NodeClient,
  balance: bigint,
): Promise<bigint> {
  if (asset.token !== undefined || isSponsored(account, chain)) return balance;
  const fee = (isSmart(account) ? OPERATION_GAS : TRANSFER_GAS) * (await gasPriceOf(node));
  return balance > fee ? balance - fee : 0n;
}

/** @returns What sending is likely to cost, in wei; undefined if the node cannot tell. */
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
      ...transfers.map(({ call }) => estimateGas(node, { account: account.address as Address, ...call })),
    ]);
    return price * gas.reduce((total, each) => total + each, 0n);
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
