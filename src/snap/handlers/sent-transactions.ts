import {
  KeysteadError,
  MethodNotSupportedError,
  quoted,
  ServiceFailedError,
  ServiceRefusedError,
  ServiceSilentError,
} from '../../core/errors';
import { type Explanation } from '../../core/decode/explanation';
import { type Hex } from '../../core/eth/bytes';
import { positionOf, wasSent } from '../explain/recipients/mined-transaction';
import { type RecipientRepository, sentTo } from '../explain/recipients/repository';
import {
  type ShownTransaction,
  type ShownTransactionRepository,
  shownTransaction,
} from '../explain/recipients/shown-transactions';
import { type PreviewNode } from '../../simulation/node';
import { type AskedTransaction } from './insights';

/** The method name of the background event. */
export const LOOK_UP_EVENT = 'lookUpSent';

/** Milliseconds. Afterwards, a transaction counts as rejected. */
const WAITING = 86_400_000;
/** Transactions shown less than this many milliseconds ago are looked up often. */
const FRESH = 600_000;

/** The dependencies of learning what was sent. */
export type SentDeps = {
  readonly recipients: RecipientRepository;
  readonly shown: ShownTransactionRepository;
  /** @returns The wallet's node, which may select the network for it only if `maySelect`. */
  readonly walletNode: (chainId: bigint, options: { readonly maySelect: boolean }) => PreviewNode;
  readonly selectedNetwork: () => Promise<bigint | undefined>;
  readonly isLocked: () => Promise<boolean>;
  /** @param seconds - The delay of the next look-up. */
  readonly scheduleLookUp: (seconds: number) => Promise<void>;
};

const unlessKnown = (error: unknown): undefined => {
  if (!(error instanceof KeysteadError)) throw error;
  return undefined;
};

/**
 * Takes note of a transaction that is shown and sends something, in order to learn later whether it was sent: a snap
 * without accounts is not told. If the wallet's node or the state fails, its recipients stay new.
 */
export async function noteShown(
  { chainId, ...call }: AskedTransaction,
  explaining: Promise<Explanation>,
  { shown, walletNode, scheduleLookUp }: SentDeps,
): Promise<void> {
  const node = walletNode(chainId, { maySelect: true });
  const [position, explanation] = await Promise.all([positionOf(call.from, node).catch(unlessKnown), explaining]);
  const recipients: readonly Hex[] = sentTo(explanation);
  if (position === undefined || recipients.length === 0) return;
  try {
    await shown.add(shownTransaction(call, chainId, position, recipients, Date.now()));
    await scheduleLookUp(60);
  } catch (error) {
    unlessKnown(error);
  }
}

const isExpired = ({ shownAt }: ShownTransaction): boolean => Date.now() - shownAt > WAITING;

/** @throws {ServiceSilentError} If the wallet's node does not respond. */
async function lookUp(one: ShownTransaction, node: PreviewNode): Promise<boolean | undefined> {
  if (isExpired(one)) return false;
  try {
    return await wasSent(one, node);
  } catch (error) {
    if (error instanceof ServiceSilentError) throw error;
    if (error instanceof ServiceFailedError || error instanceof ServiceRefusedError) return false;
    throw error;
  }
}

/** Looks up transactions, one after the other, until the wallet's node does not respond. */
async function settle(all: readonly ShownTransaction[], node: PreviewNode, { recipients, shown }: SentDeps) {
  for (const one of all) {
    let sent: boolean | undefined;
    try {
      sent = await lookUp(one, node);
    } catch (error) {
      if (error instanceof ServiceSilentError) return;
      throw error;
    }
    if (sent === true) await recipients.remember(one.account, one.recipients);
    if (sent !== undefined) await shown.remove(one);
  }
}

/**
 * Looks up which of the shown transactions were sent, on the network that is selected for this snap. Others wait until
 * their network is selected again, because selecting one is visible in the wallet. What the node cannot tell counts as
 * not sent: its recipients stay new. While the wallet is locked, reading the state would prompt for the password, so
 * the look-up is postponed.
 *
 * @throws {MethodNotSupportedError} If it is another event.
 * @throws {StateError} If the state cannot be read or written.
 */
export async function onLookUpEvent(method: string, deps: SentDeps): Promise<void> {
  if (method !== LOOK_UP_EVENT) throw new MethodNotSupportedError(`method: unknown event ${quoted(method)}`);
  if (await deps.isLocked()) {
    await deps.scheduleLookUp(600);
    return;
  }
  const chainId = await deps.selectedNetwork();
  if (chainId === undefined) return;
  const isDue = (one: ShownTransaction): boolean => one.chainId === `eip155:${chainId}` || isExpired(one);
  const due = async () => (await deps.shown.read()).filter(isDue);
  // The oldest first, so that the recipients end up in the order in which they were sent to.
  await settle((await due()).toReversed(), deps.walletNode(chainId, { maySelect: false }), deps);
  const [youngest] = await due();
  if (youngest !== undefined) await deps.scheduleLookUp(Date.now() - youngest.shownAt < FRESH ? 60 : 600);
}
