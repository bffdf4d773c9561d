import { type VNode } from 'preact';

import { networkOfChain } from '../model/network';
import { useSession } from '../model/session';
import { type Account } from '../model/types';
import { Choice } from './field';

/** Chooses one of the networks that are set up, by its chain ID. */
export const NetworkChoice = (): VNode => (
  <Choice
    label="Network"
    name="chain"
    options={useSession().chains.map((chain) => [chain.chainId, networkOfChain(chain).name])}
  />
);

type KeyProps = {
  readonly label: string;
  /** See `safesOfPhrase`. */
  readonly safes: readonly Account[];
};

/** Chooses the key of one of the Safes, by the id of its account. */
export const KeyChoice = ({ label, safes }: KeyProps): VNode => (
  <Choice label={label} name="key" options={safes.map((account) => [account.id, `The key of ${account.name}`])} />
);
