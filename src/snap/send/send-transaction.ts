import { servicesOf } from '../network/services';
import { type Intent } from '../../core/erc4337/user-operation';
import { InvalidParamsError, pathText } from '../../core/errors';
import { type Hex } from '../../core/eth/bytes';
import { isSmart } from '../account/account';
import { smartAccountOf } from '../account/smart-account';
import { type SmartAccount } from '../network/operation-chain';
import { chainIdOf } from '../../core/schemas/chain';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { type DappTransaction, SendTransactionStruct, toDappTransaction } from '../../core/schemas/dapp-transaction';
import { parse } from '../../core/structs/struct';
import { type Batch } from './batch';
import { type SendingDeps } from './deps';
import { evidenceOfOperation } from './evidence';
import { executionFor, paysItself } from './execution';
import { newBatchId, type Sending, sendInTurn } from './send-recorded';
import { chainOfSite } from '../sites/network-of-site';
import { accountAt, askingFor, type Site } from '../sites/site';
import { sendOperation } from './send-operation';
import { sendTransactions } from './send-transactions';

/** The time to wait for the transaction of a user operation, and the polling interval, in milliseconds. */
const PATIENCE = 30_000;
const PAUSE = 500;

function assertChain({ chainId }: DappTransaction, configuration: ChainConfiguration): void {
  if (chainId !== undefined && chainId !== chainIdOf(configuration.chainId))
    throw new InvalidParamsError('transaction.chainId', `must be the chain of the site: ${configuration.chainId}`);
}

/** A transaction of a smart account becomes a call in a user operation, which has its own gas, fees and nonce. */
function intentOf({ to, value, data, nonce }: DappTransaction): Intent {
  if (nonce !== undefined)
    throw new InvalidParamsError(
      'transaction.nonce',
      'must be omitted: the entry point manages the nonces of a smart account',
    );
  return { to, value, data };
}

async function send(
  transaction: DappTransaction,
  configuration: ChainConfiguration,
  { entry, site, onBroadcast, deps }: Sending,
): Promise<Batch['sent']> {
  const context = { configuration, fieldOf: (_index: number, member: string) => pathText('transaction', [member]) };
  const asking = askingFor(site, entry, deps);
  const operation = (account: SmartAccount) =>
    sendOperation([intentOf(transaction)], { entry, account }, context, asking, onBroadcast, deps);
  if (isSmart(entry)) return operation(smartAccountOf(entry));
  // A nonce, or the creation of a contract, can only be meant for a transaction of the account's own.
  if (!paysItself(configuration) && transaction.nonce === undefined && transaction.to !== null) {
    const execution = await executionFor(entry, configuration, { wantsSponsor: false }, deps);
    if (execution.as === 'operation') return operation(execution.account);
  }
  return sendTransactions([transaction], entry, configuration, asking, onBroadcast, deps);
}

/**
 * The hash of the transaction that included an operation. It is the operation's own hash if the operation failed,
 * because that transaction succeeds all the same, or after a timeout.
 */
async function transactionOf(
  account: Hex,
  sent: Extract<Batch['sent'], { readonly as: 'operation' }>,
  configuration: ChainConfiguration,
): Promise<Hex> {
  const { node, bundler } = servicesOf(configuration);
  for (const end = Date.now() + PATIENCE; Date.now() < end;) {
    const evidence = await evidenceOfOperation(account, sent, node, bundler).catch(() => undefined);
    if (evidence === 'replaced') break;
    if (typeof evidence === 'object') return evidence.status === '0x1' ? evidence.transactionHash : sent.hash;
    await new Promise((resolve) => {
      setTimeout(resolve, PAUSE);
    });
  }
  return sent.hash;
}

/**
 * `eth_sendTransaction` (Ethereum JSON-RPC): sends one transaction, or for a smart account one user operation with one
 * call. So does an externally owned account where a paymaster is set up (EIP-7702). An omitted nonce, gas limit or fee
 * is filled in.
 *
 * @returns The hash of the transaction. If a user operation failed, or is not included within 30 s, its own hash is
 * returned, with which its receipt can be requested too. The next request of the site does not wait for that.
 * @throws {UserRejectedError} If the user rejects the request. Nothing was sent then.
 */
export async function sendTransaction(params: unknown, site: Site, deps: SendingDeps): Promise<Hex> {
  const [json] = parse(SendTransactionStruct, params, 'params', ['transaction']);
  const transaction = toDappTransaction(json);
  const entry = accountAt(transaction.from, site);
  const configuration = await chainOfSite(site, deps);
  assertChain(transaction, configuration);
  const account = entry.account.address;
  const batch = { id: newBatchId(), origin: site.origin, account, chainId: configuration.chainId, calls: 1 };
  const sent = await sendInTurn(entry.account.id, batch, deps, (onBroadcast) =>
    send(transaction, configuration, { entry, site, onBroadcast, deps }),
  );
  if (sent.as === 'operation') return transactionOf(account, sent, configuration);
  const [{ hash }] = sent.items as [(typeof sent.items)[number]];
  return hash;
}
