/** The JSON-RPC error of a node or a bundler. */
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
 * Calls a method of a JSON-RPC service over HTTP.
 *
 * @throws {NodeError} The service's own error, or -32603 if it does not respond. The message names only the host, because
 * the path may hold an API key.
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
    throw new NodeError(
      -32603,
      `No response from ${host}. Check that it is running and allows requests from this page (CORS).`,
    );
  }
  if (answer.error !== undefined) throw new NodeError(answer.error.code, `${host}: ${answer.error.message}`);
  return answer.result as T;
}
