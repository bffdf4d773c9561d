import { type Danger } from '../explanation';
import { ADVICE, type DangerCode, SENTENCES } from './dangers';

/** A danger shows at most so many different sentences, and then this one. */
const MAX_SENTENCES = 3;
const MORE = 'There is more of this kind: check every call and value.';

/** @returns What happens, without what to do instead. */
export const withoutAdvice = ({ code, text }: Danger): string => text.replace(ADVICE[code], '').trim();

/**
 * The verdict of the judge: dangers and warnings. Each danger and each warning appears once, however often it occurs.
 */
export class Verdict {
  readonly #dangers = new Map<DangerCode, Set<string>>();
  readonly #warnings = new Set<string>();

  /** A danger whose sentence is always the same. */
  always(code: keyof typeof SENTENCES): void {
    this.danger(code, () => SENTENCES[code]);
  }

  /** @param sentence - Says what happens, to what, and by whom. */
  danger(code: DangerCode, sentence: () => string): void {
    const sentences = this.#dangers.get(code) ?? new Set();
    // Sentences beyond the limit are not shown, so a hostile request must not make us build them.
    if (sentences.size <= MAX_SENTENCES) sentences.add(sentence());
    this.#dangers.set(code, sentences);
  }

  /** @param text - A sentence. Repeating one has no effect. */
  warn(text: string): void {
    this.#warnings.add(text);
  }

  get dangers(): readonly Danger[] {
    return [...this.#dangers].map(([code, all]) => {
      const sentences = [...all];
      const shown = sentences.slice(0, MAX_SENTENCES);
      const more = sentences.length > MAX_SENTENCES ? [MORE] : [];
      return { code, text: [...shown, ...more, ADVICE[code]].join(' ') };
    });
  }

  get warnings(): readonly string[] {
    return [...this.#warnings];
  }
}
