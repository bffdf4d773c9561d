import { createHmac } from 'node:crypto';

import { type Json } from '@metamask/snaps-sdk';

import { flat } from '../screen-text';
import { SimulatedChain, Refusal } from './chain';
import { Clock } from './clock';
import { type Planned, SECRET_OF_THE_WALLET } from './faults';

type State = Record<string, Json>;
type Element = { readonly type: string; readonly props: Record<string, unknown> };

/** What the person is shown. */
export type Dialog = { readonly text: string; readonly chosen: readonly string[]; readonly agreed: boolean };

/** The names of the boxes that are ticked. */
function chosenIn(content: unknown): string[] {
  if (Array.isArray(content)) return content.flatMap(chosenIn);
  if (typeof content !== 'object' || content === null) return [];
  const { type, props } = content as Element;
  if (type === 'Checkbox') return props.checked === true ? [props.name as string] : [];
  return Object.values(props).flatMap(chosenIn);
}

const START = 1_700_000_000_000;

type Options = {
  /** What the snap has stored. */
  readonly state?: State;
  /** Stands for the recovery phrase: another one gives other keys. */
  readonly phrase?: string;
  /** Whether the files that are shipped with the snap can be read. */
  readonly hasFiles?: boolean;
};

/**
 * The wallet double of all tests: everything around the snap that outlives it. That is the wallet with the snap's state
 * and the accounts it knows, the person, a chain with its services, and time. It counts the calls, and one of them may
 * go wrong. Starting the snap on it again is what a crash, an update or a new browser session is.
 *
 * The snap runs on it in one of these ways:
 * - `startKeyring` (`keyring.ts`): only the keyring's modules; the fastest.
 * - `SnapInProcess` (`in-process.ts`): the whole program, compiled from `src` or as it is built, in this process.
 * - `installKeystead` (`installed.ts`): the built snap in the Snaps runtime, as MetaMask runs it.
 *
 * `page-wallet.ts` is how a web page sees such a wallet.
 */
export class WalletDouble {
  state: State;
  readonly phrase: string;
  readonly hasFiles: boolean;
  /** The accounts that the wallet has, id -> address. */
  known = new Map<string, string>();
  chain = new SimulatedChain();
  /** The names of the background events that are on their way. */
  scheduled: string[] = [];
  locked = false;
  /** The origins of services that are real: requests to them are sent. `chain` answers all others. */
  services: string[] = [];
  /** The boxes that the person ticks on a screen with some; undefined: those that are ticked. */
  choice: readonly string[] | undefined;
  clock = new Clock(START);
  /** Decides when a call is made, where several wait; undefined: at once. */
  order: ((call: string) => Promise<unknown>) | undefined;

  /** Is told of each request to the wallet, with its parameters. */
  onRequest: ((request: { readonly method: string; readonly params?: unknown }) => void) | undefined;

  readonly calls: string[] = [];
  readonly dialogs: Dialog[] = [];
  readonly interfaces = new Map<string, unknown>();
  #planned: Planned | undefined;
  #onKill: () => void = () => undefined;

  constructor({ state = {}, phrase = 'test', hasFiles = true }: Options = {}) {
    this.state = state;
    this.phrase = phrase;
    this.hasFiles = hasFiles;
  }

  /** The same wallet a second time, with no call made and none to go wrong. */
  clone(): WalletDouble {
    const { state, phrase, hasFiles } = this;
    const copy = new WalletDouble({ state: structuredClone(state), phrase, hasFiles });
    copy.known = new Map(this.known);
    copy.chain = this.chain.clone();
    copy.scheduled = [...this.scheduled];
    copy.locked = this.locked;
    copy.services = [...this.services];
    copy.choice = this.choice;
    copy.clock = new Clock(this.clock.now);
    return copy;
  }

  /** From now on the calls are counted, and the planned one goes wrong; without a plan, none does. */
  plan(planned?: Planned, onKill: () => void = () => undefined): void {
    this.calls.length = 0;
    this.#planned = planned;
    this.#onKill = onKill;
  }

  /** Makes a call of the snap, with the fault that is planned for it. */
  async call<Answer>(
    name: string,
    effect: () => Answer | Promise<Answer>,
    alternatives: Partial<Record<string, () => Answer | Promise<Answer>>> = {},
  ): Promise<Answer> {
    const fault = this.#planned?.at === this.calls.length ? this.#planned.fault : undefined;
    this.calls.push(name);
    await this.order?.(name);
    if (fault === undefined) return effect();
    const alternative = alternatives[fault];
    if (alternative !== undefined) return alternative();
    if (fault.endsWith('after')) await effect();
    if (fault.startsWith('killed')) {
      this.#onKill();
      return new Promise<never>(() => undefined);
    }
    // As the runtime throws them: no instances of the snap's Error.
    const says = name.startsWith('snap_manageAccounts')
      ? 'Simulated: the wallet is busy.'
      : `failed with ${SECRET_OF_THE_WALLET}`;
    return Promise.reject({ code: -32603, message: says });
  }

  read(key: string): Json {
    return key
      .split('.')
      .reduce<Json>(
        (value, step) =>
          typeof value === 'object' && value !== null && Object.hasOwn(value, step)
            ? ((value as State)[step] ?? null)
            : null,
        this.state,
      );
  }

  write(key: string, value: Json): void {
    const copy = structuredClone(this.state);
    const steps = key.split('.');
    const last = steps.pop()!;
    let parent = copy;
    for (const step of steps) {
      parent = (parent[step] ??= {}) as State;
      if (typeof parent !== 'object' || Array.isArray(parent)) throw new Error('Cannot overwrite non-object value.');
    }
    parent[last] = structuredClone(value);
    this.state = copy;
  }

  /** What MetaMask does on `notify:accountCreated`: the same id and address again is no error. */
  add(id: string, address: string): null {
    const known = this.known.get(id);
    if (known === address) return null;
    if (known !== undefined || [...this.known.values()].includes(address))
      throw new Error(`Account ${address} already exists`);
    this.known.set(id, address);
    return null;
  }

  /** What MetaMask does on `notify:accountDeleted`: an account that it does not know is no error. */
  drop(id: string): null {
    this.known.delete(id);
    return null;
  }

  /** `snap_manageAccounts`. */
  manage(method: string, params: Record<string, Json>): null {
    if (method === 'notify:accountDeleted') return this.drop(params.id as string);
    if (method !== 'notify:accountCreated') return null;
    const { id, address } = params.account as { id: string; address: string };
    return this.add(id, address);
  }

  /** The accounts that the snap has stored, id -> address. */
  get stored(): Map<string, string> {
    const accounts = (this.state.accounts ?? {}) as Record<string, { account: { address: string } }>;
    return new Map(Object.entries(accounts).map(([id, { account }]) => [id, account.address]));
  }

  entropy(salt: string): `0x${string}` {
    return `0x${createHmac('sha256', this.phrase).update(salt).digest('hex')}`;
  }

  /** The person looks at a screen, and agrees or not. */
  show(content: unknown, agreed: boolean): boolean {
    this.dialogs.push({ text: flat(content), chosen: chosenIn(content), agreed });
    return agreed;
  }

  /** What a node, bundler or paymaster service of the chain answers. */
  serve(url: URL, { id, method, params }: { id: number; method: string; params: unknown[] }): object {
    const chainId = BigInt(url.pathname.slice(1));
    try {
      return { jsonrpc: '2.0', id, result: this.chain.answer(method, params, chainId) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { jsonrpc: '2.0', id, error: { code: -32000, message: error.message } };
    }
  }
}

/** What a wallet keeps for the snap: the answers to requests about its state and about accounts, by method. */
export const keptBy = (wallet: WalletDouble): Record<string, (params: State) => Json> => ({
  snap_getState: ({ key }) => structuredClone(wallet.read(key as string)),
  snap_setState: ({ key, value }) => {
    wallet.write(key as string, value as Json);
    return null;
  },
  snap_manageAccounts: ({ method, params }) => wallet.manage(method as string, params as State),
});

/** The name of a call of the snap to the wallet: the method, and what it is about. */
export function callName({ method, params }: { readonly method: string; readonly params?: unknown }): string {
  const { key, type, method: event } = (params ?? {}) as State;
  return [method, key, type, event].filter((part) => typeof part === 'string').join(' ');
}
