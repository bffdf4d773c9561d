import { KNOWN_NETWORKS } from './known';

/** How a network is named on screens. */
export type Network = {
  readonly name: string;
  /** What an amount of the native coin is followed by. */
  readonly symbol: string;
  /** Without a slash at the end. */
  readonly explorerUrl?: string;
  /** Who named the network: Keystead's table, the person's configuration, or nobody. */
  readonly source: 'known' | 'configured' | 'unknown';
};

/** What a configuration says about its network, within the rules of `keystead_setChain`. */
export type NetworkDetails = { readonly name?: string; readonly symbol?: string; readonly explorerUrl?: string };

/**
 * The symbol of a network that nobody named. Most networks call their coin so, and wallets show it where they know nothing
 * else.
 */
export const UNKNOWN_SYMBOL = 'ETH';

/** Drops what lets two names look alike: case, blanks, punctuation, usual last words, and digits that resemble letters. */
const skeleton = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\b(?:mainnet|network|chain)\b/gu, '')
    .replace(/0/gu, 'o')
    .replace(/[1i|]/gu, 'l')
    .replace(/[^a-z2-9]/gu, '');

const KNOWN_NAMES = new Set([...KNOWN_NETWORKS.values()].map(({ name }) => skeleton(name)));

/**
 * Names a network. For a network in Keystead's table, the table's name and symbol are used whatever the configuration says.
 * For any other, the configured ones are used, except a name that could be taken for one in the table.
 *
 * @param configured - What the network's configuration says, if it is set up.
 * @returns The explorer is the configured one, otherwise the table's.
 */
export function networkOf(chainId: bigint, configured: NetworkDetails = {}): Network {
  const known = KNOWN_NETWORKS.get(chainId);
  const explorer = (configured.explorerUrl ?? known?.explorerUrl)?.replace(/\/$/u, '');
  const explorerUrl = explorer === undefined ? {} : { explorerUrl: explorer };
  if (known !== undefined) return { name: known.name, symbol: known.symbol, ...explorerUrl, source: 'known' };
  const isNamed = configured.name !== undefined && !KNOWN_NAMES.has(skeleton(configured.name));
  return {
    name: isNamed ? configured.name : `Network ${chainId}`,
    symbol: configured.symbol ?? UNKNOWN_SYMBOL,
    ...explorerUrl,
    source: isNamed ? 'configured' : 'unknown',
  };
}

/**
 * @param configured - What the network's configuration says, if it is set up.
 * @returns A network by its name, with the number that tells it from others of that name.
 */
export function networkTitle(chainId: bigint, configured?: NetworkDetails): string {
  const { name, source } = networkOf(chainId, configured);
  return source === 'unknown' ? name : `${name} (chain ${chainId})`;
}

/** A hash of a transaction, or an address. */
const LINKED = { tx: /^0x[0-9a-f]{64}$/iu, address: /^0x[0-9a-f]{40}$/iu };

/**
 * The page of a network's block explorer on a transaction or an address.
 *
 * @param what - What kind of page.
 * @param hex - The hash or the address. Nothing else ever becomes part of a link.
 * @returns Undefined if the network has no explorer with an https URL, or if `hex` has another form.
 */
export function explorerLink(
  { explorerUrl }: Pick<Network, 'explorerUrl'>,
  what: keyof typeof LINKED,
  hex: string,
): string | undefined {
  const isLinked = explorerUrl?.startsWith('https://') === true && LINKED[what].test(hex);
  return isLinked ? `${explorerUrl}/${what}/${hex}` : undefined;
}
