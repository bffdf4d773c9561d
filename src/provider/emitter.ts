import { type ProviderEvent, type ProviderEvents } from './types';

type Listener<E extends ProviderEvent> = (value: ProviderEvents[E]) => void;

/** The listeners of a provider. */
export class Emitter {
  readonly #listeners = new Map<ProviderEvent, Set<Listener<never>>>();

  /** @param onUse - Is told whether an event has listeners, whenever that changes. */
  constructor(readonly onUse: (event: ProviderEvent, used: boolean) => void) {}

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

  /** Tells every listener. One that throws keeps nobody else from hearing it; its error is the page's, uncaught. */
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
