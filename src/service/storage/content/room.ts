import { type Place, Places } from '../../runtime/places';
import { clientFault } from '../errors';

/** What a remembered block takes in memory, about, in bytes: its key and the set that holds it. */
export const KEY_BYTES = 100;
/** What a CID takes that was decoded, with what is known of it. */
export const CID_BYTES = 500;
/**
 * What a link takes that is still to be followed: 620 bytes, and what decoding leaves behind, which the engine lets
 * grow to several times of what is kept before it collects it.
 */
export const LINK_BYTES = 1800;

/**
 * Memory that a client's requests use while they run, in bytes, as far as it depends on what the client sends or has
 * stored. A request has a room within that of its client, and a walk one within that of its request.
 */
export class Room {
  readonly #limit: number;
  /** This room, and those it is within. */
  readonly #andAround: readonly Room[];
  #held = 0;

  /** @param limit - What may be held at once. */
  constructor(limit = Infinity, parent?: Room) {
    this.#limit = limit;
    this.#andAround = parent === undefined ? [this] : [this, ...parent.#andAround];
  }

  /** A room within this one. */
  within(): Room {
    return new Room(Infinity, this);
  }

  /** @throws CommandError (client's fault) if the client holds too much. */
  take(bytes: number): void {
    for (const room of this.#andAround)
      if (room.#held + bytes > room.#limit)
        throw clientFault(
          `the requests of this client would hold more than the allowed ${room.#limit} bytes of memory at once (keyMemoryBytes)`,
        );
    this.count(bytes);
  }

  /** Counts what is held already. */
  count(bytes: number): void {
    for (const room of this.#andAround) room.#held += bytes;
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
    return this.#andAround.every((room) => room.#held <= room.#limit / 2);
  }

  get isEmpty(): boolean {
    return this.#held === 0;
  }
}

/** Blocks of one client that are read at once: twice what Node reads from disks at once. */
const READS_AT_ONCE = 8;

/** The memory of the clients of one listener, each a key or an address. */
export class Rooms {
  readonly #limit: number;
  readonly #clients = new Map<string, { readonly room: Room; requests: number }>();
  readonly #reads = new Places(READS_AT_ONCE, Infinity);

  /** @param limit - What one client may hold at once, in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Opens a room for one request.
   *
   * @returns `close` gives back what it holds; `place` is one among the blocks that the client reads.
   */
  open(client: string): {
    readonly room: Room;
    readonly place: () => Place | undefined;
    readonly close: () => void;
  } {
    const own = this.#clients.get(client) ?? { room: new Room(this.#limit), requests: 0 };
    this.#clients.set(client, own);
    own.requests++;
    const room = own.room.within();
    return {
      room,
      place: () => this.#reads.take(client),
      close: () => {
        room.release();
        if (--own.requests === 0) this.#clients.delete(client);
      },
    };
  }
}
