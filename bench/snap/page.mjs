/*
 * Runs in the browser's page: MetaMask's own simulation of the wallet, with each snap in MetaMask's own iframe. Except
 * for the wallet's crypto, this is the code that a wallet runs.
 */
import { IframeExecutionService } from '@metamask/snaps-controllers';
import { installSnap } from '@metamask/snaps-simulation';

import { alternate } from './alternate.ts';

const { document, performance } = globalThis;

/** The running snaps, by name. */
const running = new Map();

/** Requests that the simulation does not support, or would ask a person about. */
const ANSWERS = { snap_manageAccounts: null, snap_dialog: true };

/** When the wallet starts the executor; the time before is the download of the snap. */
let started = 0;

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
  async install(name, url, executor, first) {
    const snap = await installSnap(`local:${url}`, {
      executionService: TimedService,
      executionServiceOptions: { iframeUrl: new URL(executor), usePing: true, initTimeout: 60_000 },
    });
    snap.mockJsonRpc(({ method }) => ANSWERS[method]);
    running.set(name, snap);
    const answer = first === undefined ? undefined : await ask(snap, first);
    return { ms: performance.now() - started, answer };
  },

  /** @returns What the snap answers. */
  call: (name, request) => ask(running.get(name), request),

  alternate: (requests, plan) => alternate(requests, plan, (name, request) => ask(running.get(name), request)),
};
document.body.dataset.ready = 'yes';
