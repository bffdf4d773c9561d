/** RFC 2045: the characters of a name or an unquoted value. */
const TOKEN = /^[!#$%&'*+\-.^_`|~{}\w]+/;
const TYPE = /^[!#$%&'*+\-.^_`|~{}\w]+(\/[!#$%&'*+\-.^_`|~{}\w]+)?$/;
/** A parameter name, up to where its value begins. */
const PARAMETER = /^\s*;\s*([!#$%&'*+\-.^_`|~{}\w]+)\s*=\s*/;
/** A backslash escapes only these characters, so that Windows paths stay intact. */
const ESCAPED = /\\([()<>@,;:\\"/[\]?=])/g;
/** Only one alternative matches at any position, so that no input causes slow backtracking. */
const QUOTED = /^"((?:\\[()<>@,;:\\"/[\]?=]|\\(?![()<>@,;:\\"/[\]?=])|[^"\\\r\n])*)"/;

/**
 * RFC 2231, section 4: `<charset>'<language>'<text with percent escapes>`.
 *
 * @returns Undefined for another charset, or if the text is malformed.
 */
function decodeExtended(value: string): string | undefined {
  const [, charset = '', text = ''] = /^([^']*)'[^']*'(.*)$/s.exec(value) ?? [];
  try {
    return /^(us-ascii|utf-8)$/i.test(charset) ? decodeURIComponent(text) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * One parameter of a header value such as `form-data; filename*=UTF-8''%41`, decoded.
 *
 * @returns Undefined if it is absent or the value is malformed anywhere.
 */
export function mediaParameter(value: string, name: string): string | undefined {
  const [type = ''] = value.split(';', 1);
  if (!TYPE.test(type.trim())) return undefined;
  const given = new Map<string, string>();
  let rest = value.slice(type.length);
  while (rest.trim() !== '' && rest.trim() !== ';') {
    const [head, key = ''] = PARAMETER.exec(rest) ?? [];
    if (head === undefined) return undefined;
    rest = rest.slice(head.length);
    const [quoted, inside] = QUOTED.exec(rest) ?? [];
    const [token] = TOKEN.exec(rest) ?? [];
    const whole = quoted ?? token;
    if (whole === undefined) return undefined;
    const content = inside?.replace(ESCAPED, '$1') ?? whole;
    const before = given.get(key.toLowerCase());
    if (before !== undefined && before !== content) return undefined;
    given.set(key.toLowerCase(), content);
    rest = rest.slice(whole.length);
  }
  const extended = given.get(`${name}*`);
  return (extended === undefined ? undefined : decodeExtended(extended)) ?? given.get(name);
}
