import { type Hex } from '../../eth/bytes';
import { parseTime } from './time';

/** A message of ERC-4361, "Sign-In with Ethereum". Times are seconds since 1970. */
export type SignIn = {
  readonly scheme: string | undefined;
  readonly domain: string;
  readonly address: Hex;
  readonly statement: string | undefined;
  readonly uri: string;
  readonly version: '1';
  readonly chainId: bigint;
  readonly nonce: string;
  readonly issuedAt: string;
  readonly expirationTime: string | undefined;
  readonly notBefore: string | undefined;
  readonly requestId: string | undefined;
  readonly resources: readonly string[] | undefined;
};

// RFC 3986, appendix A, as far as ERC-4361 uses it.
const UNRESERVED = String.raw`A-Za-z0-9\-._~`;
const SUB_DELIMS = String.raw`!$&'()*+,;=`;
const PCT = '%[0-9A-Fa-f]{2}';
const PCHAR = `(?:[${UNRESERVED}${SUB_DELIMS}:@]|${PCT})`;
const SCHEME = String.raw`[A-Za-z][A-Za-z0-9+.\-]*`;
const USERINFO = `(?:[${UNRESERVED}${SUB_DELIMS}:]|${PCT})*@`;
const IP_LITERAL = String.raw`\[[0-9A-Fa-f:.]+\]`;
const REG_NAME = `(?:[${UNRESERVED}${SUB_DELIMS}]|${PCT})+`;
const AUTHORITY = `(?:${USERINFO})?(?:${IP_LITERAL}|${REG_NAME})(?::[0-9]*)?`;
const URI = new RegExp(
  `^${SCHEME}:(?://(?:${AUTHORITY})?(?:/${PCHAR}*)*|/?(?:${PCHAR}+(?:/${PCHAR}*)*)?)(?:\\?(?:${PCHAR}|[/?])*)?(?:#(?:${PCHAR}|[/?])*)?$`,
  'u',
);

/** The longest line that is parsed, in characters. Real sign-ins stay below it. */
const MAX_LINE = 8192;

const CHAIN_ID = 'Chain ID: ';
const ISSUED_AT = 'Issued At: ';
const EXPIRATION_TIME = 'Expiration Time: ';
const NOT_BEFORE = 'Not Before: ';
const REQUEST_ID = 'Request ID: ';
const CLAIM = ' wants you to sign in with your Ethereum account:';
const FIRST_LINE = new RegExp(`^(?:(${SCHEME})://)?(${AUTHORITY})${CLAIM}$`, 'u');
/** reserved / unreserved / " " of ERC-4361. */
const STATEMENT = new RegExp(`^(?:[${UNRESERVED}${SUB_DELIMS}:/?#@ ]|[[\\]])+$`, 'u');
const ADDRESS = /^0x[0-9a-fA-F]{40}$/u;

/** Reads the fields in order. Each is a line that starts with the field's name. */
class Fields {
  constructor(
    private readonly lines: readonly string[],
    private at: number,
  ) {}

  /** @returns The value of the next line if it has this name. */
  take(name: string): string | undefined {
    const line = this.lines[this.at];
    if (line?.startsWith(name) !== true) return undefined;
    this.at++;
    return line.slice(name.length);
  }

  get rest(): readonly string[] {
    return this.lines.slice(this.at);
  }
}

const fits = (pattern: RegExp, value: string | undefined): value is string =>
  value !== undefined && pattern.test(value);
const isTime = (value: string | undefined): value is string => value !== undefined && parseTime(value) !== undefined;

/** The list of resources up to the end of the message; undefined if it is malformed. */
function resourcesOf(lines: readonly string[]): readonly string[] | undefined {
  const resources = lines.map((line) => (line.startsWith('- ') ? line.slice(2) : ''));
  return resources.every((resource) => URI.test(resource)) ? resources : undefined;
}

/** A rule of the grammar that a text breaks, as the rest of a sentence. */
export type SignInFault = { readonly fault: string };

const fault = (what: string): SignInFault => ({ fault: what });

/** The first of several rules that does not hold. */
const firstFault = (rules: readonly (readonly [holds: boolean, what: string])[]): SignInFault | undefined => {
  const broken = rules.find(([holds]) => !holds);
  return broken && fault(broken[1]);
};

/**
 * Parses a sign-in message by the grammar of ERC-4361. The letter case of the address is left to whoever reads it:
 * programs write it in either.
 *
 * @returns Its fields, or the first rule that the text breaks.
 */
export function parseSignIn(message: string): SignIn | SignInFault {
  const lines = message.split('\n');
  const [, scheme, domain] = FIRST_LINE.exec(lines[0]?.slice(0, MAX_LINE) ?? '') ?? [];
  const address = lines[1];
  // An empty line; the statement, if there is one; and an empty line.
  const hasStatement = lines[3] !== '';
  const statement = hasStatement ? lines[3] : undefined;
  const broken = firstFault([
    [lines.every((line) => line.length <= MAX_LINE), 'a line is too long'],
    [domain !== undefined, 'the first line does not name a site'],
    [fits(ADDRESS, address), 'the second line is no address'],
    [lines[2] === '', 'the third line is not empty'],
    [!hasStatement || fits(STATEMENT, statement), 'its statement has characters that are not allowed'],
    [!hasStatement || lines[4] === '', 'no empty line follows its statement'],
  ]);
  if (broken !== undefined || domain === undefined) return broken ?? fault('the first line does not name a site');

  const fields = new Fields(lines, hasStatement ? 5 : 4);
  const uri = fields.take('URI: ');
  const version = fields.take('Version: ');
  const chainId = fields.take(CHAIN_ID);
  const nonce = fields.take('Nonce: ');
  const issuedAt = fields.take(ISSUED_AT);
  const expirationTime = fields.take(EXPIRATION_TIME);
  const notBefore = fields.take(NOT_BEFORE);
  const requestId = fields.take(REQUEST_ID);
  const resourcesTitle = fields.take('Resources:');
  const resources = resourcesTitle === '' ? resourcesOf(fields.rest) : undefined;
  if (!fits(URI, uri)) return fault('its URI is missing or malformed');
  if (version !== '1') return fault('its version is not 1');
  if (!fits(/^[0-9]{1,78}$/u, chainId)) return fault('its chain ID is missing or malformed');
  if (!fits(/^[A-Za-z0-9]{8,}$/u, nonce)) return fault('its nonce is missing, or is not 8 letters and digits or more');
  if (!isTime(issuedAt)) return fault('the time at which it was issued is missing or malformed');
  const other = firstFault([
    [expirationTime === undefined || isTime(expirationTime), 'its expiration time is malformed'],
    [notBefore === undefined || isTime(notBefore), 'the time from which it counts is malformed'],
    [requestId === undefined || new RegExp(`^${PCHAR}*$`, 'u').test(requestId), 'its request ID is malformed'],
    [
      resourcesTitle === undefined ? fields.rest.length === 0 : resources !== undefined,
      resourcesTitle === undefined ? 'it ends in lines that do not belong there' : 'its resources are malformed',
    ],
  ]);
  return (
    other ?? {
      scheme,
      domain,
      address: address as Hex,
      statement,
      uri,
      version,
      chainId: BigInt(chainId),
      nonce,
      issuedAt,
      expirationTime,
      notBefore,
      requestId,
      resources,
    }
  );
}

/** The domain and address of anything that looks like a sign-in, even if the rest is malformed. */
export function signInClaim(message: string): { readonly domain: string; readonly address: string } | undefined {
  const end = message.indexOf('\n');
  const first = end === -1 ? message : message.slice(0, end);
  // The grammar compares this sentence by case (%s), but a site that does not must not get past the check of its
  // domain.
  if (!first.trimEnd().toLowerCase().endsWith(CLAIM.trim().toLowerCase())) return undefined;
  const second = message.slice(first.length + 1).split('\n', 1)[0] ?? '';
  return { domain: first.trimEnd().slice(0, -CLAIM.length), address: second.trim() };
}
