import { ServiceSilentError } from '../../src/core/errors';
import { type Hex } from '../../src/core/eth/bytes';
import { type CanarySource } from '../../src/core/ledger/canary';
import { isFoundBy } from '../../src/core/ledger/filters';
import { type PlacedLog } from '../../src/core/ledger/placed-log';
import { type LogsAnswer, type LogSource } from '../../src/core/ledger/scan';
import { type BlockRange } from '../../src/core/ledger/searched';

/** What a simulated node does with requests for logs. */
export type Habits = {
  /** Refuses more blocks than this. */
  readonly mostBlocks?: bigint;
  /** Refuses more results than this. */
  readonly mostLogs?: number;
  /** Answers an empty list for older blocks. */
  readonly emptyBefore?: bigint;
  /** Refuses older blocks. */
  readonly prunedBefore?: bigint;
  /** Does not answer in time about more blocks than this. */
  readonly slowAbove?: bigint;
  /** Answers nothing any more after so many requests for logs. */
  readonly hangsAfter?: number;
};

/** A simulated node: a chain of logs, and habits that real nodes have. Counts the requests for logs. */
export class SimulatedLogs implements LogSource, CanarySource {
  readonly title = 'the node at simulated.example';
  requests = 0;

  /**
   * @param logs - Of the chain, in order.
   * @param fork - Blocks from here on have other hashes than on a chain without a fork.
   */
  constructor(
    readonly last: bigint,
    readonly all: readonly PlacedLog[],
    readonly habits: Habits = {},
    readonly fork?: bigint,
  ) {}

  #hash(block: bigint): Hex {
    const isForked = this.fork !== undefined && block >= this.fork;
    return `0x${(isForked ? 'f' : '0').repeat(32)}${block.toString(16).padStart(32, '0')}`;
  }

  readonly head = async () => Promise.resolve({ number: this.last, hash: this.#hash(this.last) });

  readonly hashOf = async (block: bigint) => Promise.resolve(block > this.last ? undefined : this.#hash(block));

  readonly logs = async (topics: Parameters<LogSource['logs']>[0], range: BlockRange): Promise<LogsAnswer> => {
    this.requests++;
    const { mostBlocks, mostLogs, emptyBefore = 0n, prunedBefore = 0n, slowAbove, hangsAfter = Infinity } = this.habits;
    if (this.requests > hangsAfter)
      throw new ServiceSilentError('The node at simulated.example did not respond within 10 s.');
    if (slowAbove !== undefined && range.to - range.from >= slowAbove)
      return { refusal: 'The node at simulated.example did not respond within 10 s.', isLate: true };
    if (mostBlocks !== undefined && range.to - range.from >= mostBlocks) return { refusal: 'block range too large' };
    if (range.from < prunedBefore) return { refusal: 'history has been pruned for this block' };
    const found = this.all.filter(
      (log) =>
        log.blockNumber >= range.from &&
        log.blockNumber <= range.to &&
        log.blockNumber >= emptyBefore &&
        isFoundBy(topics, log),
    );
    if (mostLogs !== undefined && found.length > mostLogs)
      return { refusal: `query returned more than ${mostLogs} results` };
    return Promise.resolve({ logs: found });
  };

  readonly transactionsIn = async (block: bigint) =>
    Promise.resolve([
      ...new Set(this.all.filter((log) => log.blockNumber === block).map((log) => log.transactionHash)),
    ]);

  readonly logsOf = async (transaction: Hex) =>
    Promise.resolve(this.all.filter((log) => log.transactionHash === transaction));
}
