import type { Client } from '../admission/admission';
import type { Share } from '../admission/share';
import { UnfinishedMessage } from '../admission/unfinished';
import { closeCodeOf, POLICY_VIOLATION, TOO_BIG } from './close-codes';
import type { RpcError } from './errors';
import { PIECE_BYTES } from './shares';

export type MessageLimits = {
  frameBytes: number;
  /** The time for a message to arrive, in milliseconds. */
  requestMs: number;
};

/** What a message that breaks a limit does to its connection. */
export type Arrival = {
  /** Whether nothing is read from the connection now: then a message cannot go on. */
  readonly isPaused: () => boolean;
  readonly refused: (status: number) => void;
  readonly breakOff: (code: number, reason: string) => void;
};

/** The message that is arriving on a WebSocket: charged from its first byte, and limited in size and time. */
export class ArrivingMessage {
  readonly #client: Client;
  readonly #limits: MessageLimits;
  readonly #connection: Arrival;
  readonly #memory: Share;
  readonly #unfinished: UnfinishedMessage;
  #late: NodeJS.Timeout | undefined;

  constructor(client: Client, limits: MessageLimits, connection: Arrival) {
    this.#client = client;
    this.#limits = limits;
    this.#connection = connection;
    this.#memory = client.memory.within();
    this.#unfinished = new UnfinishedMessage(this.#memory);
  }

  /** Counts the next bytes of the connection, before they are read as frames. */
  push(chunk: Buffer): void {
    const { frameBytes } = this.#limits;
    try {
      this.#unfinished.push(chunk);
    } catch (error) {
      const { status, message } = error as RpcError;
      this.#client.overdraft ??= this;
      if (this.#client.overdraft !== this) {
        this.#connection.refused(status);
        this.#connection.breakOff(closeCodeOf(status), message);
        return;
      }
    }
    // Many small fragments take more than their bytes.
    if (this.#unfinished.weight > 2 * frameBytes + PIECE_BYTES)
      this.#connection.breakOff(TOO_BIG, `a message in too many pieces, of more than ${frameBytes} bytes together`);
    else if (this.#unfinished.isOpen) this.#late ??= this.#limitTime();
    else this.#ended();
  }

  /** The connection has closed. */
  end(): void {
    this.#ended();
    this.#memory.release();
  }

  #ended(): void {
    clearTimeout(this.#late);
    this.#late = undefined;
    if (this.#client.overdraft === this) this.#client.overdraft = undefined;
  }

  #limitTime(): NodeJS.Timeout {
    const { requestMs } = this.#limits;
    return setTimeout(() => {
      this.#late = undefined;
      if (this.#connection.isPaused()) this.#late = this.#limitTime();
      else {
        const reason = `a message took longer than ${requestMs / 1000} seconds to arrive`;
        this.#connection.breakOff(POLICY_VIOLATION, reason);
      }
    }, requestMs).unref();
  }
}
