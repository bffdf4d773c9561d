/** RFC 2045: what a name or an unquoted value is made of. */
const TOKEN = /^[!#$%&'*+\-.^_`|~{}\w]+/;
const TYPE = /^[!#$%&'*+\-.^_`|~{}\w]+(\/[!#$%&'*+\-.^_`|~{}\w]+)?$/;
/** A name, and where its value begins. */
const PARAMETER = /^\s*;\s*([!#$%&'*+\-.^_`|~{}\w]+)\s*=\s*/;
/** A backslash stands for itself but in front of these, so that paths of Windows stay whole. */
const ESCAPED = /\\([()<>@,;:\\"/[\]?=])/g;
/** Of which only one alternative fits at any place: no text takes long to be refused. */
const QUOTED = /^"((?:\\[()<>@,;:\\"/[\]?=]|\\(?![()<>@,;:\\"/[\]?=])|[^"\\\r\n])*)"/;

/** Text with `%41` for `A`, in UTF-8; undefined when it is not that. */
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

/** RFC 2231, section 3: the pieces `name*0`, `name*1*` and so on of one long value. */
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
 * One parameter of a header value such as `form-data; filename*=UTF-8''%41`, decoded as Go's `mime` package does it.
 *
 * @returns Undefined when it is not there or the value is malformed anywhere.
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
