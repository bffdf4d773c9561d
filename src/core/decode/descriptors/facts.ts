import { isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { MAX_UINT256 } from '../../eth/units';
import { type Effect } from '../effects/effect';
import { type WordScene } from '../scene';
import { isBeyondSupply } from '../words/amounts';
import { type Role } from './descriptor';

/**
 * A value that a description shows, by its meaning. The value is the data's; only the label and the role are the
 * descriptor's.
 */
export type Fact =
  | {
      readonly kind: 'amount';
      readonly label: string;
      readonly amount: bigint;
      /** undefined for the network's coin. */
      readonly token: Hex | undefined;
      /** Whether the descriptor says that it is "Unlimited", "All" or the like. */
      readonly isMost: boolean;
    }
  /** The largest number there is, as a plain number, or as a time: then it may be the end of what has none. */
  | { readonly kind: 'everything'; readonly label: string; readonly isTime: boolean }
  | { readonly kind: 'address'; readonly label: string; readonly address: Hex; readonly role: Role | undefined };

/**
 * The effects that a description names, for the judge: permissions, and everybody who gets something.
 *
 * @param allows - Whether what is described gives a permission, whoever gets it.
 * @param owner - Who gives it, where known.
 */
export function effectsOf(facts: readonly Fact[], allows: boolean, owner: Hex | undefined, scene: WordScene): Effect[] {
  const people = facts.flatMap((fact) =>
    fact.kind === 'address' && !isSameAddress(fact.address, scene.view.signer) ? [fact] : [],
  );
  const amounts = facts.flatMap((fact) => (fact.kind === 'amount' ? [fact.amount] : []));
  // Somebody who gets nothing may be left out as the zero address.
  const gives = amounts.length === 0 || amounts.some((amount) => amount > 0n);
  const spender = people.find(({ role }) => role === 'spender')?.address;
  const permissions = facts.flatMap((fact): Effect[] => {
    if (fact.kind === 'everything' && spender !== undefined && (!fact.isTime || amounts.length === 0))
      return [{ kind: 'permission', to: spender, what: 'unlimited' }];
    if (fact.kind !== 'amount') return [];
    const { token } = fact;
    const isAll = fact.isMost || isBeyondSupply(fact.amount, token, scene);
    if (spender !== undefined && (allows || isAll))
      return [{ kind: 'allow', of: 'amount', owner, spender, token, amount: isAll ? MAX_UINT256 : fact.amount }];
    return allows && isAll ? [{ kind: 'permission', to: undefined, what: 'unlimited' }] : [];
  });
  return [
    ...permissions,
    ...people.flatMap(({ address, role }): Effect[] =>
      gives && role === 'recipient' ? [{ kind: 'named', address, isRecipient: true }] : [],
    ),
  ];
}
