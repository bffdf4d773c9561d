import { type WorkBudget } from '../../eth/abi';
import { type Hex } from '../../eth/bytes';
import { type Scan, scanBytes, scanCall } from './opaque-words';
import { type OpaqueBytes, type SignedValue } from './signed-value';

/** The words that are decoded and looked at once more for one explanation; a request has at most some 8,000. */
const MAX_WORDS = 100_000;

/** Bytes that are looked at word by word. */
type Region = OpaqueBytes & {
  /** They count even if they were read as a call: a contract may read more than its selector says. */
  readonly isUnproven: boolean;
  /** Most of them are code, which is no news. */
  readonly isCode?: true;
  /** The words that an ABI reads, so that only addresses count among them. */
  readonly known?: ReadonlySet<number> | undefined;
};

type Written = { readonly isNative?: true; readonly token?: Hex };

/** All values that a request signs, collected while it is read. */
export class SignedValues {
  /** The work that collecting may cause. */
  readonly budget: WorkBudget = { words: MAX_WORDS };
  readonly #values: SignedValue[] = [];
  readonly #regions: Region[] = [];
  readonly #read = new Set<string>();
  readonly #split = new Set<string>();
  readonly #written = new Map<bigint, Set<string>>();
  readonly #coins = new Map<bigint, Set<string>>();
  readonly #tokens = new Map<string, Hex>();

  add(values: readonly SignedValue[]): void {
    for (const value of values) this.#values.push(value);
  }

  /** Bytes that may be read as a call later. */
  addBytes(all: readonly OpaqueBytes[]): void {
    for (const one of all) this.#regions.push({ ...one, isUnproven: false });
  }

  /** Whole words that nobody can read, among others that are code. */
  addWords(label: string, digits: string): void {
    this.#regions.push({ label, digits, isUnproven: false, isCode: true });
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

  /** @param label - Of a number whose parts were added instead. */
  markSplit(label: string): void {
    this.#split.add(label);
  }

  /**
   * Notes how a row writes an amount, from its beginning to the next comma: "1.5 ETH".
   *
   * @param of - Whether it is the network's coin, and the token if it is a known one.
   * @returns The words.
   */
  wrote(amount: bigint, words: string, { isNative, token }: Written = {}): string {
    const forms = isNative === true ? this.#coins : this.#written;
    const all = forms.get(amount);
    if (all === undefined) forms.set(amount, new Set([words]));
    else all.add(words);
    if (token !== undefined) this.#tokens.set(words, token);
    return words;
  }

  /** @returns The ways in which an amount was written. */
  formsOf(amount: bigint): Iterable<string> {
    return this.#written.get(amount) ?? [];
  }

  /** @returns The ways in which an amount was written as one of the network's coin. */
  coinsOf(amount: bigint): Iterable<string> {
    return this.#coins.get(amount) ?? [];
  }

  /** @returns The known token of which words say an amount. */
  tokenIn(words: string): Hex | undefined {
    return this.#tokens.get(words);
  }

  /**
   * @param isKnown - Whether an address is that of somebody known.
   * @returns All values, those whose meaning is known first; and whether the work that they may cause was too much.
   */
  all(isKnown: Scan['isKnown']): { readonly values: readonly SignedValue[]; readonly isCut: boolean } {
    const scan: Scan = { values: [], words: this.budget.words, region: 0, isKnown };
    for (const { label, digits, isUnproven, isCode, known } of this.#regions) {
      const name = (word: number): string => (isUnproven ? `${label} ${word}` : `${label}, word ${word}`);
      scan.region++;
      if (isUnproven) scanCall(digits, name, known, scan);
      else if (!this.#read.has(digits)) {
        scanBytes(digits, name, scan);
        if (isCode !== true) scan.values.push({ kind: 'bytes', label, digits });
      }
    }
    const whole = this.#values.filter((value) => value.kind !== 'amount' || !this.#split.has(value.label));
    return { values: [...whole, ...scan.values], isCut: scan.words < 0 };
  }
}
