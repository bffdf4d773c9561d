import { ICON } from './icon';
import { getPage } from './page';
import { type KeysteadOptions } from './options';
import { createKeysteadProvider } from './provider';
import { CODES, ProviderRpcError } from './rpc-error';
import { type KeysteadProvider, type ProviderInfo } from './types';
import { uuid } from './uuid';
import { KEYSTEAD_RDNS } from './wallets';

/**
 * A provider that is announced in the page, as {@link announceKeystead} returns it.
 *
 * @example
 * import { announceKeystead, type Announced } from 'keystead/provider';
 *
 * const announced: Announced = announceKeystead();
 * announced.provider.on('accountsChanged', (accounts) => console.log(accounts));
 */
export type Announced = {
  /** The announced provider. */
  readonly provider: KeysteadProvider;
  /** The details it was announced with (EIP-6963). */
  readonly info: ProviderInfo;
  /** Stops announcing. Code that already has the provider can go on using it. */
  readonly stop: () => void;
};

type WithCustomEvent = { readonly CustomEvent: new (type: string, init: { readonly detail: unknown }) => Event };

/**
 * Creates a provider and announces it in the page (EIP-6963): at once, and again whenever a library requests providers.
 * wagmi and other libraries then list Keystead as a wallet.
 *
 * @param options - See {@link KeysteadOptions}.
 * @returns The provider, its details, and a function that stops announcing.
 * @throws {ProviderRpcError} 4900 if there is no page (`window`).
 * @throws {InvalidParamsError} If an option is unknown, or a snap id, a node's URL or a chain id is invalid.
 * @see https://eips.ethereum.org/EIPS/eip-6963
 * @example
 * import { announceKeystead } from 'keystead/provider';
 *
 * const { stop } = announceKeystead({ nodes: { 1: 'https://node.example' } });
 */
export function announceKeystead(options: KeysteadOptions = {}): Announced {
  const page = getPage();
  if (page === undefined)
    throw new ProviderRpcError(
      CODES.disconnected,
      'A provider can only be announced in a web page. Use createKeysteadProvider instead.',
    );
  const provider = createKeysteadProvider(options);
  const info: ProviderInfo = Object.freeze({ uuid: uuid(), name: 'Keystead', icon: ICON, rdns: KEYSTEAD_RDNS });
  const detail = Object.freeze({ info, provider });
  const { CustomEvent } = globalThis as unknown as WithCustomEvent;
  const announce = (): void => {
    page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  };
  page.addEventListener('eip6963:requestProvider', announce);
  announce();
  return {
    provider,
    info,
    stop: () => {
      page.removeEventListener('eip6963:requestProvider', announce);
    },
  };
}
