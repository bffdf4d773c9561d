import type { Share } from './share';

/** What a fragment, or a piece as the network brings it, takes besides its bytes. */
const PIECE_BYTES = 512;

/** Bytes of the head of a frame: the first two say how long the rest of it is. */
const SHORT_HEAD = 2;
const MASK_BYTES = 4;
const EXTENDED: Readonly<Record<number, number>> = { 126: 2, 127: 8 };

const FINAL = 0x80;
const MASKED = 0x80;
const CONTROL = 0x08;
const OPCODE = 0x0f;
const LENGTH = 0x7f;

/**
 * What a WebSocket has sent of a message that is not complete, charged from its first byte. It follows the frames
 * (RFC 6455, section 5.2); what is wrong with them is found by whoever reads them.
 */
export class UnfinishedMessage {
  readonly #share: Share;
  /** The head of the next frame, as far as it has arrived, and how long it is. */
  readonly #head: number[] = [];
  #headLength = SHORT_HEAD;
  /** Bytes that the frame still has. */
  #left = 0;
  #endsMessage = false;
  #isOpen = false;

  /** @param share - Of the connection. */
  constructor(share: Share) {
    this.#share = share;
  }

  /** What the message weighs so far, charged or not. */
  weight = 0;

  /** Whether a message has begun and not ended. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * @param chunk - The next bytes of the connection.
   * @throws The refusal of the share.
   */
  push(chunk: Uint8Array): void {
    let counted = this.#isOpen ? PIECE_BYTES : 0;
    for (let at = 0; at < chunk.length;) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, chunk.length - at);
        this.#left -= taken;
        at += taken;
        if (this.#isOpen) counted += taken;
      } else if (this.#readHead(chunk[at++] as number) && this.#isOpen) counted += PIECE_BYTES;
      if (this.#left === 0 && this.#head.length === 0 && this.#endsMessage) {
        this.#isOpen = false;
        this.#endsMessage = false;
        counted = 0;
        this.weight = 0;
        this.#share.release();
      }
    }
    this.weight += counted;
    this.#share.charge(counted);
  }

  /** @returns Whether the head is complete. */
  #readHead(byte: number): boolean {
    const head = this.#head;
    head.push(byte);
    if (head.length === SHORT_HEAD)
      this.#headLength = SHORT_HEAD + (EXTENDED[byte & LENGTH] ?? 0) + (byte & MASKED ? MASK_BYTES : 0);
    if (head.length < this.#headLength) return false;
    const [first = 0, second = 0] = head;
    const short = second & LENGTH;
    const extended = head.slice(SHORT_HEAD, SHORT_HEAD + (EXTENDED[short] ?? 0));
    this.#left = extended.length === 0 ? short : extended.reduce((sum, each) => sum * 256 + each, 0);
    if ((first & OPCODE & CONTROL) === 0) {
      this.#isOpen = true;
      this.#endsMessage = (first & FINAL) !== 0;
    }
    head.length = 0;
    this.#headLength = SHORT_HEAD;
    return true;
  }
}
