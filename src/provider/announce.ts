import { ICON } from './icon';
import { pageOf } from './page';
import { type KeysteadOptions } from './options';
import { createKeysteadProvider } from './provider';
import { CODES, ProviderRpcError } from './rpc-error';
import { type KeysteadProvider, type ProviderInfo } from './types';
import { uuid } from './uuid';
import { OUR_RDNS } from './wallets';

/** A provider that this page's other code can find. */
export type Announced = {
  readonly provider: KeysteadProvider;
  readonly info: ProviderInfo;
  /** Answers no further requests to announce. Who has the provider keeps it. */
  readonly stop: () => void;
};

type WithCustomEvent = { readonly CustomEvent: new (type: string, init: { readonly detail: unknown }) => Event };

/**
 * Makes a provider and announces it (EIP-6963): now, and whenever a library asks.
 *
 * @throws {ProviderRpcError} 4900 where there is no page.
 * @throws {InvalidParamsError} If there is no such option, a node's URL is none that may be used, or a chain id is none.
 */
export function announceKeystead(options: KeysteadOptions = {}): Announced {
  const page = pageOf();
  if (page === undefined)
    throw new ProviderRpcError(
      CODES.disconnected,
      'There is no page here to announce a provider in: use createKeysteadProvider.',
    );
  const provider = createKeysteadProvider(options);
  const info: ProviderInfo = Object.freeze({ uuid: uuid(), name: 'Keystead', icon: ICON, rdns: OUR_RDNS });
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
