import { InvalidParamsError, ProviderError, quoted } from '../../core/errors';
import { isLoopbackOrigin } from '../../core/decode/origin';
import { isSmart, type AccountEntry } from '../accounts/account';
import { PaymasterServiceStruct, SendCallsStruct } from '../../core/schemas/calls';
import { chainIdOf, toChainName } from '../../core/schemas/chain';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { type Infer, parse } from '../../core/schemas/struct';
import { type Batch } from './batch';
import { type SendDeps } from './deps';
import { newBatchId } from './new-id';
import { oneAtATime } from './one-at-a-time';
import { type Note, sendNoted } from './send-noted';
import { isOn } from '../permissions/network-of-site';
import { accountAt, type Site } from '../permissions/site';
import { sendOperation, type SiteSponsor } from './send-operation';
import { sendTransactions } from './send-transactions';

type Request = Infer<typeof SendCallsStruct>[0];

/** As many as can be read aloud in full; each transaction of an externally owned account has a dialog of its own. */
const MAX_CALLS = 100;
const MAX_TRANSACTIONS = 10;
/** Hex digits of all calls' data: what fits into a transaction that nodes pass on (128 KiB). */
const MAX_DATA = 2 * 131_072;

const unsupported = (name: string): ProviderError =>
  new ProviderError(
    'capability-unsupported',
    `capabilities: ${quoted(name)} is not supported, and not marked as optional`,
  );

/** @throws {ProviderError} 5700 for a capability that is needed and that there is not. */
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
    throw new ProviderError('calls-too-large', `calls: their data must be at most ${MAX_DATA / 2} bytes in all`);
}

/** @throws {InvalidParamsError} Naming the field. */
function sponsorOf({ capabilities = {} }: Request, origin: string): SiteSponsor | undefined {
  const { paymasterService } = capabilities;
  if (paymasterService === undefined) return undefined;
  const { url, context } = parse(PaymasterServiceStruct, paymasterService, 'capabilities.paymasterService');
  // A page must not reach through us what runs on this machine, unless it runs there itself.
  if (isLoopbackOrigin(new URL(url).origin) && !isLoopbackOrigin(origin))
    throw new InvalidParamsError('capabilities.paymasterService.url', 'must not be on this machine');
  return { url, ...(context !== undefined && { context }) };
}

/** @throws {ProviderError} 5710 if the chain is not set up, or not the account's. */
async function chainFor({ chainId }: Request, stored: AccountEntry, { chains }: SendDeps): Promise<ChainConfiguration> {
  const configuration = await chains.find(chainIdOf(chainId));
  if (configuration === undefined)
    throw new ProviderError('calls-chain-unsupported', `chainId: ${toChainName(chainId)} is not set up in Keystead`);
  if (!isOn(stored, configuration.chainId))
    throw new ProviderError('calls-chain-unsupported', `chainId: the account is not on ${configuration.chainId}`);
  return configuration;
}

async function send(
  request: Request,
  stored: AccountEntry,
  site: Site,
  note: Note<Batch['sent']>,
  deps: SendDeps,
): Promise<Batch['sent']> {
  const calls = request.calls.map(({ to, value = '0x0', data = '0x' }) => ({ to: to ?? null, value, data }));
  if (isSmart(stored)) {
    assertCapabilities(request, ['paymasterService']);
    assertSize(request, MAX_CALLS);
    const sponsor = sponsorOf(request, site.origin);
    const configuration = await chainFor(request, stored, deps);
    const intents = calls.map((call) => ({ ...call, value: BigInt(call.value) }));
    return sendOperation(intents, stored, { configuration, sponsor, field: 'calls$1' }, site, note, deps);
  }
  assertCapabilities(request, []);
  if (request.atomicRequired && calls.length > 1)
    throw new ProviderError(
      'atomicity-unsupported',
      'atomicRequired: an externally owned account cannot carry out several calls at once; a smart account can',
    );
  assertSize(request, MAX_TRANSACTIONS);
  const configuration = await chainFor(request, stored, deps);
  return sendTransactions(calls, stored, configuration, site, note, deps);
}

/**
 * `wallet_sendCalls` (EIP-5792, version 2.0.0). A smart account carries all calls out in one user operation; an
 * externally owned one sends a transaction for each, in order.
 *
 * @returns The batch's id; nobody waits for it to be included.
 * @throws {ProviderError} 5700, 5710, 5720, 5740 or 5760 of EIP-5792; nothing was asked or sent then.
 */
export async function sendCalls(params: unknown, site: Site, deps: SendDeps): Promise<{ readonly id: string }> {
  const [request] = parse(SendCallsStruct, params, 'params', ['']);
  const stored = request.from === undefined ? site.accounts[0] : accountAt(request.from, site);
  const id = request.id ?? newBatchId();
  if ((await deps.batches.find(site.origin, id)) !== undefined)
    throw new ProviderError('calls-id-duplicate', 'id: calls with this id were sent already');
  const { account } = stored;
  const calls = request.calls.length;
  const place = { account: account.address, chainId: toChainName(request.chainId) };
  const batch = { id, origin: site.origin, ...place, calls, atomic: isSmart(stored) || calls === 1 };
  await oneAtATime(account.id, deps, () =>
    sendNoted(batch, deps, (note: Note<Batch['sent']>) => send(request, stored, site, note, deps)),
  );
  return { id };
}
