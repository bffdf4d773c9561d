import type { Logger } from 'pino';

import type { KeyIdentity } from '../keys';
import type { Charge, Meter } from './credits/meter';
import { INTERNAL_ERROR, internalError, INVALID_PARAMS, invalidRequest, RpcError } from './errors';
import { errorText, idOf, parseRequest, resultText, type RpcId, type RpcRequest } from './json-rpc';
import { itemsOf, type Part } from './json-text';
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
  /** HTTP status. */
  status: number;
  /** Whether the day's credits did not suffice. */
  spent: boolean;
};

const failed = (id: RpcId, error: RpcError): Answer => ({
  body: errorText(id, error.toJSON()),
  status: error.status,
  spent: error.status === 402,
});

/** Methods that are in no list are counted under one label, or anyone could make up any number of them. */
const UNKNOWN = 'unknown';

/** Whether nobody awaits an answer to it (JSON-RPC 2.0, section 4.1). */
const isNotification = (item: unknown): boolean => typeof item === 'object' && item !== null && !('id' in item);

/** Characters of a batch's answers after which the rest of it is left; requests of a batch that are answered at once. */
const BATCH_ANSWER = 64 << 20;
const AT_ONCE = 16;

const tooLarge = () =>
  new RpcError(INTERNAL_ERROR, `the answers of this batch are over ${BATCH_ANSWER >> 20} MiB: ask for the rest again`);

/** Answers requests, whichever way they came. Each is charged before any work is done for it. */
export class Dispatcher {
  readonly #meter: Meter;
  readonly #tallies: Tallies;
  readonly #log: Logger;
  readonly #batchItems: number;
  /** Requests that are charged and not done. */
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
   * @returns The answer. A batch has the status of its items if they all have the same, else 200.
   */
  async body(caller: Caller, value: unknown, text: string): Promise<Answer> {
    if (!Array.isArray(value)) return this.request(caller, value, () => text);
    if (value.length === 0) return this.malformed(caller, invalidRequest('empty batch'));
    if (value.length > this.#batchItems)
      return this.malformed(caller, invalidRequest(`batch too large, at most ${this.#batchItems} requests`, 413));
    let parts: Part[] | undefined;
    const textOf = (i: number) => () => (parts ??= itemsOf(text))[i]?.text ?? '';
    const answers: Answer[] = [];
    let characters = 0;
    for (let at = 0; at < value.length && characters <= BATCH_ANSWER; at += AT_ONCE) {
      const items = value.slice(at, at + AT_ONCE) as unknown[];
      const some = await Promise.all(items.map((item, i) => this.request(caller, item, textOf(at + i))));
      characters += some.reduce((sum, { body = '' }) => sum + body.length, 0);
      answers.push(...some);
    }
    // What there is no room for is neither done nor charged.
    for (const item of value.slice(answers.length)) {
      if (!isNotification(item)) answers.push(failed(idOf(item), tooLarge()));
    }
    const bodies = answers.flatMap(({ body }) => body ?? []);
    const [first = 200, ...others] = new Set(answers.map(({ status }) => status));
    return {
      body: bodies.length > 0 ? `[${bodies.join(',')}]` : undefined,
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
   * @returns The answer.
   */
  async request(caller: Caller, value: unknown, text: () => string): Promise<Answer> {
    let request: RpcRequest;
    try {
      request = parseRequest(value, text);
    } catch (error) {
      return this.malformed(caller, this.#known(error, UNKNOWN), idOf(value));
    }
    const started = performance.now();
    const { id, method } = request;
    let bound: Bound;
    try {
      bound = bindRequest(caller.network, request);
    } catch (error) {
      const known = this.#known(error, method);
      const label = known.code === INVALID_PARAMS ? method : UNKNOWN;
      const answer = await this.malformed(caller, known, id ?? null, label);
      return id === undefined ? { ...answer, body: undefined } : answer;
    }
    const tally = this.#tallies.of(caller.network.name, method);
    try {
      const body = await this.#run(caller, request, bound, tally);
      this.#count(caller, method, tally, 'ok', started);
      return { body, status: 200, spent: false };
    } catch (error) {
      const known = this.#known(error, method);
      this.#count(caller, method, tally, String(known.code), started);
      const answer = failed(id ?? null, known);
      return id === undefined ? { ...answer, body: undefined } : answer;
    }
  }

  /**
   * Answers what is no request, at the price of that.
   *
   * @param caller - Who asks.
   * @param why - What is wrong with it.
   * @param id - To answer with.
   * @param method - To count it under.
   * @returns The answer: `why`, or that the price of being told cannot be paid.
   */
  async malformed(caller: Caller, why: RpcError, id: RpcId = null, method: string = UNKNOWN): Promise<Answer> {
    const started = performance.now();
    const tally = this.#tallies.of(caller.network.name, method);
    let error = why;
    try {
      tally.credits.value += (await this.#meter.charge(caller.identity, this.#meter.prices.invalid)).amount;
    } catch (failure) {
      error = this.#known(failure, method);
    }
    this.#count(caller, method, tally, String(error.code), started);
    return failed(id, error);
  }

  /** Resolves once no request is under way: what they cost is settled then. Called once, when no more come. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
  }

  /** @returns The response; undefined to a notification. */
  async #run(
    { network, identity }: Caller,
    { id, method }: RpcRequest,
    bound: Bound,
    tally: MethodTally,
  ): Promise<string | undefined> {
    const charge = await this.#meter.charge(identity, this.#meter.prices.of(method));
    tally.credits.value += charge.amount;
    this.#running += 1;
    try {
      const result = await bound(network);
      return id === undefined ? undefined : resultText(id, result);
    } catch (error) {
      const known = this.#known(error, method);
      if (known.free) await this.#refund(charge, tally, { network: network.name, method });
      throw known;
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#onIdle?.();
    }
  }

  /** A refund that fails must not hide why the request failed. */
  async #refund(charge: Charge, tally: MethodTally, where: { network: string; method: string }): Promise<void> {
    try {
      await this.#meter.refund(charge);
      tally.refunds.value += charge.amount;
    } catch (error) {
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

  #count(caller: Caller, method: string, tally: MethodTally, outcome: string, started: number): void {
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
