import { KEY } from '../payloads';
import { type Dialect } from '../runtime/manifest';
import { PROVIDER_CHAIN } from '../runtime/provider';
import { faultOf, isPending, resultOf } from '../runtime/answers';
import { type SnapRequest } from '../runtime/request';
import { type Account, createAccount, FIRST_AGAIN, firstOf, isSmart, type Signing, submit } from './snap-requests';

/** A wallet in which snaps run, by name. */
export type Host = { readonly call: <T>(name: string, request: SnapRequest) => Promise<T> };

/** What a snap answers, by method. */
export type Asked = {
  /** Those that it answered as the method must be answered. */
  readonly requests: Readonly<Record<string, SnapRequest>>;
  /** What it does not offer, and why not. */
  readonly refused: Readonly<Record<string, string>>;
  /** Methods that it offers but answered with an error, wrongly or not at all; and how. */
  readonly failed: Readonly<Record<string, string>>;
};

/** What was answered, or why not. */
export type Answer<T> = { readonly value: T } | { readonly refusal: string; readonly isLate?: true };

/** An account, and the request that it was made by. */
export type Made = { readonly account: Account; readonly request: SnapRequest };

/** As long as MetaMask waits for a snap. */
export const PATIENCE_MS = 60_000;
const LONGEST_REASON = 160;

/** @returns What a snap or the runtime gave as its reason, in one line. */
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

/** How keyrings take a private key: with its prefix, without, and with what some ask for besides. */
export const IMPORTED = [
  { privateKey: `0x${KEY}` },
  { privateKey: KEY },
  { privateKey: `0x${KEY}`, name: 'Benchmark', salt: `0x${'1'.padStart(64, '0')}` },
];
export const OWN = [{}, { name: 'Benchmark, own key' }];

/** Where the contracts of smart accounts are, for keyrings that must be told: MetaMask's sample among them. */
const CHAIN_CONFIG = {
  simpleAccountFactory: '0x9406Cc6185a346906296840746125a0E44976454',
  entryPoint: '0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789',
  bundlerUrl: 'https://bundler.example',
};

/** Stands for an account in a request that is about none. */
const NO_ACCOUNT = '22222222-2222-4222-8222-222222222222';

/** @returns Whether a keyring took the settings: the sample answers with those that it has now. */
const hasChainConfig = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(CHAIN_CONFIG).every(([name, setting]) => Reflect.get(value, name) === setting);

/** One keyring, asked in the ways that keyrings know until it answers. */
export class Conversation {
  private readonly requests = new Map<string, SnapRequest>();
  private readonly refused = new Map<string, string>();
  private readonly failed = new Map<string, string>();
  /** The forms of a request, the likeliest first. */
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

  /** Notes why it does not offer something. */
  refuse(label: string, reason: string): void {
    this.refused.set(label, reason);
  }

  /** @returns What it answered so far, by label, and why it does not answer the rest. */
  outcome(): Asked {
    return {
      requests: Object.fromEntries(this.requests),
      refused: Object.fromEntries(this.refused),
      failed: Object.fromEntries(this.failed),
    };
  }

  /** Has it make an account in the first of some ways that it takes. Some keyrings make none for the wallet itself. */
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
   * Notes the request under its label if it is answered, and the reason if not. MetaMask asks for no method that the
   * account does not name.
   *
   * @returns What was answered.
   */
  async note(label: string, account: Account, signing: Signing): Promise<unknown> {
    const named = account.methods ?? account.supportedMethods;
    if (named !== undefined && !named.includes(signing.method)) {
      this.refuse(label, 'the account does not name the method');
      return undefined;
    }
    const answer = await this.sign(account, signing);
    if ('refusal' in answer) {
      this.failed.set(label, answer.refusal);
      return undefined;
    }
    this.failed.delete(label);
    this.requests.set(label, answer.value.request);
    return answer.value.result;
  }

  noteFirst(): Promise<void> {
    return this.noteAnswer(FIRST_AGAIN, firstOf(this.name));
  }

  noteSignMessage(): Promise<void> {
    const request = { ...firstOf(this.name), method: 'signMessage', params: { message: 'metamask:hello' } };
    return this.noteAnswer('signMessage', request);
  }

  private async noteAnswer(label: string, request: SnapRequest): Promise<void> {
    const answer = await this.ask(request);
    const fault = 'value' in answer ? faultOf(this.name, request, answer.value) : answer.refusal;
    if (fault === undefined) this.requests.set(label, request);
    else this.failed.set(label, fault);
  }

  /**
   * Tells a keyring of smart accounts where their contracts are, as the page of MetaMask's sample does: the settings
   * themselves are the parameters. Older versions of the sample take them in a list, within a submitted request.
   */
  async configure(account?: Account): Promise<void> {
    const method = 'snap.internal.setConfig';
    const requests = [
      ...this.dialect.managers.map((origin): SnapRequest => ({ door: 'rpc', origin, method, params: CHAIN_CONFIG })),
      ...this.forms.map((hasOrigin) =>
        submit(account?.id ?? NO_ACCOUNT, method, [CHAIN_CONFIG], PROVIDER_CHAIN, hasOrigin),
      ),
    ];
    const reasons = new Set<string>();
    for (const request of requests) {
      const answer = await this.ask(request);
      if ('value' in answer && hasChainConfig(resultOf(answer.value))) {
        this.refused.delete(method);
        return;
      }
      reasons.add('value' in answer ? 'the answer is not the settings that were sent' : answer.refusal);
    }
    this.refuse(method, [...reasons].join(' / '));
  }

  private ask(request: SnapRequest): Promise<Answer<unknown>> {
    return attempt(this.wallet.call(this.name, request), this.patienceMs);
  }

  private async sign(
    account: Account,
    { method, params, scope }: Signing,
  ): Promise<Answer<{ request: SnapRequest; result: unknown }>> {
    let refusal = '';
    for (const hasOrigin of this.forms) {
      const request = {
        ...submit(account.id, method, params, scope, hasOrigin),
        ...(!isSmart(account) && { signer: account.address }),
      };
      let answer = await this.ask(request);
      if ('value' in answer && isPending(answer.value) && !this.hasToggled) {
        await this.approveAtOnce();
        answer = await this.ask(request);
      }
      if ('value' in answer) {
        this.forms = [hasOrigin, !hasOrigin];
        const fault = faultOf(this.name, request, answer.value);
        return fault === undefined ? { value: { request, result: resultOf(answer.value) } } : { refusal: fault };
      }
      if (answer.isLate) return answer;
      refusal ||= answer.refusal;
    }
    return { refusal };
  }

  /** Has MetaMask's sample answer requests at once, in place of when they are approved on its page. */
  private async approveAtOnce(): Promise<void> {
    this.hasToggled = true;
    for (const origin of this.dialect.managers) {
      const answer = await this.ask({ door: 'rpc', origin, method: 'snap.internal.toggleSynchronousApprovals' });
      if ('value' in answer) return;
    }
  }
}
