import { joinBytes } from '../core/eth/bytes';

/**
 * The body of an answer, read no further than a limit, whatever its header says.
 *
 * @param limit - Bytes.
 * @returns The text, or undefined if it is longer; the rest is not read then.
 */
export async function readLimited({ body }: Response, limit: number): Promise<string | undefined> {
  if (body === null) return '';
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new TextDecoder().decode(joinBytes(chunks));
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
}
