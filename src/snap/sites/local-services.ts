import { isLoopbackOrigin } from '../../core/schemas/origin';
import { InvalidParamsError } from '../../core/errors';

/**
 * @returns Whether a page may name a service at this URL: a remote page must not reach services of this machine through
 * us.
 */
export const mayName = (origin: string, url: string): boolean =>
  isLoopbackOrigin(origin) || !isLoopbackOrigin(new URL(url).origin);

/**
 * @param url - A service URL that passed validation; undefined if the page names none.
 * @param field - The name of the URL in the error.
 * @throws {InvalidParamsError} If the page is remote and the service is on this machine.
 */
export function assertMayName(origin: string, url: string | undefined, field: string): void {
  if (url !== undefined && !mayName(origin, url))
    throw new InvalidParamsError(field, 'must not be a local address: the site is not local');
}
