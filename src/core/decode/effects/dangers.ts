/** Sentences of dangers that are the same whoever gains what. The judge makes the others. */
export const SENTENCES = {
  delegatecall: 'This runs foreign code as the account itself. That code can take everything the account holds.',
  'hash-message': 'This message may be a hash. You cannot see what it stands for: it could be anything.',
  'malformed-call': 'This calls a known function with invalid arguments. Keystead cannot tell what it will do.',
  'never-expires': 'This permission stays valid for more than ten years.',
  'not-fully-read': 'This contains more than Keystead can decode. The calls it leaves out could do anything.',
  'own-contract': 'This is addressed to your own account. Signing it can make the account act.',
  'own-operation':
    'This makes calls from your own account. Anyone who gets the signature can have them made while the account is upgraded (EIP-7702).',
  'siwe-address': 'This sign-in is for a different account than the one you are signing with.',
  'transaction-message':
    'This message has the form of a transaction or an authorization (EIP-7702). It may be an attempt to get one signed.',
  'typed-data-message': 'This message has the form of hashed typed data. You cannot see what it stands for.',
} satisfies Partial<Record<DangerCode, string>>;

/** All dangers, by their stable codes, with what to do instead: that follows the sentences of a danger. */
export const ADVICE = {
  'account-administration': 'Reject it unless you started this yourself.',
  'account-delegation': 'Reject it unless you trust that contract with everything.',
  'account-recovery': 'Reject it unless you asked for this recovery, or its owner asked you by voice.',
  'address-poisoning': 'Compare every character, or reject it and choose the recipient from your own contacts.',
  'approval-for-all': 'Reject it unless you trust the spender. If the site lets you, allow single items instead.',
  'burn-address': 'Reject it unless you want to destroy what you send.',
  'call-without-code': 'Reject it, and check the address and the network on the site.',
  'cannot-succeed':
    'Reject it. If the reason is something that you can change, such as your balance, change it and try again.',
  'chain-mismatch': 'Reject it, and switch the site to the right network.',
  delegatecall: 'Reject it unless you trust that code with everything.',
  everything: 'Reject it unless you want to give away all of it.',
  'excessive-fee': 'Reject it, and let the wallet or the site suggest the fee again.',
  'foreign-operation': 'Reject it unless you know that account and started this yourself.',
  'gas-refund': 'Reject it unless you know who gets the refund, and why.',
  'hash-message': 'Reject it unless you know exactly what it stands for.',
  'malformed-call': 'Reject it. The site may be at fault.',
  'never-expires': 'Reject it unless you want that. If the site lets you, choose an earlier expiry date.',
  'not-fully-read': 'Reject it unless you trust the site. Use smaller steps, if the site lets you.',
  'nothing-in-return': 'Reject it unless you want to give them away.',
  'own-contract': 'Reject it unless you know what it makes the account do.',
  'own-operation': 'Reject it unless you started it yourself.',
  'paid-to-another': 'Reject it unless you want to pay them.',
  'public-contract': 'Reject it. The site may be at fault.',
  'sent-to-token-contract': 'Reject it, and ask the recipient for their own address.',
  'siwe-address': 'Reject it, and choose the other account on the site.',
  'siwe-domain': 'Reject it, and sign in on that site itself.',
  'transaction-message': 'Reject it.',
  'typed-data-message': 'Reject it unless you know exactly what it stands for.',
  'unknown-token': 'Reject it unless you know that token, and what it is worth.',
  'unlimited-approval':
    'Reject it unless you trust the spender. If the site lets you, allow only the amount that you need now.',
  'unknown-permission': 'Reject it unless you trust that address with everything that the site can ask for.',
  'unknown-paymaster': 'Reject it unless you trust whoever chose it.',
  'value-to-creation': 'Reject it unless the contract is meant to hold them.',
};

/** The stable name of a danger: programs and tests may rely on it. */
export type DangerCode = keyof typeof ADVICE;
