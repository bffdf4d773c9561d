import { type Json } from '@metamask/snaps-sdk';

import { ProviderError } from '../../core/errors';
import { isWebOrigin } from '../../core/decode/origin';
import { Remembered } from '../storage/remembered';
import { type StateStore } from '../platform/state';
import { ChainNameStruct } from '../../core/schemas/chain';
import { array, exactOptional, type Infer, object, string } from '../../core/schemas/struct';

/** A person does not have more; a list without end would be somebody's attack. */
const MAX_SITES = 200;

/** What the person gave a site: accounts by id, in order; and the chain the site is on. */
export const GrantStruct = object({ accounts: array(string()), chainId: exactOptional(ChainNameStruct) });
export type Grant = Infer<typeof GrantStruct>;

/**
 * The sites that are connected, by origin. An entry that cannot be read is none: the site must ask again.
 * Whoever changes an entry holds the mutations lock.
 */
export class GrantRepository {
  readonly #store: StateStore;
  readonly #stored = new Remembered<Record<string, Grant>>();

  /** @param store - Of the current version, see `versionedState`. */
  constructor(store: StateStore) {
    this.#store = store;
  }

  /** @returns The origin's grant, or undefined. */
  async find(origin: string): Promise<Grant | undefined> {
    const all = await this.all();
    return Object.hasOwn(all, origin) ? all[origin] : undefined;
  }

  /** @returns Every grant, by origin. */
  all(): Promise<Record<string, Grant>> {
    return this.#stored.get(async () => {
      const stored = await this.#store.read('grants');
      if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return {};
      return Object.fromEntries(
        Object.entries(stored).filter(
          (entry): entry is [string, Grant] => isWebOrigin(entry[0]) && GrantStruct.is(entry[1]),
        ),
      );
    });
  }

  /** @throws {ProviderError} If there are too many sites already. */
  async put(origin: string, grant: Grant): Promise<void> {
    const all = await this.all();
    if (!Object.hasOwn(all, origin) && Object.keys(all).length >= MAX_SITES)
      throw new ProviderError(
        'too-many-requests',
        `Keystead is connected to ${MAX_SITES} sites. Disconnect one on its home page first.`,
      );
    await this.#write({ ...all, [origin]: grant });
  }

  async remove(origin: string): Promise<void> {
    const { [origin]: _removed, ...rest } = await this.all();
    await this.#write(rest);
  }

  /** Takes an account away from every site; a site without any account is not connected. */
  async dropAccount(id: string): Promise<void> {
    const all = Object.entries(await this.all());
    if (!all.some(([, { accounts }]) => accounts.includes(id))) return;
    const kept = all.flatMap(([origin, grant]): [string, Grant][] => {
      const accounts = grant.accounts.filter((account) => account !== id);
      return accounts.length === 0 ? [] : [[origin, { ...grant, accounts }]];
    });
    await this.#write(Object.fromEntries(kept));
  }

  async #write(grants: Record<string, Grant>): Promise<void> {
    await this.#stored.set(grants, () => this.#store.write('grants', grants as Json));
  }
}
