import { type IncomingMessage, type ServerResponse } from 'node:http';
import { Registry } from 'prom-client';
import { Admission, type Entry } from '../../admission/admission';
import { clientAt } from '../../admission/client-address';
import { RefusalLog } from '../../runtime/refusal-log';
import { REQUEST_ID, requestIds } from '../../runtime/request-id';
import { type Cancellation } from '../content/cancellation';
import { blockLoader } from '../content/block-reader';
import { CommandError, GivenUpError, isPassing, messageOf, RETRY_AFTER_SECONDS } from '../errors';
import { breakOff } from '../http/break-off';
import { type StorageLogger } from '../http/logger';
import { StorageMetrics } from '../http/metrics';
import { waitForEarlierRequests } from '../http/pipelining';
import { watchRequest } from '../http/watch-request';
import { sendPlain } from '../http/send-plain';
import { refusalOf } from '../content/shares';
import { walkLimits } from '../content/walk';
import { type ReadableContent } from '../content/stored-content';
import { type GatewaySettings } from './config';
import { sendContent } from './content';
import { GatewayError } from './errors';
import { etagOf, isKnown, setCacheHeaders, setCommonHeaders } from './headers';
import { readRequest } from './request';

const METHODS = 'GET, HEAD, OPTIONS';

type HandlerSettings = Omit<GatewaySettings, 'host' | 'port'>;

/** What was asked, for the log. */
const asked = ({ method }: IncomingMessage, response: ServerResponse) => ({
  request: response.getHeader(REQUEST_ID),
  method,
});

/** Answers requests for content: read-only, and without credentials. */
export class GatewayHandler {
  readonly #service: ReadableContent;
  readonly #settings: HandlerSettings;
  readonly #logger: StorageLogger;
  readonly #metrics: StorageMetrics;
  readonly #admission: Admission;
  readonly #running = new Set<Promise<void>>();
  readonly #refusals: RefusalLog;
  readonly #requestId;

  constructor(
    service: ReadableContent,
    settings: HandlerSettings,
    logger: StorageLogger,
    metrics = new StorageMetrics(new Registry()),
    requestId = requestIds([]),
  ) {
    this.#refusals = new RefusalLog(logger);
    this.#requestId = requestId;
    this.#service = service;
    this.#settings = settings;
    this.#logger = logger;
    this.#metrics = metrics;
    this.#admission = new Admission(
      { requests: settings.requestsPerAddress, memory: service.limits.keyMemoryBytes },
      (exceeded, shares, seconds) =>
        exceeded === 'requests'
          ? new GatewayError(429, 'too many requests of your address at once; try again', { seconds })
          : refusalOf(exceeded, shares, seconds),
    );
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!(await waitForEarlierRequests(request, response))) return;
    this.#metrics.meter('gateway', 'content', request, response);
    setCommonHeaders(response);
    response.setHeader(REQUEST_ID, this.#requestId(request));
    if (request.method === 'OPTIONS') {
      response.writeHead(204, { Allow: METHODS, 'Access-Control-Max-Age': '86400' }).end();
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', METHODS);
      sendPlain(response, 405, `this gateway is read-only: ${METHODS}`);
    } else {
      await this.#enter(request, response);
    }
  }

  /** Answers a request if there is a place for it. */
  async #enter(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let entry: Entry;
    try {
      entry = this.#admission.client(clientAt(request.socket.remoteAddress ?? '')).enter();
      if (this.#running.size >= this.#settings.requests) {
        entry.leave();
        throw new GatewayError(503, 'too many requests at once; try again', { seconds: 1 });
      }
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      if (error.seconds !== undefined) response.setHeader('Retry-After', String(error.seconds));
      this.#refusals.write(error.status, () => asked(request, response), error.message);
      sendPlain(response, error.status, error.message);
      return;
    }
    const running = this.#answer(request, response, entry);
    this.#running.add(running);
    await running;
    this.#running.delete(running);
    entry.done();
    entry.leave();
  }

  /** Resolves once no request is in progress. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Never rejects. */
  async #answer(request: IncomingMessage, response: ServerResponse, entry: Entry): Promise<void> {
    const started = performance.now();
    const { requestSeconds } = this.#service.limits;
    const { cancellation, end } = watchRequest(
      response,
      requestSeconds * 1000,
      () => new GivenUpError(`the request took longer than the limit of ${requestSeconds} seconds`),
    );
    const { stallSeconds } = this.#settings;
    response.setTimeout(stallSeconds * 1000, () => {
      // Without anything to send, the response is still being made.
      if (response.writableLength === 0) return;
      cancellation.cancel(new GivenUpError(`the client accepted nothing for ${stallSeconds} seconds`));
    });
    try {
      await this.#send(request, response, entry, cancellation);
    } catch (error) {
      this.#fail(request, response, error);
    } finally {
      end();
      const milliseconds = Math.round(performance.now() - started);
      const { statusCode: status } = response;
      const fields = () => ({ ...asked(request, response), milliseconds });
      if (status < 400) this.#logger.info({ ...fields(), status }, 'gateway request');
      else this.#refusals.write(status, fields, 'gateway request');
    }
  }

  async #send(
    request: IncomingMessage,
    response: ServerResponse,
    entry: Entry,
    cancellation: Cancellation,
  ): Promise<void> {
    const { store, limits } = this.#service;
    const content = readRequest(request, limits);
    if (isKnown(request.headers['if-none-match'], etagOf(content))) {
      setCacheHeaders(response, content);
      response.writeHead(304).end();
      return;
    }
    const load = blockLoader(store, { cancellation, charge: entry });
    const { carBlocks: blocks } = this.#settings;
    const walker = { load, limits: { ...walkLimits(limits), blocks, pending: blocks }, charge: entry };
    await sendContent({ store, walker, cancellation, response, isHead: request.method === 'HEAD' }, content);
  }

  #fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const isExpected = error instanceof GatewayError || error instanceof GivenUpError;
    if (!isExpected)
      this.#logger.error({ ...asked(request, response), error: messageOf(error) }, 'gateway request failed');
    if (!(error instanceof CommandError || error instanceof GatewayError)) this.#metrics.erred('gateway', 'internal');
    // Only a broken connection tells a client that what it got is not everything.
    if (response.headersSent) {
      this.#metrics.erred('gateway', 'broken');
      breakOff(response);
      return;
    }
    response.setHeader('Cache-Control', 'no-store');
    if (error instanceof GatewayError && error.seconds !== undefined)
      response.setHeader('Retry-After', String(error.seconds));
    if (error instanceof GatewayError) sendPlain(response, error.status, error.message);
    else if (error instanceof GivenUpError) sendPlain(response, 503, error.message);
    else if (isPassing(error)) {
      response.setHeader('Retry-After', String(RETRY_AFTER_SECONDS));
      sendPlain(response, 503, 'stored files cannot be read right now; try again');
    } else sendPlain(response, 500, 'internal error');
  }
}
