import { InvalidParamsError, pathText, ProviderError, quoted, UserRejectedError } from '../../core/errors';
import { isSmart, type AccountEntry } from '../account/account';
import { smartAccountOf } from '../account/smart-account';
import { PaymasterServiceStruct, SendCallsStruct } from '../../core/schemas/calls';
import { chainIdOf, toChainName } from '../../core/schemas/chain';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { type Infer, parse } from '../../core/structs/struct';
import { type Batch } from './batch';
import { type BatchDeps, type SendingDeps } from './deps';
import { type Execution, executionFor, paysItself } from './execution';
import { newBatchId, type Sending, sendInTurn } from './send-recorded';
import { assertMayName } from '../sites/local-services';
import { isOn } from '../sites/network-of-site';
import { accountAt, askingFor, type Site } from '../sites/site';
import { sendOperation } from './send-operation';
import { OptionalSponsorError, type SiteSponsor } from './site-sponsor';
import { sendOwnCalls } from './send-own-calls';
import { sendTransactions } from './send-transactions';

type Request = Infer<typeof SendCallsStruct>[0];

/** Limited by what a dialog can show in full. Each transaction of an externally owned account has its own dialog. */
const MAX_CALLS = 100;
const MAX_TRANSACTIONS = 10;
/**
 * The maximum number of hex digits of all call data together, limited by the transactions that nodes relay (128 KiB).
 */
const MAX_DATA = 2 * 131_072;

const unsupported = (name: string): ProviderError =>
  new ProviderError(
    'capability-unsupported',
    `capabilities: ${quoted(name)} is not supported and not marked as optional`,
  );

/** @throws {ProviderError} 5700 if a required capability is not supported. */
function assertCapabilities({ calls, capabilities = {} }: Request, supported: readonly string[]): void {
  const refused = (all: NonNullable<Request['capabilities']>, known: readonly string[]) =>
    Object.entries(all).find(([name, { optional }]) => optional !== true && !known.includes(name))?.[0];
  const name =
    refused(capabilities, supported) ??
    calls.map((call) => refused(call.capabilities ?? {}, [])).find((found) => found !== undefined);
  if (name !== undefined) throw unsupported(name);
}

function assertSize({ calls }: Request, most: number): void {
  if (calls.length > most)
    throw new ProviderError('calls-too-large', `calls: must be at most ${most} for this account, not ${calls.length}`);
  if (calls.reduce((sum, { data = '' }) => sum + data.length, 0) > MAX_DATA)
    throw new ProviderError('calls-too-large', `calls: must have at most ${MAX_DATA / 2} bytes of data in total`);
}

/** @throws {InvalidParamsError} If the capability is invalid; names the field. */
function sponsorOf({ capabilities = {} }: Request, origin: string): SiteSponsor | undefined {
  const { paymasterService } = capabilities;
  if (paymasterService === undefined) return undefined;
  const { url, context } = parse(PaymasterServiceStruct, paymasterService, 'capabilities.paymasterService');
  assertMayName(origin, url, 'capabilities.paymasterService.url');
  return { url, isOptional: paymasterService.optional === true, ...(context !== undefined && { context }) };
}

/** @throws {ProviderError} 5710 if the network is not set up, or the account is not on it. */
async function chainFor(
  { chainId }: Request,
  entry: AccountEntry,
  { chains }: Pick<BatchDeps, 'chains'>,
): Promise<ChainConfiguration> {
  const configuration = await chains.find(chainIdOf(chainId));
  if (configuration === undefined)
    throw new ProviderError('calls-chain-unsupported', `chainId: ${toChainName(chainId)} is not set up in Keystead`);
  if (!isOn(entry, configuration.chainId))
    throw new ProviderError('calls-chain-unsupported', `chainId: the account is not on ${configuration.chainId}`);
  return configuration;
}

/** @throws {InvalidParamsError} If a call is for another chain. */
function assertOneChain({ calls, chainId }: Request): void {
  const other = calls.findIndex((call) => call.chainId !== undefined && BigInt(call.chainId) !== BigInt(chainId));
  if (other >= 0)
    throw new InvalidParamsError(pathText('calls', [other, 'chainId']), 'must equal chainId, or be omitted');
}

/** An account is upgraded only with the calls that need it, so rejecting them rejects the upgrade. */
const orUpgradeRejected = (error: unknown): never => {
  if (!(error instanceof UserRejectedError)) throw error;
  throw new ProviderError(
    'upgrade-rejected',
    'You rejected the upgrade of the account (EIP-7702) that these calls need.',
  );
};

const notAtomic = ({ foreign }: { readonly foreign?: string | undefined }): ProviderError =>
  new ProviderError(
    'atomicity-unsupported',
    foreign === undefined
      ? 'atomicRequired: must be false: on this network, a standard account cannot execute several calls atomically (EIP-7702); use a smart account'
      : `atomicRequired: must be false: ${foreign}`,
  );

async function sendWith(
  sponsor: SiteSponsor | undefined,
  request: Request,
  { entry, site, onBroadcast, deps }: Sending,
): Promise<Batch['sent']> {
  const calls = request.calls.map(({ to, value = '0x0', data = '0x' }) => ({
    to: to ?? null,
    value: BigInt(value),
    data,
  }));
  const fieldOf = (index: number, member: string) => pathText('calls', [index, member]);
  const configuration = await chainFor(request, entry, deps);
  const context = { configuration, sponsor, fieldOf };
  const asking = askingFor(site, entry, deps);
  if (isSmart(entry))
    return sendOperation(calls, { entry, account: smartAccountOf(entry) }, context, asking, onBroadcast, deps);
  // A single call that nobody else pays for is a transaction like any other.
  const isPlain = calls.length === 1 && paysItself(configuration, sponsor !== undefined);
  const execution: Execution = isPlain
    ? { as: 'transactions' }
    : await executionFor(entry, configuration, { wantsSponsor: sponsor?.isOptional === false }, deps);
  const failure = execution.as === 'transactions' ? execution.failure : undefined;
  if (sponsor?.isOptional === false && execution.as !== 'operation') throw failure ?? unsupported('paymasterService');
  const isAtomic = calls.length > 1 && request.atomicRequired;
  const upgrading = <T>(sending: Promise<T>): Promise<T> =>
    'isUpgraded' in execution && !execution.isUpgraded ? sending.catch(orUpgradeRejected) : sending;
  switch (execution.as) {
    case 'operation':
      // An account is not upgraded for calls that do not need it.
      if (execution.isUpgraded || isAtomic || sponsor !== undefined || execution.isSponsored)
        return upgrading(
          sendOperation(calls, { entry, account: execution.account }, context, asking, onBroadcast, deps),
        );
      break;
    case 'own-transaction':
      if (isAtomic || (execution.isUpgraded && calls.length > 1))
        return upgrading(sendOwnCalls(calls, entry, { ...execution, configuration, fieldOf }, site, onBroadcast, deps));
      break;
    case 'transactions':
      if (isAtomic) throw failure ?? notAtomic(execution);
  }
  assertSize(request, MAX_TRANSACTIONS);
  return sendTransactions(calls, entry, configuration, asking, onBroadcast, deps);
}

/** Sends the calls, without an optional paymaster service if it does not sponsor them. */
async function send(request: Request, sending: Sending): Promise<Batch['sent']> {
  assertCapabilities(request, ['paymasterService']);
  const sponsor = sponsorOf(request, sending.site.origin);
  assertSize(request, MAX_CALLS);
  assertOneChain(request);
  try {
    return await sendWith(sponsor, request, sending);
  } catch (error) {
    if (!(error instanceof OptionalSponsorError)) throw error;
    return sendWith(undefined, request, sending);
  }
}

/**
 * `wallet_sendCalls` (EIP-5792, version 2.0.0). A smart account executes all calls in one user operation, and so does
 * an externally owned account that is delegated (EIP-7702) or is upgraded for it; without a bundler for it, in one
 * transaction to itself. Any other externally owned account sends one transaction per call, in order.
 *
 * @returns The batch id, without waiting for inclusion.
 * @throws {ProviderError} 5700, 5710, 5720, 5740, 5750 or 5760 of EIP-5792. Nothing was shown or sent then.
 */
export async function sendCalls(params: unknown, site: Site, deps: SendingDeps): Promise<{ readonly id: string }> {
  const [request] = parse(SendCallsStruct, params, 'params', ['']);
  const entry = request.from === undefined ? site.accounts[0] : accountAt(request.from, site);
  const id = request.id ?? newBatchId();
  if ((await deps.batches.find(site.origin, id)) !== undefined)
    throw new ProviderError('calls-id-duplicate', 'id: calls with this id were already sent');
  const { account } = entry;
  const calls = request.calls.length;
  const chainId = toChainName(request.chainId);
  const batch = { id, origin: site.origin, account: account.address, chainId, calls };
  await sendInTurn(account.id, batch, deps, (onBroadcast) => send(request, { entry, site, onBroadcast, deps }));
  return { id };
}
