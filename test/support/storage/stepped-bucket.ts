import { Bucket } from '../../../src/service/storage/store/bucket';

/** A bucket that runs a step once: after the next list or put, or before the next delete. */
export class SteppedBucket extends Bucket {
  readonly #steps = new Map<'list' | 'put' | 'delete', () => Promise<unknown>>();

  at(operation: 'list' | 'put' | 'delete', step: () => Promise<unknown>): void {
    this.#steps.set(operation, step);
  }

  async #step(operation: 'list' | 'put' | 'delete'): Promise<void> {
    const step = this.#steps.get(operation);
    this.#steps.delete(operation);
    await step?.();
  }

  override async *list(prefix: string): AsyncGenerator<string> {
    yield* super.list(prefix);
    await this.#step('list');
  }

  override async put(key: string, body: Uint8Array): Promise<void> {
    await super.put(key, body);
    await this.#step('put');
  }

  override async delete(key: string): Promise<void> {
    await this.#step('delete');
    await super.delete(key);
  }
}
