import { type Json } from '@metamask/snaps-sdk';

/** One call of the snap to the wallet. */
export type PlatformCall = 'read' | 'write' | 'entropy' | 'created' | 'updated' | 'deleted' | 'consent';

/**
 * How a call goes wrong: the wallet refuses before or after the call had its effect, or the snap is
 * killed before or after it (the call then never returns).
 */
export type Fault = 'refused-before' | 'refused-after' | 'killed-before' | 'killed-after';
export const FAULTS: readonly Fault[] = ['refused-before', 'refused-after', 'killed-before', 'killed-after'];

/**
 * A simulator of what the wallet keeps for a snap: its state, and the accounts that the wallet knows. It
 * outlives the snap, so a snap can be killed and started again on it.
 */
export class SimulatedWallet {
  state: Record<string, Json> = {};
  /** The accounts that the wallet has, by id. */
  readonly known = new Map<string, string>();
  readonly calls: PlatformCall[] = [];
  #fault: { readonly at: number; readonly fault: Fault; readonly onKill: () => void } | undefined;

  /** From now on, the call with this number (from 0) goes wrong. */
  failAt(at: number, fault: Fault, onKill: () => void = () => undefined): void {
    this.calls.length = 0;
    this.#fault = { at, fault, onKill };
  }

  /** No call goes wrong any more. */
  heal(): void {
    this.calls.length = 0;
    this.#fault = undefined;
  }

  /** Makes a call, with the fault that is planned for it. */
  async call<T>(name: PlatformCall, effect: () => T): Promise<T> {
    const planned = this.#fault?.at === this.calls.length ? this.#fault : undefined;
    this.calls.push(name);
    if (planned === undefined) return effect();
    const { fault, onKill } = planned;
    if (fault.endsWith('after')) effect();
    if (fault.startsWith('refused')) throw new Error(`simulated: ${name} ${fault}`);
    onKill();
    return new Promise<never>(() => undefined);
  }

  read(key: string): Json {
    return key
      .split('.')
      .reduce<Json>((value, step) => (value as Record<string, Json> | null)?.[step] ?? null, this.state);
  }

  write(key: string, value: Json): void {
    const copy = structuredClone(this.state);
    const steps = key.split('.');
    const last = steps.pop() as string;
    let parent = copy;
    for (const step of steps) parent = (parent[step] ??= {}) as Record<string, Json>;
    parent[last] = structuredClone(value);
    this.state = copy;
  }

  /** What MetaMask does on `AccountCreated`: the same id and address again is no error. */
  add(id: string, address: string): null {
    const known = this.known.get(id);
    if (known === address) return null;
    if (known !== undefined || [...this.known.values()].includes(address))
      throw new Error(`Account ${address} already exists`);
    this.known.set(id, address);
    return null;
  }

  /** What MetaMask does on `AccountDeleted`: an account that it does not know is no error. */
  drop(id: string): null {
    this.known.delete(id);
    return null;
  }

  /** The accounts that the snap has stored: id -> address. */
  get stored(): Map<string, string> {
    const accounts = (this.state.accounts ?? {}) as Record<string, { account: { address: string } }>;
    return new Map(Object.entries(accounts).map(([id, { account }]) => [id, account.address]));
  }
}
