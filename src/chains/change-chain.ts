import { type JSXElement } from '@metamask/snaps-sdk/jsx';

import { type ChainConfiguration } from '../wire/chain-configuration';
import { type ChainDeps } from './deps';

type Change = {
  readonly chainId: bigint;
  /** What the person is shown, from the configuration as it is now. */
  readonly screen: (before: ChainConfiguration | undefined) => JSXElement;
  readonly store: () => Promise<void>;
};

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * Shows a change of a chain's configuration, and stores it. No lock is held while the person is asked; if
 * the configuration became another one meanwhile, the person is asked again, with what is old now.
 *
 * @throws {UserRejectedError} If the change is refused. Nothing is changed then.
 */
export async function changeChain(
  { chainId, screen, store }: Change,
  { chains, consent, mutations }: ChainDeps,
): Promise<void> {
  for (;;) {
    const shown = await chains.find(chainId);
    await consent(screen(shown));
    const isStored = await mutations.runExclusive(async () => {
      if (!same(await chains.find(chainId), shown)) return false;
      await store();
      return true;
    });
    if (isStored) return;
  }
}
