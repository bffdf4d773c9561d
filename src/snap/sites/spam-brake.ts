import { siteName } from '../../core/schemas/origin';

/** The number of dialogs in a row from which a site counts as asking again and again. */
const MANY = 3;
/** Dialogs with a longer break between them are no row, in milliseconds. */
const BREAK = 60_000;
/** How long all requests of a site are rejected, in milliseconds. */
const REJECTED_FOR = 60_000;

/** Counts the dialogs that a site opens one after another, and remembers the sites whose requests are all rejected. */
export class SpamBrake {
  readonly #now: () => number;
  #row: { readonly name: string; readonly length: number; readonly at: number } | undefined;
  readonly #rejected = new Map<string, number>();

  /** @param now - Returns milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a dialog of an origin. @returns Whether the person should be offered to reject all of its requests. */
  isOneOfMany(origin: string): boolean {
    const name = siteName(origin);
    const row = this.#row;
    const goesOn = row?.name === name && this.#now() - row.at < BREAK;
    const length = goesOn ? row.length + 1 : 1;
    this.#row = { name, length, at: this.#now() };
    return length >= MANY;
  }

  /** The row goes on if the site asks again soon after the person has answered, however long they took. */
  answered(): void {
    if (this.#row !== undefined) this.#row = { ...this.#row, at: this.#now() };
  }

  /** Rejects all requests of a site for a minute. */
  reject(origin: string): void {
    this.#rejected.set(siteName(origin), this.#now() + REJECTED_FOR);
  }

  isRejecting(origin: string): boolean {
    const until = this.#rejected.get(siteName(origin));
    if (until === undefined) return false;
    if (this.#now() < until) return true;
    this.#rejected.delete(siteName(origin));
    return false;
  }
}
