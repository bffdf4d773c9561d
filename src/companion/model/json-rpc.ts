/** A node's or a bundler's error. */
export class NodeError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

type Answer<T> = { readonly result?: T; readonly error?: { readonly code: number; readonly message: string } };

/**
 * Asks a service by JSON-RPC over HTTP.
 *
 * @throws {NodeError} With its error, or that it does not answer, naming its host and not its path: that may hold a key.
 */
export async function rpc<T>(url: string, method: string, params: readonly unknown[] = []): Promise<T> {
  const { host } = new URL(url);
  let answer: Answer<T>;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      credentials: 'omit',
    });
    answer = (await response.json()) as Answer<T>;
  } catch {
    throw new NodeError(-32603, `${host} does not answer. Is it running, and does it let this page in (CORS)?`);
  }
  if (answer.error !== undefined) throw new NodeError(answer.error.code, `${host}: ${answer.error.message}`);
  return answer.result as T;
}
