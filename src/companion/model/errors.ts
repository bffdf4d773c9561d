/** Says what is wrong with an entry, and in which field. */
export class InvalidFieldError extends Error {
  /** The field's `name`. */
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** Names the field in whatever `read` throws. @throws {InvalidFieldError} If it throws. */
export async function inField<T>(field: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new InvalidFieldError(field, messageOf(error));
  }
}

/** The wallet is locked: nothing can be read or signed until the person unlocks it. */
export class LockedError extends Error {
  constructor() {
    super('Your wallet is locked. Unlock it, then try again.');
  }
}

/** The wallet is removing the snap, or has removed it. */
export class RemovedError extends Error {
  constructor() {
    super('Your wallet is removing Keystead, or has removed it.');
  }
}

const NO_ANSWER =
  'Your wallet has not answered for three minutes. Its dialog may still be open: what you approve there is done.';

type Shape = {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly name?: unknown;
  readonly cause?: unknown;
  /** Only viem's own errors have this. */
  readonly shortMessage?: unknown;
  readonly url?: unknown;
};

/** viem wraps what a wallet or node answers. */
function causesOf(error: unknown): readonly Shape[] {
  const causes: Shape[] = [];
  for (let cause = error as Shape | null | undefined; cause; cause = cause.cause as Shape | undefined)
    causes.push(cause);
  return causes;
}

/** @returns Whether a wallet refused with a code. */
export const hasCode = (error: unknown, wanted: number): boolean => causesOf(error).some(({ code }) => code === wanted);

/** @returns Whether the person rejected the request (EIP-1193, code 4001). That is an answer, not a failure. */
export const isRejection = (error: unknown): boolean => hasCode(error, 4001);

/** The provider's words after 180 s. */
const UNANSWERED = /\bthe wallet did not answer within \d+ s\b/u;

/** @returns Whether the wallet did not answer in time, so that a dialog may still be open. */
export const isUnanswered = (error: unknown): boolean =>
  causesOf(error).some(({ message }) => typeof message === 'string' && UNANSWERED.test(message));

/** The snap's words for a locked wallet begin so. The rest is for developers of sites. */
const LOCKED = /^The wallet is locked\b/u;

/** @returns Whether a request failed because the wallet is locked. */
export const isLocked = (error: unknown): boolean =>
  causesOf(error).some(
    (cause) =>
      cause instanceof LockedError ||
      (cause.code === 4100 && typeof cause.message === 'string' && LOCKED.test(cause.message)),
  );

/** MetaMask's words for a snap that it is removing, and for one that it has removed. */
const REMOVED = /runtime data not found|^The snap ".+" is not connected to /u;

/** @returns Whether a request failed because the wallet is removing the snap, or has removed it. */
export const isRemoved = (error: unknown): boolean =>
  causesOf(error).some(
    (cause) => cause instanceof RemovedError || (typeof cause.message === 'string' && REMOVED.test(cause.message)),
  );

/** Only the host is named, because the path may hold an API key. */
const hostOf = (url: unknown): string =>
  typeof url === 'string' && URL.canParse(url) ? new URL(url).host : 'the node';

/** What people call a field of a request, where its name says something else. */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  chainId: 'Network',
  rpcUrl: 'Node URL',
  secondRpcUrl: 'Second node URL',
  to: 'Recipient',
  value: 'Amount',
  data: 'Data of the call',
  privateKey: 'Private key',
  label: 'Name',
  cid: 'Backup',
};

/** A message of the snap that begins with the path of a field, such as `options.privateKey: must be …`. */
const FIELD_MESSAGE = /^(?:[a-zA-Z]+|\[\d+\]|\.)*?([a-zA-Z]+)(?:\[\d+\])?: (.+)$/su;

/** @returns The name of a field in words: `bundlerUrl` is the “Bundler URL”. */
function fieldWords(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/gu, (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`);
  return FIELD_WORDS[name] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`.replace(/\burl\b/giu, 'URL');
}

/** Browsers refer developers to standards. */
const REFERENCE = /\s*\bSee:? https?:\S+/gu;

/** @returns A message without names of code at its beginning: the snap names a field as requests do. */
function inWords(whole: string): string {
  const message = whole.replace(REFERENCE, '');
  const [, name, rest] = FIELD_MESSAGE.exec(message) ?? [];
  // A sentence with a colon begins with a capital letter.
  if (name === undefined || rest === undefined || /^[A-Z]/u.test(message)) return message;
  return `${fieldWords(name)}: ${rest}`;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** @returns A message for people, from whatever was thrown. */
export function messageOf(error: unknown): string {
  if (isRejection(error)) return 'You rejected the request.';
  if (isUnanswered(error)) return NO_ANSWER;
  if (isLocked(error)) return new LockedError().message;
  if (isRemoved(error)) return new RemovedError().message;
  const causes = causesOf(error);
  const unreachable = causes.find(({ name }) => name === 'HttpRequestError' || name === 'TimeoutError');
  if (unreachable !== undefined)
    return `No response from ${hostOf(unreachable.url)}. Check that it is running and allows requests from this page (CORS).`;
  const answer = causes.findLast(({ shortMessage }) => shortMessage === undefined);
  return inWords(
    text(answer?.message) ??
      text(causes[0]?.shortMessage) ??
      'Something went wrong, and no reason was given. Try again.',
  );
}
