import { KNOWN_NETWORKS } from './known';

/** The names of a network on screens. */
export type Network = {
  readonly name: string;
  /** The symbol that follows an amount of the native coin. */
  readonly symbol: string;
  /** Without a slash at the end. */
  readonly explorerUrl?: string;
  /** The source of the name: Keystead's table, the person's configuration, or nobody. */
  readonly source: 'known' | 'configured' | 'unknown';
};

/** The part of a configuration that describes its network, within the rules of `keystead_setChain`. */
export type NetworkDetails = { readonly name?: string; readonly symbol?: string; readonly explorerUrl?: string };

/**
 * The symbol of a network that nobody named. Most networks call their coin so, and wallets show it where they know
 * nothing else.
 */
export const UNKNOWN_SYMBOL = 'ETH';

/** Characters that resemble each other at a glance, and what each is read as. */
const READ_AS: readonly (readonly [RegExp, string])[] = [
  [/[0]/gu, 'o'],
  [/[1i|!]/gu, 'l'],
  [/[3]/gu, 'e'],
  [/[4@]/gu, 'a'],
  [/[5$]/gu, 's'],
  [/[8]/gu, 'b'],
  [/rn/gu, 'm'],
  [/vv/gu, 'w'],
];

/** The words of a name as they read at a glance, without case, punctuation, and words that many names end with. */
const wordsOf = (name: string): string[] =>
  READ_AS.reduce(
    (text, [characters, letter]) => text.replace(characters, letter),
    name.toLowerCase().replace(/\b(?:main ?net|network|chain)\b/gu, ' '),
  )
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== '');

/** Names of at least so many letters are found inside longer words, and with a letter changed. */
const MANY_LETTERS = 6;

const KNOWN_NAMES = [...KNOWN_NETWORKS].map(([chainId, { name }]) => {
  const words = wordsOf(name);
  return { chainId, words: ` ${words.join(' ')} `, letters: words.join('') };
});

/**
 * @returns Whether two texts differ by at most one letter that is changed, added or left out, or two that change
 * places.
 */
function isNearly(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  const longest = Math.max(a.length, b.length);
  let start = 0;
  while (start < longest && a[start] === b[start]) start++;
  let end = 0;
  while (end < longest - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [restOfA, restOfB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return restOfA.length + restOfB.length <= 2 || (restOfA.length === 2 && restOfA === [...restOfB].reverse().join(''));
}

/**
 * The known network whose name a name can be taken for: it is the same at a glance, contains it, or differs by a
 * letter.
 *
 * @returns Its chain id; undefined if there is none.
 */
function resembled(name: string): bigint | undefined {
  const words = wordsOf(name);
  const [spaced, letters] = [` ${words.join(' ')} `, words.join('')];
  return KNOWN_NAMES.find(
    (known) =>
      known.letters === letters ||
      spaced.includes(known.words) ||
      (known.letters.length >= MANY_LETTERS && (letters.includes(known.letters) || isNearly(letters, known.letters))),
  )?.chainId;
}

/** A number that reads as a chain id, as in "Chain 1" and "My network (1)". */
const NUMBER = /(?:\b(?:chain|network|id)\W*(?:id\W*)?|\(\s*|#\s*)(\d+)/giu;

/** The reason why a configured name of an unknown network is ignored: what it can be taken for. */
export function mistakenFor(chainId: bigint, name: string): string | undefined {
  const other = resembled(name);
  if (other !== undefined) return networkTitle(other);
  const number = [...name.matchAll(NUMBER)].map(([, digits]) => BigInt(digits ?? 0)).find((id) => id !== chainId);
  return number === undefined ? undefined : networkTitle(number);
}

/**
 * Names a network. For a network in Keystead's table, the table's name and symbol are used whatever the configuration
 * says. For any other, the configured ones are used, except a name that could be taken for one in the table.
 *
 * @param configured - What the network's configuration says, if it is set up.
 * @returns The explorer is the configured one, otherwise the table's.
 */
export function networkOf(chainId: bigint, configured: NetworkDetails = {}): Network {
  const known = KNOWN_NETWORKS.get(chainId);
  const explorer = (configured.explorerUrl ?? known?.explorerUrl)?.replace(/\/$/u, '');
  const explorerUrl = explorer === undefined ? {} : { explorerUrl: explorer };
  if (known !== undefined) return { name: known.name, symbol: known.symbol, ...explorerUrl, source: 'known' };
  const isNamed = configured.name !== undefined && mistakenFor(chainId, configured.name) === undefined;
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
