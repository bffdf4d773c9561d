import { type Json } from '@metamask/snaps-sdk';

import { endowmentsOf } from './executor/endowments';
import { Executor, type OutboundHandler, type SnapCall } from './executor/executor';
import { unwrapSnapError } from './snap-errors';
import { type SnapFiles } from './snap-files';

type Options = {
  readonly snapId: string;
  readonly files: SnapFiles;
  readonly executorUrl: string;
  readonly onRequest: OutboundHandler;
};

/** The installed snap. It starts on first use, and again after it was stopped. */
export class HostedSnap {
  readonly #options: Options;
  #running: Promise<Executor> | undefined;
  #calls = 0;
  #isOutdated = false;

  constructor(options: Options) {
    this.#options = options;
  }

  get files(): SnapFiles {
    return this.#options.files;
  }

  /** @throws {RpcError} The snap's error. As in MetaMask, an error that the snap did not throw on purpose stops it. */
  async call(call: SnapCall): Promise<Json> {
    // What it has in memory is old: it starts again, unless somebody waits for it.
    if (this.#isOutdated && this.#calls === 0) this.stop();
    this.#calls += 1;
    try {
      const executor = await this.#start();
      return await executor.call(call).catch((thrown: unknown) => {
        const { error, isHandled } = unwrapSnapError(thrown);
        if (!isHandled) this.stop();
        throw error;
      });
    } finally {
      this.#calls -= 1;
    }
  }

  /** Another tab has changed the state, of which the snap has parts in memory. */
  outdate(): void {
    this.#isOutdated = true;
  }

  stop(): void {
    const running = this.#running;
    this.#running = undefined;
    this.#isOutdated = false;
    void running?.then(
      (executor) => executor.stop(),
      () => undefined,
    );
  }

  #start(): Promise<Executor> {
    if (this.#running !== undefined) return this.#running;
    const { snapId, files, executorUrl, onRequest } = this.#options;
    const starting = Executor.start({
      url: executorUrl,
      snapId,
      sourceCode: files.sourceCode,
      endowments: endowmentsOf(files.manifest.initialPermissions),
      onRequest,
      onCrash: () => this.stop(),
    });
    this.#running = starting;
    starting.catch(() => {
      if (this.#running === starting) this.#running = undefined;
    });
    return starting;
  }
}
