import { type Json } from '@metamask/snaps-sdk';
import { is } from '@metamask/superstruct';

import { StateError } from '../errors';
import { Remembered } from '../platform/remembered';
import { type StateStore } from '../platform/state';
import { chainIdOf, type ChainName } from '../wire/chain';
import { type ChainConfiguration, ChainConfigurationStruct } from '../wire/chain-configuration';

const damaged = (): StateError =>
  new StateError('The stored chain configuration is damaged. Nothing was changed; set the chain up again.');

/** The chains that are set up. */
export class ChainRepository {
  readonly #store: StateStore;
  readonly #chains = new Remembered<Record<string, Json>>();
  /** Those that were looked at already. */
  readonly #sound = new WeakSet();

  constructor(store: StateStore) {
    this.#store = store;
  }

  /** @returns The chain's configuration, or undefined if it is not set up. */
  async find(chainId: bigint): Promise<ChainConfiguration | undefined> {
    const stored = (await this.#all())[chainId.toString()];
    if (stored === undefined) return undefined;
    if (!this.#isSound(stored) || chainIdOf(stored.chainId) !== chainId) throw damaged();
    return stored;
  }

  async list(): Promise<ChainConfiguration[]> {
    return Object.values(await this.#all()).map((stored) => {
      if (!this.#isSound(stored)) throw damaged();
      return stored;
    });
  }

  async put(configuration: ChainConfiguration): Promise<void> {
    const id = chainIdOf(configuration.chainId).toString();
    await this.#write({ ...(await this.#all()), [id]: configuration as Json });
  }

  async remove(name: ChainName): Promise<void> {
    const { [chainIdOf(name).toString()]: _removed, ...rest } = await this.#all();
    await this.#write(rest);
  }

  #isSound(stored: unknown): stored is ChainConfiguration {
    if (typeof stored !== 'object' || stored === null) return false;
    if (this.#sound.has(stored)) return true;
    if (!is(stored, ChainConfigurationStruct)) return false;
    this.#sound.add(stored);
    return true;
  }

  #all(): Promise<Record<string, Json>> {
    return this.#chains.get(async () => {
      const chains = (await this.#store.read('chains')) ?? {};
      if (typeof chains !== 'object' || Array.isArray(chains)) throw damaged();
      return chains;
    });
  }

  #write(chains: Record<string, Json>): Promise<void> {
    return this.#chains.set(chains, () => this.#store.write('chains', chains));
  }
}
