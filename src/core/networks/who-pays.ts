/**
 * How an account makes its calls on a network: in user operations, in its own transactions, in whichever of them the
 * network's services allow (EIP-7702), or in user operations that a passkey signs without the wallet.
 */
export type Sending = 'operation' | 'transaction' | 'either' | 'passkey-operation';

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
  // A sponsorship would expire before all owners have signed. The page asks no paymaster by itself.
  if (!hasPaymaster || signatures > 1 || sending === 'transaction' || sending === 'passkey-operation') return 'account';
  return sending === 'operation' ? 'paymaster' : 'unsure';
}
