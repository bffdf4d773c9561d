/*
 * Runs in the browser's page: MetaMask's own simulation of the wallet, with each snap in MetaMask's own iframe. Except
 * for the wallet's crypto, this is the code that a wallet runs.
 */
import { IframeExecutionService } from '@metamask/snaps-controllers';
import { installSnap } from '@metamask/snaps-simulation';

import { alternate } from './alternate.ts';
import { providerAnswer } from './provider.ts';

const { document, performance } = globalThis;

/** The running snaps, by name. */
const running = new Map();

/** Requests that the simulation does not support, or would ask a person about. */
const ANSWERS = { snap_manageAccounts: null, snap_dialog: true };

/** When the wallet starts the executor; the time before is the download of the snap. */
let started = 0;

/** When the snap first called the wallet in a request. */
let firstCall;

class TimedService extends IframeExecutionService {
  executeSnap(options) {
    started = performance.now();
    return super.executeSnap(options);
  }
}

/** Returns the snap's response, or throws its error. */
async function ask(snap, { handler, origin, method, params }) {
  const request = { origin, method, ...(params !== undefined && { params }) };
  const { response } = await (handler === 'rpc' ? snap.request(request) : snap.onKeyringRequest(request));
  if ('error' in response) throw new Error(`${method}: ${response.error.message}`);
  return response.result;
}

globalThis.bench = {
  /**
   * Fetches and starts a snap under a name.
   *
   * @returns Its answer to `first`, and milliseconds from the start of the executor until then.
   */
  async install(name, url, { executor, state, unencryptedState, first, hasProvider = false }) {
    const snap = await installSnap(`local:${url}`, {
      executionService: TimedService,
      executionServiceOptions: { iframeUrl: new URL(executor), usePing: true, initTimeout: 60_000 },
      options: { ...(state && { state }), ...(unencryptedState && { unencryptedState }) },
    });
    const calls = new Map();
    snap.mockJsonRpc((request) => {
      firstCall ??= performance.now();
      calls.set(request.method, (calls.get(request.method) ?? 0) + 1);
      if (request.method in ANSWERS) return ANSWERS[request.method];
      return hasProvider ? providerAnswer(request.method, request.params) : undefined;
    });
    running.set(name, { snap, calls });
    const answer = first === undefined ? undefined : await ask(snap, first);
    return { ms: performance.now() - started, answer };
  },

  /** @returns What the snap answers. */
  call: (name, request) => ask(running.get(name).snap, request),

  /** @returns What the snap has stored, as `install` takes it. */
  state(name) {
    const { encrypted, unencrypted } = running.get(name).snap.store.getState().state;
    const parsed = (text) => (text ? JSON.parse(text) : null);
    return { state: parsed(encrypted), unencryptedState: parsed(unencrypted) };
  },

  alternate: (requests, plan) => alternate(requests, plan, (name, request) => ask(running.get(name).snap, request)),

  /** @returns How often the snap called the wallet, by method, in one request. */
  async count(name, request) {
    const { snap, calls } = running.get(name);
    calls.clear();
    await ask(snap, request);
    return Object.fromEntries(calls);
  },

  /** @returns Of each of `count` requests: milliseconds until the snap first calls the wallet, and from then on. */
  async timeline(name, request, count) {
    const { snap } = running.get(name);
    const times = [];
    for (let index = -20; index < count; index++) {
      firstCall = undefined;
      const start = performance.now();
      await ask(snap, request);
      const end = performance.now();
      if (index >= 0) times.push({ before: firstCall - start, after: end - firstCall });
    }
    return times;
  },

  stop: async (name) => {
    await running.get(name).snap.executionService.terminateAllSnaps();
    running.delete(name);
  },
};
document.body.dataset.ready = 'yes';
