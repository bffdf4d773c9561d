import { isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { type Allowance, type Asset, type AssetAmount, type Changes, type Outcome } from './outcome';

/** More different assets, permissions or recipients are not collected: a screen shows fewer. */
const MAX_COLLECTED = 200;

/** @returns A key that two assets have in common if they are the same. */
export const keyOfAsset = (asset: Asset): string =>
  asset.kind === 'native' ? 'native' : `${asset.kind}:${asset.token.toLowerCase()}:${'id' in asset ? asset.id : ''}`;

const keyOfAllowance = (allowance: Allowance): string =>
  `${allowance.kind}:${allowance.token}:${allowance.spender}:${'id' in allowance ? allowance.id : ''}`.toLowerCase();

/** Somebody who is sent an asset, or a contract that is sent data. */
export type Met = { readonly address: Hex; readonly sent?: AssetAmount };

type Parties = { readonly from: Hex | undefined; readonly to: Hex | undefined };

const isAt = (account: Hex, party: Hex | undefined): boolean => party !== undefined && isSameAddress(party, account);

/** What a request does to the assets of the account that signs, collected while it is decoded. */
export class Effects {
  readonly #sends = new Map<string, AssetAmount>();
  readonly #receives = new Map<string, AssetAmount>();
  readonly #allows = new Map<string, Allowance>();
  readonly #met = new Map<string, Met>();
  #isComplete = true;

  /** Keeps an entry, unless there are too many. */
  #keep<Entry>(entries: Map<string, Entry>, key: string, entry: Entry): void {
    if (entries.has(key) || entries.size < MAX_COLLECTED) entries.set(key, entry);
    else this.#isComplete = false;
  }

  #add(amounts: Map<string, AssetAmount>, asset: Asset, amount: bigint): void {
    const key = keyOfAsset(asset);
    this.#keep(amounts, key, { asset, amount: (amounts.get(key)?.amount ?? 0n) + amount });
  }

  /**
   * An asset moves. It counts if it leaves or reaches the account.
   *
   * @param account - The account that signs.
   * @param parties - Undefined where a party is not known.
   * @param amount - wei, the token's smallest unit, or the number of NFTs.
   */
  move(account: Hex, { from, to }: Parties, asset: Asset, amount: bigint): void {
    const [leaves, arrives] = [isAt(account, from), isAt(account, to)];
    if (leaves === arrives || amount === 0n) return;
    this.#add(leaves ? this.#sends : this.#receives, asset, amount);
    if (!leaves || to === undefined) return;
    const key = `${to}:${keyOfAsset(asset)}`.toLowerCase();
    const before = this.#met.get(key)?.sent?.amount ?? 0n;
    this.#keep(this.#met, key, { address: to, sent: { asset, amount: before + amount } });
  }

  /** The account sends a contract data. */
  call(account: Hex, { from, to }: Parties): void {
    if (to !== undefined && isAt(account, from)) this.#keep(this.#met, to.toLowerCase(), { address: to });
  }

  /** The owner lets somebody use its assets. It counts if the owner is the account. */
  allow(account: Hex, owner: Hex | undefined, allowance: Allowance): void {
    const gives = allowance.kind !== 'amount' || allowance.amount > 0n;
    if (gives && isAt(account, owner)) this.#keep(this.#allows, keyOfAllowance(allowance), allowance);
  }

  get changes(): Changes {
    return {
      sends: [...this.#sends.values()],
      receives: [...this.#receives.values()],
      allows: [...this.#allows.values()],
      creates: [],
    };
  }

  /** Who is sent assets, one entry for each asset, and which contracts are sent data. */
  get met(): readonly Met[] {
    return [...this.#met.values()];
  }

  /** Whether everything was collected. */
  get isComplete(): boolean {
    return this.#isComplete;
  }
}

/**
 * What decoding and simulation find together. A simulation knows the amounts better. Decoding knows permissions that a
 * contract does not report.
 */
export function combined(decoded: Changes, simulated: Changes): Changes {
  const allows = new Map(decoded.allows.map((allowance) => [keyOfAllowance(allowance), allowance]));
  for (const allowance of simulated.allows) {
    const key = keyOfAllowance(allowance);
    const before = allows.get(key);
    // The larger of the two: a contract may report less than was asked for.
    const isLess = before?.kind === 'amount' && allowance.kind === 'amount' && allowance.amount < before.amount;
    allows.set(key, isLess ? before : allowance);
  }
  return { ...simulated, allows: [...allows.values()] };
}

/** @returns The changes that were decoded so far, and simulated. */
export const knownChanges = ({
  findings: { effects },
  view: { outcome },
}: {
  readonly findings: { readonly effects: Pick<Effects, 'changes'> };
  readonly view: { readonly outcome?: Outcome | undefined };
}): Changes => (outcome?.kind === 'changes' ? combined(effects.changes, outcome.changes) : effects.changes);
