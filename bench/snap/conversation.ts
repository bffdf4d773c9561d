import { faultOf, isPending } from './answers';
import { type Dialect } from './manifest';
import { KEY } from './payloads';
import { type Account, createAccount, type Signing, type SnapRequest, submit } from './requests';

/** A wallet that runs snaps, by name. */
export type Host = { readonly call: <T>(name: string, request: SnapRequest) => Promise<T> };

/** A snap's responses, by method. */
export type Asked = {
  /** Requests that it answered correctly. */
  readonly requests: Readonly<Record<string, SnapRequest>>;
  /** Requests that it does not support, and why. */
  readonly refused: Readonly<Record<string, string>>;
  /** Requests that it supports but answered with an error, wrongly or not at all; and how. */
  readonly failed: Readonly<Record<string, string>>;
  /** What makes it create one more account with a key of its own, if it creates such accounts. */
  readonly creation?: SnapRequest;
};

/** The response, or why there is none. */
export type Answer<T> = { readonly value: T } | { readonly refusal: string; readonly isLate?: true };

/** An account, and the request that created it. */
export type Made = { readonly account: Account; readonly request: SnapRequest };

/** How long MetaMask waits for a snap. */
export const PATIENCE_MS = 60_000;
const LONGEST_REASON = 160;

/** @returns The reason that a snap or the runtime gave, in one line. */
export function reasonOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const reason = line.replace(/^page\.evaluate: /u, '').replace(/^(?:[\w$]+: )?(?:keyring_\w+: )?/u, '');
  return reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)} …` : reason;
}

async function attempt<T>(work: Promise<T>, patienceMs: number): Promise<Answer<T>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Answer<T>>((resolve) => {
    timer = setTimeout(() => {
      resolve({ refusal: `no answer within ${patienceMs / 1000} s`, isLate: true });
    }, patienceMs);
  });
  try {
    return await Promise.race([work.then((value) => ({ value })), late]);
  } catch (error) {
    return { refusal: reasonOf(error) };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The forms in which keyrings accept a private key: with its prefix, without, and with additional fields that some
 * require.
 */
export const IMPORTED = [
  { privateKey: `0x${KEY}` },
  { privateKey: KEY },
  { privateKey: `0x${KEY}`, name: 'Benchmark', salt: `0x${'1'.padStart(64, '0')}` },
];
export const OWN = [{}, { name: 'Benchmark, own key' }];

/** One keyring, asked in the known request forms until it answers. */
export class Conversation {
  private readonly requests = new Map<string, SnapRequest>();
  private readonly refused = new Map<string, string>();
  private readonly failed = new Map<string, string>();
  /** Request forms, the most likely first. */
  private forms: readonly boolean[];
  private hasToggled = false;

  constructor(
    private readonly name: string,
    private readonly wallet: Host,
    private readonly dialect: Dialect,
    private readonly patienceMs: number,
  ) {
    this.forms = [dialect.hasOrigin, !dialect.hasOrigin];
  }

  /** Records why it does not support something. */
  refuse(label: string, reason: string): void {
    this.refused.set(label, reason);
  }

  /** @returns Its responses so far, by label, and why others are missing. */
  outcome(): Asked {
    return {
      requests: Object.fromEntries(this.requests),
      refused: Object.fromEntries(this.refused),
      failed: Object.fromEntries(this.failed),
    };
  }

  /** Creates an account in the first accepted way. Some keyrings create none for the wallet itself. */
  async make(choices: readonly object[]): Promise<Answer<Made>> {
    const refusals = new Set<string>();
    for (const options of choices) {
      for (const origin of this.dialect.managers) {
        const request = createAccount(options, origin);
        const answer = await this.ask(request);
        const fault = 'value' in answer ? faultOf(this.name, request, answer.value) : answer.refusal;
        if ('value' in answer && fault === undefined) return { value: { account: answer.value as Account, request } };
        refusals.add(fault ?? '');
        if ('isLate' in answer) return answer;
      }
    }
    return { refusal: [...refusals].join(' / ') };
  }

  /**
   * Records the request under its label if it is answered, or the reason if not. MetaMask requests no method that the
   * account does not list.
   */
  async note(label: string, account: Account, signing: Signing): Promise<void> {
    const named = account.methods ?? account.supportedMethods;
    if (named !== undefined && !named.includes(signing.method)) {
      this.refuse(label, 'the account does not list the method');
      return;
    }
    const answer = await this.sign(account, signing);
    if ('refusal' in answer) this.failed.set(label, answer.refusal);
    else this.requests.set(label, answer.value);
  }

  private ask(request: SnapRequest): Promise<Answer<unknown>> {
    return attempt(this.wallet.call(this.name, request), this.patienceMs);
  }

  private async sign(account: Account, signing: Signing): Promise<Answer<SnapRequest>> {
    let refusal = '';
    for (const hasOrigin of this.forms) {
      const request = submit(account, signing, hasOrigin);
      let answer = await this.ask(request);
      if ('value' in answer && isPending(answer.value) && !this.hasToggled) {
        await this.approveAtOnce();
        answer = await this.ask(request);
      }
      if ('value' in answer) {
        this.forms = [hasOrigin, !hasOrigin];
        const fault = faultOf(this.name, request, answer.value);
        return fault === undefined ? { value: request } : { refusal: fault };
      }
      if (answer.isLate) return answer;
      refusal ||= answer.refusal;
    }
    return { refusal };
  }

  /** Makes MetaMask's sample answer requests at once, instead of after approval on its page. */
  private async approveAtOnce(): Promise<void> {
    this.hasToggled = true;
    for (const origin of this.dialect.managers) {
      const answer = await this.ask({ handler: 'rpc', origin, method: 'snap.internal.toggleSynchronousApprovals' });
      if ('value' in answer) return;
    }
  }
}
