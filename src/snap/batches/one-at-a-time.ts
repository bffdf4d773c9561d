import { type SendDeps } from './deps';

/** Sends one request of an account at a time, across all sites, so that two transactions never get the same nonce. */
export const oneAtATime = <Result>(
  accountId: string,
  { requests }: Pick<SendDeps, 'requests'>,
  send: () => Promise<Result>,
): Promise<Result> => requests.runInLine(`account ${accountId}`, send);
