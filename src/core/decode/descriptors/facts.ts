import { isSameAddress } from '../../eth/address';
import { type Hex } from '../../eth/bytes';
import { isUnlimited, text } from '../lines';
import { firstTimeNotice, judgeRecipients } from '../recipients';
import { unlimitedApproval } from '../sentences';
import { type TokenScene } from '../tokens';
import { type Line } from '../types';
import { type Role } from './descriptor';

/** A value that a description shows, by its meaning. The value is the data's; only the label and the role are the descriptor's. */
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
  | { readonly kind: 'address'; readonly label: string; readonly address: Hex; readonly role: Role | undefined };

const NOTHING_KNOWN = { used: [], own: {}, hasCode: {} };

/**
 * Flags what a description names as if a rule of ours had read it: an unlimited permission, and addresses that imitate others or
 * that nobody controls.
 *
 * @param allows - Whether what is described gives a permission, whoever gets it.
 * @param owner - Who gives it, where known.
 * @returns A line on recipients that are new.
 */
export function judgeFacts(facts: readonly Fact[], allows: boolean, owner: Hex | undefined, scene: TokenScene): Line[] {
  const { findings, view } = scene;
  const people = facts.flatMap((fact) =>
    fact.kind === 'address' && !isSameAddress(fact.address, view.signer) ? [fact] : [],
  );
  const amounts = facts.flatMap((fact) => (fact.kind === 'amount' ? [fact.amount] : []));
  // Somebody who gets nothing may be left out as the zero address.
  const gives = amounts.length === 0 || amounts.some((amount) => amount > 0n);
  const spender = people.find(({ role }) => role === 'spender')?.address;
  for (const fact of facts) {
    if (fact.kind !== 'amount' || !(fact.isMost || isUnlimited(fact.amount))) continue;
    const { token } = fact;
    if (spender !== undefined)
      findings.danger('unlimited-approval', () => unlimitedApproval({ spender, token, owner }, scene));
    else if (allows) findings.danger('unlimited-approval');
  }
  const strangers = judgeRecipients(
    people.map(({ address, role }) => ({
      address,
      carriesData: false,
      ...(gives && role === 'recipient' && { asset: 'something' }),
    })),
    view.recipients ?? NOTHING_KNOWN,
    findings,
  ).filter((stranger) => people.some(({ address, role }) => address === stranger && role === 'recipient'));
  return view.recipients === undefined || strangers.length === 0
    ? []
    : [text('New recipient', firstTimeNotice(strangers))];
}
