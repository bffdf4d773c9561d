import { createHmac } from 'node:crypto';

import { type Json } from '@metamask/snaps-sdk';

import { textOf } from '../screen-text';
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

/**
 * A simulator of everything around the snap that outlives it: the wallet with the snap's state and the accounts
 * it knows, the person, a chain with its services, and time. It counts the calls, and one of them goes wrong.
 */
export class World {
  state: State = {};
  /** The accounts that the wallet has, id -> address. */
  known = new Map<string, string>();
  chain = new SimulatedChain();
  /** The names of the background events that are on their way. */
  scheduled: string[] = [];
  locked = false;
  /** Where the storage service is; requests to it are sent there in earnest. */
  storage: string | undefined;
  /** The boxes that the person ticks on a screen with some; undefined: those that are ticked. */
  choice: readonly string[] | undefined;
  clock = new Clock(START);
  /** Decides when a call is made, where several wait; undefined: at once. */
  order: ((call: string) => Promise<unknown>) | undefined;

  readonly calls: string[] = [];
  readonly dialogs: Dialog[] = [];
  readonly interfaces = new Map<string, unknown>();
  #planned: Planned | undefined;
  #onKill: () => void = () => undefined;

  /** The same world a second time, with no call made and none to go wrong. */
  clone(): World {
    const copy = new World();
    copy.state = structuredClone(this.state);
    copy.known = new Map(this.known);
    copy.chain = this.chain.clone();
    copy.scheduled = [...this.scheduled];
    copy.locked = this.locked;
    copy.storage = this.storage;
    copy.choice = this.choice;
    copy.clock = new Clock(this.clock.now);
    return copy;
  }

  /** From now on the calls are counted, and the planned one goes wrong. */
  plan(planned?: Planned, onKill: () => void = () => undefined): void {
    this.calls.length = 0;
    this.#planned = planned;
    this.#onKill = onKill;
  }

  /** Makes a call of the snap, with the fault that is planned for it. */
  async call(name: string, effect: () => unknown, alternatives: Partial<Record<string, () => unknown>> = {}) {
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

  /** `snap_manageAccounts`, as MetaMask does it: to tell of the same account again is no error. */
  manage(method: string, params: Record<string, Json>): null {
    if (method === 'notify:accountCreated') {
      const { id, address } = params.account as { id: string; address: string };
      const known = this.known.get(id);
      if (known !== address && (known !== undefined || [...this.known.values()].includes(address)))
        throw new Error(`Account ${address} already exists`);
      this.known.set(id, address);
    }
    if (method === 'notify:accountDeleted') this.known.delete(params.id as string);
    return null;
  }

  entropy(salt: string): string {
    return `0x${createHmac('sha256', 'phrase').update(salt).digest('hex')}`;
  }

  /** The person looks at a screen, and agrees or not. */
  show(content: unknown, agreed: boolean): boolean {
    this.dialogs.push({ text: textOf(content).replace(/\s+/gu, ' '), chosen: chosenIn(content), agreed });
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
