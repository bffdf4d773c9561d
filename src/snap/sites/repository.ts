import { ProviderError } from '../../core/errors';
import { isWebOrigin } from '../../core/schemas/origin';
import { type StateStore, Stored } from '../wallet/state';
import { ChainNameStruct } from '../../core/schemas/chain';
import { array, exactOptional, type Infer, integer, object, string } from '../../core/structs/struct';

/** More than anyone has. The limit prevents an attacker from filling the state. */
const MAX_SITES = 200;

/** The permission of a site. */
export const PermissionStruct = object({
  /** The ids of its accounts, in order. */
  accounts: array(string()),
  /** Its current chain. */
  chainId: exactOptional(ChainNameStruct),
  /**
   * The time at which the user last chose the accounts, in milliseconds since 1970. Earlier versions did not store it.
   */
  date: exactOptional(integer(0)),
});
export type Permission = Infer<typeof PermissionStruct>;

/**
 * The connected sites, by origin. An unreadable entry counts as absent, so the site must connect again. Hold the
 * `mutations` lock while changing an entry.
 */
export class PermissionRepository {
  readonly #permissions: Stored<Record<string, Permission>>;

  /** @param store - A store at the current schema version; see {@link CheckedState}. */
  constructor(store: StateStore) {
    this.#permissions = new Stored(store, 'grants', (stored) =>
      typeof stored !== 'object' || stored === null || Array.isArray(stored)
        ? {}
        : Object.fromEntries(
            Object.entries(stored).filter(
              (entry): entry is [string, Permission] => isWebOrigin(entry[0]) && PermissionStruct.is(entry[1]),
            ),
          ),
    );
  }

  /** @returns The permission of the origin, or undefined. */
  async find(origin: string): Promise<Permission | undefined> {
    const all = await this.all();
    return Object.hasOwn(all, origin) ? all[origin] : undefined;
  }

  /** @returns Every permission, by origin. */
  all(): Promise<Record<string, Permission>> {
    return this.#permissions.read();
  }

  /** @throws {ProviderError} If too many sites are connected. */
  async put(origin: string, permission: Permission): Promise<void> {
    const all = await this.all();
    if (!Object.hasOwn(all, origin) && Object.keys(all).length >= MAX_SITES)
      throw new ProviderError(
        'too-many-requests',
        `Keystead is connected to ${MAX_SITES} sites. Disconnect one on Keystead's home page in MetaMask first.`,
      );
    await this.#permissions.write({ ...all, [origin]: permission });
  }

  async remove(origin: string): Promise<void> {
    const { [origin]: _removed, ...rest } = await this.all();
    await this.#permissions.write(rest);
  }

  /** Adds an account to an origin that is connected. */
  async addAccount(origin: string, id: string): Promise<void> {
    const permission = await this.find(origin);
    if (permission !== undefined && !permission.accounts.includes(id))
      await this.put(origin, { ...permission, accounts: [...permission.accounts, id] });
  }

  /** Removes an account from every site. A site without accounts is no longer connected. */
  async dropAccount(id: string): Promise<void> {
    const all = Object.entries(await this.all());
    if (!all.some(([, { accounts }]) => accounts.includes(id))) return;
    const kept = all.flatMap(([origin, permission]): [string, Permission][] => {
      const accounts = permission.accounts.filter((account) => account !== id);
      return accounts.length === 0 ? [] : [[origin, { ...permission, accounts }]];
    });
    await this.#permissions.write(Object.fromEntries(kept));
  }
}
