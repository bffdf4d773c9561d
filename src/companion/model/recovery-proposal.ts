import { type Hex } from '../../core/eth/bytes';
import { MAX_NEW_OWNERS, type NewOwners } from '../../core/safe/recovery/new-owners';
import { isServiceUrl, SERVICE_URL_RULE } from '../../core/schemas/service-url';
import { InvalidFieldError } from './errors';
import { readAddress } from './read-fields';

/** A recovery that guardians are asked to confirm: which account gets which owners, on which network. */
export type Proposal = NewOwners & { readonly chainId: bigint; readonly safe: Hex; readonly module: Hex };

const NUMBER = /^[1-9][0-9]{0,17}$/u;

/** @throws {InvalidFieldError} If a part of a link is no address, or has a broken checksum. */
export function addressIn(text: string, field: string): Hex {
  try {
    return readAddress(text, field);
  } catch (error) {
    throw new InvalidFieldError(field, (error as Error).message);
  }
}

/** @throws {InvalidFieldError} If a part of a link is no number above 0. */
export function numberIn(text: string, field: string): bigint {
  if (!NUMBER.test(text)) throw new InvalidFieldError(field, `${field}: must be a whole number above 0`);
  return BigInt(text);
}

/** Stands for a part of a link that is left out. */
export const ABSENT = '-';

/** What a link says of its sender. Whoever writes the link can write anything here. */
export type Sender = {
  /** The name of the person who asks. */
  readonly sender?: string | undefined;
  /** A node of the network, for wallets that do not have the network. */
  readonly rpcUrl?: string | undefined;
};

/** Queries, long parts of a path and very long names of hosts may be keys for access. */
const MAY_BE_KEY = /\?|[^/:.]{24}|^https?:\/\/[^/]*\/.*[^/:.]{13}/u;

/** @returns The URL of a service if others may see it: it must not give away an access key. */
export const shareable = (url: string | undefined): string | undefined =>
  url === undefined || MAY_BE_KEY.test(url) ? undefined : url;

/** @throws {InvalidFieldError} If the URL of a service is not one that Keystead uses. */
export function urlIn(text: string, field: string): string {
  if (!isServiceUrl(text)) throw new InvalidFieldError(field, `${field}: ${SERVICE_URL_RULE}`);
  return text;
}

/** The same for a part of a link, which may be left out. */
export const serviceIn = (text: string, field: string): string | undefined =>
  text === ABSENT ? undefined : urlIn(text, field);

/** @returns The parts of the link to a proposal, as `linkTo` takes them. It holds everything that guardians confirm. */
export const proposalParts = ({
  chainId,
  safe,
  module,
  newOwners,
  newThreshold,
  sender = ABSENT,
  rpcUrl = ABSENT,
}: Proposal & Sender): readonly string[] => [
  'recover',
  String(chainId),
  safe,
  module,
  String(newThreshold),
  newOwners.join('.'),
  sender,
  rpcUrl,
];

/**
 * Reads a proposal from a link, which anyone may have written.
 *
 * @param parts - The parts of the link after `recover`.
 * @throws {InvalidFieldError} Names the field and the rule.
 */
export function readProposal(parts: readonly string[]): Proposal & Sender {
  const [chainId = '', safe = '', module = '', newThreshold = '', owners = '', ...more] = parts;
  const [sender = ABSENT, rpcUrl = ABSENT, ...others] = more;
  if (others.length > 0) throw new InvalidFieldError('link', 'link: must have at most seven parts');
  const list = owners.split('.');
  if (list.length > MAX_NEW_OWNERS)
    throw new InvalidFieldError('new owners', `new owners: must be at most ${MAX_NEW_OWNERS}`);
  return {
    chainId: numberIn(chainId, 'network'),
    safe: addressIn(safe, 'account'),
    module: addressIn(module, 'module'),
    newThreshold: numberIn(newThreshold, 'required signatures'),
    newOwners: list.map((owner) => addressIn(owner, 'new owners')),
    sender: sender === ABSENT ? undefined : sender,
    rpcUrl: serviceIn(rpcUrl, 'node'),
  };
}
