import { type Json } from '@metamask/snaps-sdk';

import { Accounts } from './accounts';
import { BackgroundEvents } from './background-events';
import { Connections } from './connections';
import { HostedSnap } from './hosted-snap';
import { type Interfaces, type SnapElement } from './interfaces';
import { type Lock } from './lock';
import { Networks } from './network';
import { newPhrase } from './phrase';
import { RpcError } from './rpc-error';
import { answerSnap, type SnapScreens } from './snap-api';
import { fetchSnap, type SnapFiles } from './snap-files';
import { SnapState } from './snap-state';
import { type Store } from './store';

/** An event of an interface, as `onUserInput` receives it. */
export type UserInput = { readonly type: string; readonly name?: string; readonly value?: Json };

/** What reads the state before it changes it: accounts, settings, and the next nonce. */
const CHANGES = /^(?:eth_send|wallet_send|keyring_[cdu]|keystead_(?!get|find))/u;

type Options = {
  readonly store: Store;
  readonly screens: SnapScreens;
  readonly interfaces: Interfaces;
  readonly lock: Lock;
  /** Returns the URL of MetaMask's execution environment for a snap. */
  readonly executorUrl: (snapId: string) => Promise<string>;
};

/**
 * The parts of MetaMask that a snap needs, in a web page: storage, a recovery phrase, accounts, networks and dialogs.
 * It is a simulation: secrets are stored unencrypted in the browser.
 */
export class SimulatedWallet {
  readonly accounts: Accounts;
  readonly connections: Connections;
  readonly networks: Networks;
  readonly interfaces: Interfaces;
  readonly lock: Lock;
  readonly #options: Options;
  readonly #state: SnapState;
  readonly #events: BackgroundEvents;
  #snap: { readonly id: string; readonly hosted: Promise<HostedSnap> } | undefined;

  constructor(options: Options) {
    const { store, interfaces, lock } = options;
    this.#options = options;
    this.interfaces = interfaces;
    this.lock = lock;
    this.accounts = new Accounts(store);
    this.connections = new Connections(store);
    this.networks = new Networks(store);
    this.#state = new SnapState(store);
    store.watchOthers(() => {
      void this.#snap?.hosted.then(
        (hosted) => hosted.outdate(),
        () => undefined,
      );
    });
    this.#events = new BackgroundEvents(store, (request) => {
      // Nothing waits for the result of a background event.
      void this.callSnap('onCronjob', 'metamask', request.method, request.params).catch(() => undefined);
    });
  }

  /** @returns The id of the installed snap, if there is one. */
  installedSnap(): Promise<string | undefined> {
    return this.#options.store.get<string>('snap');
  }

  /** @returns The recovery phrase. A new wallet generates one. */
  phrase(): Promise<string> {
    return this.#options.store.update<string>('phrase', (before) => before ?? newPhrase());
  }

  /** Deletes everything and starts over. @param phrase - Defaults to a new recovery phrase. */
  async wipe(phrase?: string): Promise<void> {
    await this.stop();
    await this.#options.store.clear();
    if (phrase !== undefined) await this.#options.store.set('phrase', phrase);
  }

  /** Loads a snap without installing it. @throws {RpcError} If it cannot be loaded. */
  async preview(snapId: string): Promise<SnapFiles> {
    return (await this.#host(snapId)).files;
  }

  /**
   * Installs a snap, or starts the installed one.
   *
   * @throws {RpcError} If it cannot be loaded, or another one is installed.
   */
  async install(snapId: string): Promise<HostedSnap> {
    const installed = await this.installedSnap();
    if (installed !== undefined && installed !== snapId)
      throw new RpcError(-32603, `The simulated wallet already has the snap ${installed}. Wipe the wallet first.`);
    const hosted = await this.#host(snapId);
    if (installed === undefined) await this.#options.store.set('snap', snapId);
    return hosted;
  }

  /** @throws {RpcError} If no snap is installed. */
  async snap(): Promise<HostedSnap> {
    const installed = await this.installedSnap();
    if (installed === undefined)
      throw new RpcError(-32600, 'No snap is installed. Please install it before invoking it.');
    return this.#host(installed);
  }

  /** Calls a handler of the installed snap. @throws {RpcError} The snap's error. */
  async callSnap(handler: string, origin: string, method: string, params?: Json): Promise<Json> {
    const call = async (): Promise<Json> =>
      (await this.snap()).call({ handler, origin, request: { method, ...(params !== undefined && { params }) } });
    // MetaMask runs one snap for all tabs. Here each tab runs its own, so those take turns where they change something.
    return CHANGES.test(method) ? this.#options.store.alone(call) : call();
  }

  /** Forwards user input in an interface to the snap. */
  async input(id: string, event: UserInput): Promise<void> {
    const { context } = this.interfaces.get(id);
    await this.callSnap('onUserInput', 'metamask', ' ', { id, event: event as unknown as Json, context });
  }

  /** Opens the snap's home page. @returns The id of its interface. */
  async homePage(): Promise<string> {
    const answer = (await this.callSnap('onHomePage', 'metamask', ' ')) as { id?: string; content?: Json };
    return answer.id ?? this.interfaces.create(answer.content as unknown as SnapElement);
  }

  /**
   * Asks the snap to create its next account, like MetaMask's "Add account". The wallet asks first.
   *
   * @throws {RpcError}
   */
  async createAccount(): Promise<void> {
    await this.callSnap('onKeyringRequest', 'metamask', 'keyring_createAccount', { options: {} });
  }

  /** Resumes scheduled events, if a snap is installed. */
  async resume(): Promise<void> {
    if ((await this.installedSnap()) !== undefined) await this.#events.resume();
  }

  async stop(): Promise<void> {
    const running = this.#snap;
    this.#snap = undefined;
    (await running?.hosted)?.stop();
  }

  #host(snapId: string): Promise<HostedSnap> {
    if (this.#snap?.id !== snapId) {
      const hosted = this.#load(snapId);
      this.#snap = { id: snapId, hosted };
      hosted.catch(() => {
        this.#snap = undefined;
      });
    }
    return this.#snap.hosted;
  }

  async #load(snapId: string): Promise<HostedSnap> {
    const [files, executorUrl] = await Promise.all([fetchSnap(snapId), this.#options.executorUrl(snapId)]);
    const { screens, interfaces } = this.#options;
    const deps = {
      snapId,
      files,
      screens,
      interfaces,
      openDialogs: new Set<string>(),
      state: this.#state,
      accounts: this.accounts,
      networks: this.networks,
      events: this.#events,
      lock: this.lock,
      phrase: () => this.phrase(),
    };
    return new HostedSnap({
      snapId,
      files,
      executorUrl,
      onRequest: ({ method, params }) => answerSnap(method, params, deps),
    });
  }
}
