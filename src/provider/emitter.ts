import { EventEmitter } from 'eventemitter3';

import { type ProviderEvent, type ProviderEvents } from './types';

type Listeners = { [E in ProviderEvent]: (value: ProviderEvents[E]) => void };
type Listener<E extends ProviderEvent> = EventEmitter.EventListener<Listeners, E>;

/** The event listeners of a provider, with every method that `EventEmitter` has in Node.js. */
export class Emitter extends EventEmitter<Listeners> {
  readonly #onUse: (used: ReadonlySet<ProviderEvent>) => void;
  readonly #used = new Set<ProviderEvent>();

  /** @param onUse - Called with the events that have listeners, when one gets its first listener or loses its last. */
  constructor(onUse: (used: ReadonlySet<ProviderEvent>) => void) {
    super();
    this.#onUse = onUse;
  }

  override on<E extends ProviderEvent>(event: E, listener: Listener<E>): this {
    super.on(event, listener);
    return this.#check(event);
  }

  override once<E extends ProviderEvent>(event: E, listener: Listener<E>): this {
    super.once(event, listener);
    return this.#check(event);
  }

  override removeListener<E extends ProviderEvent>(
    event: E,
    listener?: Listener<E>,
    context?: unknown,
    isOnce?: boolean,
  ): this {
    super.removeListener(event, listener, context, isOnce);
    return this.#check(event);
  }

  override removeAllListeners(event?: ProviderEvent): this {
    super.removeAllListeners(event);
    for (const used of [...this.#used]) this.#check(used);
    return this;
  }

  /** Calls every listener, even if one throws. Its error is rethrown outside, as an uncaught error of the page. */
  override emit<E extends ProviderEvent>(event: E, ...values: EventEmitter.EventArgs<Listeners, E>): boolean {
    const listeners = this.listeners(event);
    for (const listener of listeners) {
      try {
        // Removes it only if it was added with `once`.
        this.removeListener(event, listener, undefined, true);
        listener(...values);
      } catch (error) {
        setTimeout(() => {
          throw error;
        });
      }
    }
    return listeners.length > 0;
  }

  #check(event: ProviderEvent): this {
    const isUsed = this.listenerCount(event) > 0;
    if (isUsed === this.#used.has(event)) return this;
    this.#used[isUsed ? 'add' : 'delete'](event);
    this.#onUse(this.#used);
    return this;
  }
}

// The library sets these as aliases of its own methods.
Emitter.prototype.addListener = Emitter.prototype.on;
Emitter.prototype.off = Emitter.prototype.removeListener;
