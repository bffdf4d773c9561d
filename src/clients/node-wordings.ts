/**
 * What an error response of `eth_sendRawTransaction` or `eth_sendUserOperation` says about the very transaction or
 * operation that was sent:
 *
 * - `known`: the service has it.
 * - `nonce-used`: its nonce is used, by itself or by another.
 * - `undecided`: the service gave up waiting; it may have it.
 */
export type Wording = 'known' | 'nonce-used' | 'undecided';

/**
 * How services word it. Error codes do not help: -32000 and -32010 stand for almost anything. Hosted nodes (Alchemy,
 * Infura, QuickNode) pass on the words of the client behind them, some with a prefix.
 */
const WORDINGS: readonly (readonly [Wording, RegExp])[] = [
  // geth core/txpool/errors.go `already known`; Reth RpcPoolError; Nethermind TxPoolErrorMessages, before 2026
  // `AlreadyKnown` (AcceptTxResult); Erigon `ALREADY_EXISTS: already known` (rpc/jsonrpc/send_transaction_test.go).
  // Bundlers: alto `Already known`, Rundler `operation already known`.
  ['known', /\balready ?known\b/iu],
  // Besu RpcErrorType ETH_SEND_TX_ALREADY_KNOWN `Known transaction`; geth before 1.9.15 `known transaction: <hash>`.
  ['known', /\bknown transaction\b/iu],
  // anvil crates/anvil/src/eth/error.rs `transaction already imported`; Substrate (Frontier) `Transaction Already
  // Imported`; OpenEthereum `Transaction with the same hash was already imported.`
  ['known', /\balready imported\b/iu],
  // Erigon txpoolcfg DuplicateHash `INTERNAL_ERROR: existing tx with same hash`.
  ['known', /\bsame hash\b/iu],
  // Ethermint `tx already in mempool`; Klaytn and Harmony `transaction already exists`.
  ['known', /\btx already in mempool\b|\btransaction already exists\b/iu],
  // geth core/error.go `nonce too low: next nonce 6, tx nonce 5`, and so Reth, Erigon (`INTERNAL_ERROR: nonce too low`),
  // Nitro, Avalanche; Besu RpcErrorType NONCE_TOO_LOW `Nonce too low`; zkSync `nonce too low. allowed nonce range: …`.
  ['nonce-used', /\bnonce(?: is)? too low\b/iu],
  // Nethermind AcceptTxResult before 2026: `OldNonce, Current nonce: 6, nonce of rejected tx: 5`.
  ['nonce-used', /\bOldNonce\b/iu],
  // ERC-7769 and the entry points: `AA25 invalid account nonce`, `AA10 sender already constructed`.
  ['nonce-used', /\bAA(?:10|25)\b/u],
  // geth rpc/errors.go `request timed out`; Erigon and hosted nodes `context deadline exceeded`, `timeout`.
  ['undecided', /\btime(?:d )?-?out\b|\bdeadline exceeded\b/iu],
];

/** @returns What the message says about what was sent; undefined if it is an ordinary refusal. */
export const wordingOf = (message: string): Wording | undefined =>
  WORDINGS.find(([, pattern]) => pattern.test(message))?.[0];
