import type { CallOptions } from './transport';
import type { ImportOptions } from './verified';

/**
 * Reports progress in bytes: the bytes transferred so far, and the total if it is known.
 *
 * @example
 * ```ts
 * import { type OnProgress } from 'keystead/clients';
 * const onProgress: OnProgress = (done, total) => console.log(`${done} of ${total ?? 'unknown'} bytes`);
 * ```
 */
export type OnProgress = (done: number, total: number | undefined) => void;

/**
 * Options of `StorageClient.add` and `StorageClient.addAll`.
 *
 * @example
 * ```ts
 * import { type AddOptions, StorageClient } from 'keystead/clients';
 * const storage = new StorageClient({ url: 'https://storage.example', key: '<API_KEY>', secret: '<SECRET>' });
 * const options: AddOptions = { cidVersion: 1, onlyHash: true };
 * const { size } = await storage.add('hello', options);
 * size; // => 5
 * ```
 */
export type AddOptions = CallOptions &
  ImportOptions & {
    /** Whether to pin the content. Default: true. */
    readonly pin?: boolean;
    /** Whether only to compute the CID, without storing anything. Default: false. */
    readonly onlyHash?: boolean;
    /** Called as the server receives the content. */
    readonly onProgress?: OnProgress;
  };

/**
 * An added file or directory. `size` is the total size of its blocks in bytes.
 *
 * @example
 * ```ts
 * import { type Added, StorageClient } from 'keystead/clients';
 * const storage = new StorageClient({ url: 'https://storage.example', key: '<API_KEY>', secret: '<SECRET>' });
 * const added: Added = await storage.add('hello', { name: 'hello.txt' });
 * added.path; // => 'hello.txt'
 * ```
 */
export type Added = { readonly path: string; readonly cid: string; readonly size: number };

/**
 * Options of `StorageClient.cat` and `StorageClient.read`.
 *
 * @example
 * ```ts
 * import { type CatOptions, StorageClient } from 'keystead/clients';
 * const storage = new StorageClient({ url: 'https://storage.example', key: '<API_KEY>', secret: '<SECRET>' });
 * const firstTwo: CatOptions = { length: 2 };
 * const { cid } = await storage.add('hello');
 * await storage.read(cid, firstTwo); // => [104, 101]
 * ```
 */
export type CatOptions = CallOptions & {
  /** The position of the first byte. Default: 0. */
  readonly offset?: number;
  /** The maximum number of bytes. Default: up to the end. */
  readonly length?: number;
  /**
   * Whether to verify each block against the CID. With `false`, one request fetches the file and only its length is
   * checked. Default: true.
   */
  readonly verify?: boolean;
  /** Called after each piece. */
  readonly onProgress?: OnProgress;
};

/**
 * A directory entry or a link of a node. `size` is the total size of its blocks in bytes.
 *
 * @example
 * ```ts
 * import { type Entry, StorageClient } from 'keystead/clients';
 * const storage = new StorageClient({ url: 'https://storage.example', key: '<API_KEY>', secret: '<SECRET>' });
 * const [, folder] = await storage.addAll([{ path: 'notes/today.txt', content: 'hello' }]);
 * const entries: Entry[] = [];
 * for await (const entry of storage.ls(folder!.cid)) entries.push(entry);
 * entries.map(({ name }) => name); // => ['today.txt']
 * ```
 */
export type Entry = {
  readonly name: string;
  readonly cid: string;
  readonly size: number;
};
/**
 * A pin: `recursive`, `direct` or `indirect`, with the name it was given.
 *
 * @example
 * ```ts
 * import { type Pin, StorageClient } from 'keystead/clients';
 * const storage = new StorageClient({ url: 'https://storage.example', key: '<API_KEY>', secret: '<SECRET>' });
 * const { cid } = await storage.add('hello', { cidVersion: 1 });
 * const pins: Pin[] = [];
 * for await (const pin of storage.pinLs()) pins.push(pin);
 * pins.find((pin) => pin.cid === cid)?.type; // => 'recursive'
 * ```
 */
export type Pin = {
  readonly cid: string;
  readonly type: string;
  readonly name?: string;
};
