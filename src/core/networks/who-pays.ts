/**
 * How an account makes its calls on a network: in user operations, in its own transactions, or in whichever of them the
 * network's services allow (EIP-7702).
 */
export type Sending = 'operation' | 'transaction' | 'either';

type Facts = {
  readonly sending: Sending;
  /** Whether a paymaster service is set up for the network, or named by the site. */
  readonly hasPaymaster: boolean;
  /** The number of owners that have to sign. */
  readonly signatures: number;
};

/**
 * Who pays the network fee. The one answer for every screen: what the page says beforehand, what is prepared, and what
 * the dialog shows.
 *
 * @returns `paymaster` or `account`; `unsure` if it depends on whether the account is upgraded for it.
 */
export function whoPays({ sending, hasPaymaster, signatures }: Facts): 'paymaster' | 'account' | 'unsure' {
  // A sponsorship would expire before all owners have signed.
  if (!hasPaymaster || signatures > 1 || sending === 'transaction') return 'account';
  return sending === 'operation' ? 'paymaster' : 'unsure';
}
