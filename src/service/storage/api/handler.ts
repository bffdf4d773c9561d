import { type IncomingMessage, type ServerResponse } from 'node:http';
import { fieldsOfKey } from '../../keys';
import { type StorageAction } from '../../keys/limits';
import { refusedBy } from '../../keys/permission';
import { RefusalLog } from '../../runtime/refusal-log';
import { REQUEST_ID, type RequestIds, requestIds } from '../../runtime/request-id';
import type { UseRecorder } from '../../keys/use';
import { reasonOf } from '../../keys/use-report';
import { Admission, type Entry } from '../../admission/admission';
import { within } from '../../admission/charge';
import { type CidFormat, cidFormat, plainCid } from '../content/cids';
import { blockLoader, UnreadableError } from '../content/block-reader';
import { CommandError, ErrorCode, GivenUpError, messageOf, RequestError } from '../errors';
import { refusalOf, sharesOfKeys } from '../content/shares';
import { KEY_BYTES } from '../content/weights';
import { walkLimits } from '../content/walk';
import { type ReceivedPart, type Route } from './route';
import { type StorageService } from './service';
import { AGENT } from '../http/version';
import { type Authenticate, type OriginPolicy, type Tenant, tenantOf } from './access';
import { sendPlain } from '../http/send-plain';
import { type StorageLogger } from '../http/logger';
import { type StorageMetrics } from '../http/metrics';
import { Reply } from './reply';
import { commandOf, type ParsedRequest, parseRequest, partsOf } from './request';
import { waitForEarlierRequests } from '../http/pipelining';
import { watchRequest } from '../http/watch-request';

const LOCAL_TENANT: Tenant = { id: 'local' };

/** The CID format for a command's response. @throws CommandError if this service does not know the base. */
function formatFor({ cids }: Route, common: ParsedRequest['common']): CidFormat {
  if (cids === 'plain') return plainCid;
  return cidFormat({ base: common['cid-base'], upgrade: common['upgrade-cidv0-in-output'] }, cids === undefined);
}

const UNITS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * Milliseconds of a duration such as `1m30s` or `1.5h`, as clients write them.
 *
 * @throws RequestError 400 for anything else.
 */
export function parseDuration(text: string): number {
  if (!/^(?:\d+(?:\.\d+)?(?:[num]?s|[mh]))+$/.test(text)) {
    throw new RequestError(400, `time: invalid duration ${JSON.stringify(text)}`);
  }
  const pieces = [...text.matchAll(/([\d.]+)([a-z]+)/g)];
  return pieces.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (UNITS[unit] ?? 0), 0);
}

/** Bytes of an upload after which it is looked whether its key still allows it. */
const RECHECK_BYTES = 4 << 20;

/** The pieces of a body; throws if the check fails, now and then and at the end. */
async function* checked(body: AsyncIterable<Uint8Array>, check: () => Promise<void>): AsyncGenerator<Uint8Array> {
  let unchecked = 0;
  for await (const piece of body) {
    unchecked += piece.length;
    if (unchecked >= RECHECK_BYTES) {
      await check();
      unchecked = 0;
    }
    yield piece;
  }
  await check();
}

/** @throws RequestError 403 if the key does not allow what a request is about to do. */
function requireAllowed({ limits }: Tenant, request: IncomingMessage, actions: readonly StorageAction[]): void {
  const refused = refusedBy(limits, { door: 'storage', origin: request.headers.origin, actions });
  if (refused) throw new RequestError(403, `403 - Forbidden: this key may not ${refused.what}`);
}

/** What was asked, for the log. */
const asked = (request: IncomingMessage, response: ServerResponse) => ({
  request: response.getHeader(REQUEST_ID),
  command: commandOf(request),
});

/** Answers requests. */
export class RequestHandler {
  readonly #running = new Set<Promise<void>>();
  readonly #admission: Admission;
  readonly #refusals: RefusalLog;
  readonly #requestId: RequestIds;
  readonly #use: UseRecorder | undefined;
  #isLeaving = false;

  constructor(
    readonly service: StorageService,
    readonly origins: OriginPolicy,
    readonly authenticate: Authenticate | null,
    readonly logger: StorageLogger,
    readonly metrics: StorageMetrics,
    { requestId = requestIds([]), use }: { requestId?: RequestIds | undefined; use?: UseRecorder | undefined } = {},
  ) {
    this.#requestId = requestId;
    this.#use = use;
    // With 500, Kubo answers what a command did not find or accept. A failure of the service has a line of its own.
    this.#refusals = new RefusalLog(logger, { isFault: (status) => status > 500 });
    this.#admission = new Admission(sharesOfKeys(service.limits), refusalOf);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const running = this.#handleInOrder(request, response).catch((error: unknown) => {
      // Even the error response failed. No single request may end the service.
      this.logger.error(
        { ...asked(request, response), error: messageOf(error) },
        'storage request could not be answered',
      );
      response.destroy();
    });
    this.#running.add(running);
    await running;
    this.#running.delete(running);
  }

  /** From now on, a balancer that asks is told to send requests elsewhere. */
  leave(): void {
    this.#isLeaving = true;
  }

  /** Resolves once no request is in progress. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #handleInOrder(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (await waitForEarlierRequests(request, response)) await this.#answer(request, response);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    response.setHeader(REQUEST_ID, this.#requestId(request));
    response.setHeader('Server', AGENT);
    response.setHeader('Vary', 'Origin');
    const origin = this.origins.allowOrigin(request);
    if (origin !== undefined) response.setHeader('Access-Control-Allow-Origin', origin);
    if (request.method === 'OPTIONS') {
      this.#preflight(request, response);
      return;
    }
    const meter = this.metrics.meter('api', commandOf(request) ?? 'none', request, response);
    let tenant: Tenant | undefined;
    try {
      if (this.#answersWithoutCommand(request, response)) return;
      this.origins.check(request);
      tenant = this.authenticate === null ? LOCAL_TENANT : await tenantOf(request, this.authenticate);
      await this.#enter(tenant, request, response, meter.received);
    } catch (error) {
      if (error instanceof RequestError && !response.headersSent) this.#refuse(response, error);
      else this.#crash(request, response, error);
    } finally {
      const milliseconds = Math.round(performance.now() - started);
      const { statusCode: status } = response;
      const fields = () => ({ ...asked(request, response), ...(tenant && fieldsOfKey(tenant)), milliseconds });
      if (status < 400) this.logger.info({ ...fields(), status }, 'storage request');
      else this.#refusals.write(status, fields, 'storage request');
      if (tenant) this.#countUse(tenant, request, status);
    }
  }

  #countUse(tenant: Tenant, request: IncomingMessage, status: number): void {
    this.#use?.count(tenant, 'requests', commandOf(request) ?? 'none');
    // With 500, Kubo answers what a command did not find or accept.
    const reason = status === 500 ? undefined : reasonOf(status);
    if (reason !== undefined) this.#use?.count(tenant, 'refused', reason);
  }

  /** The parts of an upload. While they arrive, the key is checked again: it may be revoked, or allow less. */
  async *#partsOf(
    request: IncomingMessage,
    boundary: string | undefined,
    entry: Entry,
    onBytes: (bytes: number) => void,
    check: () => Promise<void>,
  ): AsyncGenerator<ReceivedPart> {
    for await (const part of partsOf(request, boundary, this.service.limits, onBytes)) {
      await entry.yield();
      const charge = within(entry);
      yield { ...part, body: checked(part.body, check), charge };
      charge.memory.release();
    }
  }

  #refuse(response: ServerResponse, { status, message, retryAfter }: RequestError): void {
    if (status === 503) this.metrics.erred('api', 'internal');
    if (retryAfter !== undefined) response.setHeader('Retry-After', String(retryAfter));
    sendPlain(response, status, message);
  }

  #crash(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    this.metrics.erred('api', 'internal');
    this.logger.error({ ...asked(request, response), error: messageOf(error) }, 'storage request failed');
    if (response.headersSent) response.destroy();
    else sendPlain(response, 500, 'internal error');
  }

  /** Handles wrong methods and the path without its trailing slash; neither needs credentials. */
  #answersWithoutCommand(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method === 'POST' && /^\/api\/v0(\?|$)/.test(request.url ?? '')) {
      response.writeHead(301, { Location: (request.url ?? '').replace('/api/v0', '/api/v0/'), 'Content-Length': '0' });
      response.end();
      return true;
    }
    if (request.method === 'POST') return false;
    response.setHeader('Allow', 'OPTIONS, POST');
    sendPlain(response, 405, '405 - Method Not Allowed');
    return true;
  }

  /** Neither counted nor logged: a balancer may ask this before each request, to see whether anyone is there. */
  #preflight(request: IncomingMessage, response: ServerResponse): void {
    if (request.headers['access-control-request-method'] === undefined) {
      response.writeHead(this.#isLeaving ? 503 : 204, { Allow: 'OPTIONS, POST' }).end();
      return;
    }
    const allowed = this.origins.allowOrigin(request) !== undefined;
    response.setHeader('Vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers');
    if (allowed) {
      response.setHeader('Access-Control-Allow-Methods', 'POST');
      // Listed individually, because a wildcard does not cover Authorization.
      response.setHeader(
        'Access-Control-Allow-Headers',
        'authorization, content-type, x-requested-with, accept, origin',
      );
      response.setHeader('Access-Control-Max-Age', '600');
    }
    response.writeHead(200, { 'Content-Length': '0' }).end();
  }

  /** Runs a request once its key has a place for it, which it keeps until the response is read. */
  async #enter(
    tenant: Tenant,
    request: IncomingMessage,
    response: ServerResponse,
    onReceived: (bytes: number) => void,
  ): Promise<void> {
    const client = this.#admission.client(tenant.id);
    client.spend(tenant.limits, 1, 0);
    const entry = client.enter();
    const { socket } = response.req;
    const before = socket.bytesWritten;
    response.once('close', () => {
      client.moved(socket.bytesWritten - before);
      this.#use?.count(tenant, 'bytes', 'sent', socket.bytesWritten - before);
      entry.leave();
    });
    if (response.destroyed) entry.leave();
    const onBytes = (bytes: number) => {
      onReceived(bytes);
      client.moved(bytes);
      this.#use?.count(tenant, 'bytes', 'received', bytes);
    };
    const { ready } = entry;
    if (ready === undefined) await this.#run(tenant, entry, request, response, onBytes);
    else if (await ready) {
      // It may have waited for long.
      const now = this.authenticate === null ? tenant : await tenantOf(request, this.authenticate);
      await this.#run(now, entry, request, response, onBytes);
    }
  }

  async #run(
    tenant: Tenant,
    entry: Entry,
    request: IncomingMessage,
    response: ServerResponse,
    onBytes: (bytes: number) => void,
  ): Promise<void> {
    const { service } = this;
    const { route, args, options, common, encoding, boundary } = parseRequest(request, service.limits);
    const actions = typeof route.needs === 'function' ? route.needs(options) : route.needs;
    requireAllowed(tenant, request, actions);
    let { limits } = tenant;
    const check = async () => {
      if (this.authenticate === null) return;
      const now = await tenantOf(request, this.authenticate);
      requireAllowed(now, request, actions);
      ({ limits } = now);
    };
    const seconds = service.limits.requestSeconds;
    const wanted = common.timeout === undefined ? Infinity : parseDuration(common.timeout);
    const { cancellation, end } = watchRequest(response, Math.min(wanted, seconds * 1000), () =>
      wanted < seconds * 1000
        ? new GivenUpError('context deadline exceeded')
        : new GivenUpError(`the request took longer than the limit of ${seconds} seconds`, ErrorCode.Client),
    );
    const reply = new Reply(response, {
      encoding,
      streamError: common['stream-error'] === true,
      cancellation,
      answer: entry.answer,
      onBroken: () => {
        this.metrics.erred('api', 'broken');
      },
    });
    const load = blockLoader(service.store, { cancellation, charge: entry });
    const session = service.store.begin(() => {
      entry.memory.charge(KEY_BYTES);
    });
    try {
      if (request.headers.expect !== undefined) response.writeContinue();
      await route.run(service, {
        tenant: tenant.id,
        get pinnedBytes() {
          return Math.min(service.limits.keyPinnedBytes, limits?.pinnedBytes ?? Infinity);
        },
        args,
        options,
        format: formatFor(route, common),
        hasBase: (common['cid-base'] ?? '') !== '',
        load,
        walker: { load, limits: walkLimits(service.limits), charge: entry },
        parts: () => this.#partsOf(request, boundary, entry, onBytes, check),
        answer: entry.answer,
        session,
        cancellation,
        reply,
      });
    } catch (error) {
      if (!(error instanceof CommandError || error instanceof RequestError) || error instanceof UnreadableError) {
        this.metrics.erred('api', 'internal');
        this.logger.error({ ...asked(request, response), error: messageOf(error) }, 'storage command failed');
      }
      reply.fail(error);
    } finally {
      session.end();
      entry.done();
      end();
    }
  }
}
