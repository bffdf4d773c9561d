import { version } from '../../../package.json';
import {
  createKeysteadProvider,
  type KeysteadOptions,
  type KeysteadProvider,
  type ProviderEvent,
  ProviderRpcError,
  type RequestArguments,
} from '../../../src/provider';
import { pageWallet } from '../../support/wallet/page-wallet';

export const SNAP = 'npm:keystead';
const INSTALLED = { [SNAP]: { version, enabled: true, blocked: false } };
export const ALICE = '0x19d9fbD1eAc05da79914F7e0525D1C5B2EDc6c25';
export const BOB = '0x3535353535353535353535353535353535353535';

/** A snap with the chain and accounts of one page, and fixed answers to other methods. */
export function simulatedSnap(answers: Record<string, (params: unknown) => unknown> = {}) {
  const state = { chainId: '0x7a69', accounts: [] as string[] };
  const snap = ({ method, params }: RequestArguments): unknown => {
    if (Object.hasOwn(answers, method)) return answers[method]?.(params);
    if (method === 'eth_chainId') return state.chainId;
    if (method === 'eth_accounts') return state.accounts;
    if (method === 'eth_requestAccounts') return (state.accounts = [ALICE]);
    if (method === 'wallet_switchEthereumChain') {
      state.chainId = (params as [{ chainId: string }])[0].chainId;
      return null;
    }
    if (method === 'wallet_revokePermissions') {
      state.accounts = [];
      return null;
    }
    return `${method} of the snap`;
  };
  return { state, snap };
}

/** @returns The error that the request rejects with. */
export async function failureOf(request: Promise<unknown>): Promise<ProviderRpcError> {
  const error: unknown = await request.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ProviderRpcError);
  return error as ProviderRpcError;
}

/** @returns A live list of the provider's events, in order. */
export function eventsOf(provider: KeysteadProvider): unknown[] {
  const events: unknown[] = [];
  for (const event of ['connect', 'disconnect', 'chainChanged', 'accountsChanged', 'message'] satisfies ProviderEvent[])
    provider.on(event, (value: unknown) => events.push([event, value]));
  return events;
}

/** A provider in a page where the snap is installed. @param answers - The snap's answers, by method. */
export const connected = (answers?: Record<string, (params: unknown) => unknown>, options: KeysteadOptions = {}) => {
  const simulated = simulatedSnap(answers);
  const wallet = pageWallet('io.metamask.flask', { installed: INSTALLED, snap: simulated.snap });
  const provider = createKeysteadProvider({ wallet: wallet.provider, ...options });
  return { ...simulated, wallet, provider };
};
