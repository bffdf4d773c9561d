import { ZERO_ADDRESS } from '../eth/address';
import { lowerCase } from '../eth/bytes';
import { InvalidIntentError } from './invalid-intent';
import { type Call, type Intent } from './user-operation';

/**
 * Converts intents to calls with lower-case hex, for an account that cannot create contracts.
 *
 * @param noun - The kind of account for error messages, such as "SimpleAccount".
 * @throws {InvalidIntentError} If an intent creates a contract; names the intent.
 *
 * @example
 * ```ts
 * const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
 * toCalls([{ to, value: 10n ** 18n, data: '0x' }], 'Safe')[0]?.to; // => to.toLowerCase()
 * toCalls([{ to: null, value: 0n, data: '0x6080' }], 'Safe'); // throws intents[0].to:
 * ```
 */
export const toCalls = (intents: readonly Intent[], noun: string): Call[] =>
  intents.map(({ to, value, data }, index) => {
    if (to === null)
      throw new InvalidIntentError(
        index,
        'to',
        `must be an address: a ${noun} cannot create contracts; call a deployer contract instead`,
      );
    // MetaMask's controller uses the zero address as the recipient of a contract creation.
    if (to === ZERO_ADDRESS && data !== '0x')
      throw new InvalidIntentError(
        index,
        'to',
        `must not be the zero address in a call with data: a ${noun} cannot create contracts`,
      );
    return { to: lowerCase(to), value, data: lowerCase(data) };
  });
