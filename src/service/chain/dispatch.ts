import { constants } from 'node:buffer';

import type { Logger } from 'pino';

import type { KeyIdentity } from '../keys';
import type { Charge, Meter } from './credits/meter';
import { INTERNAL_ERROR, internalError, INVALID_PARAMS, invalidRequest, RpcError, unavailable } from './errors';
import { errorText, idOf, parseRequest, resultText, type RpcId, type RpcRequest } from './json-rpc';
import { AsciiJson, itemsOf, type Part } from './json-text';
import { bindRequest } from './methods';
import type { Bound } from './methods/method';
import type { Network } from './network';
import type { MethodTally, Tallies, Transport } from './tally';

/** Where requests come from and for which network. */
export type Caller = { network: Network; identity: KeyIdentity; transport: Transport };

/** What to send back. */
export type Answer = {
  /** JSON; undefined for a notification, which is not answered. */
  body: string | undefined;
  /** Whether the body is known to have a byte for each character. */
  isAscii: boolean;
  /** HTTP status. */
  status: number;
  /** Whether the day's credits did not suffice. */
  spent: boolean;
};

/** Is given an answer, once. It must not throw: answers to others wait for it. */
export type Done = (answer: Answer) => void;

/** What a request is for. The id is undefined if it is a notification. */
type Asked = { id: RpcId | undefined; method: string };

/** A request that is being answered. */
type Job = Asked & {
  caller: Caller;
  tally: MethodTally;
  /** In ms, of `performance.now`. */
  started: number;
  done: Done;
  /** What was taken for it and not given back. */
  charge: Charge | undefined;
};

const failed = (id: RpcId, error: RpcError): Answer => ({
  body: errorText(id, error.toJSON()),
  isAscii: false,
  status: error.status,
  spent: error.status === 402,
});

/** Methods that are in no list are counted under one label, or anyone could make up any number of them. */
const UNKNOWN = 'unknown';
const NOTHING_KNOWN: Asked = { id: null, method: UNKNOWN };

/** Whether nobody awaits an answer to it (JSON-RPC 2.0, section 4.1). */
const isNotification = (item: unknown): boolean => typeof item === 'object' && item !== null && !('id' in item);

const stopping = (): never => {
  throw unavailable('the service is stopping', undefined);
};

/** Characters of a batch's answers after which the rest of it is left; requests of a batch that are answered at once. */
const BATCH_ANSWER = 64 << 20;
const AT_ONCE = 16;

const tooLarge = () =>
  new RpcError(INTERNAL_ERROR, `the answers of this batch are over ${BATCH_ANSWER >> 20} MiB: ask for the rest again`);

/** The longest answer, in characters: with the head of an HTTP message it must be one text. */
const MAX_ANSWER = constants.MAX_STRING_LENGTH - 4096;

/** @throws {RangeError} If an answer of so many characters cannot be sent. */
function checkLength(characters: number): void {
  if (characters > MAX_ANSWER) throw new RangeError('an answer is too long for one text');
}

/** @returns The response, as JSON; undefined to a notification. */
function bodyOf({ id }: Job, result: unknown): string | undefined {
  if (id === undefined) return undefined;
  const body = resultText(id, result);
  checkLength(body.length);
  return body;
}

/** @returns The responses of a batch, as JSON; undefined if all are to notifications. */
function batchOf(answers: readonly Answer[]): string | undefined {
  const bodies = answers.flatMap(({ body }) => body ?? []);
  if (bodies.length === 0) return undefined;
  checkLength(bodies.reduce((sum, { length }) => sum + length + 1, 1));
  return `[${bodies.join(',')}]`;
}

/** Answers requests, whichever way they came. Each is charged before any work is done for it. */
export class Dispatcher {
  readonly #meter: Meter;
  readonly #tallies: Tallies;
  readonly #log: Logger;
  readonly #batchItems: number;
  /** Requests whose debit has been asked for and that are not done, and batches. */
  #running = 0;
  #onIdle: (() => void) | undefined;

  constructor(meter: Meter, tallies: Tallies, log: Logger, batchItems: number) {
    this.#meter = meter;
    this.#tallies = tallies;
    this.#log = log;
    this.#batchItems = batchItems;
  }

  /**
   * Answers what came in one HTTP body: a request, or a batch of them, each charged on its own.
   *
   * @param caller - Who asks.
   * @param value - The parsed body.
   * @param text - The body.
   * @param done - Is given the answer. A batch has the status of its items if they all have the same, else 200.
   */
  body(caller: Caller, value: unknown, text: string, done: Done): void {
    if (!Array.isArray(value)) this.request(caller, value, () => text, done);
    else if (value.length === 0) this.malformed(caller, invalidRequest('empty batch'), done);
    else if (value.length > this.#batchItems)
      this.malformed(caller, invalidRequest(`batch too large, at most ${this.#batchItems} requests`, 413), done);
    else void this.#batch(caller, value, text, done);
  }

  /** A batch that fails as a whole, because its answers are too long for one text, say, costs nothing. */
  async #batch(caller: Caller, value: readonly unknown[], text: string, done: Done): Promise<void> {
    const jobs: Job[] = [];
    let answer: Answer;
    this.#running += 1;
    try {
      answer = await this.#items(caller, value, text, jobs);
    } catch (error) {
      for (const job of jobs) await this.#refund(job);
      answer = failed(null, this.#known(error, UNKNOWN));
    }
    this.#ended();
    done(answer);
  }

  /** @param jobs - Is given what is asked. */
  async #items(caller: Caller, value: readonly unknown[], text: string, jobs: Job[]): Promise<Answer> {
    let parts: Part[] | undefined;
    const textOf = (i: number) => () => (parts ??= itemsOf(text))[i]?.text ?? '';
    const ask = (item: unknown, i: number) =>
      new Promise<Answer>((resolve) => {
        jobs.push(this.request(caller, item, textOf(i), resolve));
      });
    const answers: Answer[] = [];
    let characters = 0;
    for (let at = 0; at < value.length && characters <= BATCH_ANSWER; at += AT_ONCE) {
      // Who waited for this has been cut off, and so has the node.
      if (this.#onIdle) stopping();
      const items = value.slice(at, at + AT_ONCE);
      const some = await Promise.all(items.map((item, i) => ask(item, at + i)));
      characters += some.reduce((sum, { body = '' }) => sum + body.length, 0);
      answers.push(...some);
    }
    // What there is no room for is neither done nor charged.
    for (const item of value.slice(answers.length)) {
      if (!isNotification(item)) answers.push(failed(idOf(item), tooLarge()));
    }
    const [first = 200, ...others] = new Set(answers.map(({ status }) => status));
    return {
      body: batchOf(answers),
      isAscii: answers.every(({ isAscii }) => isAscii),
      status: others.length > 0 ? 200 : first,
      spent: answers.some(({ spent }) => spent),
    };
  }

  /**
   * Answers one request.
   *
   * @param caller - Who asks.
   * @param value - The parsed request.
   * @param text - Its JSON.
   * @param done - Is given the answer.
   * @returns The request.
   */
  request(caller: Caller, value: unknown, text: () => string, done: Done): Job {
    let request: RpcRequest;
    try {
      request = parseRequest(value, text);
    } catch (error) {
      return this.malformed(caller, this.#known(error, UNKNOWN), done, { id: idOf(value), method: UNKNOWN });
    }
    const { id, method } = request;
    const started = performance.now();
    let bound: Bound;
    try {
      bound = bindRequest(caller.network, request);
    } catch (error) {
      const why = this.#known(error, method);
      return this.malformed(caller, why, done, { id, method: why.code === INVALID_PARAMS ? method : UNKNOWN });
    }
    const tally = this.#tallies.of(caller.network.name, method);
    const job = { caller, id, method, tally, started, done, charge: undefined };
    return this.#charge(job, this.#meter.prices.of(method), bound);
  }

  /**
   * Answers what is no request, or one that cannot be answered, at the price of that.
   *
   * @param caller - Who asks.
   * @param why - What is wrong with it.
   * @param done - Is given the answer: `why`, or that the price of being told cannot be paid.
   * @param asked - The id to answer with, undefined for a notification; and the method to count it under.
   * @returns The request.
   */
  malformed(caller: Caller, why: RpcError, done: Done, { id, method }: Asked = NOTHING_KNOWN): Job {
    const tally = this.#tallies.of(caller.network.name, method);
    const started = performance.now();
    const job = { caller, id, method, tally, started, done, charge: undefined };
    return this.#charge(job, this.#meter.prices.invalid, () => {
      throw why;
    });
  }

  /** Resolves once no request is under way: what they cost is settled then. Called once, when no more come. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  #charge(job: Job, price: number, bound: Bound): Job {
    this.#running += 1;
    this.#meter.charge(
      job.caller.identity,
      price,
      (charge) => {
        // Who waited for this has been cut off while it was paid for: it is given back.
        this.#run(job, charge, this.#onIdle ? stopping : bound);
        this.#ended();
      },
      (error) => {
        this.#fail(job, this.#known(error, job.method));
        this.#ended();
      },
    );
    return job;
  }

  /** Does what is paid for; at once, unless somebody else has to be asked. */
  #run(job: Job, charge: Charge, bound: Bound): void {
    job.charge = charge;
    job.tally.credits.value += charge.amount;
    let result: unknown;
    let body: string | undefined;
    try {
      result = bound(job.caller.network);
      if (!(result instanceof Promise)) body = bodyOf(job, result);
    } catch (error) {
      result = Promise.reject(error as Error);
    }
    if (result instanceof Promise) void this.#finish(job, result);
    else this.#succeed(job, body, result instanceof AsciiJson && typeof job.id !== 'string');
  }

  async #finish(job: Job, result: Promise<unknown>): Promise<void> {
    this.#running += 1;
    try {
      this.#succeed(job, bodyOf(job, await result), false);
    } catch (error) {
      const known = this.#tellable(job, error);
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

  #succeed(job: Job, body: string | undefined, isAscii: boolean): void {
    this.#count(job, 'ok');
    job.done({ body, isAscii, status: 200, spent: false });
  }

  #fail(job: Job, error: RpcError): void {
    this.#count(job, String(error.code));
    const answer = failed(job.id ?? null, error);
    job.done(job.id === undefined ? { ...answer, body: undefined } : answer);
  }

  /** Gives back what was taken, once. A refund that fails must not hide why the request failed. */
  async #refund(job: Job): Promise<void> {
    const { caller, method, tally, charge } = job;
    if (!charge) return;
    job.charge = undefined;
    try {
      await this.#meter.refund(charge);
      tally.refunds.value += charge.amount;
    } catch (error) {
      const where = { network: caller.network.name, method };
      this.#log.error({ err: error, ...where, amount: charge.amount }, 'credits could not be given back');
    }
  }

  /** What the caller is told of an error. What nobody foresaw is logged whole and told as an internal error. */
  #known(error: unknown, method: string): RpcError {
    if (!(error instanceof RpcError)) {
      this.#log.error({ err: error, method }, 'unexpected error');
      return internalError(error);
    }
    if (error.status >= 502) this.#log.warn({ method, status: error.status }, error.message);
    return error;
  }

  /** As {@link #known}: of an error of the node that is too long to be sent, an internal one. */
  #tellable({ id = null, method }: Job, error: unknown): RpcError {
    const known = this.#known(error, method);
    try {
      checkLength(errorText(id, known.toJSON()).length);
      return known;
    } catch (tooLong) {
      return this.#known(tooLong, method);
    }
  }

  #count({ caller, method, tally, started }: Job, outcome: string): void {
    const { network, identity, transport } = caller;
    const seconds = (performance.now() - started) / 1000;
    tally.answered(transport, outcome, seconds);
    if (!this.#log.isLevelEnabled('debug')) return;
    this.#log.debug(
      { network: network.name, method, transport, outcome, seconds, key: identity.id.slice(0, 8) },
      'answered',
    );
  }
}
