import { UpstreamFailure } from '../upstream-failure';

/**
 * What about an answer does not hold: its shape, the block's number, hash or parent, its list of uncles, or that
 * another node says otherwise (`nodes`).
 */
export type Flaw = 'shape' | 'number' | 'hash' | 'parent' | 'uncles' | 'nodes';

/** A node's answer that does not prove what it says. It is free of charge, and the next node is asked. */
export class UnprovenAnswer extends UpstreamFailure {
  readonly flaw: Flaw;

  /** @param message - Follows "the network's node". */
  constructor(flaw: Flaw, message: string, options?: ErrorOptions) {
    super('unreachable', message, options);
    this.flaw = flaw;
  }
}
