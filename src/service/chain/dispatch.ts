import type { Logger } from 'pino';

import { bodyOf, checkLength, failed } from './answer';
import { answerBatch, type Batch, roomOf } from './batch';
import type { Answer, Caller, Done, ParsedBody } from './caller';
import { refusedBy } from '../keys/permission';
import type { UseRecorder } from '../keys/use';
import { reasonOf } from '../keys/use-report';
import type { Charge, Meter } from './credits/meter';
import {
  internalError,
  INVALID_PARAMS,
  INVALID_REQUEST,
  invalidRequest,
  METHOD_NOT_FOUND,
  notAllowed,
  PARSE_ERROR,
  RpcError,
  unavailable,
} from './errors';
import { errorJson, idOf, type IdText, NO_ID, parseRequest, type RpcRequest } from './json-rpc';
import { type Json, repeatsNames } from './json-text';
import { bindRequest } from './methods';
import type { Bound } from './methods/method';
import type { RpcMetrics } from './metrics';
import { batchTooLarge } from './request-scan';
import type { Subscription } from './subscriptions/subscription';
import type { RefusalLog } from '../runtime/refusal-log';
import { fieldsOfKey } from '../keys';
import { fieldsOf, lineOf } from './trace';

/** ID and method of a request. The ID is undefined for a notification. */
type RequestInfo = { id: IdText | undefined; method: string };

/** A request being processed. */
type Job = RequestInfo & {
  caller: Caller;
  /** In milliseconds, from `performance.now`. */
  started: number;
  done: Done;
  /** The credits taken and not refunded. */
  charge: Charge | undefined;
};

/** Unlisted methods are counted under one label, so that callers cannot create any number of labels. */
const UNKNOWN = 'unknown';
const UNKNOWN_REQUEST: RequestInfo = { id: NO_ID, method: UNKNOWN };

/** Refusals that are answered with status 200. */
const MALFORMED = new Map(
  [PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS].map((code) => [code, 'malformed']),
);

const stopping = (): never => {
  throw unavailable('the service is stopping', undefined);
};

/** A node could read the other member of two, and in it an address that the key must not name. */
const hiddenIn = ({ limits }: Caller['identity'], { sent }: RpcRequest): string | undefined =>
  limits?.addresses !== undefined && repeatsNames(sent().text) ? 'name a member of its parameters twice' : undefined;

export type DispatcherLimits = { batchItems: number; answerMs: number };

/** Answers requests from every transport. Each request is charged before any work is done for it. */
export class Dispatcher {
  readonly #meter: Meter;
  readonly #metrics: RpcMetrics;
  readonly #log: Logger;
  readonly #refusals: RefusalLog;
  readonly #limits: DispatcherLimits;
  readonly #use: Pick<UseRecorder, 'count'>;
  /** Batches, and requests whose debit has started and that are not finished. */
  #running = 0;
  #onIdle: (() => void) | undefined;

  constructor(
    meter: Meter,
    metrics: RpcMetrics,
    { log, refusals }: { log: Logger; refusals: RefusalLog },
    limits: DispatcherLimits,
    use: Pick<UseRecorder, 'count'>,
  ) {
    this.#meter = meter;
    this.#metrics = metrics;
    this.#log = log;
    this.#refusals = refusals;
    this.#limits = limits;
    this.#use = use;
  }

  /**
   * Answers one HTTP body: a request or a batch of requests, each charged separately.
   *
   * @param caller - The caller.
   * @param body - The body.
   * @param done - Called with the response. A batch has the status of its items if they all have the same, else 200.
   */
  body(caller: Caller, { value, text, lengths }: ParsedBody, done: Done): void {
    if (!Array.isArray(value)) this.request(caller, value, () => text, done, lengths[0]);
    else if (value.length === 0) this.malformed(caller, invalidRequest('empty batch'), done);
    else if (value.length > this.#limits.batchItems)
      this.malformed(caller, batchTooLarge(this.#limits.batchItems), done);
    else void this.#batch(caller, { value, text, lengths }, done);
  }

  /** A batch that fails as a whole (for example because its responses do not fit in one string) is free. */
  async #batch(caller: Caller, batch: Batch, done: Done): Promise<void> {
    const jobs: Job[] = [];
    let answer: Answer;
    this.#running += 1;
    try {
      answer = await answerBatch(caller, batch, {
        request: (...asked) => jobs.push(this.request(...asked)),
        goOn: () => {
          if (this.#onIdle) stopping();
        },
        answerMs: this.#limits.answerMs,
      });
    } catch (error) {
      for (const job of jobs) await this.#refund(job);
      answer = failed(NO_ID, this.#toRpcError(error, caller, UNKNOWN));
    }
    this.#ended();
    done(answer);
  }

  /**
   * Answers one request.
   *
   * @param caller - The caller.
   * @param value - The parsed request.
   * @param text - Its JSON.
   * @param done - Called with the response.
   * @param length - Its length in bytes.
   * @returns The job.
   */
  request(caller: Caller, value: unknown, text: () => string, done: Done, length = 0): Job {
    let request: RpcRequest;
    try {
      request = parseRequest(value, text);
    } catch (error) {
      return this.malformed(
        caller,
        this.#toRpcError(error, caller, UNKNOWN),
        done,
        { id: idOf(value, text), method: UNKNOWN },
        length,
      );
    }
    const { id, method } = request;
    const started = performance.now();
    let bound: Bound;
    try {
      bound = bindRequest(caller, request);
    } catch (error) {
      const why = this.#toRpcError(error, caller, method);
      return this.malformed(caller, why, done, { id, method: why.code === INVALID_PARAMS ? method : UNKNOWN }, length);
    }
    const { identity, origin, network } = caller;
    const use = { door: 'chain', origin, network: network.name, method, params: request.params } as const;
    const refused = refusedBy(identity.limits, use)?.what ?? hiddenIn(identity, request);
    if (refused !== undefined) return this.malformed(caller, notAllowed(refused), done, { id, method }, length);
    const job = { caller, id, method, started, done, charge: undefined };
    return this.#charge(job, this.#meter.prices.of(method) + this.#meter.prices.ofLength(length), bound);
  }

  /**
   * Answers a malformed or unanswerable request, at the price of an invalid one.
   *
   * @param caller - The caller.
   * @param why - What is wrong with it.
   * @param done - Called with the response: `why`, or an error if even that price exceeds the credits.
   * @param asked - The ID for the response, undefined for a notification; and the method to count it under.
   * @param length - Its length in bytes.
   * @returns The job.
   */
  malformed(caller: Caller, why: RpcError, done: Done, { id, method }: RequestInfo = UNKNOWN_REQUEST, length = 0): Job {
    const job = { caller, id, method, started: performance.now(), done, charge: undefined };
    return this.#charge(job, this.#meter.prices.invalid + this.#meter.prices.ofLength(length), () => {
      throw why;
    });
  }

  /**
   * Charges one notification of a subscription.
   *
   * @param caller - Network, key, origin and client.
   * @param subscription - Its kind has the price.
   * @throws {RpcError} 403 if the key may no longer subscribe to this, 402 if the credits are used up, 429 if too
   * many of its own were spent by notifications, 503 if the ledger is unreachable or the service is stopping.
   */
  async notification(
    { network, identity, origin, client }: Pick<Caller, 'network' | 'identity' | 'origin' | 'client'>,
    { kind, params }: Subscription,
  ): Promise<void> {
    if (this.#onIdle) stopping();
    if (identity.limits !== undefined) {
      const asked = { method: 'eth_subscribe', params: JSON.parse(params) as unknown };
      const refused = refusedBy(identity.limits, { door: 'chain', origin, network: network.name, ...asked });
      if (refused) throw notAllowed(refused.what);
    }
    this.#running += 1;
    try {
      const price = this.#meter.prices.notifications[kind];
      client.spend(identity.limits, 0, price);
      // It is no request.
      const owner = { ...identity, limits: undefined };
      const { amount } = await new Promise<Charge>((resolve, reject) => {
        this.#meter.charge(owner, price, resolve, reject);
      });
      this.#metrics.credits.add(amount, network.name, 'eth_subscription');
      this.#use.count(identity, 'credits', 'eth_subscription', amount);
    } finally {
      this.#ended();
    }
  }

  /** Resolves once no request is in progress and all credits are settled. Called once, when no more requests come. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  #charge(job: Job, price: number, bound: Bound): Job {
    const { identity, client } = job.caller;
    try {
      client.spend(identity.limits, 1, price);
    } catch (error) {
      this.#fail(job, this.#toRpcError(error, job.caller, job.method));
      return job;
    }
    this.#running += 1;
    this.#meter.charge(
      identity,
      price,
      (charge) => {
        // During a stop the connections have been closed while the debit was pending, so it is refunded.
        this.#run(job, charge, this.#onIdle ? stopping : bound);
        this.#ended();
      },
      (error) => {
        this.#fail(job, this.#toRpcError(error, job.caller, job.method));
        this.#ended();
      },
    );
    return job;
  }

  /** Runs a paid request; synchronously, unless it needs another server. */
  #run(job: Job, charge: Charge, bound: Bound): void {
    job.charge = charge;
    this.#metrics.credits.add(charge.amount, job.caller.network.name, job.method);
    this.#use.count(job.caller.identity, 'credits', job.method, charge.amount);
    let result: unknown;
    let body: Json | undefined;
    try {
      result = bound(job.caller.network, job.caller.deadline, roomOf(job.caller));
      if (!(result instanceof Promise)) body = bodyOf(job.id, result);
    } catch (error) {
      result = Promise.reject(error as Error);
    }
    if (result instanceof Promise) void this.#finish(job, result);
    else this.#succeed(job, body);
  }

  async #finish(job: Job, result: Promise<unknown>): Promise<void> {
    this.#running += 1;
    try {
      this.#succeed(job, bodyOf(job.id, await result));
    } catch (error) {
      const known = this.#sendableError(job, error);
      if (known.free) await this.#refund(job);
      this.#fail(job, known);
    } finally {
      this.#ended();
    }
  }

  #ended(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#onIdle?.();
  }

  #succeed(job: Job, body: Json | undefined): void {
    this.#count(job, 'ok');
    job.done({ body, status: 200, spent: false });
  }

  #fail(job: Job, error: RpcError): void {
    this.#count(job, String(error.code));
    const { caller, method } = job;
    const reason = reasonOf(error.status) ?? MALFORMED.get(error.code);
    if (reason !== undefined) this.#use.count(caller.identity, 'refused', reason);
    if (error.status >= 400) {
      const fields = () => ({ ...fieldsOf(caller.trace), method, outcome: error.code });
      this.#refusals.write(error.status, fields, lineOf(error));
    }
    const answer = failed(job.id ?? NO_ID, error);
    job.done(job.id === undefined ? { ...answer, body: undefined } : answer);
  }

  /** Refunds a charge once. A failed refund must not hide why the request failed. */
  async #refund(job: Job): Promise<void> {
    const { charge } = job;
    if (!charge) return;
    job.charge = undefined;
    try {
      await this.#meter.refund(charge);
      this.#metrics.refunds.add(charge.amount, job.caller.network.name, job.method);
      this.#use.count(job.caller.identity, 'credits', job.method, -charge.amount);
    } catch (error) {
      const { caller, method } = job;
      const fields = { ...fieldsOf(caller.trace), method, amount: charge.amount };
      this.#log.error({ err: error, ...fields }, 'credits could not be refunded');
    }
  }

  /** The error for the caller. An unexpected error is logged in full and reported as an internal error. */
  #toRpcError(error: unknown, { trace }: Caller, method: string): RpcError {
    if (error instanceof RpcError) return error;
    this.#log.error({ err: error, ...fieldsOf(trace), method }, 'unexpected error');
    return internalError(error);
  }

  /** Like {@link #toRpcError}, but replaces an error of the node that is too long to send with an internal error. */
  #sendableError({ id = NO_ID, caller, method }: Job, error: unknown): RpcError {
    const known = this.#toRpcError(error, caller, method);
    try {
      checkLength(errorJson(id, known.toJSON()).length);
      return known;
    } catch (tooLong) {
      return this.#toRpcError(tooLong, caller, method);
    }
  }

  #count(job: Job, outcome: string): void {
    const { identity, network, transport, trace } = job.caller;
    const { method } = job;
    const seconds = (performance.now() - job.started) / 1000;
    this.#metrics.requests.add(1, network.name, method, transport, outcome);
    this.#metrics.seconds.add(seconds, network.name, method);
    this.#use.count(identity, 'requests', method);
    if (!this.#log.isLevelEnabled('debug')) return;
    const { request } = trace;
    const asked = { request, network: network.name, method, transport };
    this.#log.debug({ ...asked, ...fieldsOfKey(identity), outcome, seconds }, 'answered');
  }
}
