import { type AssetEvents, changesOf, type Grant, type Movement } from '../core/simulation/asset-logs';
import { declaredCollection, declaredToken } from '../core/decode/metadata/declared-token';
import { type Allowance, type Changes } from '../core/decode/effects/outcome';
import { isSameAddress } from '../core/eth/address';
import { type Hex } from '../core/eth/bytes';

/** A call that reads something from a contract. */
export type Read = { readonly to: Hex; readonly data: Hex };
/** The result of a read, or undefined if it failed. */
export type ReadResult = Hex | undefined;

const SELECTORS = {
  balanceOf: '70a08231',
  balanceOfId: '00fdd58e',
  ownerOf: '6352211e',
  allowance: 'dd62ed3e',
  permit2Allowance: '927da105',
  getApproved: '081812fc',
  isApprovedForAll: 'e985e9c5',
  symbol: '95d89b41',
  decimals: '313ce567',
  name: '06fdde03',
  totalSupply: '18160ddd',
} as const;

/** The reads of what a token states about itself: its symbol, decimals, name and total supply. */
const READS_OF_TOKEN = 4;

/** Encodes a call whose arguments are single words. */
function readOf(to: Hex, name: keyof typeof SELECTORS, ...words: readonly (Hex | bigint)[]): Read {
  const args = words.map((word) => (typeof word === 'bigint' ? word.toString(16) : word.slice(2)).padStart(64, '0'));
  return { to, data: `0x${SELECTORS[name]}${args.join('')}` };
}

/** The first word of a result. Contracts return nothing for functions that they do not have. */
const wordOf = (result: ReadResult): bigint | undefined =>
  result === undefined || result.length < 66 ? undefined : BigInt(result.slice(0, 66));

/** The holding of the account: an amount, or the word of an NFT's owner. */
function holdingRead({ token, ...asset }: Movement['asset'], account: Hex): Read {
  if (asset.kind === 'erc20') return readOf(token, 'balanceOf', account);
  return asset.kind === 'erc721' ? readOf(token, 'ownerOf', asset.id) : readOf(token, 'balanceOfId', account, asset.id);
}

/** The change of the holding, or undefined if it cannot be read. */
function difference(asset: Movement['asset'], account: Hex, before: ReadResult, after: ReadResult): bigint | undefined {
  const [was, is] = [wordOf(before), wordOf(after)];
  if (asset.kind === 'erc721') {
    // An NFT that does not exist, before it is minted or after it is burned, has no owner to read.
    if (was === undefined && is === undefined) return undefined;
    const own = BigInt(account);
    return (is === own ? 1n : 0n) - (was === own ? 1n : 0n);
  }
  if (is === undefined) return undefined;
  // A call to an address without code succeeds and returns nothing: the token is created in between.
  if (before === '0x') return is;
  return was === undefined ? undefined : is - was;
}

function grantRead({ holder, allowance }: Grant, account: Hex): Read {
  switch (allowance.kind) {
    case 'amount':
      return isSameAddress(holder, allowance.token)
        ? readOf(holder, 'allowance', account, allowance.spender)
        : readOf(holder, 'permit2Allowance', account, allowance.token, allowance.spender);
    case 'nft':
      return readOf(holder, 'getApproved', allowance.id);
    case 'everything':
      return readOf(holder, 'isApprovedForAll', account, allowance.spender);
  }
}

/** The allowance as it is read; as it was logged if it cannot be read; undefined if there is none. */
function trueAllowance({ allowance }: Grant, result: ReadResult): Allowance | undefined {
  const word = wordOf(result);
  if (word === undefined) return allowance;
  switch (allowance.kind) {
    case 'amount':
      return word === 0n ? undefined : { ...allowance, amount: word };
    case 'nft':
      return word === BigInt(allowance.spender) ? allowance : undefined;
    case 'everything':
      return word === 0n ? undefined : allowance;
  }
}

/**
 * The reads that tell what really changes, whatever the logs say: balances before and after, allowances after, and what
 * the tokens say of themselves.
 */
export class Reads {
  readonly before: readonly Read[];
  readonly after: readonly Read[];
  readonly #events: AssetEvents;
  readonly #account: Hex;
  readonly #movements: readonly Movement[];
  readonly #declaring: readonly Hex[];

  constructor(events: AssetEvents, account: Hex) {
    this.#events = events;
    this.#account = account;
    this.#movements = [
      ...events.movements,
      ...events.bystanders.map((token) => ({ asset: { kind: 'erc20', token } as const, net: 0n })),
    ];
    this.before = this.#movements.map(({ asset }) => holdingRead(asset, account));
    const tokens = [
      ...this.#movements.map(({ asset }) => asset.token),
      ...events.grants.map(({ allowance }) => allowance.token),
    ];
    this.#declaring = [...new Set(tokens)];
    this.after = [
      ...this.before,
      ...events.grants.map((grant) => grantRead(grant, account)),
      ...this.#declaring.flatMap((token) => [
        readOf(token, 'symbol'),
        readOf(token, 'decimals'),
        readOf(token, 'name'),
        readOf(token, 'totalSupply'),
      ]),
    ];
  }

  /** Whether there is anything to read. */
  get isEmpty(): boolean {
    return this.after.length === 0;
  }

  /**
   * @param before - The results of the reads before, in order.
   * @param after - Those of the reads after.
   * @param native - The net change of the account's coins, in wei.
   */
  changes(
    before: readonly ReadResult[],
    after: readonly ReadResult[],
    { native, creates }: Pick<AssetEvents, 'native'> & Pick<Changes, 'creates'>,
  ): Changes {
    const allowancesAt = this.#movements.length;
    const declaredAt = allowancesAt + this.#events.grants.length;
    const declaredOf = (token: Hex): readonly ReadResult[] => {
      const at = declaredAt + READS_OF_TOKEN * this.#declaring.indexOf(token);
      return after.slice(at, at + READS_OF_TOKEN);
    };
    const movements = this.#movements.map(({ asset, net, isNew }, at) => ({
      asset: withDeclared(asset, declaredOf(asset.token)),
      // What nobody can read is believed if it is a loss. Any contract can log that it gave something.
      net: difference(asset, this.#account, before[at], after[at]) ?? (net < 0n ? net : 0n),
      ...(isNew && { isNew }),
      ...(asset.kind === 'erc20' && wordOf(after[at]) === 0n && { isAll: true }),
    }));
    const allows = this.#events.grants.flatMap((grant, at) => {
      const allowance = trueAllowance(grant, after[allowancesAt + at]);
      if (allowance?.kind !== 'amount') return allowance ?? [];
      const [symbol, decimals, , supply] = declaredOf(allowance.token);
      const declared = declaredToken(symbol, decimals, supply);
      return { ...allowance, ...(declared && { declared }) };
    });
    return changesOf({ native, movements, allows, creates });
  }
}

function withDeclared(asset: Movement['asset'], results: readonly ReadResult[]): Movement['asset'] {
  const [symbol, decimals, name, supply] = results;
  if (asset.kind === 'erc20') {
    const declared = declaredToken(symbol, decimals, supply);
    return declared === undefined ? asset : { ...asset, declared };
  }
  const declared = declaredCollection(name);
  return declared === undefined ? asset : { ...asset, declared };
}
