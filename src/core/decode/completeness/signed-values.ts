import { type WorkBudget } from '../../eth/abi';
import { type Scan, scanBytes, scanCall } from './opaque-words';
import { type OpaqueBytes, type SignedValue } from './signed-value';

/** The words that are decoded and looked at once more for one explanation; a request has at most some 8,000. */
const MAX_WORDS = 100_000;

/** Bytes that are looked at word by word. */
type Region = OpaqueBytes & {
  /** They count even if they were read as a call: nothing proves that a contract reads no more than its selector says. */
  readonly isUnproven: boolean;
  /** The words that an ABI reads, so that only addresses count among them. */
  readonly known?: ReadonlySet<number> | undefined;
};

/** All values that a request signs, collected while it is read. */
export class SignedValues {
  /** The work that collecting may cause. */
  readonly budget: WorkBudget = { words: MAX_WORDS };
  readonly #values: SignedValue[] = [];
  readonly #regions: Region[] = [];
  readonly #read = new Set<string>();
  readonly #written = new Map<bigint, Set<string>>();

  add(values: readonly SignedValue[]): void {
    for (const value of values) this.#values.push(value);
  }

  /** Bytes that may be read as a call later. */
  addBytes(all: readonly OpaqueBytes[]): void {
    for (const one of all) this.#regions.push({ ...one, isUnproven: false });
  }

  /**
   * A call whose words count, whatever its selector stands for.
   *
   * @param known - The positions of the words that an ABI reads: numbers in them were added by it.
   */
  addUnproven(digits: string, known?: ReadonlySet<number>): void {
    this.#regions.push({ label: 'Value', digits, isUnproven: true, known });
  }

  /** @param digits - The data of a call that is read, so bytes that contain it are not opaque. */
  markRead(digits: string): void {
    if (digits !== '') this.#read.add(digits);
  }

  /** @param words - How a screen writes an amount: "1.5 ETH". */
  wrote(amount: bigint, words: string): string {
    const all = this.#written.get(amount);
    if (all === undefined) this.#written.set(amount, new Set([words]));
    else all.add(words);
    return words;
  }

  /** @returns The ways in which an amount was written. */
  formsOf(amount: bigint): Iterable<string> {
    return this.#written.get(amount) ?? [];
  }

  /**
   * @param isKnown - Whether an address is that of somebody known.
   * @returns All values, those whose meaning is known first; and whether the work that they may cause was too much.
   */
  all(isKnown: Scan['isKnown']): { readonly values: readonly SignedValue[]; readonly isCut: boolean } {
    const scan: Scan = { values: [], words: this.budget.words, isKnown };
    for (const { label, digits, isUnproven, known } of this.#regions) {
      const name = (word: number): string => (isUnproven ? `${label} ${word}` : `${label}, word ${word}`);
      if (isUnproven) scanCall(digits, name, known, scan);
      else if (!this.#read.has(digits)) scanBytes(digits, name, scan);
    }
    return { values: [...this.#values, ...scan.values], isCut: scan.words < 0 };
  }
}
