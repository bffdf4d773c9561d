import { type Explanation, type Viewpoint } from '../../core/decode/explanation';
import { StateError } from '../../core/errors';
import { type Hex } from '../../core/eth/bytes';
import { type OriginMetadata } from '../../core/schemas/origin-metadata';
import { type Consent } from '../wallet/dialogs';
import { type Signed, sentTo } from '../explain/recipients/repository';
import { preview } from '../explain/preview';
import { ConfirmFailureScreen, ConfirmSignatureScreen } from '../screens/confirm-signature';
import { type AccountEntry } from './account';
import { accountNames } from './account-name';
import { alarmed } from './alarmed';
import { type AccountDeps } from './deps';
import { namesIn, shownAccount } from './names';

/** The origin of a request for a signature, the account that is to sign, and how the user is asked. */
type Asking = {
  readonly entry: AccountEntry;
  readonly origin: string;
  readonly originMetadata?: OriginMetadata | null | undefined;
  readonly consent: Consent;
  /** Why the person is asked although MetaMask has asked, as the rest of a sentence. */
  readonly because?: string | undefined;
  /** The hashes of the lines that MetaMask's confirmation of the same request has shown. */
  readonly said?: readonly Hex[] | undefined;
  /** What the request was explained as already, without any names. */
  readonly explained?: Explanation | undefined;
};

/** The facts that a request itself contains, such as its network. */
type Known = Pick<Viewpoint, 'balance' | 'chainId' | 'isOwnPage' | 'origin' | 'vouchedFor'>;

/**
 * Shows what a request does and asks for consent. What cannot succeed takes a second one.
 *
 * @param explain - Explains the request, from the same object that is hashed.
 * @param known - What the request itself knows.
 * @returns The explanation that the user agreed to.
 * @throws {UserRejectedError} If the user rejects the request. Nothing may be signed then.
 */
export async function askToSign(
  explain: (view: Viewpoint) => Explanation,
  { entry, origin, originMetadata, consent, because, said, explained }: Asking,
  known: Known,
  deps: Pick<AccountDeps, 'accounts' | 'chains' | 'library' | 'now' | 'recoveriesOf' | 'sources'>,
): Promise<Explanation> {
  const { address } = entry.account;
  const names = await namesIn(deps);
  const view = { signer: address, now: deps.now(), contractMetadata: deps.library.descriptions, ...known, ...names };
  // Without open questions, it cannot be made again with the names.
  const begun = explained?.unresolved === undefined ? explain(view) : explained;
  const explanation = await preview(begun, view, deps);
  const content = ConfirmSignatureScreen({
    explanation,
    account: shownAccount(entry, names.names),
    origin,
    originMetadata,
    because,
    said,
  });
  await consent(await alarmed(content, entry, deps));
  const { title, failure } = explanation;
  if (failure !== undefined) await consent(ConfirmFailureScreen({ title, failure }));
  return explanation;
}

/** @returns The explanation with further rows or warnings, however often it is made again. */
export const withMore = (
  { unresolved, ...explanation }: Explanation,
  more: Partial<Pick<Explanation, 'main' | 'warnings'>>,
): Explanation => ({
  ...explanation,
  main: [...explanation.main, ...(more.main ?? [])],
  warnings: [...explanation.warnings, ...(more.warnings ?? [])],
  ...(unresolved && {
    unresolved: { ...unresolved, explainWith: (found) => withMore(unresolved.explainWith(found), more) },
  }),
});

/**
 * Compares the recipients of a request with those of earlier ones, with the user's own accounts and contacts, without
 * asking any service.
 *
 * @param compared - The recipients of earlier requests that the explanation was made with, if any.
 */
export async function comparedWithHistory(
  explanation: Explanation,
  signer: Hex,
  compared: readonly Hex[] | undefined,
  { accounts, sources }: Pick<AccountDeps, 'accounts' | 'sources'>,
): Promise<Explanation> {
  const { unresolved } = explanation;
  if (unresolved === undefined || unresolved.counterparties.length === 0) return explanation;
  const met = unresolved.counterparties.map(({ address }) => address);
  const [used, entries, contacts] = await Promise.all([
    sources.used(signer),
    accounts.alike(met),
    sources.contacts?.() ?? {},
  ]);
  if (used === compared && entries.length === 0 && Object.keys(contacts).length === 0) return explanation;
  return unresolved.explainWith({ recipients: { used, own: accountNames(entries), contacts, hasCode: {} } });
}

const unlessUnstored = (error: unknown): void => {
  if (!(error instanceof StateError)) throw error;
};

/**
 * Records where the account sends to, and the signature that it gives. A failure is no reason to withhold a signature.
 *
 * @param signed - Omitted for what Keystead sends itself, which is kept as a batch.
 */
export const rememberSigning = async (
  explanations: readonly Explanation[],
  { account }: AccountEntry,
  { recipients }: Pick<AccountDeps, 'recipients'>,
  signed?: Signed,
): Promise<void> => {
  await recipients.remember(account.address, explanations.flatMap(sentTo), signed).catch(unlessUnstored);
};

/**
 * Signs while the signature is recorded, so that the wallet works on both at the same time. The record is complete
 * before the signature is returned, and taken back if nothing was signed.
 *
 * @param sign - Signs what the user has agreed to.
 */
export async function signAndRemember<T>(
  sign: () => Promise<T>,
  explanation: Explanation,
  { account }: AccountEntry,
  { recipients }: Pick<AccountDeps, 'recipients'>,
  signed: Signed,
): Promise<T> {
  const signing = sign();
  const recording = recipients.remember(account.address, sentTo(explanation), signed).catch(unlessUnstored);
  const [outcome] = await Promise.allSettled([signing, recording]);
  const takeBack = await recording;
  if (outcome.status === 'fulfilled') return outcome.value;
  await takeBack?.().catch(unlessUnstored);
  throw outcome.reason;
}
