import { createHmac } from 'node:crypto';

import { type Json } from '@metamask/snaps-sdk';

import { flat } from '../screen-text';
import { SimulatedChain, Refusal } from './chain';
import { Clock } from './clock';
import { type Planned, SECRET_OF_THE_WALLET } from './faults';

type State = Record<string, Json>;
type Element = { readonly type: string; readonly props: Record<string, unknown> };

/** The dialogs shown to the user. */
export type Dialog = { readonly text: string; readonly chosen: readonly string[]; readonly agreed: boolean };

/** The names of the checked checkboxes. */
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
  /** Represents the recovery phrase. Another one gives other keys. */
  readonly phrase?: string;
  /** Whether the snap's own files can be read. */
  readonly hasFiles?: boolean;
};

/**
 * The wallet double of all tests: everything around the snap that survives it. It simulates the wallet with the snap's
 * state and its known accounts, the user, a chain with its services, and time. It counts calls and can inject a fault
 * into one of them. Starting the snap on it again simulates a crash, an update or a new browser session.
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
  /** The names of the scheduled background events. */
  scheduled: string[] = [];
  locked = false;
  /** The origins of real services, to which requests are sent. `chain` responds to all others. */
  services: string[] = [];
  /** The checkboxes that the user checks on a form. Undefined: keep the preselected ones. */
  choice: readonly string[] | undefined;
  /** What the user types into the fields of a form, by name. */
  typed: Readonly<Record<string, string>> = {};
  clock = new Clock(START);
  /** Decides the order of waiting calls. Undefined: immediately. */
  order: ((call: string) => Promise<unknown>) | undefined;

  /** Called for each request to the wallet, with its parameters. */
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

  /** A copy of the wallet without recorded calls and faults. */
  clone(): WalletDouble {
    const { state, phrase, hasFiles } = this;
    const copy = new WalletDouble({ state: structuredClone(state), phrase, hasFiles });
    copy.known = new Map(this.known);
    copy.chain = this.chain.clone();
    copy.scheduled = [...this.scheduled];
    copy.locked = this.locked;
    copy.services = [...this.services];
    copy.choice = this.choice;
    copy.typed = this.typed;
    copy.clock = new Clock(this.clock.now);
    return copy;
  }

  /** Starts counting calls and injects the planned fault, if any. */
  plan(planned?: Planned, onKill: () => void = () => undefined): void {
    this.calls.length = 0;
    this.#planned = planned;
    this.#onKill = onKill;
  }

  /** Executes a call of the snap, with its planned fault. */
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
    // Like the runtime's errors, these are not instances of the snap's Error.
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

  /** MetaMask's behaviour on `notify:accountCreated`: repeating the same id and address is not an error. */
  add(id: string, address: string): null {
    const known = this.known.get(id);
    if (known === address) return null;
    if (known !== undefined || [...this.known.values()].includes(address))
      throw new Error(`Account ${address} already exists`);
    this.known.set(id, address);
    return null;
  }

  /** MetaMask's behaviour on `notify:accountDeleted`: an unknown account is not an error. */
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

  /** Shows a screen to the user, who agrees or not. */
  show(content: unknown, agreed: boolean): boolean {
    this.dialogs.push({ text: flat(content), chosen: chosenIn(content), agreed });
    return agreed;
  }

  /** The response of a node, bundler or paymaster service of the chain. */
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

/** The wallet's responses to requests about the snap's state and accounts, by method. */
export const keptBy = (wallet: WalletDouble): Record<string, (params: State) => Json> => ({
  snap_getState: ({ key }) => structuredClone(wallet.read(key as string)),
  snap_setState: ({ key, value }) => {
    wallet.write(key as string, value as Json);
    return null;
  },
  snap_manageAccounts: ({ method, params }) => wallet.manage(method as string, params as State),
});

/** The name of a wallet call: the method and its subject. */
export function callName({ method, params }: { readonly method: string; readonly params?: unknown }): string {
  const { key, type, method: event } = (params ?? {}) as State;
  return [method, key, type, event].filter((part) => typeof part === 'string').join(' ');
}
