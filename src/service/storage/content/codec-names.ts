/**
 * Codes of IPLD codecs by name. Most are only names here: blocks are stored and returned under them, but not
 * interpreted.
 *
 * @see https://github.com/multiformats/multicodec
 */
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ['protobuf', 0x50],
  ['cbor', 0x51],
  ['raw', 0x55],
  ['dag-pb', 0x70],
  ['dag-cbor', 0x71],
  ['libp2p-key', 0x72],
  ['git-raw', 0x78],
  ['torrent-info', 0x7b],
  ['torrent-file', 0x7c],
  ['leofcoin-block', 0x81],
  ['leofcoin-tx', 0x82],
  ['leofcoin-pr', 0x83],
  ['dag-jose', 0x85],
  ['dag-cose', 0x86],
  ['eth-block', 0x90],
  ['eth-block-list', 0x91],
  ['eth-tx-trie', 0x92],
  ['eth-tx', 0x93],
  ['eth-tx-receipt-trie', 0x94],
  ['eth-tx-receipt', 0x95],
  ['eth-state-trie', 0x96],
  ['eth-account-snapshot', 0x97],
  ['eth-storage-trie', 0x98],
  ['eth-receipt-log-trie', 0x99],
  ['eth-receipt-log', 0x9a],
  ['bitcoin-block', 0xb0],
  ['bitcoin-tx', 0xb1],
  ['bitcoin-witness-commitment', 0xb2],
  ['zcash-block', 0xc0],
  ['zcash-tx', 0xc1],
  ['stellar-block', 0xd0],
  ['stellar-tx', 0xd1],
  ['decred-block', 0xe0],
  ['decred-tx', 0xe1],
  ['dash-block', 0xf0],
  ['dash-tx', 0xf1],
  ['swarm-manifest', 0xfa],
  ['swarm-feed', 0xfb],
  ['beeson', 0xfc],
  ['dag-json', 0x0129],
  ['swhid-1-snp', 0x01f0],
  ['json', 0x0200],
  ['rdfc-1', 0xb403],
  ['json-jcs', 0xb601],
]);

/**
 * The code of a codec name or of a number as text (`0x71`); undefined if it is neither, or above 2^53 - 1, which would
 * round to another codec.
 */
export function codecNumber(name: string): number | undefined {
  const number = NUMBERS.get(name) ?? (/^(0x[0-9a-f]+|\d+)$/i.test(name) ? Number(name) : undefined);
  return Number.isSafeInteger(number) ? number : undefined;
}
