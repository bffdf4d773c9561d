/** What nodes and bundlers answer to a transaction, word for word: the software, and its message. */
type Wordings = readonly (readonly [software: string, message: string])[];

/** The service has this transaction already. */
export const KNOWN: Wordings = [
  ['geth', 'already known'],
  ['geth before 1.9.15', `known transaction: ${'cd'.repeat(32)}`],
  ['Nethermind', 'AlreadyKnown'],
  ['Erigon', 'ALREADY_EXISTS: already known'],
  ['Erigon', 'INTERNAL_ERROR: existing tx with same hash'],
  ['Reth', 'already known'],
  ['Besu', 'Known transaction'],
  ['anvil', 'transaction already imported'],
  ['OpenEthereum', 'Transaction with the same hash was already imported.'],
  ['Frontier', 'Transaction Already Imported'],
  ['Ethermint', 'tx already in mempool'],
  ['a hosted node', '[Request ID: 2e952947] already known'],
];

/** Its nonce is used, by this transaction or by another. */
export const NONCE_USED: Wordings = [
  ['geth', 'nonce too low: next nonce 6, tx nonce 5'],
  ['Nethermind', 'OldNonce, Current nonce: 6, nonce of rejected tx: 5'],
  ['Erigon', 'INTERNAL_ERROR: nonce too low'],
  ['Reth', 'nonce too low'],
  ['Besu', 'Nonce too low'],
  ['zkSync', 'nonce too low. allowed nonce range: 6 - 26, actual: 5'],
  ['Avalanche', 'nonce too low: address 0x44 current nonce (6) > tx nonce (5)'],
  ['OpenEthereum', 'Transaction nonce is too low. Try incrementing the nonce.'],
];

/** The service gave up waiting for its own parts. */
export const UNDECIDED: Wordings = [
  ['geth', 'request timed out'],
  ['Erigon', 'context deadline exceeded'],
  ['a hosted node', 'Request timeout on the free tier'],
];

/** Nothing was taken. */
export const ORDINARY: Wordings = [
  ['geth', 'insufficient funds for gas * price + value: balance 0, tx cost 1, overshot 1'],
  ['geth', 'replacement transaction underpriced'],
  ['geth', 'transaction type not supported'],
  ['geth', 'nonce too high'],
  ['Erigon', 'INTERNAL_ERROR: insufficient funds'],
  ['Erigon', 'could not replace existing tx'],
  ['Nethermind', 'FeeTooLow'],
  ['Reth', 'exceeds block gas limit'],
  ['Besu', 'Unknown transaction type'],
  ['Besu', 'Upfront cost exceeds account balance'],
  ['a hosted node', 'Too Many Requests'],
];
