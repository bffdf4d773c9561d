import { type IncomingMessage } from 'node:http';
import { GivenUpError, RequestError } from '../errors';
import { type Limits } from '../content/limits';
import { type Route } from './route';
import { ROUTES } from './routes';
import { decoded, queryOf, splitTarget } from '../http/target';
import { boundaryOf, type Part, readParts } from './multipart';
import { COMMON_OPTIONS, type OptionTable, type OptionValues, readOptions } from './options';
import { type Encoding } from './reply';

const PREFIX = '/api/v0/';

/** A request matched to its command, parsed and checked as far as the command's declaration allows. */
export type ParsedRequest = {
  readonly route: Route;
  readonly args: readonly string[];
  readonly options: OptionValues<OptionTable>;
  readonly common: OptionValues<typeof COMMON_OPTIONS>;
  readonly encoding: Encoding;
  readonly boundary: string | undefined;
};

const notFound = () => new RequestError(404, '404 page not found');
const malformed = (message: string) => new RequestError(400, message);

/** Finds the command of a path; the last segment may be the first argument (`/api/v0/cat/<cid>`). */
function matchRoute(pathname: string): { route: Route; args: string[] } {
  if (!pathname.startsWith(PREFIX)) throw notFound();
  const path = pathname.slice(PREFIX.length);
  const exact = ROUTES.get(path);
  if (exact !== undefined) return { route: exact, args: [] };
  const cut = path.lastIndexOf('/');
  const parent = cut < 0 ? undefined : ROUTES.get(path.slice(0, cut));
  if (parent === undefined || parent.args.length === 0) throw notFound();
  return { route: parent, args: [decoded(path.slice(cut + 1), 'path', malformed)] };
}

/** The name of a request in logs: its command, never client-supplied text. */
export function commandOf({ url = '' }: IncomingMessage): string | undefined {
  try {
    return matchRoute(splitTarget(url).path).route.path;
  } catch {
    return undefined;
  }
}

function checkArguments(route: Route, args: readonly string[], limits: Limits): readonly string[] {
  if (args.length > limits.args) throw new RequestError(400, `more than the allowed ${limits.args} arguments`);
  const missing = route.args.find(({ required }, index) => required && args[index] === undefined);
  if (missing !== undefined) throw new RequestError(400, `argument "${missing.name}" is required`);
  const isVariadic = route.args.at(-1)?.variadic === true;
  return isVariadic ? args : args.slice(0, route.args.length);
}

function encodingOf(name: string, route: Route): Encoding {
  const offered: readonly Encoding[] = ['json', ...(route.encodings ?? [])];
  const encoding = offered.find((each) => each === name);
  if (encoding === undefined) throw new RequestError(400, `invalid encoding: ${name}`);
  return encoding;
}

/**
 * Parses the head of a request, checking for errors in the same order as Kubo.
 *
 * @throws RequestError 404 for an unknown command, 400 for invalid arguments or options or a missing body.
 */
export function parseRequest(request: IncomingMessage, limits: Limits): ParsedRequest {
  const { path, search } = splitTarget(request.url ?? '/');
  const { route, args } = matchRoute(path);
  const query = queryOf(search, malformed);
  const contentType = request.headers['content-type'] ?? '';
  const boundary = /^\s*multipart\/form-data\s*(;|$)/i.test(contentType) ? boundaryOf(contentType) : undefined;
  const options = readOptions(query, route.options);
  const common = readOptions(query, COMMON_OPTIONS);
  // After the options, whose errors do not depend on the body.
  if (route.file !== undefined && boundary === undefined) {
    throw new RequestError(400, `file argument '${route.file}' is required`);
  }
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > limits.bodyBytes) throw tooLarge(limits);
  return {
    route,
    args: checkArguments(route, [...args, ...query.getAll('arg')], limits),
    options,
    common,
    encoding: encodingOf(common.encoding ?? 'json', route),
    boundary,
  };
}

const tooLarge = (limits: Limits) =>
  new RequestError(400, `the request body is larger than the limit of ${limits.bodyBytes} bytes`);

async function* limited(
  request: IncomingMessage,
  limits: Limits,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const piece of request as AsyncIterable<Uint8Array>) {
      bytes += piece.length;
      onBytes(piece.length);
      if (bytes > limits.bodyBytes) throw tooLarge(limits);
      yield piece;
    }
  } catch (error) {
    // Converted here, at the source: a reader of a part gets the error without passing through `partsOf`.
    throw request.errored === error ? new GivenUpError('the client disconnected') : error;
  }
}

/**
 * The parts of the body, within the limits.
 *
 * @param onBytes - Called with the length of each piece that has arrived.
 * @throws RequestError, CommandError if it exceeds a limit or is truncated.
 */
export async function* partsOf(
  request: IncomingMessage,
  boundary: string | undefined,
  limits: Limits,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Part> {
  if (boundary === undefined) return;
  let count = 0;
  yield* readParts(limited(request, limits, onBytes), boundary, () => {
    if (++count > limits.parts) throw new RequestError(400, `the body has more than the allowed ${limits.parts} parts`);
  });
}
