import { getPage } from './page';
import { type KeysteadOptions } from './options';
import { createKeysteadProvider } from './provider';
import { CODES, ProviderRpcError } from './rpc-error';
import { type KeysteadProvider, type ProviderInfo } from './types';
import { KEYSTEAD_RDNS } from './wallets';

/** The icon of `images/icon.svg`. */
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64" role="img" aria-label="Keystead">
  <rect width="64" height="64" rx="14" fill="#14342b"/>
  <path d="M10 33 32 13l22 20v19a3 3 0 0 1-3 3H13a3 3 0 0 1-3-3z" fill="#f4efe2"/>
  <circle cx="32" cy="35" r="7" fill="#14342b"/>
  <path d="M29 38h6v12h4v4H29z" fill="#14342b"/>
  <circle cx="32" cy="35" r="3" fill="#f4efe2"/>
</svg>
`;

/** The icon as a data URL (RFC 2397). */
export const ICON = `data:image/svg+xml,${encodeURIComponent(SVG)}`;

/** @returns A random UUID (RFC 9562, version 4). `crypto.randomUUID` exists only in secure contexts. */
export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes.set([((bytes[6] ?? 0) & 0x0f) | 0x40], 6);
  bytes.set([((bytes[8] ?? 0) & 0x3f) | 0x80], 8);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');
}

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
