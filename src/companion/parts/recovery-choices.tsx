import { type VNode } from 'preact';

import { type Account } from '../model/types';
import { Choice } from './choice';

type Props = {
  readonly label: string;
  /** See `safesOfPhrase`. */
  readonly safes: readonly Account[];
};

/** Chooses the key of one of the Safes, by the id of its account. */
export const KeyChoice = ({ label, safes }: Props): VNode => (
  <Choice label={label} name="key" options={safes.map((account) => [account.id, `The key of ${account.name}`])} />
);
