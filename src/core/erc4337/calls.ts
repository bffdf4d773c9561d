import { InvalidParamsError } from '../errors';
import { ZERO_ADDRESS } from '../eth/address';
import { lowerCase } from '../eth/bytes';
import { type Call, type Intent } from './user-operation';

/**
 * The calls of intents, for an account that cannot create contracts; lower case.
 *
 * @param noun - What the account is, such as "SimpleAccount".
 * @throws {InvalidParamsError} Naming the intent that asks for a creation.
 */
export const toCalls = (intents: readonly Intent[], noun: string): Call[] =>
  intents.map(({ to, value, data }, index) => {
    const field = `intents[${index}].to`;
    if (to === null)
      throw new InvalidParamsError(
        field,
        `must be an address: a ${noun} cannot create contracts; call a deployer contract instead`,
      );
    // MetaMask's controller puts the zero address where a contract creation has no recipient.
    if (to === ZERO_ADDRESS && data !== '0x')
      throw new InvalidParamsError(
        field,
        `must not be the zero address in a call with data: if a contract creation is meant, a ${noun} cannot do that`,
      );
    return { to: lowerCase(to), value, data: lowerCase(data) };
  });
