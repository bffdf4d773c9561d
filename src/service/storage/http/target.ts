/**
 * Path and query of a request's target, exactly as sent: `..`, `//` and percent-encoding are not resolved, so that a
 * proxy in front sees the same path as this service.
 */
export function splitTarget(target: string): { path: string; search: string } {
  const [, path = '', search = ''] = /^(?:https?:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/i.exec(target) ?? [];
  return { path, search };
}

/** Percent-decodes a part of a target. @throws `refuse`'s error if the encoding is invalid or not UTF-8. */
export function decoded(text: string, part: 'path' | 'query', refuse: (message: string) => Error): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refuse(`the ${part} is not valid percent-encoding`);
  }
}

/** Stricter than `URLSearchParams`, which accepts invalid percent-encoding and replaces invalid UTF-8. */
export function queryOf(search: string, refuse: (message: string) => Error): URLSearchParams {
  decoded(search, 'query', refuse);
  return new URLSearchParams(search);
}
