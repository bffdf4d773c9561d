import { ZERO_ADDRESS } from '../eth/address';
import { lowerCase } from '../eth/bytes';
import { InvalidIntentError } from './invalid-intent';
import { type Call, type Intent } from './user-operation';

/**
 * Converts intents to calls with lower-case hex, for an account that cannot create contracts.
 *
 * @param who - The kind of account for error messages, with its article: "a SimpleAccount".
 * @throws {InvalidIntentError} If an intent creates a contract; names the intent.
 */
export const toCalls = (intents: readonly Intent[], who: string): Call[] =>
  intents.map(({ to, value, data }, index) => {
    if (to === null)
      throw new InvalidIntentError(
        index,
        'to',
        `must be an address: ${who} cannot create contracts; call a deployer contract instead`,
      );
    // MetaMask's controller uses the zero address as the recipient of a contract creation.
    if (to === ZERO_ADDRESS && data !== '0x')
      throw new InvalidIntentError(
        index,
        'to',
        `must not be the zero address in a call with data: ${who} cannot create contracts`,
      );
    return { to: lowerCase(to), value, data: lowerCase(data) };
  });
