import { type Json } from '@metamask/snaps-sdk';

import { quoted, StateError } from '../../core/errors';
import { type StateStore, Stored } from '../wallet/state';
import { networkTitle } from '../../core/networks/network';
import { chainIdOf, type ChainName } from '../../core/schemas/chain';
import { type ChainConfiguration, ChainConfigurationStruct } from '../../core/schemas/chain-configuration';

/** The stored configuration of a chain; `damaged` if it cannot be read. */
export type ChainEntry = ChainConfiguration | 'damaged' | undefined;

/** The pseudo-name of the whole entry if it is not an object of chains by id. */
const ALL = 'all chains';

const nameOf = (key: string): string => (/^\d+$/u.test(key) ? networkTitle(BigInt(key)) : quoted(key));

/** The configured networks. A damaged entry stays stored until its chain is set up again or removed. */
export class ChainRepository {
  readonly #chains: Stored<Record<string, Json>>;
  /** Entries that were already validated. */
  readonly #sound = new WeakSet();

  constructor(store: StateStore) {
    this.#chains = new Stored(store, 'chains', (stored) => {
      const chains = stored ?? {};
      return typeof chains === 'object' && !Array.isArray(chains) ? chains : { [ALL]: chains };
    });
  }

  /** @returns The stored configuration of the chain. */
  async look(chainId: bigint): Promise<ChainEntry> {
    const all = await this.#chains.read();
    const key = chainId.toString();
    const stored = Object.hasOwn(all, key) ? all[key] : all[ALL];
    if (stored === undefined) return undefined;
    return this.#isSound(stored, key) ? stored : 'damaged';
  }

  /**
   * @returns The chain's configuration, or undefined if it is not set up.
   * @throws {StateError} If the stored configuration is damaged; names the chain.
   */
  async find(chainId: bigint): Promise<ChainConfiguration | undefined> {
    const found = await this.look(chainId);
    if (found === 'damaged')
      throw new StateError(
        `The stored configuration of ${networkTitle(chainId)} is damaged. Nothing was changed. Set up the network again.`,
      );
    return found;
  }

  /** @returns The readable configurations. */
  async list(): Promise<ChainConfiguration[]> {
    return Object.entries(await this.#chains.read()).flatMap(([key, stored]) =>
      this.#isSound(stored, key) ? [stored] : [],
    );
  }

  /** @returns The names of the damaged entries. */
  async damaged(): Promise<string[]> {
    return Object.entries(await this.#chains.read()).flatMap(([key, stored]) =>
      this.#isSound(stored, key) ? [] : [nameOf(key)],
    );
  }

  async put(configuration: ChainConfiguration): Promise<void> {
    await this.#change(configuration.chainId, configuration as Json);
  }

  async remove(name: ChainName): Promise<void> {
    await this.#change(name);
  }

  #isSound(stored: unknown, key: string): stored is ChainConfiguration {
    if (typeof stored !== 'object' || stored === null) return false;
    if (this.#sound.has(stored)) return true;
    if (!ChainConfigurationStruct.is(stored) || chainIdOf(stored.chainId).toString() !== key) return false;
    this.#sound.add(stored);
    return true;
  }

  /** @param after - The new configuration; omitted to remove the chain. */
  async #change(name: ChainName, after?: Json): Promise<void> {
    const key = chainIdOf(name).toString();
    const { [ALL]: _all, [key]: _before, ...others } = await this.#chains.read();
    const chains = after === undefined ? others : { ...others, [key]: after };
    await this.#chains.write(chains);
  }
}
