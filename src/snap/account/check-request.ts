import { KINDS } from '../../core/kinds';
import { InvalidParamsError, MethodNotSupportedError, quoted } from '../../core/errors';
import { isSameAddress } from '../../core/eth/address';
import { type AccountMethodName, isEoaMethod, isMessageMethod, isUserOperationMethod } from './methods';
import { type NamedAccount } from './methods/account-path';
import { type AccountEntry, isSmart } from './account';

/** The account id decides. An address in the parameters must match it. */
export function assertAccount(named: NamedAccount | undefined, { account }: AccountEntry): void {
  if (named !== undefined && !isSameAddress(named.address, account.address))
    throw new InvalidParamsError(named.field, 'must be the address of the account that the request is for');
}

/**
 * Rejects a method that the account does not support.
 *
 * @param options - `isSite`: a site asks. An externally owned account offers sites the user operation methods too,
 * because it can have a delegate (EIP-7702); MetaMask knows none of them for such an account.
 *
 * @throws {MethodNotSupportedError} If it does not; names the method.
 */
export function assertOffers(
  entry: AccountEntry,
  method: string,
  { isSite = false } = {},
): asserts method is AccountMethodName {
  if (isSmart(entry) && isMessageMethod(method)) {
    const { messageDigest, title } = KINDS[entry.smart.kind];
    if (messageDigest !== undefined) return;
    throw new MethodNotSupportedError(
      `request.method: a ${title} cannot verify message signatures (ERC-1271), so it does not support "${method}"`,
    );
  }
  const offered = isSmart(entry) ? isUserOperationMethod(method) : isEoaMethod(method);
  if (offered || (isSite && isUserOperationMethod(method))) return;
  throw new MethodNotSupportedError(`request.method: the account does not support ${quoted(method)}`);
}
