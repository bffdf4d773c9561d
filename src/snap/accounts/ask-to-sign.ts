import { type Explanation, type Viewpoint } from '../../core/decode/explanation';
import { StateError } from '../../core/errors';
import { type Hex } from '../../core/eth/bytes';
import { type OriginMetadata } from '../../core/schemas/origin-metadata';
import { type ChainRepository } from '../networks/repository';
import { type Consent } from '../platform/dialogs';
import { type RecipientRepository, type Signed } from '../recipients/repository';
import { sentTo } from '../recipients/sent-to';
import { preview, type PreviewDeps } from '../simulation/preview';
import { ConfirmFailureScreen, ConfirmSignatureScreen } from '../ui/confirm-signature';
import { type AccountEntry } from './account';
import { accountNames, defaultName, namedParts } from './account-name';
import { type AccountRepository, unlessDamaged } from './repository';

/** Who asks for a signature, and the account that is to sign. */
export type Asking = {
  readonly entry: AccountEntry;
  readonly origin: string;
  readonly originMetadata?: OriginMetadata | null | undefined;
};

export type AskDeps = PreviewDeps & {
  readonly accounts: AccountRepository;
  readonly chains: ChainRepository;
  readonly consent: Consent;
  /** Seconds since 1970. */
  readonly now: () => bigint;
};

/** What a request itself knows, such as its network. */
type Known = Pick<Viewpoint, 'balance' | 'chainId' | 'origin'>;

type Names = Required<Pick<Viewpoint, 'names' | 'networks'>>;

/** @returns The names of the user's accounts and networks. */
export async function namesIn({ accounts, chains }: Pick<AskDeps, 'accounts' | 'chains'>): Promise<Names> {
  const [entries, configured] = await Promise.all([unlessDamaged(accounts.entries(), []), chains.list()]);
  return {
    names: accountNames(entries),
    networks: Object.fromEntries(configured.map((chain) => [chain.chainId.slice('eip155:'.length), chain])),
  };
}

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
  { entry, origin, originMetadata }: Asking,
  known: Known,
  deps: AskDeps,
): Promise<Explanation> {
  const { address } = entry.account;
  const names = await namesIn(deps);
  const view = { signer: address, now: deps.now(), ...known, ...names };
  const explanation = await preview(explain(view), view, deps);
  const name = names.names[address.toLowerCase()] ?? defaultName(namedParts(entry));
  await deps.consent(ConfirmSignatureScreen({ explanation, account: { name, address }, origin, originMetadata }));
  const { title, failure } = explanation;
  if (failure !== undefined) await deps.consent(ConfirmFailureScreen({ title, failure }));
  return explanation;
}

/**
 * Compares the recipients of a request with those of earlier ones and with the user's own accounts, without asking any
 * service.
 */
export async function comparedWithHistory(
  explanation: Explanation,
  signer: Hex,
  { accounts, sources }: Pick<AskDeps, 'accounts' | 'sources'>,
): Promise<Explanation> {
  const { open } = explanation;
  if (open === undefined || open.met.length === 0) return explanation;
  const [used, entries] = await Promise.all([sources.used(signer), unlessDamaged(accounts.entries(), [])]);
  return open.again({ recipients: { used, own: accountNames(entries), hasCode: {} } });
}

/**
 * Records where the account sends to, and the signature that it gave. A failure is no reason to withhold a signature.
 *
 * @param signed - Omitted for what Keystead sends itself, which is kept as a batch.
 */
export const rememberSigning = (
  explanations: readonly Explanation[],
  { account }: AccountEntry,
  { recipients }: { readonly recipients: RecipientRepository },
  signed?: Signed,
): Promise<void> =>
  recipients.remember(account.address, explanations.flatMap(sentTo), signed).catch((error: unknown) => {
    if (!(error instanceof StateError)) throw error;
  });
