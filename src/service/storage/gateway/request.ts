import { type IncomingMessage } from 'node:http';
import { type CID } from 'multiformats/cid';
import { parseCid } from '../content/cids';
import { messageOf } from '../errors';
import { type Limits } from '../content/limits';
import { decoded, queryOf, splitTarget } from '../http/target';
import { GatewayError } from './errors';
import { chooseForm, type Form, formQuery } from './formats';
import { readScope, type Scope } from './scope';

/** A request for content. */
export type ContentRequest = {
  readonly root: CID;
  /** Names below the root. */
  readonly segments: readonly string[];
  readonly form: Form;
  readonly scope: Scope;
  /** The path as it was sent. */
  readonly path: string;
  /** Where the same form is found whatever a client accepts; undefined if the request names the form itself. */
  readonly location: string | undefined;
  /** The name for a saved file; undefined to derive it from the CID. */
  readonly filename: string | undefined;
  /** Whether to answer 412 rather than 404 if the root is not stored. */
  readonly onlyIfCached: boolean;
};

const MAX_FILENAME = 255;

const malformed = (message: string) => new GatewayError(400, message);

function readRoot(text: string): CID {
  try {
    return parseCid(text);
  } catch (error) {
    throw malformed(messageOf(error));
  }
}

/**
 * Reads the request for `/ipfs/<cid>[/<path>]`.
 *
 * @throws {GatewayError} 400 if it is malformed, 404 for other paths, 406 for formats that are not served, 501 for
 * names.
 */
export function readRequest({ url = '/', headers }: IncomingMessage, limits: Limits): ContentRequest {
  const { path, search } = splitTarget(url);
  if (/^\/ipns(\/|$)/.test(path)) throw new GatewayError(501, 'names are not resolved here, only /ipfs/<cid>');
  const [, rest] = /^\/ipfs\/(.+)$/.exec(path) ?? [];
  if (rest === undefined) throw new GatewayError(404, 'content is at /ipfs/<cid>');
  if (rest.length > limits.pathLength)
    throw new GatewayError(400, `the path is longer than the limit of ${limits.pathLength} characters`);
  const [first = '', ...segments] = rest.split('/').map((part) => decoded(part, 'path', malformed));
  const names = segments.filter((name) => name !== '');
  if (names.length > limits.pathDepth)
    throw new GatewayError(400, `the path is deeper than the limit of ${limits.pathDepth} names`);
  const query = queryOf(search, malformed);
  const root = readRoot(first);
  const form = chooseForm(query, headers.accept);
  // A client could not verify that the block is the one at that path.
  if (form.format === 'raw' && names.length > 0)
    throw new GatewayError(400, 'a raw block has no path; ask for its CID, or for a CAR file');
  const filename = query.get('filename') ?? '';
  if (filename.length > MAX_FILENAME)
    throw new GatewayError(400, `the filename is longer than the limit of ${MAX_FILENAME} characters`);
  return {
    root,
    segments: names,
    form,
    scope: form.format === 'raw' ? { name: 'block' } : readScope(query),
    path,
    location: query.has('format') ? undefined : `${path}?${search === '' ? '' : `${search}&`}${formQuery(form)}`,
    filename: filename === '' ? undefined : filename,
    onlyIfCached: /(?:^|,)\s*only-if-cached\s*(?:,|$)/i.test(headers['cache-control'] ?? ''),
  };
}
