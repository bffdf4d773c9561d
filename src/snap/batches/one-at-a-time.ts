import { type SendDeps } from './deps';

/** Sends for one account at a time, whichever site asks: two transactions must not get the same nonce. */
export const oneAtATime = <Result>(
  accountId: string,
  { requests }: Pick<SendDeps, 'requests'>,
  send: () => Promise<Result>,
): Promise<Result> => requests.run(`account ${accountId}`, send);
