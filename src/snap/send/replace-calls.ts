import { type SigningDeps } from '../account/deps';
import { type OwnMethods } from '../../core/methods/own';
import { type GasFees, REPLACEMENTS, type Replacement, replacementFees } from '../../core/calls/replacement';
import { suggestedFees } from '../../clients/transactions';
import { type Replaced } from '../../core/decode/explain/replacement';
import { type Intent } from '../../core/erc4337/user-operation';
import { KeysteadError, NotFoundError } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { type Hex } from '../../core/eth/bytes';
import { chainIdOf } from '../../core/schemas/chain';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { bytesStruct } from '../../core/structs/hex';
import { enums, object, parse, type Struct } from '../../core/structs/struct';
import { type AccountEntry, isSmart } from '../account/account';
import { smartAccountOf } from '../account/smart-account';
import { type SmartAccount } from '../network/operation-chain';
import { servicesOf } from '../network/services';
import {
  type Batch,
  isWaiting,
  sentAs,
  type StoredReplacement,
  type StoredTransaction,
  withEach,
  withReplacements,
} from './batch';
import { type BatchDeps } from './deps';
import { executionFor } from './execution';
import { lookUp } from './look-up';
import { sendOperation, type SentOperation } from './send-operation';
import { OptionalSponsorError, type SiteSponsor } from './site-sponsor';
import { sendTransactions, type SentTransactions } from './send-transactions';

type Fees = StoredReplacement['fees'];

const toFees = ({ maxFeePerGas, maxPriorityFeePerGas }: Fees): GasFees => ({
  maxFeePerGas: BigInt(maxFeePerGas),
  maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
});

const TOO_LONG = 'It cannot be sent again with a higher fee, because its data was too long to keep. Cancel it instead.';

/** Sends coins to itself: none. */
const nothingTo = (to: Hex): Intent => ({ to, value: 0n, data: '0x' });

/** The pending batch, and who sends its replacement where. */
type Replacing = {
  readonly batch: Batch;
  readonly entry: AccountEntry;
  readonly configuration: ChainConfiguration;
  readonly replaced: Replaced;
  readonly origin: string;
};

/** Records the replacement before it is sent, and forgets it if the network refuses it. */
async function recorded<Sent extends Batch['sent']>(
  { batch, replaced }: Replacing,
  { batches, scheduleLookUp }: Pick<BatchDeps, 'batches' | 'scheduleLookUp'>,
  send: (onBroadcast: (sent: Sent) => Promise<void>) => Promise<Sent>,
): Promise<Hex> {
  let replacement: StoredReplacement | undefined;
  const first = sentAs(batch, replaced.hash)?.hash;
  const change = (replacements: (before: readonly StoredReplacement[]) => StoredReplacement[]): Promise<void> =>
    batches.changeSent(batch.origin, batch.id, (sent) =>
      withEach(sent, (each) =>
        each.hash === first ? { ...each, replacements: replacements(each.replacements ?? []) } : each,
      ),
    );
  const onBroadcast = async (sent: Sent): Promise<void> => {
    const [one] = sent.as === 'operation' ? [sent] : sent.items;
    if (one?.fees === undefined) return;
    replacement = { hash: one.hash, how: replaced.how, fees: one.fees };
    const added = replacement;
    await change((before) => [...before, added]);
    await scheduleLookUp(30);
  };
  try {
    const sent = await send(onBroadcast);
    return (sent.as === 'operation' ? sent.hash : sent.items[0]?.hash) ?? replaced.hash;
  } catch (error) {
    const refused = replacement;
    if (refused !== undefined && error instanceof KeysteadError)
      await change((before) => before.filter(({ hash }) => hash !== refused.hash));
    throw error;
  }
}

async function replaceTransaction(
  replacing: Replacing,
  { call }: StoredTransaction,
  deps: SigningDeps & Pick<BatchDeps, 'batches' | 'consent' | 'scheduleLookUp'>,
): Promise<Hex> {
  const { entry, configuration, replaced, origin } = replacing;
  if (isSmart(entry)) throw new NotFoundError('The account no longer exists.');
  const intent =
    replaced.how === 'cancel' ? nothingTo(entry.account.address) : call && { ...call, value: BigInt(call.value) };
  if (intent === undefined) throw new NotFoundError(TOO_LONG);
  const now = await suggestedFees(servicesOf(configuration).node);
  const isPriced = 'gasPrice' in now;
  const fees = replacementFees(
    replaced.fees,
    isPriced ? { maxFeePerGas: now.gasPrice, maxPriorityFeePerGas: now.gasPrice } : now,
  );
  const terms = { nonce: replaced.nonce, ...(isPriced ? { gasPrice: fees.maxFeePerGas } : fees) };
  const asking = { origin, consent: deps.consent, replaced };
  return recorded<SentTransactions>(replacing, deps, (onBroadcast) =>
    sendTransactions([{ ...intent, ...terms }], entry, configuration, asking, onBroadcast, deps),
  );
}

/** @throws {NotFoundError} If the account no longer makes calls in user operations. */
async function senderOf(
  { entry, configuration }: Replacing,
  deps: Pick<BatchDeps, 'delegates'>,
): Promise<SmartAccount> {
  if (isSmart(entry)) return smartAccountOf(entry);
  const execution = await executionFor(entry, configuration, { wantsSponsor: false }, deps);
  if (execution.as !== 'operation') throw new NotFoundError('The account no longer sends user operations here.');
  return execution.account;
}

async function replaceOperation(
  replacing: Replacing,
  { callData, sponsor }: SentOperation,
  deps: SigningDeps & Pick<BatchDeps, 'batches' | 'companions' | 'consent' | 'scheduleLookUp'>,
): Promise<Hex> {
  const { entry, configuration, replaced, origin } = replacing;
  const account = await senderOf(replacing, deps);
  const calls =
    replaced.how === 'cancel'
      ? [nothingTo(account.address)]
      : callData === undefined
        ? undefined
        : account.kind.decodeCalls(callData);
  if (calls === undefined) throw new NotFoundError(TOO_LONG);
  // What a site asked for is judged as a site's, whoever speeds it up; what cancels it has no effect.
  const isOwnPage = replaced.how === 'cancel' || deps.companions.includes(replacing.batch.origin);
  const asking = { origin, isOwnPage, consent: deps.consent, replaced };
  const sendWith = (payer?: SiteSponsor): Promise<Hex> => {
    const context = { configuration, sponsor: payer, fieldOf: (_index: number, member: string) => member };
    return recorded<SentOperation>(replacing, deps, (onBroadcast) =>
      sendOperation(calls, { entry, account }, context, asking, onBroadcast, deps),
    );
  };
  // Nobody else has to pay for a cancellation, or for a higher fee: the dialog says who does.
  if (sponsor === undefined || replaced.how === 'cancel') return sendWith();
  return sendWith({ ...sponsor, isOptional: true }).catch((error: unknown) => {
    if (!(error instanceof OptionalSponsorError)) throw error;
    return sendWith();
  });
}

/**
 * Replaces what is pending under a hash: by the same with a higher fee, or by something without an effect. The user is
 * asked first. Both stay in one batch, because the network includes only one of them.
 *
 * @param origin - Who asks: a page, or the home page.
 * @returns The hash of the replacement.
 * @throws {UserRejectedError} If the user rejects it. Nothing was signed then.
 * @throws {NotFoundError} If nothing is pending under the hash, or it cannot be replaced.
 */
export async function replaceCalls(
  { hash, how, origin }: { readonly hash: string; readonly how: Replacement; readonly origin: string },
  deps: SigningDeps & Pick<BatchDeps, 'batches' | 'companions' | 'consent' | 'scheduleLookUp'>,
): Promise<Hex> {
  const known = (await deps.batches.read()).find((one) => one.status === 100 && sentAs(one, hash) !== undefined);
  const found = known && (await lookUp(known, deps));
  const batch = found && { ...found, sent: withReplacements(found, await deps.batches.read()) };
  const sent = batch && sentAs(batch, hash);
  if (batch?.status !== 100 || sent?.fees === undefined || isWaiting(batch))
    throw new NotFoundError('Nothing that can be replaced is pending under this hash.');
  const entries = await deps.accounts.entries();
  const entry = entries.find(({ account }) => isSameAddress(account.address, batch.account));
  const configuration = await deps.chains.find(chainIdOf(batch.chainId));
  if (entry === undefined || configuration === undefined)
    throw new NotFoundError('The account or the network no longer exists.');
  const { replacements = [], nonce } = sent;
  const last = replacements.at(-1) ?? { hash: sent.hash, fees: sent.fees };
  const noun = 'as' in sent ? 'user operation' : 'transaction';
  const replaced: Replaced = { how, hash: last.hash, noun, nonce: BigInt(nonce), fees: toFees(last.fees) };
  const replacing = { batch, entry, configuration, replaced, origin };
  return 'as' in sent ? replaceOperation(replacing, sent, deps) : replaceTransaction(replacing, sent, deps);
}

const ParamsStruct: Struct<OwnMethods['keystead_replaceCalls']['params']> = object({
  hash: bytesStruct(32),
  how: enums(REPLACEMENTS),
});

/**
 * `keystead_replaceCalls`: speeds up or cancels what is pending. See {@link replaceCalls}.
 *
 * @param origin - `metamask`, or the origin of a companion page.
 */
export const replaceCallsOf = (
  params: unknown,
  deps: SigningDeps & Pick<BatchDeps, 'batches' | 'companions' | 'consent' | 'scheduleLookUp'>,
  origin: string,
): Promise<Hex> => replaceCalls({ ...parse(ParamsStruct, params, 'params'), origin }, deps);
