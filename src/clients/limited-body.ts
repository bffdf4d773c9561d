/**
 * Reads a response body up to a limit, regardless of its Content-Length.
 *
 * @param limit - The maximum size in bytes.
 * @returns The text, or undefined if the body exceeds the limit. The rest is not read then.
 */
export async function readLimited({ body }: Response, limit: number): Promise<string | undefined> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.length;
    if (length > limit) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
