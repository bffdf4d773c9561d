import { SignedValues } from '../completeness/signed-values';
import { type KnownToken, type Lookup } from '../metadata/contract-metadata';
import { type Effect, type FoundEffect, type Known } from './effect';

/** Collects what decoding finds: effects in the order of the request, and what could be looked up. */
export class Findings {
  /** The tokens that were looked for already, by chain and address: an explanation names the same ones many times. */
  readonly tokens = new Map<string, KnownToken | undefined>();
  /** Everything that is signed, whatever rules make of it. */
  readonly signed = new SignedValues();
  /** The place of the call that is read. See {@link FoundEffect}. */
  place = '';
  readonly #effects: FoundEffect[] = [];
  readonly #lookups = new Map<string, Lookup>();
  readonly #notes = new Set<string>();

  /** @param known - Whether the account itself signs this, or the calldata of another contract claims it. */
  add(effects: readonly Effect[], known: Known = 'signed'): void {
    for (const effect of effects) this.#effects.push({ ...effect, known, at: this.place });
  }

  /** A sentence that is a warning. Repeating one has no effect. */
  note(text: string): void {
    if (this.#notes.has(text)) return;
    this.#notes.add(text);
    this.#effects.push({ kind: 'note', text, known: 'signed', at: this.place });
  }

  /** @param lookup - What would make the explanation more complete, if it were looked up. */
  lookUp(lookup: Lookup): void {
    this.#lookups.set(JSON.stringify(lookup), lookup);
  }

  get effects(): readonly FoundEffect[] {
    return this.#effects;
  }

  get lookups(): readonly Lookup[] {
    return [...this.#lookups.values()];
  }
}
