import { type Bytes, concat, utf8 } from './bytes';

/**
 * The content of a file: bytes, or a `Blob` or `File`, which is read in slices.
 *
 * @example
 * ```ts
 * import { type Content } from 'keystead/clients';
 * const bytes: Content = Uint8Array.of(104, 105);
 * const text: Content = new Blob(['hi'], { type: 'text/plain' });
 * ```
 */
export type Content = Uint8Array | Blob;

/** A request body and its content type. */
export type Form = { readonly body: Bytes | Blob; readonly type: string };

export type FormFile = { readonly path: string | undefined; readonly content: Content };

export const lengthOf = (content: Content): number => (isBlob(content) ? content.size : content.length);
const isBlob = (content: Content): content is Blob => !(content instanceof Uint8Array);

/**
 * Builds a multipart body without `FormData`, which snaps do not have. The boundary is random, so content contains it
 * only with a probability of 2^-128.
 */
export function multipart(files: readonly FormFile[]): Form {
  const boundary = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('-');
  const parts = files.flatMap(({ path, content }) => [
    utf8(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"${
        path === undefined ? '' : `; filename="${encodeURIComponent(path)}"`
      }\r\n\r\n`,
    ),
    content,
    utf8('\r\n'),
  ]);
  parts.push(utf8(`--${boundary}--\r\n`));
  const body = parts.some(isBlob) ? new Blob(parts as (Blob | Bytes)[]) : concat(parts as Uint8Array[]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}

/** Splits content into pieces of `size` bytes; the last may be shorter. Empty content yields one empty piece. */
export async function* slices(content: Content, size: number): AsyncGenerator<Uint8Array> {
  const length = lengthOf(content);
  for (let at = 0; at === 0 || at < length; at += size) {
    yield isBlob(content)
      ? new Uint8Array(await content.slice(at, at + size).arrayBuffer())
      : content.subarray(at, at + size);
  }
}
