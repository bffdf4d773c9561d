import { clientFault } from '../errors';

/** What a remembered block takes in memory, about, in bytes: its key and the set that holds it. */
export const KEY_BYTES = 100;
/** What a link takes that is still to be followed. */
export const LINK_BYTES = 600;

/**
 * Memory that a client's requests use while they run, in bytes, as far as it depends on what the client sends or has
 * stored. A request has a room within that of its client, and a walk one within that of its request.
 */
export class Room {
  readonly #parent: Room | undefined;
  readonly #limit: number;
  #held = 0;

  /** @param limit - What may be held at once. */
  constructor(limit = Infinity, parent?: Room) {
    this.#limit = limit;
    this.#parent = parent;
  }

  /** A room within this one. */
  within(): Room {
    return new Room(Infinity, this);
  }

  /** @throws CommandError (client's fault) if the client holds too much. */
  take(bytes: number): void {
    this.#mustHave(bytes);
    this.count(bytes);
  }

  /** Counts what is held already. */
  count(bytes: number): void {
    this.#held += bytes;
    this.#parent?.count(bytes);
  }

  /** Gives back what was taken. */
  give(bytes: number): void {
    this.count(-bytes);
  }

  /** Gives everything back. */
  release(): void {
    this.give(this.#held);
  }

  /** Whether more than half is left, so that some of it may be used to be faster. */
  get isAmple(): boolean {
    return this.#held <= this.#limit / 2 && (this.#parent?.isAmple ?? true);
  }

  get isEmpty(): boolean {
    return this.#held === 0;
  }

  #mustHave(bytes: number): void {
    if (this.#held + bytes > this.#limit)
      throw clientFault(
        `the requests of this client would hold more than the allowed ${this.#limit} bytes of memory at once (keyMemoryBytes)`,
      );
    this.#parent?.#mustHave(bytes);
  }
}

/** The rooms of all clients, each a key or an address. */
export class Rooms {
  readonly #limit: number;
  readonly #clients = new Map<string, { readonly room: Room; requests: number }>();

  /** @param limit - What one client may hold at once, in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Opens a room for one request; `close` gives back what it holds. */
  open(client: string): { readonly room: Room; readonly close: () => void } {
    const own = this.#clients.get(client) ?? { room: new Room(this.#limit), requests: 0 };
    this.#clients.set(client, own);
    own.requests++;
    const room = own.room.within();
    return {
      room,
      close: () => {
        room.release();
        if (--own.requests === 0) this.#clients.delete(client);
      },
    };
  }
}
