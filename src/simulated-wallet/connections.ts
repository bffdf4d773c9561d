import { type Store } from './store';

/** The permissions of an origin: snaps (`wallet_snap`) and accounts by address (`eth_accounts`). */
export type Connection = { readonly snaps: readonly string[]; readonly accounts: readonly string[] };

const NOTHING: Connection = { snaps: [], accounts: [] };

/** The origins that are connected to this wallet. */
export class Connections {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async of(origin: string): Promise<Connection> {
    return (await this.#all())[origin] ?? NOTHING;
  }

  async addSnap(origin: string, snapId: string): Promise<void> {
    await this.#change(origin, ({ snaps, accounts }) => ({ accounts, snaps: [...new Set([...snaps, snapId])] }));
  }

  async setAccounts(origin: string, accounts: readonly string[]): Promise<void> {
    await this.#change(origin, ({ snaps }) => ({ snaps, accounts }));
  }

  async revoke(origin: string): Promise<void> {
    await this.#change(origin, () => NOTHING);
  }

  async #all(): Promise<Readonly<Record<string, Connection>>> {
    return (await this.#store.get<Readonly<Record<string, Connection>>>('connections')) ?? {};
  }

  async #change(origin: string, change: (before: Connection) => Connection): Promise<void> {
    await this.#store.update<Readonly<Record<string, Connection>>>('connections', (before = {}) => ({
      ...before,
      [origin]: change(before[origin] ?? NOTHING),
    }));
  }
}
