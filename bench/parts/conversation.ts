import { KEY } from '../payloads';
import { type Dialect } from '../runtime/manifest';
import { PROVIDER_CHAIN } from '../runtime/provider';
import { type SnapRequest } from '../runtime/request';
import { type Account, createAccount, FIRST_AGAIN, firstOf, type Signing, submit } from './snap-requests';

/** A wallet in which snaps run, by name. */
export type Host = { readonly call: <T>(name: string, request: SnapRequest) => Promise<T> };

/** What a snap answers, by method; and why it does not answer the rest. */
export type Asked = {
  readonly requests: Readonly<Record<string, SnapRequest>>;
  readonly refused: Readonly<Record<string, string>>;
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

const isAccount = (value: unknown): value is Account =>
  typeof value === 'object' && value !== null && 'id' in value && 'address' in value;

const isPending = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'pending' in value && value.pending === true;

/** What was asked for, in the answer of a keyring: within an envelope, or bare. */
const resultOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'pending' in value && 'result' in value ? value.result : value;

/** @returns Whether this is what the method answers: a signature, its parts, or the parts of a user operation. */
function fits(method: string, result: unknown): boolean {
  const has = (...names: string[]) =>
    typeof result === 'object' && result !== null && names.every((name) => name in result);
  if (method === 'eth_signTransaction') return has('r', 's', 'v');
  if (method === 'eth_prepareUserOperation') return has('nonce', 'initCode', 'callData', 'dummySignature');
  if (method === 'eth_patchUserOperation') return has('paymasterAndData');
  return typeof result === 'string' && /^0x(?:[0-9a-f]{2}){65,}$/iu.test(result);
}

/** One keyring, asked in the ways that keyrings know until it answers. */
export class Conversation {
  private readonly requests = new Map<string, SnapRequest>();
  private readonly refused = new Map<string, string>();
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

  /** Notes why it does not answer. */
  refuse(label: string, reason: string): void {
    this.refused.set(label, reason);
  }

  /** @returns What it answered so far, by label, and why it does not answer the rest. */
  outcome(): Asked {
    return { requests: Object.fromEntries(this.requests), refused: Object.fromEntries(this.refused) };
  }

  /** Has it make an account in the first of some ways that it takes. Some keyrings make none for the wallet itself. */
  async make(choices: readonly object[]): Promise<Answer<Made>> {
    const refusals = new Set<string>();
    for (const options of choices) {
      for (const origin of this.dialect.managers) {
        const request = createAccount(options, origin);
        const answer = await this.ask(request);
        if ('value' in answer && isAccount(answer.value)) return { value: { account: answer.value, request } };
        refusals.add('value' in answer ? 'what it answered is no account' : answer.refusal);
        if ('isLate' in answer) return answer;
      }
    }
    return { refusal: [...refusals].join(' / ') };
  }

  /** Notes the request under its label if it is answered, and the reason if not. @returns What was answered. */
  async note(label: string, account: Account, signing: Signing): Promise<unknown> {
    const answer = await this.sign(account, signing);
    if ('refusal' in answer) {
      this.refuse(label, answer.refusal);
      return undefined;
    }
    this.refused.delete(label);
    this.requests.set(label, answer.value.request);
    return answer.value.result;
  }

  async noteFirst(): Promise<void> {
    const answer = await this.ask(firstOf(this.name));
    if ('refusal' in answer) this.refuse(FIRST_AGAIN, answer.refusal);
    else this.requests.set(FIRST_AGAIN, firstOf(this.name));
  }

  async noteSignMessage(): Promise<void> {
    const request = { ...firstOf(this.name), method: 'signMessage', params: { message: 'metamask:hello' } };
    if ('value' in (await this.ask(request))) this.requests.set('signMessage', request);
  }

  /** Tells a keyring of smart accounts where their contracts are. Whether it takes it shows in what it answers then. */
  async configure(account?: Account): Promise<void> {
    const method = 'snap.internal.setConfig';
    for (const origin of this.dialect.managers) await this.ask({ door: 'rpc', origin, method, params: [CHAIN_CONFIG] });
    if (account !== undefined)
      await this.sign(account, { method, params: [CHAIN_CONFIG], scope: PROVIDER_CHAIN }, true);
  }

  private ask(request: SnapRequest): Promise<Answer<unknown>> {
    return attempt(this.wallet.call(this.name, request), this.patienceMs);
  }

  /** MetaMask asks for no method that the account does not name. */
  private async sign(
    account: Account,
    { method, params, scope }: Signing,
    isInternal = false,
  ): Promise<Answer<{ request: SnapRequest; result: unknown }>> {
    const named = account.methods ?? account.supportedMethods;
    if (!isInternal && named !== undefined && !named.includes(method))
      return { refusal: 'the account does not name the method' };
    let refusal = '';
    for (const hasOrigin of this.forms) {
      const request = submit(account.id, method, params, scope, hasOrigin);
      let answer = await this.ask(request);
      if ('value' in answer && isPending(answer.value) && !this.hasToggled) {
        await this.approveAtOnce();
        answer = await this.ask(request);
      }
      if ('value' in answer) {
        this.forms = [hasOrigin, !hasOrigin];
        if (isPending(answer.value)) return { refusal: 'it answers only once the request is approved on its page' };
        const result = resultOf(answer.value);
        if (fits(method, result)) return { value: { request, result } };
        return { refusal: 'what it answered is not what the method answers' };
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
