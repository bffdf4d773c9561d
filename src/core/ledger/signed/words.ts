import { type Cancellation } from './cancel';

/** @returns How a signature is cancelled, in a sentence; undefined if calls of the account do it. */
export function cancellationWords(cancellation: Cancellation): string | undefined {
  switch (cancellation.kind) {
    case 'none':
      return cancellation.why;
    case 'signature':
      return 'To cancel it, you sign once more, and send that to the token. An approval of 0 would not cancel it.';
    case 'transaction':
      return 'Any transaction of this account cancels it.';
    case 'calls':
      return undefined;
  }
}
