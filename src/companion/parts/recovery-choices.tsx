import { type VNode } from 'preact';

import { networkOfChain } from '../model/network';
import { useSession } from '../model/session';
import { type Account } from '../model/types';
import { Choice } from './field';

/** Chooses one of the networks that are set up, by its chain ID. */
export const NetworkChoice = (): VNode => (
  <Choice label="Network" name="chain">
    {useSession().chains.map((chain) => (
      <option key={chain.chainId} value={chain.chainId}>
        {networkOfChain(chain).name}
      </option>
    ))}
  </Choice>
);

type KeyProps = {
  readonly label: string;
  /** See `safesOfPhrase`. */
  readonly safes: readonly Account[];
};

/** Chooses the key of one of the Safes, by the id of its account. */
export const KeyChoice = ({ label, safes }: KeyProps): VNode => (
  <Choice label={label} name="key">
    {safes.map((account) => (
      <option key={account.id} value={account.id}>
        The key of {account.name}
      </option>
    ))}
  </Choice>
);
