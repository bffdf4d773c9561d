import { version as currentVersion } from '../../../package.json';
import { type AnnouncedProvider, type RequestArguments, type SnapOfWallet } from '../../../src/provider';
import { type DappScreen, type ForDapps } from '../dapp';

type Answers = {
  /** `wallet_invokeSnap`: returns the snap's result or throws its error. `answeredBy` calls the built snap. */
  readonly snap?: (request: RequestArguments) => unknown;
  /** `wallet_requestSnaps`: throws the wallet's error. */
  readonly install?: (params: Record<string, { version?: string }>) => unknown;
  readonly installed?: Record<string, SnapOfWallet>;
  /** The only snap that can be installed. Default: any snap. */
  readonly offers?: string;
  /** The version of the installed snap. */
  readonly version?: string;
};

const rpcError = (code: number, message: string): Error => Object.assign(new Error(message), { code });

let wallets = 0;

/**
 * A wallet that hosts snaps, as a web page sees it: EIP-1193 with `wallet_getSnaps`, `wallet_requestSnaps` and
 * `wallet_invokeSnap`. It can also be made to reject, fail or hang.
 */
export function pageWallet(
  rdns: string,
  { snap = () => null, install, installed = {}, offers, version = currentVersion }: Answers = {},
) {
  const calls: RequestArguments[] = [];
  const snaps: Record<string, SnapOfWallet> = { ...installed };
  const answer = async ({ method, params }: RequestArguments): Promise<unknown> => {
    if (method === 'wallet_getSnaps') return { ...snaps };
    if (method === 'wallet_requestSnaps') {
      const wanted = params as Record<string, { version?: string }>;
      const result = await install?.(wanted);
      for (const id of Object.keys(wanted)) {
        if (id !== (offers ?? id)) throw rpcError(-32603, `${id} cannot be installed.`);
        snaps[id] = { version, enabled: true, blocked: false };
      }
      return result ?? { ...snaps };
    }
    if (method !== 'wallet_invokeSnap') throw rpcError(4200, 'not supported');
    const { snapId, request } = params as { snapId: string; request: RequestArguments };
    if (!Object.hasOwn(snaps, snapId)) throw rpcError(4100, 'The page may not use this snap.');
    return snap(request);
  };
  const request = async (args: RequestArguments): Promise<unknown> => {
    calls.push(args);
    return answer(args);
  };
  const announced: AnnouncedProvider = {
    info: { uuid: `00000000-0000-4000-8000-${String(++wallets).padStart(12, '0')}`, name: rdns, icon: '', rdns },
    provider: { request },
  };
  return {
    ...announced,
    calls,
    snaps,
    methods: () => calls.map(({ method }) => method),
    /** Disconnects a snap from the page, as the user does in the wallet's settings. */
    remove: (id: string) => {
      Reflect.deleteProperty(snaps, id);
    },
  };
}

/** Answers a dialog of the snap, as the user. */
export type Person = (screen: DappScreen) => Promise<void>;

/** What may open dialogs. */
const ASKS = /^(?:personal_sign|keystead_setChain|wallet_(?:requestPermissions|s)\w*|eth_(?:requestAccounts|s)\w*)$/u;

/** @returns The built snap's responses to a page, for `pageWallet`, with dialogs answered by `answer`. */
export const answeredBy =
  ({ dapp }: Pick<ForDapps, 'dapp'>, origin: string, person: Person) =>
  async ({ method, params }: RequestArguments): Promise<unknown> => {
    const request = dapp(method, params as never, origin);
    const answered = request.then(() => undefined);
    while (ASKS.test(method)) {
      const screen = await Promise.race([answered, request.getInterface().catch(() => undefined)]);
      if (screen === undefined) break;
      await person(screen);
    }
    const { result, error } = (await request).response;
    // A wallet rejects with a plain object.
    if (error !== undefined) throw error;
    return result;
  };
