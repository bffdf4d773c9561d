import { type Wanted } from './knowledge';
import { type Danger, type Explanation, type OpenQuestions } from './types';

/** Every danger flag with its sentence. The codes are stable. */
const DANGERS = {
  'account-administration': 'This changes who controls an account or a contract, or takes out its deposit.',
  'approval-for-all': 'This lets somebody else move everything you have in this contract, now and later.',
  'chain-mismatch': 'This names another chain than the one the request is for.',
  delegatecall: 'This runs foreign code as if it were the account itself. It can take everything in it.',
  everything: 'This moves all that there is of a token.',
  'hash-message': 'This message may be a hash. What it stands for cannot be seen: it may be anything.',
  'malformed-call': 'This names a known function, but its arguments do not fit. What it does is not known.',
  'never-expires': 'This permission does not end for ten years or more.',
  'not-fully-read': 'This holds more calls than can be looked into. Those left out may do anything.',
  'nothing-in-return': 'This order gives something away, and nothing comes back to you.',
  'own-contract': 'This is addressed to the account that signs it: it can give orders to your own account.',
  'siwe-address': 'This signs in with another account than the one that signs.',
  'siwe-domain': 'This signs in to another site than the one that asks.',
  'transaction-message': 'This message has the form of a transaction or of an authorization.',
  'typed-data-message': 'This message has the form of hashed typed data. What it stands for cannot be seen.',
  'unlimited-approval': 'This lets somebody else spend as much of a token as they like.',
  'unknown-paymaster': 'This names a paymaster that Keystead did not ask for.',
  'value-to-creation': 'This sends value to a contract that does not exist yet.',
};

/** The stable name of a danger: programs and tests may rely on it. */
export type DangerCode = keyof typeof DANGERS;

export const dangerText = (code: DangerCode): string => DANGERS[code];

/** What is noticed while something is read. Each danger is told once, however often it occurs. */
export class Findings {
  readonly #codes = new Set<DangerCode>();
  readonly #warnings = new Set<string>();
  readonly #wanted = new Map<string, Wanted>();

  danger(code: DangerCode): void {
    this.#codes.add(code);
  }

  /** @param text - A sentence; the same one is told once. */
  warn(text: string): void {
    this.#warnings.add(text);
  }

  /** @param wanted - What would tell more, were it looked up. */
  want(wanted: Wanted): void {
    this.#wanted.set(JSON.stringify(wanted), wanted);
  }

  /** @param again - Makes the explanation again, with what was found. */
  openQuestions(again: OpenQuestions['again']): Pick<Explanation, 'open'> {
    return this.#wanted.size === 0 ? {} : { open: { wanted: [...this.#wanted.values()], again } };
  }

  get dangers(): readonly Danger[] {
    return [...this.#codes].map((code) => ({ code, text: dangerText(code) }));
  }

  get warnings(): readonly string[] {
    return [...this.#warnings];
  }
}
