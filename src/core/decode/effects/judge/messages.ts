import { type WordScene } from '../../scene';
import { wrongNetwork } from '../../words/names';
import { type FactOf } from '../effect';
import { type Verdict } from '../verdict';

/**
 * Dangers of what cannot be read or is not what it seems: `malformed-call`, `hash-message`, `typed-data-message`,
 * `transaction-message`, `chain-mismatch`, `siwe-domain`, `siwe-address`.
 */

/** A form that a rule knows, with values that do not fit it. */
export function judgeMalformed({ what }: FactOf<'malformed'>, _scene: WordScene, verdict: Verdict): void {
  if (what === 'call') verdict.always('malformed-call');
  else if (what === 'paymaster')
    verdict.danger(
      'malformed-call',
      () => 'The paymaster field of this operation is invalid. Keystead cannot tell who pays for it.',
    );
  else
    verdict.danger(
      'malformed-call',
      () => 'This Safe transaction has an unknown operation type. Keystead cannot tell what it will do.',
    );
}

/** A message that stands for something else. */
export function judgeOpaque({ what }: FactOf<'opaque'>, _scene: WordScene, verdict: Verdict): void {
  if (what === 'typed-data') verdict.always('typed-data-message');
  else if (what === 'transaction') verdict.always('transaction-message');
  else if (what === 'root')
    verdict.danger(
      'hash-message',
      () => 'This signs a hash that stands for something else. You cannot see what: it could give away everything.',
    );
  else verdict.always('hash-message');
}

/** Typed data, an account or a sign-in names another network than the request. */
export function judgeNetwork({ named, ofRequest }: FactOf<'network'>, { view }: WordScene, verdict: Verdict): void {
  verdict.danger('chain-mismatch', () => wrongNetwork(named, ofRequest, view));
}

/** A sign-in (ERC-4361) for another site or account, or at another time. */
export function judgeSignIn(effect: FactOf<'sign-in'>, _scene: WordScene, verdict: Verdict): void {
  switch (effect.is) {
    case 'other-site':
      verdict.danger(
        'siwe-domain',
        () =>
          `The site ${effect.asking} wants you to sign in to ${effect.claimed}. It could use your signature to act as you there.`,
      );
      break;
    case 'other-account':
      verdict.always('siwe-address');
      break;
    case 'expired':
      verdict.warn('This sign-in has already expired.');
      break;
    case 'early':
      verdict.warn('This sign-in is not valid yet.');
      break;
    case 'malformed':
      verdict.warn(
        `This looks like a sign-in, but it is not well-formed (ERC-4361): ${effect.fault}. Sites should reject it.`,
      );
      break;
    case 'capability':
      verdict.danger(
        'account-administration',
        () => `This lets whoever has the key of “${effect.of}” act for you, as the statement says.`,
      );
  }
}
