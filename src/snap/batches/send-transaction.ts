import { servicesOf } from '../networks/services';
import { InvalidParamsError } from '../../core/errors';
import { type Hex } from '../../core/eth/bytes';
import { isSmart } from '../accounts/account';
import { chainIdOf } from '../../core/schemas/chain';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { type DappTransaction, SendTransactionStruct } from '../../core/schemas/dapp-transaction';
import { parse } from '../../core/schemas/struct';
import { type Batch } from './batch';
import { type SendDeps } from './deps';
import { newBatchId } from './new-id';
import { type Note, sendNoted } from './send-noted';
import { chainOfSite } from '../permissions/network-of-site';
import { accountAt, type Site } from '../permissions/site';
import { oneAtATime } from './one-at-a-time';
import { sendOperation } from './send-operation';
import { sendTransactions } from './send-transactions';

/** How long, in milliseconds, it is waited for the transaction of a user operation, and how often it is looked for. */
const PATIENCE = 30_000;
const PAUSE = 500;

function assertChain({ chainId }: DappTransaction, configuration: ChainConfiguration): void {
  if (chainId !== undefined && BigInt(chainId) !== chainIdOf(configuration.chainId))
    throw new InvalidParamsError('transaction.chainId', `must be the chain of the site: ${configuration.chainId}`);
}

/** A transaction of a smart account is a call in a user operation, whose gas, fees and nonce are its own. */
function intentOf({ to, value = '0x0', data, input, nonce }: DappTransaction) {
  if (nonce !== undefined)
    throw new InvalidParamsError(
      'transaction.nonce',
      'must be left out: the nonces of a smart account are its entry point’s',
    );
  return { to: to ?? null, value: BigInt(value), data: data ?? input ?? '0x' };
}

/** Where a transaction went, and through which network's services. */
type SentTransaction = { readonly sent: Batch['sent']; readonly configuration: ChainConfiguration };

/**
 * `eth_sendTransaction` (Ethereum JSON-RPC): one transaction; of a smart account, one call in a user operation. A nonce, gas
 * or fee that is left out is filled in.
 *
 * @throws {UserRejectedError} If the person refuses; nothing was sent then.
 */
export async function sendTransaction(params: unknown, site: Site, deps: SendDeps): Promise<SentTransaction> {
  const [transaction] = parse(SendTransactionStruct, params, 'params', ['transaction']);
  const stored = accountAt(transaction.from, site);
  const configuration = await chainOfSite(site, deps);
  assertChain(transaction, configuration);
  const { from: _from, chainId: _chain, ...wanted } = transaction;
  const place = { account: stored.account.address, chainId: configuration.chainId };
  const batch = { id: newBatchId(), origin: site.origin, ...place, calls: 1, atomic: true };
  const sent = await oneAtATime(stored.account.id, deps, () =>
    sendNoted(
      batch,
      deps,
      (note: Note<Batch['sent']>): Promise<Batch['sent']> =>
        isSmart(stored)
          ? sendOperation([intentOf(transaction)], stored, { configuration, field: 'transaction' }, site, note, deps)
          : sendTransactions([wanted], stored, configuration, site, note, deps),
    ),
  );
  return { sent, configuration };
}

/** The hash of the transaction that an operation is included with; after a while without one, the operation's own. */
async function transactionOf(operation: Hex, configuration: ChainConfiguration): Promise<Hex> {
  const { bundler } = servicesOf(configuration);
  for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
    const receipt = await bundler.getUserOperationReceipt(operation).catch(() => undefined);
    if (receipt !== undefined) return receipt.transactionHash;
    await new Promise((resolve) => {
      setTimeout(resolve, PAUSE);
    });
  }
  return operation;
}

/**
 * @returns The hash of the transaction that was sent. A user operation that is not included within 30 s is answered with
 * its own hash, by which receipts can be asked for, too.
 */
export async function transactionHashOf({ sent, configuration }: SentTransaction): Promise<Hex | undefined> {
  if (sent.as === 'operation') return transactionOf(sent.hash, configuration);
  return sent.items[0]?.hash;
}
