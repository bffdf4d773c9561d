import { type AnnouncedProvider, type RequestArguments, type SnapOfWallet } from '../../src/dapp/provider';

type Answers = {
  /** `wallet_invokeSnap`: what the snap answers, or throws. */
  readonly snap?: (request: RequestArguments) => unknown;
  /** `wallet_requestSnaps`: throws what the wallet refuses with. */
  readonly install?: (params: Record<string, { version?: string }>) => unknown;
  readonly installed?: Record<string, SnapOfWallet>;
};

let wallets = 0;

/** A simulator of a wallet that hosts snaps, for what a real snap and wallet do not do on request: refuse, fail, hang. */
export function snapWallet(rdns: string, { snap = () => null, install, installed = {} }: Answers = {}) {
  const calls: RequestArguments[] = [];
  const snaps: Record<string, SnapOfWallet> = { ...installed };
  const answer = async ({ method, params }: RequestArguments): Promise<unknown> => {
    if (method === 'wallet_getSnaps') return { ...snaps };
    if (method === 'wallet_requestSnaps') {
      const wanted = params as Record<string, { version?: string }>;
      const result = await install?.(wanted);
      for (const id of Object.keys(wanted)) snaps[id] = { version: '0.1.0', enabled: true, blocked: false };
      return result ?? { ...snaps };
    }
    if (method === 'wallet_invokeSnap') return snap((params as { request: RequestArguments }).request);
    throw Object.assign(new Error('not supported'), { code: 4200 });
  };
  const request = async (args: RequestArguments): Promise<unknown> => {
    calls.push(args);
    return answer(args);
  };
  const announced: AnnouncedProvider = {
    info: { uuid: `00000000-0000-4000-8000-${String(++wallets).padStart(12, '0')}`, name: rdns, icon: '', rdns },
    provider: { request },
  };
  return { ...announced, calls, snaps, methods: () => calls.map(({ method }) => method) };
}
