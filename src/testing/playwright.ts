import { ICON, uuid } from '../provider/announce';
import { toProviderRpcError } from '../provider/rpc-error';
import { type ProviderInfo } from '../provider/types';
import { KEYSTEAD_RDNS } from '../provider/wallets';
import { type TestProvider } from './provider';

/**
 * The part of a page of Playwright that {@link provideTo} uses. A browser context has it too.
 *
 * @example
 * import { createTestProvider, provideTo, type TestPage } from 'keystead/testing';
 *
 * const open = (page: TestPage) => provideTo(page, createTestProvider({ rpcUrl: 'http://127.0.0.1:8545' }));
 */
export type TestPage = {
  /** Makes a function of the test callable in the page, by its name. */
  readonly exposeFunction: (name: string, run: (args: never) => unknown) => Promise<unknown>;
  /** Runs a script in every document before its own scripts. */
  readonly addInitScript: (script: { readonly content: string }) => Promise<unknown>;
};

/** The name of the function by which the page reaches the provider. */
const FUNCTION = '__keysteadTestRequest';

/** Announces the provider in the page (EIP-6963), under the name and the identifier of Keystead. */
const scriptFor = (info: ProviderInfo): string => `(() => {
  const request = async (args) => {
    const { result, error } = await window.${FUNCTION}(JSON.parse(JSON.stringify(args)));
    if (error !== undefined) throw Object.assign(new Error(error.message), error);
    return result;
  };
  const provider = { request, on: () => provider, removeListener: () => provider, isKeystead: true };
  const info = Object.freeze(${JSON.stringify(info)});
  const detail = Object.freeze({ info, provider });
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  window.addEventListener('eip6963:requestProvider', announce);
  announce();
})();`;

/**
 * Announces a provider for tests in every page that Playwright opens in a page or a context, as Keystead would be. The
 * requests are answered outside the browser, so nothing of a dapp changes for its tests.
 *
 * @param page - A page or a browser context, before it goes to the dapp.
 * @see https://eips.ethereum.org/EIPS/eip-6963
 * @example
 * import { createTestProvider, provideTo, type TestPage } from 'keystead/testing';
 *
 * const open = async (page: TestPage) => {
 *   const provider = createTestProvider({ rpcUrl: 'http://127.0.0.1:8545' });
 *   await provideTo(page, provider);
 *   return provider;
 * };
 */
export async function provideTo(page: TestPage, provider: Pick<TestProvider, 'request'>): Promise<void> {
  const answer = async (args: { readonly method: string; readonly params?: unknown }): Promise<unknown> => {
    try {
      return { result: await provider.request(args) };
    } catch (error) {
      const { code, message, data } = toProviderRpcError(error);
      return { error: { code, message, ...(data !== undefined && { data }) } };
    }
  };
  await page.exposeFunction(FUNCTION, answer);
  const info = { uuid: uuid(), name: 'Keystead', icon: ICON, rdns: KEYSTEAD_RDNS };
  await page.addInitScript({ content: scriptFor(info) });
}
