/** What is signed; a key and messages in hex, the digest as 32 bytes. */
export type Task = {
  readonly key: string;
  readonly digest: Uint8Array;
  readonly message: string;
  readonly permit: object;
  readonly list: object;
  readonly tx: object;
};

export type Job = 'digest' | 'message' | 'permit' | 'list' | 'transaction';

/** A library's way to do each job that it can do. */
export type Signer = Readonly<Partial<Record<Job, () => string | Promise<string>>>>;

export function signers(task: Task): Readonly<Record<string, Signer>>;
