import { type Json } from '@metamask/snaps-sdk';

/** The wallet's EIP-1193 provider. It emits no events. */
type Provider = {
  readonly request: (args: { readonly method: string; readonly params?: Json }) => Promise<Json>;
  readonly on: () => void;
  readonly removeListener: () => void;
};

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#7a3e00"/><path d="M8 22V10h4v4l4-4h5l-6 6 6 6h-5l-4-4v4z" fill="#fff"/></svg>',
)}`;

/** Announces the wallet (EIP-6963), now and whenever a page requests providers. */
export function announceProvider(answer: (method: string, params: Json | undefined) => Promise<Json>): void {
  const provider: Provider = {
    request: ({ method, params }) => answer(method, params),
    on: () => undefined,
    removeListener: () => undefined,
  };
  const info = {
    uuid: crypto.randomUUID(),
    name: 'Simulated wallet (do not use real funds)',
    icon: ICON,
    rdns: 'localhost.keystead.simulated-wallet',
  };
  const announce = (): void => {
    window.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info: Object.freeze(info), provider }) }),
    );
  };
  window.addEventListener('eip6963:requestProvider', announce);
  announce();
}
