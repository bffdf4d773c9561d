/** RFC 2045: the characters of a name or an unquoted value. */
const TOKEN = /^[!#$%&'*+\-.^_`|~{}\w]+/;
const TYPE = /^[!#$%&'*+\-.^_`|~{}\w]+(\/[!#$%&'*+\-.^_`|~{}\w]+)?$/;
/** A parameter name, up to where its value begins. */
const PARAMETER = /^\s*;\s*([!#$%&'*+\-.^_`|~{}\w]+)\s*=\s*/;
/** A backslash escapes only these characters, so that Windows paths stay intact. */
const ESCAPED = /\\([()<>@,;:\\"/[\]?=])/g;
/** Only one alternative matches at any position, so that no input causes slow backtracking. */
const QUOTED = /^"((?:\\[()<>@,;:\\"/[\]?=]|\\(?![()<>@,;:\\"/[\]?=])|[^"\\\r\n])*)"/;

/** Percent-decodes UTF-8 text; undefined if it is malformed. */
function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** RFC 2231, section 4: `<charset>'<language>'<text with percent escapes>`. */
function decodeExtended(value: string): string | undefined {
  const [, charset = '', text] = /^([^']*)'[^']*'(.*)$/s.exec(value) ?? [];
  return text !== undefined && /^(us-ascii|utf-8)$/i.test(charset) ? unescaped(text) : undefined;
}

/** RFC 2231, section 3: joins the pieces `name*0`, `name*1*` and so on of one long value. */
function joined(name: string, given: ReadonlyMap<string, string>): string | undefined {
  const pieces: string[] = [];
  for (let number = 0; ; number++) {
    const piece = `${name}*${number}`;
    const plain = given.get(piece);
    const encoded = given.get(`${piece}*`);
    if (plain !== undefined) pieces.push(plain);
    else if (encoded === undefined) return number === 0 ? undefined : pieces.join('');
    else pieces.push((number === 0 ? decodeExtended(encoded) : unescaped(encoded)) ?? '');
  }
}

/**
 * One parameter of a header value such as `form-data; filename*=UTF-8''%41`, decoded like Go's `mime` package.
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
  const decoded = extended === undefined ? joined(name, given) : decodeExtended(extended);
  return decoded ?? given.get(name);
}
