/** A place among the requests of one client. */
export type Place = {
  /** Resolves once the request may run: to false if it no longer needs to, because it has left. */
  readonly ready: Promise<boolean>;
  /** Gives the place to the next request. May be called more than once, and before it is ready. */
  readonly leave: () => void;
};

type Client = { running: number; readonly waiting: Set<() => void> };

/** Runs a few requests of each client at once. Further ones wait for their turn, so that nobody takes all the time. */
export class Places {
  readonly #running: number;
  readonly #waiting: number;
  readonly #clients = new Map<string, Client>();

  /**
   * @param running - How many requests of one client run at once.
   * @param waiting - How many may wait.
   */
  constructor(running: number, waiting: number) {
    this.#running = running;
    this.#waiting = waiting;
  }

  /**
   * @param id - Of the client: a key, or an address.
   * @returns Undefined if too many of its requests wait.
   */
  take(id: string): Place | undefined {
    const client = this.#clients.get(id) ?? { running: 0, waiting: new Set() };
    if (client.running >= this.#running && client.waiting.size >= this.#waiting) return undefined;
    this.#clients.set(id, client);
    let state: 'waiting' | 'running' | 'left' = 'waiting';
    let begin: () => void = () => undefined;
    const ready = new Promise<boolean>((resolve) => {
      begin = () => {
        client.waiting.delete(begin);
        if (state === 'waiting') {
          state = 'running';
          client.running += 1;
        }
        resolve(state === 'running');
      };
    });
    if (client.running < this.#running) begin();
    else client.waiting.add(begin);
    return {
      ready,
      leave: () => {
        if (state === 'left') return;
        const ran = state === 'running';
        state = 'left';
        if (ran) client.running -= 1;
        else begin();
        const [next] = client.waiting;
        if (client.running < this.#running) next?.();
        // Addresses are without number, so those that left are forgotten.
        if (client.running === 0 && client.waiting.size === 0) this.#clients.delete(id);
      },
    };
  }
}
