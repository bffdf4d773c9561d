import { isSameAddress } from '../../eth/address';
import { type Effect } from '../effects/effect';
import { address, leftOut, quote, text } from './lines';
import { parseSignIn, type SignIn, signInClaim } from './siwe';
import { quotable, shortened, visible } from './text';
import { parseTime, utcTime } from './time';
import { type Line, type Viewpoint } from '../explanation';
import { networkIn } from './units';

const MAX_RESOURCES = 20;
const MAX_VALUE = 200;
/** Names of sites in a sentence. */
const MAX_NAME = 100;

/** ERC-5573: what the holder of the URI may do from now on. */
const CAPABILITY = /^urn:recap:/iu;

/** The canonical host and port of an origin or domain; undefined if it is malformed. */
function hostOf(url: string): string | undefined {
  try {
    return new URL(url).host;
  } catch {
    return undefined;
  }
}

/** A host and a port, with or without a scheme; no user info and no path. */
const BARE_AUTHORITY = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^\s@/\\?#]+$/iu;

/** @returns Whether a sign-in's domain, with its scheme if it has one, matches the origin. */
function isOfOrigin(claimed: string, origin: string): boolean {
  if (!BARE_AUTHORITY.test(claimed)) return false;
  const scheme = /^[a-z][a-z0-9+.-]*:/iu.exec(origin)?.[0];
  if (scheme === undefined) return false;
  const host = hostOf(claimed.includes('://') ? claimed : `${scheme}//${claimed}`);
  return (
    host !== undefined &&
    host !== '' &&
    host === hostOf(origin) &&
    // URL parsing drops invisible characters and undoes escapes. No site would accept such a spelling of its name.
    claimed.toLowerCase().includes(host) &&
    (!claimed.includes('://') || claimed.toLowerCase().startsWith(`${scheme}//`))
  );
}

/** The times of a sign-in, and whether it counts now. */
function timesOf(signIn: SignIn, { now }: Viewpoint): { effects: readonly Effect[]; lines: readonly Line[] } {
  const [issued, end, start] = [signIn.issuedAt, signIn.expirationTime, signIn.notBefore].map((written) =>
    written === undefined ? undefined : parseTime(written),
  );
  const line = (label: string, time: bigint | undefined): Line[] =>
    time === undefined ? [] : [text(label, time < 0n ? 'before 1970' : utcTime(time))];
  return {
    effects: [
      ...(end !== undefined && end <= now ? [{ kind: 'sign-in', is: 'expired' } as const] : []),
      ...(start !== undefined && start > now ? [{ kind: 'sign-in', is: 'early' } as const] : []),
    ],
    lines: [...line('Issued', issued), ...line('Validity starts', start), ...line('Expires', end)],
  };
}

function resourceLines(resources: readonly string[]): Line[] {
  const lines = resources.slice(0, MAX_RESOURCES).map((resource) => quote('Resource', resource, 'the message'));
  return [...lines, ...leftOut(resources.length - lines.length, 'resource')];
}

/** Compares the site and account that a sign-in names with the site that asks and the account that signs. */
function* claimEffects(
  { domain, address: account }: { domain: string; address: string },
  view: Viewpoint,
): Generator<Effect> {
  const { origin, signer } = view;
  if (origin !== undefined && !isOfOrigin(domain, origin)) {
    const [asking = '', claimed = ''] = [origin, domain].map((name) => `“${quotable(name, MAX_NAME)}”`);
    yield { kind: 'sign-in', is: 'other-site', asking, claimed };
  }
  if (!isSameAddress(account, signer)) yield { kind: 'sign-in', is: 'other-account' };
}

/**
 * Explains a message that signs in to a site (ERC-4361), and compares it with the site that asks and the account that
 * signs.
 *
 * @returns undefined for any other message.
 */
export function readSignIn(
  message: string,
  view: Viewpoint,
): { readonly title: string; readonly lines: readonly Line[]; readonly effects: readonly Effect[] } | undefined {
  const claim = signInClaim(message);
  if (claim === undefined) return undefined;
  const claims = [...claimEffects(claim, view)];
  const signIn = parseSignIn(message);
  if ('fault' in signIn)
    return {
      title: 'Malformed sign-in',
      effects: [...claims, { kind: 'sign-in', is: 'malformed', fault: signIn.fault }],
      // The domain of a malformed sign-in may be any text, even a sentence, so it is quoted.
      lines: [quote('Sign-in domain', claim.domain, 'the message')],
    };
  const { chainId } = signIn;
  const { chainId: ofRequest } = view;
  const times = timesOf(signIn, view);
  const isCapability = signIn.resources?.some((resource) => CAPABILITY.test(resource)) === true;
  const isElsewhere = ofRequest !== undefined && chainId !== ofRequest;
  return {
    title: `Sign in to ${shortened(claim.domain, MAX_NAME, visible)}`,
    effects: [
      ...claims,
      ...times.effects,
      ...(isElsewhere ? [{ kind: 'network', named: chainId, ofRequest } as const] : []),
      ...(isCapability ? [{ kind: 'sign-in', is: 'capability', of: quotable(signIn.uri, MAX_NAME) } as const] : []),
    ],
    lines: [
      text('Sign-in domain', shortened(claim.domain, MAX_VALUE, visible)),
      address('Account', signIn.address),
      ...(signIn.statement === undefined ? [] : [quote('Statement', signIn.statement, 'the site')]),
      quote('Page', signIn.uri, 'the message'),
      text('Network', networkIn({ view }, chainId).name),
      ...times.lines,
      ...(signIn.requestId === undefined ? [] : [quote('Request ID', signIn.requestId, 'the message')]),
      ...resourceLines(signIn.resources ?? []),
    ],
  };
}
