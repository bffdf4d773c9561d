import type { Distribution } from './distribution';
import type { Count, RpcMetrics } from './metrics';

export type Transport = 'http' | 'ws';

/** Counts the requests for one method on one network. */
export class MethodTally {
  readonly credits: Count;
  readonly refunds: Count;
  readonly #seconds: Distribution;
  readonly #metrics: RpcMetrics;
  readonly #labels: { network: string; method: string };
  readonly #answers: Record<Transport, Map<string, Count>> = { http: new Map(), ws: new Map() };

  constructor(metrics: RpcMetrics, network: string, method: string) {
    this.#metrics = metrics;
    this.#labels = { network, method };
    this.credits = metrics.credits(this.#labels);
    this.refunds = metrics.refunds(this.#labels);
    this.#seconds = metrics.seconds(this.#labels);
  }

  /** @param outcome - `ok` or the error code. */
  answered(transport: Transport, outcome: string, seconds: number): void {
    const answers = this.#answers[transport];
    let count = answers.get(outcome);
    if (!count) {
      count = this.#metrics.requests({ ...this.#labels, transport, outcome });
      answers.set(outcome, count);
    }
    count.value += 1;
    this.#seconds.observe(seconds);
  }
}

/** The tallies of all requested methods. */
export class Tallies {
  readonly #metrics: RpcMetrics;
  readonly #tallies = new Map<string, Map<string, MethodTally>>();

  constructor(metrics: RpcMetrics) {
    this.#metrics = metrics;
  }

  /**
   * @param network - Its name.
   * @param method - An existing method: a counted label stays forever.
   */
  of(network: string, method: string): MethodTally {
    let methods = this.#tallies.get(network);
    if (!methods) this.#tallies.set(network, (methods = new Map<string, MethodTally>()));
    let tally = methods.get(method);
    if (!tally) methods.set(method, (tally = new MethodTally(this.#metrics, network, method)));
    return tally;
  }
}
