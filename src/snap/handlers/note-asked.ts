import { type Explanation } from '../../core/decode/explanation';
import { lowerCase } from '../../core/eth/bytes';
import { type Kept, keptOf } from '../../core/ledger/signed/kept';
import { chainNameOf } from '../../core/schemas/chain';
import { type ExplainedRequest } from './insights';
import { type LedgerRepository } from '../account/ledger/repository';
import { type SignedRepository } from '../account/signed/repository';

type NoteDeps = {
  readonly ledger: LedgerRepository;
  readonly signed: SignedRepository;
  /** Seconds since 1970. */
  readonly now: () => bigint;
};

/** What is kept of a message that may be signed now. */
function keptOfRequest({ view, message }: ExplainedRequest, explanation: Explanation, now: bigint): Kept | undefined {
  if (message === undefined) return undefined;
  const { hash, data } = message;
  // The digest was computed, so a chain id in the domain is declared and in range.
  const { chainId: named } = data !== undefined && Object.hasOwn(data.domain, 'chainId') ? data.domain : {};
  const chainId = named === undefined ? undefined : BigInt(named as string | number);
  const facts = {
    account: lowerCase(view.signer),
    origin: view.origin ?? 'MetaMask',
    at: Number(now) * 1000,
    hash,
    ...(chainId !== undefined && { chainId: chainNameOf(chainId) }),
  };
  return keptOf(explanation, facts, data);
}

/**
 * Takes note of the account that is asked, and of what it may sign that others can use: nobody tells a snap without
 * accounts what was signed.
 */
export async function noteAsked(
  request: ExplainedRequest,
  explaining: Promise<Explanation>,
  { ledger, signed, now }: NoteDeps,
): Promise<void> {
  await ledger.addAccount(request.view.signer);
  const kept = keptOfRequest(request, await explaining, now());
  if (kept !== undefined) await signed.add([kept], now());
}
