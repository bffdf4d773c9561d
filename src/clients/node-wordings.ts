/**
 * The meaning of an error response of `eth_sendRawTransaction` or `eth_sendUserOperation` for the very transaction or
 * operation that was sent:
 *
 * - `known`: the service has it.
 * - `nonce-used`: its nonce is used, by itself or by another.
 * - `undecided`: the service gave up waiting; it may have it.
 */
export type Wording = 'known' | 'nonce-used' | 'undecided';

/**
 * The wordings of services. Error codes do not help: -32000 and -32010 stand for almost anything. Hosted nodes
 * (Alchemy, Infura, QuickNode) pass on the words of the client behind them, some with a prefix. The first that matches
 * counts.
 */
const WORDINGS: readonly (readonly [Wording, RegExp])[] = [
  // geth core/txpool/errors.go `already known`; Reth RpcPoolError; Nethermind TxPoolErrorMessages, before 2026
  // `AlreadyKnown` (AcceptTxResult); Erigon `ALREADY_EXISTS: already known` (rpc/jsonrpc/send_transaction_test.go);
  // Besu TransactionInvalidReason `TRANSACTION_ALREADY_KNOWN`. Bundlers: alto `Already known`, Rundler
  // `operation already known`.
  ['known', /already[ _]?known/iu],
  // Besu RpcErrorType ETH_SEND_TX_ALREADY_KNOWN `Known transaction`; geth before 1.9.15 `known transaction: <hash>`;
  // zkSync `known transaction. transaction with hash <hash> is already in the system`.
  ['known', /\bknown transaction\b/iu],
  // anvil crates/anvil/src/eth/error.rs `transaction already imported`; Substrate (Frontier) `Transaction Already
  // Imported`, before 2022 `Pool(AlreadyImported(<hash>))`; OpenEthereum `Transaction with the same hash was already
  // imported.`
  ['known', /already ?imported\b/iu],
  // Erigon txpoolcfg DuplicateHash `INTERNAL_ERROR: existing tx with same hash`; Rootstock `pending transaction with
  // same hash already exists`.
  ['known', /\bsame hash\b/iu],
  // Ethermint `tx already in mempool`, CometBFT `tx already exists in cache`; Conflux `tx already exist`; Klaytn and
  // Harmony `transaction already exists`.
  ['known', /\btx already in mempool\b|\b(?:tx|transaction) already exists?\b/iu],
  // geth core/error.go `nonce too low: next nonce 6, tx nonce 5`, and so Reth, Erigon
  // (`INTERNAL_ERROR: nonce too low`), Nitro, Avalanche; Besu RpcErrorType NONCE_TOO_LOW `Nonce too low`; zkSync
  // `nonce too low. allowed nonce range: …`.
  ['nonce-used', /\bnonce(?: is)? too low\b/iu],
  // Nethermind AcceptTxResult before 2026: `OldNonce, Current nonce: 6, nonce of rejected tx: 5`.
  ['nonce-used', /\bOldNonce\b/iu],
  // Ethermint x/evm ante `invalid nonce; got 5, expected 6: tx nonce is lower than account nonce`; Conflux `… is
  // discarded due to a too stale nonce`; Substrate `InvalidTransaction::Stale`; Lotus `minimum expected nonce is 6`.
  [
    'nonce-used',
    /\bnonce is lower than\b|\bstale nonce\b|\bInvalidTransaction\b\W+Stale\b|\bminimum expected nonce\b/iu,
  ],
  // ERC-7769 and the entry points: `AA25 invalid account nonce`, `AA10 sender already constructed`. alto says so too of
  // another operation with this nonce in its pool
  // (`AA25 invalid account nonce: User operation already present in mempool`).
  ['nonce-used', /\bAA(?:10|25)\b/u],
  // geth rpc/errors.go `request timed out`; Erigon and hosted nodes `context deadline exceeded`, `timeout`.
  ['undecided', /\btime(?:d )?-?out\b|\bdeadline exceeded\b/iu],
  // Proxies that lost the answer of the node behind them: Optimism's proxyd `no backends available for method`,
  // `backend offline`; Infura `Internal error`, and no more; nginx and Cloudflare `Bad Gateway`, `Service
  // Unavailable`; Go `EOF`, `connection reset by peer`; Keystead's own service (src/service/chain) `the network's node
  // took too long to answer`, `… cannot be reached`.
  [
    'undecided',
    /\bno backends available\b|\bbackend offline\b|\bbad gateway\b|\bservice (?:\w+ )?unavailable\b|\bEOF\b|\bupstream\b|\bconnection (?:reset|refused|closed)\b|\bsocket hang up\b|^\W*internal (?:server |json-?rpc )?error\W*$|\bthe network's (?:node|bundler)\b|\btook (?:too long|longer than)\b/iu,
  ],
];

/**
 * @param data - The data of the error response, in which Conflux puts its words.
 * @returns What the error response says about what was sent; undefined if it is an ordinary refusal.
 */
export function wordingOf({
  message,
  data,
}: {
  readonly message: string;
  readonly data?: unknown;
}): Wording | undefined {
  const words = typeof data === 'string' ? `${message} ${data}` : message;
  return WORDINGS.find(([, pattern]) => pattern.test(words))?.[0];
}
