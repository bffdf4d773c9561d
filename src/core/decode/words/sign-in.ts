import { isSameAddress } from '../../eth/address';
import { type Findings } from '../effects/dangers';
import { address, leftOut, quote, text } from './lines';
import { parseSignIn, type SignIn, signInClaim } from './siwe';
import { wrongNetwork } from './sentences';
import { quotable, shortened, visible } from './text';
import { parseTime, utcTime } from './time';
import { type Line, type Viewpoint } from '../explanation';
import { networkIn } from './units';

const MAX_RESOURCES = 20;
const MAX_VALUE = 200;
/** Names of sites in a sentence. */
const MAX_NAME = 100;

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

/** Whether a sign-in's domain, with its scheme if it has one, matches the origin. */
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

function timeLines(signIn: SignIn, { now }: Viewpoint, findings: Findings): Line[] {
  const [issued, end, start] = [signIn.issuedAt, signIn.expirationTime, signIn.notBefore].map((written) =>
    written === undefined ? undefined : parseTime(written),
  );
  if (end !== undefined && end <= now) findings.warn('This sign-in has already expired.');
  if (start !== undefined && start > now) findings.warn('This sign-in is not valid yet.');
  const line = (label: string, time: bigint | undefined): Line[] =>
    time === undefined ? [] : [text(label, time < 0n ? 'before 1970' : utcTime(time))];
  return [...line('Issued', issued), ...line('Validity starts', start), ...line('Expires', end)];
}

function resourceLines(resources: readonly string[]): Line[] {
  const lines = resources.slice(0, MAX_RESOURCES).map((resource) => quote('Resource', resource, 'the message'));
  return [...lines, ...leftOut(resources.length - lines.length, 'resource')];
}

/**
 * Explains a message that signs in to a site (ERC-4361), and compares it with the site that asks and the account that
 * signs.
 *
 * @returns Title and lines; undefined for any other message.
 */
export function readSignIn(
  message: string,
  view: Viewpoint,
  findings: Findings,
): { readonly title: string; readonly lines: readonly Line[] } | undefined {
  const claim = signInClaim(message);
  if (claim === undefined) return undefined;
  const { origin } = view;
  if (origin !== undefined && !isOfOrigin(claim.domain, origin))
    findings.danger('siwe-domain', () => {
      const [asking, claimed] = [origin, claim.domain].map((name) => `“${quotable(name, MAX_NAME)}”`);
      return `The site ${asking} wants you to sign in to ${claimed}. It could use your signature to act as you there.`;
    });
  if (!isSameAddress(claim.address, view.signer)) findings.danger('siwe-address');
  const signIn = parseSignIn(message);
  if (signIn === undefined) {
    findings.warn('This looks like a sign-in, but it is not well-formed (ERC-4361). Sites should reject it.');
    // The domain of a malformed sign-in may be any text, even a sentence, so it is quoted.
    return { title: 'Malformed sign-in', lines: [quote('Sign-in domain', claim.domain, 'the message')] };
  }
  const { chainId } = signIn;
  const { chainId: ofRequest } = view;
  if (ofRequest !== undefined && chainId !== ofRequest)
    findings.danger('chain-mismatch', () => wrongNetwork(chainId, ofRequest, view));
  return {
    title: `Sign in to ${shortened(claim.domain, MAX_NAME, visible)}`,
    lines: [
      text('Sign-in domain', shortened(claim.domain, MAX_VALUE, visible)),
      address('Account', signIn.address),
      ...(signIn.statement === undefined ? [] : [quote('Statement', signIn.statement, 'the site')]),
      quote('Page', signIn.uri, 'the message'),
      text('Network', networkIn({ view }, chainId).name),
      ...timeLines(signIn, view, findings),
      ...(signIn.requestId === undefined ? [] : [quote('Request ID', signIn.requestId, 'the message')]),
      ...resourceLines(signIn.resources ?? []),
    ],
  };
}
