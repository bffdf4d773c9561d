import { type Json } from '@metamask/snaps-sdk';

import { type DangerCode } from '../../../src/core/decode/effects/dangers';
import { type Must } from './case';
import { type Outcome } from './outcome';

const INVALID_PARAMS = -32602;
/** Words of unintended errors, which must not appear in ours. */
const ACCIDENT = /undefined|\[object|is not a function|Cannot |Invalid |Unexpected |BigInt|superstruct|NaN/u;

/** Long hex values of the request. They may be secrets, so an error must not repeat them. */
const valuesIn = (params: unknown): string[] => JSON.stringify(params ?? null).match(/[0-9a-fA-F]{44,}/gu) ?? [];

/** The request was rejected with a proper error, without a dialog. */
function expectRefusal({ error, result, screens }: Outcome, must: NonNullable<Must['refuse']>, params: unknown): void {
  const { field, rule, code = INVALID_PARAMS } = must;
  expect({ result, screens }).toEqual({ result: undefined, screens: [] });
  expect(error).toMatchObject({ code });
  const { message = '', data } = error ?? {};
  expect(message.startsWith(`${field}: `) ? '' : message).toBe('');
  expect(message.slice(field.length + 2)).toMatch(rule);
  expect(message).not.toMatch(ACCIDENT);
  expect(message.length).toBeLessThan(300);
  for (const value of valuesIn(params)) expect(message).not.toContain(value.slice(0, 44));
  if (code === INVALID_PARAMS) expect(data).toMatchObject({ code: 'invalid-params', field });
}

/** What the screen says for each danger, apart from the addresses, tokens and contracts that the sentence names. */
const SENTENCES: Readonly<Record<DangerCode, RegExp>> = {
  'account-administration':
    /This (?:changes who controls|gives control of|withdraws a deposit of|replaces the code of|makes (?:0x\S+|your .*) an owner of|lets 0x\S+ do anything with) /u,
  'account-delegation': /This makes .* run the code of .* on .*\. That code decides over everything/u,
  'account-recovery': /This (?:helps to take|replaces the owners of) /u,
  'address-poisoning': /0x\S+ imitates 0x\S+, which (?:is your own account|you have sent to before)\./u,
  'approval-for-all': /This lets 0x\S+ move everything .* holds? in contract 0x\S+, now and in the future\./u,
  'burn-address': /This sends .* to 0x\S+, an address that nobody controls\. Nobody can get it back\./u,
  'call-without-code': /There is no contract at 0x\S+ on this network\. The data does nothing/u,
  'cannot-succeed': /This (?:can cost up to|fails in a simulation)|The account cannot pay|The calls send /u,
  'chain-mismatch':
    /This is for .*(?:\(chain \d+\)|Network \d+), but the request is for .*(?:\(chain \d+\)|Network \d+)\./u,
  delegatecall:
    /This runs the code at 0x\S+ as the account itself\. That code can take everything the account holds\./u,
  everything: /This (?:sends|lets 0x\S+ take) all /u,
  'excessive-fee':
    /The price per gas is [\d,]+ times what the network's node suggests\.|The fee includes up to [^()]+ \([\d,]+ units of gas\)/u,
  'foreign-operation': /This is an operation of 0x\S+\. Anyone who gets the signature can have it carried out/u,
  'gas-refund': /This pays .* or more for gas to .*\./u,
  'hash-message': /This message may be a hash\. You cannot see what it stands for/u,
  'malformed-call': /Keystead cannot tell (?:what it will do|who pays for it)\./u,
  'never-expires': /This (?:permission stays valid|signature can be used) for more than ten years\./u,
  'not-fully-read': /This contains more than Keystead can decode\. The calls it leaves out could do anything\./u,
  'nothing-in-return': /This order gives .* away\. .* nothing in return\./u,
  'own-contract': /This is addressed to your own account\. Signing it can make the account act\./u,
  'own-operation': /This makes calls from your own account\. Anyone who gets the signature can have them made/u,
  'paid-to-another': /This order pays .* to .*, not to (?:you|0x\S+)\./u,
  'public-contract': /Anybody can (?:take|use) (?:it|that)/u,
  'sent-to-token-contract': /This sends .* to 0x\S+, the contract of the token itself\./u,
  'siwe-address': /This sign-in is for a different account than the one you are signing with\./u,
  'siwe-domain': /wants you to sign in to “.*”\. It could use your signature to act as you there\./u,
  'transaction-message': /This message has the form of a transaction or an authorization/u,
  'typed-data-message': /This message has the form of hashed typed data\. You cannot see what it stands for/u,
  'unknown-token': / paid in .*, which Keystead does not know\. It may be worth nothing\./u,
  'unlimited-approval': /This (?:lets|may let) 0x\S+ spend (?:all|an unlimited amount) /u,
  'unknown-permission': /This may give .* permission to spend your tokens or act for your account\./u,
  'unknown-paymaster': /The fee is to be paid by 0x\S+, a paymaster that Keystead did not choose\./u,
  'value-to-creation': /This sends .* to a contract that does not exist yet\./u,
};

/**
 * Checks the outcome of a request.
 *
 * @param expected - The signature of an independent library.
 * @param shown - Everything that was shown, on our screens or on the wallet's own confirmation.
 */
export async function judge(
  outcome: Outcome,
  must: Must,
  params: unknown,
  expected: () => Json | Promise<Json>,
  shown: () => Promise<string>,
): Promise<void> {
  if (must.refuse !== undefined) {
    expectRefusal(outcome, must.refuse, params);
    return;
  }
  expect(outcome.error).toBeUndefined();
  expect(outcome.result).toEqual(await expected());
  const { warn } = must;
  if (typeof warn === 'string') expect(await shown()).toMatch(SENTENCES[warn]);
  else if (warn !== undefined) expect(await shown()).toContain(warn.says);
}
