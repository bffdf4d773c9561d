import { type Explanation } from '../../src/core/decode/explanation';
import { ungrouped } from './explaining';

/** Amounts by asset: `USDC`, `WETH`, `ETH`, and for NFTs `APES#1`, `APES#any` or `ITEMS#1`. */
export type Amounts = Record<string, bigint>;

/** An amount that a row starts with, in the smallest unit, and its asset. */
function parsed(value: string): readonly [asset: string, amount: bigint] | undefined {
  const nft = /^(\d+) NFT (?:#(\d+)|\(any\)) of (?:(BoredApeYachtClub) \(0xBC4C|0x)/u.exec(value);
  if (nft !== null) return [`${nft[3] === undefined ? 'ITEMS' : 'APES'}#${nft[2] ?? 'any'}`, BigInt(nft[1]!)];
  const token = /^(\d+)(?:\.(\d+))? (USDC|WETH|ETH)/u.exec(value);
  if (token === null) return undefined;
  const decimals = token[3] === 'USDC' ? 6 : 18;
  return [token[3]!, BigInt(token[1]! + (token[2] ?? '').padEnd(decimals, '0'))];
}

/** What the rows of an order say: lost and gained by the account, and paid to others by their address in lower case. */
export function termsSaid({ changes }: Explanation): { own: Amounts; others: Record<string, Amounts> } {
  const own: Amounts = {};
  const others: Record<string, Amounts> = {};
  let payee: string | undefined;
  for (const { label, value } of changes) {
    if (label.startsWith('Paid to')) payee = value === 'your account' ? undefined : value.toLowerCase();
    const found = parsed(ungrouped(value));
    if (found === undefined) continue;
    const [asset, amount] = found;
    if (label === 'You send at most') own[asset] = (own[asset] ?? 0n) - amount;
    if (label === 'You receive at least') own[asset] = (own[asset] ?? 0n) + amount;
    if (label === 'Amount' && payee !== undefined) {
      const before = others[payee] ?? {};
      others[payee] = { ...before, [asset]: (before[asset] ?? 0n) + amount };
    }
  }
  return { own, others };
}
