import { type AnnouncedProvider } from '../../src/provider';

/** A simulated page for EIP-6963 announcements of wallets and providers. */
export function openPage() {
  const page = new EventTarget();
  Object.assign(globalThis, { window: page });
  const announce = (wallet: AnnouncedProvider): void => {
    const announced = (): void => {
      page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: wallet }));
    };
    page.addEventListener('eip6963:requestProvider', announced);
    announced();
  };
  const close = (): void => {
    Reflect.deleteProperty(globalThis, 'window');
  };
  return { page, announce, close };
}
