import { type BrowserContextOptions } from 'playwright-core';

import { type Companion } from './companion';
// Erased as a whole: scripts use this module without Jest, which the fixture needs.
import type { Fixture } from './fixture';

/** In milliseconds; until the devnet includes an operation. */
const INCLUSION = { timeout: 60_000 };

const LAST_WALLET = 'keystead.last-wallet';

/** A passkey in an authenticator, with its private key. */
export type Kept = {
  readonly credentialId: string;
  readonly isResidentCredential: boolean;
  readonly rpId?: string;
  readonly privateKey: string;
  /** `user.id`, in base64. */
  readonly userHandle?: string;
  readonly signCount: number;
};

/** The authenticator of a page. */
export type Authenticator = {
  /** Sets whether it verifies its user from then on. */
  readonly verifyUser: (isUserVerified: boolean) => Promise<void>;
  readonly passkeys: () => Promise<readonly Kept[]>;
  /** Takes a passkey over from another authenticator, as those that sync do. */
  readonly take: (passkey: Kept) => Promise<void>;
};

/** Gives a page an authenticator that makes passkeys and verifies its user. */
export async function addAuthenticator({ page, context }: Companion): Promise<Authenticator> {
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    verifyUser: async (isUserVerified) => {
      await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
    passkeys: async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    take: async (credential) => {
      await devtools.send('WebAuthn.addCredential', { authenticatorId, credential });
    },
  };
}

/**
 * Opens the page in an empty browser on a device to which passkeys were synced, and has it ask for a passkey.
 *
 * @param fixture - Opens the page.
 */
export async function openOnAnotherDevice(
  fixture: Pick<Fixture, 'open'>,
  options: BrowserContextOptions,
  ...synced: readonly Kept[]
): Promise<Companion & { readonly authenticator: Authenticator }> {
  const device = await fixture.open(options);
  const authenticator = await addAuthenticator(device);
  for (const passkey of synced) await authenticator.take(passkey);
  await device.page.getByRole('link', { name: 'Open an account with a passkey' }).click();
  await device.press('Use a passkey');
  return Object.assign(device, { authenticator });
}

/** Makes a passkey an owner of a Safe with one owner, and leaves the page open that followed the operation. */
export async function addPasskeyOwner(companion: Companion, address: string): Promise<void> {
  const { page } = companion;
  await companion.go(`owners/${address}`, 'Owners');
  await page.getByText('Add a passkey').click();
  await companion.press('Create a passkey');
  await page.getByRole('heading', { name: 'Review' }).waitFor();
  await companion.press('Change the owners');
  await companion.answer(/Create the signer of a passkey/u, 'Approve');
  await page.getByText('Confirmed.').waitFor(INCLUSION);
}

/**
 * Opens the page as a browser without a wallet does: nothing connects to it.
 *
 * @returns Opens the page with the wallet again.
 */
export async function leaveWallet(companion: Companion): Promise<() => Promise<void>> {
  const { page } = companion;
  const wallet = await page.evaluate<string>(`localStorage.getItem('${LAST_WALLET}')`);
  await page.evaluate(`localStorage.removeItem('${LAST_WALLET}'); location.hash = ''`);
  await page.reload();
  await page.getByRole('heading', { name: 'Passkeys of this browser' }).waitFor();
  return async () => {
    await page.evaluate(`localStorage.setItem('${LAST_WALLET}', ${JSON.stringify(wallet)}); location.hash = ''`);
    await companion.reload();
  };
}
