import { isSameAddress } from '../eth/address';
import { type Findings } from './dangers';
import { address, leftOut, quote, text } from './lines';
import { parseSignIn, type SignIn, signInClaim } from './siwe';
import { shortened, visible } from './text';
import { parseTime, utcTime } from './time';
import { type Line, type Viewpoint } from './types';

const MAX_RESOURCES = 20;
const MAX_VALUE = 200;

/** The host and port of an origin or of a domain, in the one spelling that URLs have; undefined where it is none. */
function hostOf(url: string): string | undefined {
  try {
    return new URL(url).host;
  } catch {
    return undefined;
  }
}

/** A host and a port, after a scheme or not: nothing before an @, no path, nothing that a URL would read as one. */
const AUTHORITY_ALONE = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^\s@/\\?#]+$/iu;

/** Whether a sign-in's domain, with its scheme if it has one, is the origin's. */
function isOfOrigin(claimed: string, origin: string): boolean {
  if (!AUTHORITY_ALONE.test(claimed)) return false;
  const scheme = /^[a-z][a-z0-9+.-]*:/iu.exec(origin)?.[0];
  if (scheme === undefined) return false;
  const host = hostOf(claimed.includes('://') ? claimed : `${scheme}//${claimed}`);
  return (
    host !== undefined &&
    host !== '' &&
    host === hostOf(origin) &&
    // URLs leave out invisible characters and undo escapes: no site compares its name with such a spelling.
    claimed.toLowerCase().includes(host) &&
    (!claimed.includes('://') || claimed.toLowerCase().startsWith(`${scheme}//`))
  );
}

function timeLines(signIn: SignIn, { now }: Viewpoint, findings: Findings): Line[] {
  const [issued, end, start] = [signIn.issuedAt, signIn.expirationTime, signIn.notBefore].map((written) =>
    written === undefined ? undefined : parseTime(written),
  );
  if (end !== undefined && end <= now) findings.warn('This sign-in has ended already.');
  if (start !== undefined && start > now) findings.warn('This sign-in does not hold yet.');
  const line = (label: string, time: bigint | undefined): Line[] =>
    time === undefined ? [] : [text(label, time < 0n ? 'before 1970' : utcTime(time))];
  return [...line('Issued', issued), ...line('Holds from', start), ...line('Holds until', end)];
}

function resourceLines(resources: readonly string[]): Line[] {
  const lines = resources.slice(0, MAX_RESOURCES).map((resource) => quote('Resource', resource, 'the message'));
  return [...lines, ...leftOut(resources.length - lines.length, 'resource')];
}

/**
 * Explains a message that signs in to a site (ERC-4361), and holds it against the one who asks and the one
 * who signs.
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
  if (view.origin !== undefined && !isOfOrigin(claim.domain, view.origin)) findings.danger('siwe-domain');
  if (!isSameAddress(claim.address, view.signer)) findings.danger('siwe-address');
  const signIn = parseSignIn(message);
  if (signIn === undefined) {
    findings.warn('This looks like a sign-in, but is not well-formed (ERC-4361): sites should not accept it.');
    // What stands in the place of the domain may be anything, a sentence too.
    return { title: 'Sign in, in a form that is not valid', lines: [quote('Site', claim.domain, 'the message')] };
  }
  const { chainId } = signIn;
  if (view.chainId !== undefined && chainId !== view.chainId) findings.danger('chain-mismatch');
  return {
    title: 'Sign in',
    lines: [
      text('Site', shortened(claim.domain, MAX_VALUE, visible)),
      address('Account', signIn.address),
      ...(signIn.statement === undefined ? [] : [quote('Statement', signIn.statement, 'the site')]),
      quote('Page', signIn.uri, 'the message'),
      text('Chain', `eip155:${chainId}`),
      ...timeLines(signIn, view, findings),
      ...(signIn.requestId === undefined ? [] : [quote('Request', signIn.requestId, 'the message')]),
      ...resourceLines(signIn.resources ?? []),
    ],
  };
}
