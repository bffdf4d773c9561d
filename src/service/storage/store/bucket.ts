import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { errorCode } from '../../runtime/error-code';
import { singleFlight } from '../../runtime/single-flight';
import { ObjectStoreError } from '../errors';
import { type ListedObject, readErrorCode, readListing } from './bucket-xml';

/** An S3-compatible service, addressed by path (`<endpoint>/<bucket>/<key>`). */
export type BucketOptions = {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Prepended to every key, such as `keystead/`; may be empty. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

/** A globally unique name; names sort by creation time (ms since 1970). */
export const uniqueName = (): string => `${Date.now().toString(36).padStart(9, '0')}-${randomBytes(6).toString('hex')}`;

/** Time limit including all attempts, and how long after the first attempt another one begins. */
const TIME = { limitMs: 20_000, retryMs: 5_000 };
/** The same for a look whether the service is there: who asks waits for a few seconds at most. */
const PROBE_TIME = { limitMs: 3_000, retryMs: 1_000 };
/** The longest pause before the second attempt; it doubles with each further attempt, up to the longest of all. */
const PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 500;
/** The longest answer that is read: more than twice the largest block. */
const MOST_BYTES = 80 << 20;

/** The same for a page of a list, which is read in one step: 1,000 objects, each with a key of up to 1,024 bytes. */
const MOST_OF_LIST = 8 << 20;

/** The object whose time is the clock of the service, and for how long that clock is not read again. */
const CLOCK = 'clock';
const CLOCK_MS = 10 * 60_000;

/** A time by the clock of the service, and when it was: by `performance.now()` and by `Date.now()`. */
type Clock = { readonly time: number; readonly at: number; readonly wallAt: number };

/** Whether this machine has slept since, or its clock was set: then `performance.now()` does not tell how long ago. */
const hasSlept = ({ at, wallAt }: Clock): boolean => Math.abs(performance.now() - at - (Date.now() - wallAt)) > 1000;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const EMPTY = new Uint8Array(0);

/** Reads the body of an answer. @throws ObjectStoreError if it is longer than `most` bytes. */
async function readBody({ body }: Response, most: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += piece.length;
    if (length > most) throw new ObjectStoreError(`the object store sent more than ${most} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
}

/** Stands for the code of an error without a body. */
const NO_BODY = 'no body';

type Asked = {
  readonly body?: Uint8Array;
  readonly headers?: Record<string, string>;
  /** Bytes that the answer may have. */
  readonly most?: number;
  readonly time?: typeof TIME;
};

type Answered = { readonly status: number; readonly headers: Headers; readonly body: Buffer };

/** Whether the service may answer differently if it is asked again: it is overloaded, or has failed. */
const isPassingStatus = (status: number): boolean => (status >= 500 && status !== 501) || status === 429;

/** @returns The error for a request that got no whole answer. */
function unreachable(error: unknown): ObjectStoreError {
  if (error instanceof ObjectStoreError) return error;
  const { cause = error, name = 'no answer' } = error as Partial<Error>;
  const reason = errorCode(cause) ?? name;
  return new ObjectStoreError(`the object store cannot be reached (${reason})`, { cause: error, isPassing: true });
}

/** Objects by key in one bucket. Keys consist of letters, digits and `/ - _ .`. */
export class Bucket {
  readonly #client: AwsClient;
  readonly #root: string;
  readonly #prefix: string;
  readonly #region: string;
  #clock: Clock | undefined;

  constructor({ endpoint, region, bucket, prefix, accessKeyId, secretAccessKey }: BucketOptions) {
    this.#region = region;
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
    this.#root = `${endpoint.replace(/\/$/, '')}/${bucket}`;
    this.#prefix = prefix;
  }

  /** Stores an object atomically; durable once the promise resolves. */
  async put(key: string, body: Uint8Array): Promise<void> {
    // The service checks the received bytes against the signed digest.
    const headers = { 'x-amz-content-sha256': sha256(body) };
    await this.#ask('PUT', this.#url(key), { body, headers });
  }

  /**
   * The whole object; `undefined` if there is none.
   *
   * @param most - Bytes that it may have.
   */
  async get(key: string, most = MOST_BYTES): Promise<Buffer | undefined> {
    const { status, body } = await this.#ask('GET', this.#url(key), { most }, ['NoSuchKey']);
    // A proxy in front of the service may answer with a part, or something else.
    if (status >= 200 && status < 300 && status !== 200)
      throw new ObjectStoreError(`the object store answered GET with ${status}`);
    return status === 200 ? body : undefined;
  }

  /** Size in bytes and time of an object, as in {@link ListedObject}; `undefined` if there is none. */
  async head(key: string): Promise<Omit<ListedObject, 'key'> | undefined> {
    const { status, headers } = await this.#ask('HEAD', this.#url(key), {}, [NO_BODY]);
    if (status !== 200) return undefined;
    return {
      size: Number(headers.get('content-length') ?? NaN),
      modified: Date.parse(headers.get('last-modified') ?? ''),
    };
  }

  /** Deletes an object; succeeds if it does not exist. */
  async delete(key: string): Promise<void> {
    await this.#ask('DELETE', this.#url(key), {}, ['NoSuchKey']);
  }

  /**
   * The time by the clock that gives objects their times, in ms since 1970: it is never ahead of it by more than a
   * request takes. Only an object tells: the `Date` of an answer may be that of a proxy.
   */
  async now(): Promise<number> {
    const known = this.#clock;
    const isGood = known !== undefined && performance.now() - known.at < CLOCK_MS && !hasSlept(known);
    const { time, at } = isGood ? known : await this.#readClock();
    return time + performance.now() - at;
  }

  readonly #readClock = singleFlight(async (): Promise<Clock> => {
    await this.put(CLOCK, EMPTY);
    const [at, wallAt] = [performance.now(), Date.now()];
    const time = (await this.head(CLOCK))?.modified ?? NaN;
    if (Number.isNaN(time)) throw new ObjectStoreError('the object store does not tell the time of an object');
    return (this.#clock = { time, at, wallAt });
  });

  /** Objects whose keys begin with `prefix`, in order, page by page. */
  async *pages(prefix: string): AsyncGenerator<readonly ListedObject[]> {
    let marker = '';
    for (;;) {
      // Version 1 of the call: every service supports it, and it continues from a key instead of a token.
      const query = new URLSearchParams({ prefix: this.#prefix + prefix, ...(marker !== '' && { marker }) });
      const { body } = await this.#ask('GET', `${this.#root}/?${query.toString()}`, { most: MOST_OF_LIST });
      const { objects, isTruncated, prefix: listed, marker: from } = pageOf(body);
      // What looks like an empty list, because it is the list of something else, would have everything collected.
      const isOther = (said = '', asked: string) => said !== '' && said !== asked;
      const other =
        isOther(listed, this.#prefix + prefix) ||
        isOther(from, marker) ||
        objects.some(({ key }) => !key.startsWith(this.#prefix + prefix));
      if (other) throw new ObjectStoreError('the object store listed keys that do not begin with the prefix');
      yield objects.map((object) => ({ ...object, key: object.key.slice(this.#prefix.length) }));
      if (!isTruncated) return;
      const last = objects.at(-1)?.key;
      if (last === undefined) throw new ObjectStoreError('the object store returned an empty page of a truncated list');
      if (last <= marker) throw new ObjectStoreError('the object store returned the same page of a list again');
      marker = last;
    }
  }

  /** Keys that begin with `prefix`, in order. */
  async *list(prefix: string): AsyncGenerator<string> {
    for await (const page of this.pages(prefix)) for (const { key } of page) yield key;
  }

  /** Creates the bucket. @returns Whether it did not exist before. */
  async create(): Promise<boolean> {
    // The region where buckets are by default cannot be named.
    const place = `<LocationConstraint>${this.#region}</LocationConstraint>`;
    const xml = `<CreateBucketConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${place}</CreateBucketConfiguration>`;
    const body = Buffer.from(this.#region === 'us-east-1' ? '' : xml);
    const existing = ['BucketAlreadyOwnedByYou', 'BucketAlreadyExists'];
    const headers = { 'x-amz-content-sha256': sha256(body) };
    const { status } = await this.#ask('PUT', this.#root, { body, headers }, existing);
    // A bucket of another owner refuses access.
    await this.probe();
    return status === 200;
  }

  /** Asks for an object that does not exist. @throws ObjectStoreError if the service cannot be used now. */
  async probe(): Promise<void> {
    await this.#ask('GET', this.#url('none'), { time: PROBE_TIME }, ['NoSuchKey']);
  }

  #url(key: string): string {
    return `${this.#root}/${this.#prefix}${key}`;
  }

  async #attempt(url: string, init: RequestInit, most: number): Promise<Answered> {
    const response = await fetch(await this.#client.sign(url, init));
    return { status: response.status, headers: response.headers, body: await readBody(response, most) };
  }

  /**
   * Asks again while the service is overloaded, or the connection breaks. No call does any harm if it is made twice: an
   * object is stored under a key that names its content, or under a new one.
   *
   * @throws ObjectStoreError if there is no answer in time.
   */
  async #untilAnswered(url: string, init: RequestInit, most: number, time: typeof TIME): Promise<Answered> {
    const began = performance.now();
    const signal = AbortSignal.timeout(time.limitMs);
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#attempt(url, { ...init, signal }, most).catch(unreachable);
      const isPassing = answer instanceof ObjectStoreError ? answer.isPassing : isPassingStatus(answer.status);
      const pause = Math.random() * Math.min(PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);
      if (!isPassing || signal.aborted || performance.now() - began + pause > time.retryMs) {
        if (answer instanceof ObjectStoreError) throw answer;
        return answer;
      }
      await delay(pause);
    }
  }

  async #ask(
    method: string,
    url: string,
    { body, headers = {}, most = MOST_BYTES, time = TIME }: Asked,
    allowed: readonly string[] = [],
  ): Promise<Answered> {
    const init = {
      method,
      headers: { 'x-amz-content-sha256': sha256(EMPTY), ...headers },
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
    };
    const answer = await this.#untilAnswered(url, init, most, time);
    const { status } = answer;
    if (status >= 200 && status < 300) return answer;
    // The answer to HEAD has no body, so it does not say which thing does not exist.
    const code = method === 'HEAD' && status === 404 ? NO_BODY : readErrorCode(answer.body);
    if (allowed.includes(code)) return answer;
    const isPassing = isPassingStatus(status);
    throw new ObjectStoreError(`the object store answered ${method} with ${status} ${code}`.trimEnd(), { isPassing });
  }
}

/** @throws ObjectStoreError if the answer is not a listing. */
function pageOf(body: Buffer): ReturnType<typeof readListing> {
  try {
    return readListing(body);
  } catch (error) {
    throw new ObjectStoreError('the object store answered a listing with something else', { cause: error });
  }
}
