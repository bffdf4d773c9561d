/** What is signed; the key and messages in hex, the digest as 32 bytes. */
export type Task = {
  readonly key: string;
  readonly digest: Uint8Array;
  readonly message: string;
  readonly permit: object;
  readonly list: object;
  readonly tx: object;
};

export type Job = 'digest' | 'message' | 'permit' | 'list' | 'transaction';

/** A library's implementation of each job that it supports. */
export type Signer = Readonly<Partial<Record<Job, () => string | Promise<string>>>>;

export function signers(task: Task): Readonly<Record<string, Signer>>;
