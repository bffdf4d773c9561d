import { type ProviderEvent, type ProviderEvents } from './types';

type Listener<E extends ProviderEvent> = (value: ProviderEvents[E]) => void;

/** Holds the event listeners of a provider. */
export class Emitter {
  readonly #listeners = new Map<ProviderEvent, Set<Listener<never>>>();

  /** @param onUse - Called when an event gets its first listener (true) or loses its last one (false). */
  constructor(readonly onUse: (event: ProviderEvent, isUsed: boolean) => void) {}

  on<E extends ProviderEvent>(event: E, listener: Listener<E>): void {
    const listeners = this.#listeners.get(event) ?? new Set();
    const wasUsed = listeners.size > 0;
    this.#listeners.set(event, listeners.add(listener));
    if (!wasUsed) this.onUse(event, true);
  }

  removeListener<E extends ProviderEvent>(event: E, listener: Listener<E>): void {
    const listeners = this.#listeners.get(event);
    if (listeners?.delete(listener) === true && listeners.size === 0) this.onUse(event, false);
  }

  /** Calls every listener, even if one throws. Its error is rethrown outside, as an uncaught error of the page. */
  emit<E extends ProviderEvent>(event: E, value: ProviderEvents[E]): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])] as Listener<E>[]) {
      try {
        listener(value);
      } catch (error) {
        setTimeout(() => {
          throw error;
        });
      }
    }
  }
}
