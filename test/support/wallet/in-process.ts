import { randomUUID } from 'node:crypto';

import { ComponentOrElementStruct, type Json, UserInputEventType } from '@metamask/snaps-sdk';
import { assert } from '@metamask/superstruct';

import type * as Snap from '../../../src/snap/index';
import { bundledFiles } from '../contract-metadata';
import { OpenDialogs } from './open-dialogs';
import { type ProgramName, startProgram, type Surroundings } from './program';
import { type Answer } from './installed';
import { callName, keptBy, type WalletDouble } from './wallet-double';

export const DAPP = 'https://dapp.example';
export const OTHER = 'https://other.example';

type Params = Record<string, Json>;
type Request = { readonly method: string; readonly params?: unknown };

const { readFile } = bundledFiles();

/** @throws If MetaMask would refuse the screen, because it is not made of MetaMask's components. */
function checked(content: unknown): object {
  assert(content, ComponentOrElementStruct);
  return content;
}

/** The wallet's side of `snap.request`, by method. */
function wallet(world: WalletDouble, running: () => typeof Snap) {
  const resolved = new Map<string, unknown>();
  const openDialogs = new OpenDialogs();
  const answers: Record<string, (params: Params) => unknown> = {
    ...keptBy(world),
    snap_getEntropy: ({ salt }) => world.entropy(salt as string),
    snap_getClientStatus: () => ({ locked: world.locked, active: true }),
    snap_getBackgroundEvents: () => world.scheduled.map((method) => ({ request: { method } })),
    snap_scheduleBackgroundEvent: ({ request }) => world.scheduled.push((request as Params).method as string),
    snap_getFile: ({ path }) => (world.hasFiles ? readFile(path as string) : null),
    snap_createInterface: ({ ui }) => {
      const id = `interface-${world.interfaces.size}`;
      world.interfaces.set(id, checked(ui));
      return id;
    },
    snap_updateInterface: ({ id, ui }) => {
      world.interfaces.set(id as string, checked(ui));
      return null;
    },
    snap_resolveInterface: ({ id, value }) => {
      resolved.set(id as string, value);
      return null;
    },
    snap_dialog: async ({ type, id, content }) => {
      if (type === undefined) {
        const shown = checked(world.interfaces.get(id as string));
        world.show(shown, true);
        await running().onUserInput({
          id: id as string,
          event: { type: UserInputEventType.ButtonClickEvent, name: 'approve' },
          context: null,
        });
        return resolved.get(id as string) ?? null;
      }
      if (type === 'alert') return world.show(checked(content), true) && null;
      if (id === undefined) return world.show(checked(content), true);
      const chosen = (world.choice ?? []).map((name) => [name, true] as const);
      for (const [name, value] of [...chosen, ...Object.entries(world.typed)])
        await running()
          .onUserInput({
            id: id as string,
            event: { type: UserInputEventType.InputChangeEvent, name, value },
            context: null,
          })
          .catch(() => undefined);
      return world.show(world.interfaces.get(id as string), true);
    },
  };
  return {
    request: (request: Request) => {
      world.onRequest?.(request);
      const params = (request.params ?? {}) as Params;
      const answer = answers[request.method];
      if (answer === undefined) throw new Error(`the simulated wallet has no ${request.method}`);
      const call = (): Promise<unknown> =>
        world.call<unknown>(callName(request), () => answer(params), {
          declined: () => world.show(params.content ?? world.interfaces.get(params.id as string), false),
        });
      return request.method === 'snap_dialog' ? openDialogs.show(params.type, call) : call();
    },
  };
}

/** The wallet's own node, with one selected network on which every address is unused. */
function network(world: WalletDouble) {
  let selected = '0x1';
  return {
    request: ({ method, params }: Request) => {
      world.onRequest?.({ method, params });
      return world.call(method, () => {
        if (method === 'eth_chainId') return selected;
        if (method === 'wallet_switchEthereumChain') selected = (params as [{ chainId: string }])[0].chainId;
        return method === 'eth_getBalance' ? '0x1' : '0x0';
      });
    },
  };
}

const json = (body: object): Response => Response.json(body);

/** The responses of services. For real services, only the faults are simulated here. */
function services(world: WalletDouble): typeof fetch {
  return async (input, init) => {
    const url = new URL(input as string);
    const late = () =>
      new Promise<Response>((_resolve, reject) => {
        const { signal } = init!;
        signal!.addEventListener('abort', () => {
          reject(new Error('aborted'));
        });
        setImmediate(() => {
          world.clock.passUntil(() => signal!.aborted);
        });
      });
    const noJson = () => new Response('<html>Bad gateway</html>', { status: 502 });
    if (world.services.includes(url.origin))
      return world.call<Response>(`fetch ${url.pathname}`, () => fetch(input, init), {
        late,
        'no JSON': noJson,
        'wrong form': () => json({ nothing: 'of use' }),
        error: () => new Response('busy', { status: 500 }),
        'other id': () => new Response(null, { status: 404 }),
      });
    const request = JSON.parse(init!.body as string) as { id: number; method: string; params: unknown[] };
    const { id, method } = request;
    // The request arrives, whatever the response is.
    const arrived =
      <Answer>(answer: () => Answer) =>
      () => {
        if (method.startsWith('eth_send')) world.serve(url, request);
        return answer();
      };
    return world.call<Response>(`fetch ${method}`, () => json(world.serve(url, request)), {
      late: arrived(late),
      'no JSON': arrived(noJson),
      'wrong form': arrived(() => json({ jsonrpc: '2.0', id, result: { nothing: 'of use' } })),
      error: () => json({ jsonrpc: '2.0', id, error: { code: -32000, message: 'the service is busy' } }),
      'other id': () => json({ ...world.serve(url, request), id: id + 1 }),
    });
  };
}

/** The whole snap, from `src` or built, running in this process on a wallet, with its callers. */
export class SnapInProcess {
  readonly world: WalletDouble;
  readonly #snap: typeof Snap;

  /** Starts the snap with empty caches. */
  constructor(world: WalletDouble, program: ProgramName = 'source') {
    this.world = world;
    const { clock } = world;
    const surroundings: Surroundings = {
      snap: wallet(world, () => this.#snap),
      ethereum: network(world),
      fetch: services(world),
      Date: clock.Date,
      setTimeout: clock.setTimeout,
      clearTimeout: clock.clearTimeout,
    };
    this.#snap = startProgram(surroundings, program);
  }

  async keyring(method: string, params?: Json, origin = 'metamask'): Promise<Json> {
    return (await this.#snap.onKeyringRequest({
      origin,
      request: requestOf(method, params),
    })) as Json;
  }

  /** Calls an account method as MetaMask does. */
  submit(account: string, method: string, params: Json, scope = ''): Promise<Json> {
    return this.keyring('keyring_submitRequest', {
      id: randomUUID(),
      scope,
      account,
      origin: DAPP,
      request: { method, params },
    });
  }

  async dapp(method: string, params?: Json, origin = DAPP): Promise<Json> {
    return (await this.#snap.onRpcRequest({
      origin,
      request: requestOf(method, params),
    })) as Json;
  }

  async cron(method = 'lookUpBatches'): Promise<Json> {
    await this.#snap.onCronjob({ request: requestOf(method) });
    return null;
  }

  async home(): Promise<object> {
    return checked(((await this.#snap.onHomePage()) as { content: object }).content);
  }

  /** A user action on the home page. @returns The page afterwards. */
  async input(event: Record<string, Json>): Promise<Json> {
    await this.#snap.onUserInput({ id: 'home', event: event as never, context: null });
    return (this.world.interfaces.get('home') ?? null) as Json;
  }

  async insight(kind: 'onTransaction' | 'onSignature', request: Record<string, Json>): Promise<Json> {
    return (await this.#snap[kind](JSON.parse(JSON.stringify(request)) as never)) as unknown as Json;
  }
}

/** @returns The result or the error of a request, as `installKeystead` gives it. */
export const answerOf = <T = Json>(request: Promise<Json>): Promise<Answer<T>> =>
  request.then(
    (result) => ({ result: result as T }),
    (error: unknown) => ({ error: error as NonNullable<Answer['error']> }),
  );

/** Requests to a snap are serialized to JSON, which drops undefined members. */
const requestOf = (method: string, params?: Json) =>
  JSON.parse(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })) as never;
