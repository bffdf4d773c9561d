/**
 * What nodes, bundlers and the proxies in front of them answer to what was sent, word for word: the software, its
 * message, where it comes from, and the data of the error response, if that has the words.
 */
type Wordings = readonly (readonly [software: string, message: string, source: string, data?: string])[];

const HASH = `0x${'cd'.repeat(32)}`;

/** The service has this transaction or operation already. */
export const KNOWN: Wordings = [
  ['geth', 'already known', 'core/txpool/errors.go'],
  ['geth before 1.9.15', `known transaction: ${HASH.slice(2)}`, 'core/tx_pool.go'],
  ['Nethermind', 'already known', 'TxPoolErrorMessages.cs'],
  ['Nethermind before 2026', 'AlreadyKnown', 'AcceptTxResult.cs'],
  ['Erigon', 'ALREADY_EXISTS: already known', 'rpc/jsonrpc/send_transaction_test.go'],
  ['Erigon', 'INTERNAL_ERROR: existing tx with same hash', 'txpoolcfg.go, DuplicateHash'],
  ['Reth', 'already known', 'rpc-eth-types/src/error, RpcPoolError'],
  ['Besu', 'Known transaction', 'RpcErrorType.java, ETH_SEND_TX_ALREADY_KNOWN'],
  ['Besu', 'TRANSACTION_ALREADY_KNOWN', 'TransactionInvalidReason.java'],
  ['anvil', 'transaction already imported', 'crates/anvil/src/eth/error.rs'],
  ['OpenEthereum', 'Transaction with the same hash was already imported.', 'rpc/src/v1/helpers/errors.rs'],
  ['Frontier', 'Transaction Already Imported', 'substrate client/transaction-pool/api'],
  [
    'Frontier before 2022',
    `submit transaction to pool failed: Pool(AlreadyImported(${HASH}))`,
    'client/rpc/src/eth.rs',
  ],
  ['Ethermint', 'tx already in mempool', 'cosmos-sdk types/errors, ErrTxInMempoolCache'],
  ['CometBFT', 'tx already exists in cache', 'mempool/errors.go, ErrTxInCache'],
  ['Conflux', 'Invalid parameters: tx', 'transaction_pool, documented errors', '"tx already exist"'],
  ['Rootstock', 'pending transaction with same hash already exists', 'TransactionPoolImpl.java'],
  ['zkSync', `known transaction. transaction with hash ${HASH} is already in the system`, 'tx_sender'],
  ['a hosted node', '[Request ID: 2e952947] already known', 'a prefix of the Hedera relay'],
  ['alto', 'Already known', 'src/mempool/mempool.ts'],
  ['Rundler', 'operation already known', 'crates/types/src/pool/error.rs'],
];

/** Its nonce is used, by this transaction or by another. */
export const NONCE_USED: Wordings = [
  ['geth', 'nonce too low: next nonce 6, tx nonce 5', 'core/error.go'],
  ['Nethermind', 'nonce too low', 'TxPoolErrorMessages.cs'],
  ['Nethermind before 2026', 'OldNonce, Current nonce: 6, nonce of rejected tx: 5', 'AcceptTxResult.cs'],
  ['Erigon', 'INTERNAL_ERROR: nonce too low', 'rpc/jsonrpc/send_transaction.go'],
  ['Reth', 'nonce too low', 'RpcInvalidTransactionError'],
  ['Besu', 'Nonce too low', 'RpcErrorType.java, NONCE_TOO_LOW'],
  ['zkSync', 'nonce too low. allowed nonce range: 6 - 26, actual: 5', 'tx_sender/result.rs'],
  ['Avalanche', 'nonce too low: address 0x44 current nonce (6) > tx nonce (5)', 'coreth core/txpool'],
  ['Hedera', '[Request ID: 2e952947] Nonce too low. Provided nonce: 5, current nonce: 6', 'relay predefined errors'],
  ['OpenEthereum', 'Transaction nonce is too low. Try incrementing the nonce.', 'rpc/src/v1/helpers/errors.rs'],
  ['Ethermint', 'invalid nonce; got 5, expected 6: tx nonce is lower than account nonce', 'x/vm ante'],
  [
    'Conflux',
    'Invalid parameters: tx',
    'transaction_pool',
    `"Transaction ${HASH} is discarded due to a too stale nonce"`,
  ],
  [
    'Frontier before 2022',
    'submit transaction to pool failed: Pool(InvalidTransaction(InvalidTransaction::Stale))',
    'client/rpc/src/eth.rs',
  ],
  ['Lotus', 'mpool push: minimum expected nonce is 6: message nonce too low', 'chain/messagepool'],
  ['the entry point', 'AA25 invalid account nonce', 'EntryPoint.sol'],
  ['the entry point', 'AA10 sender already constructed', 'EntryPoint.sol'],
  ['alto', 'AA25 invalid account nonce: User operation already present in mempool', 'src/mempool/mempool.ts'],
  [
    'alto',
    'AA10 sender already constructed: A conflicting userOperation with initCode for this sender is already in the mempool',
    'src/mempool/mempool.ts',
  ],
];

/** The service does not know: it gave up waiting for its own parts. */
export const UNDECIDED: Wordings = [
  ['geth', 'request timed out', 'rpc/errors.go'],
  ['Erigon', 'context deadline exceeded', "Go's context package"],
  ['a hosted node', 'Request timeout on the free tier', 'a public endpoint'],
  ['proxyd', 'no backends available for method', 'proxyd/rpc errors, -32011'],
  ['proxyd', 'backend offline', 'proxyd/rpc errors, -32010'],
  ['Infura', 'Internal error', 'documented error -32603'],
  ['a hosted node', 'Internal JSON-RPC error.', 'documented error -32603'],
  ['nginx', '502 Bad Gateway', 'its error page, in JSON'],
  ['a hosted node', 'Service temporarily unavailable', 'a public endpoint'],
  ['a Go proxy', 'Post "http://10.0.0.7:8545": EOF', "Go's net/http"],
  ['a Go proxy', 'read tcp 10.0.0.1:443: connection reset by peer', "Go's net"],
  ['Keystead', "the network's node took too long to answer", 'src/service/chain/upstream-failure.ts'],
  ['Keystead', "the network's node answered with HTTP status 502", 'src/service/chain/upstream-failure.ts'],
  ['Keystead', "the network's bundler cannot be reached", 'src/service/chain/upstream-failure.ts'],
  ['Keystead', 'the request took longer than 30 seconds', 'src/service/chain/errors.ts'],
  ['Keystead', 'internal error', 'src/service/chain/errors.ts'],
];

/** Nothing was taken. */
export const ORDINARY: Wordings = [
  ['geth', 'insufficient funds for gas * price + value: balance 0, tx cost 1, overshot 1', 'core/error.go'],
  ['geth', 'replacement transaction underpriced', 'core/txpool/errors.go'],
  ['geth', 'transaction type not supported', 'core/types/transaction.go'],
  ['geth', 'nonce too high', 'core/error.go'],
  ['geth', 'txpool is full', 'core/txpool/legacypool'],
  ['Erigon', 'INTERNAL_ERROR: insufficient funds', 'rpc/jsonrpc/send_transaction.go'],
  ['Erigon', 'could not replace existing tx', 'txpoolcfg.go'],
  ['Nethermind', 'FeeTooLow', 'AcceptTxResult.cs'],
  ['Reth', 'exceeds block gas limit', 'RpcPoolError'],
  ['Besu', 'Unknown transaction type', 'RpcErrorType.java'],
  ['Besu', 'Upfront cost exceeds account balance', 'RpcErrorType.java'],
  ['Conflux', 'Invalid parameters: tx', 'transaction_pool', `"Transaction ${HASH} is discarded due to out of balance"`],
  ['a hosted node', 'Too Many Requests', 'documented error 429'],
  ['a hosted node', 'Internal JSON-RPC error: insufficient funds for gas', 'a node behind a proxy'],
  ['proxyd', 'over rate limit', 'proxyd/rpc errors, -32016'],
  ['the entry point', "AA21 didn't pay prefund", 'EntryPoint.sol'],
];
