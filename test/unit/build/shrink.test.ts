import { runInNewContext } from 'node:vm';

import { functionsAsArrows } from '../../../scripts/shrink/arrows';
import { enclosed } from '../../../scripts/shrink/enclosed';
import { textsAsParameters } from '../../../scripts/shrink/texts';
import { THROWER, throwsAsCalls } from '../../../scripts/shrink/throws';
import { unwrapped } from '../../../scripts/shrink/unwrapped';

/** What a script says its result is, as JSON. */
function resultOf(script: string): string {
  const module: { exports: unknown } = { exports: undefined };
  runInNewContext(script, { module, TextDecoder, TextEncoder });
  return JSON.stringify(module.exports);
}

const withThrower = (script: string) => `((${THROWER.name})=>{${script}})(${THROWER.value})`;

/** The script in a function that takes its texts. */
function withTexts(script: string): string {
  const { code, parameters } = textsAsParameters(script);
  return `((${parameters.map(({ name }) => name).join()})=>{${code}})(${parameters.map(({ value }) => value).join()})`;
}

/** Says the same text so often that it gets a name. */
const often = (text: string) => `const many = [${Array.from({ length: 9 }, () => JSON.stringify(text)).join()}];`;

describe('function declarations become arrow functions', () => {
  it.each([
    [
      'that are called before they are written',
      `{ const a = f(2); function f(n) { return n + 1; } module.exports = a; }`,
    ],
    [
      'that call each other, and themselves',
      `{ module.exports = even(7); function even(n) { return n === 0 || odd(n - 1); } function odd(n) { return n !== 0 && even(n - 1); } }`,
    ],
    [
      'with defaults, rest and patterns',
      `{ function f({ a, b = 2 }, [c], ...rest) { return [a, b, c, rest]; } module.exports = f({ a: 1 }, [3], 4, 5); }`,
    ],
    [
      'within other functions',
      `{ function f(n) { return g(n); function g(m) { return m * 2; } } module.exports = f(4); }`,
    ],
    [
      'that hold a class',
      `{ function f() { class A { b = 3; get c() { return 4; } } return { ...new A(), c: new A().c }; } module.exports = f(); }`,
    ],
  ])('%s', (_what, script) => {
    const changed = functionsAsArrows(script);
    expect(changed).not.toContain('function');
    expect(resultOf(changed)).toBe(resultOf(script));
  });

  it.each(['new o.F()', 'new (f())()', 'new o.p["F"]()'])('refuses %s: what is made cannot be seen', (expression) => {
    expect(() => functionsAsArrows(`{ ${expression}; function F() {} }`)).toThrow(
      'give what is made a name of its own first',
    );
  });

  it('keeps asynchronous ones asynchronous', () => {
    expect(functionsAsArrows('{ async function f() { await g(); } }')).toMatch(/f = async \(\) =>/u);
  });

  it.each([
    ['generators', `{ function* f() { yield 1; yield 2; } module.exports = [...f()]; }`],
    ['constructors', `{ function A() {} module.exports = typeof new A(); }`],
    ['those that are constructed in parentheses', `{ function A() {} module.exports = typeof new (A)(); }`],
    ['those that a list is taken apart into', `{ function f() {} [f] = [1]; module.exports = f; }`],
    ['those that an object is taken apart into', `{ function f() {} ({ a: f } = { a: 1 }); module.exports = f; }`],
    ['those that a loop writes to', `{ function f() {} for (f of [1]); module.exports = f; }`],
    ['those that a class extends', `{ function A() {} class B extends A {} module.exports = typeof new B(); }`],
    ['those that make something an instance', `{ function A() {} module.exports = [] instanceof A; }`],
    ['those that use `this`', `{ function f() { return (() => this.x)(); } module.exports = f.call({ x: 1 }); }`],
    ['those that use `arguments`', `{ function f() { return arguments.length; } module.exports = f(1, 2, 3); }`],
    ['those that use `new.target`', `{ function f() { return new.target === undefined; } module.exports = f(); }`],
    ['those that are written to', `{ function f() { return 1; } f = () => 2; module.exports = f(); }`],
    [
      'those that are declared twice',
      `(() => { function f() { return 1; } function f() { return 2; } module.exports = f(); })()`,
    ],
  ])('but not %s', (_what, script) => {
    const changed = functionsAsArrows(script);
    expect(changed).toContain('function');
    expect(resultOf(changed)).toBe(resultOf(script));
  });
});

describe('what is thrown new is thrown by one function', () => {
  it.each([
    ['a statement', `try { throw new RangeError('no'); } catch (e) { module.exports = [e.name, e.message]; }`],
    [
      'without parentheses',
      `class A { b = 1 } try { throw new A; } catch (e) { module.exports = [e instanceof A, e]; }`,
    ],
    [
      'several arguments, and a spread',
      `class A { constructor(...all) { this.all = all; } } try { throw new A(1, ...[2, 3]); } catch (e) { module.exports = e; }`,
    ],
    [
      'behind a condition, with more behind it',
      `const f = (n) => { if (n > 1) throw new Error('much'); return n; }; try { module.exports = [f(1), f(2)]; } catch (e) { module.exports = e.message; }`,
    ],
    [
      'the last thing of a function',
      `const f = () => { throw new Error('end'); }; try { f(); } catch (e) { module.exports = e.message; }`,
    ],
  ])('%s', (_what, script) => {
    const changed = throwsAsCalls(script);
    expect(changed).not.toContain('throw ');
    expect(resultOf(withThrower(changed))).toBe(resultOf(script));
  });

  it('but what is thrown on', () => {
    expect(throwsAsCalls('try { f(); } catch (e) { throw e; }')).toContain('throw e');
  });

  it('and the name of that function is nobody else’s', () => {
    expect(() => throwsAsCalls(`const ${THROWER.name} = 1;`)).toThrow(THROWER.name);
  });
});

describe('texts that are said often become parameters', () => {
  it.each([
    ['texts', `${often('a text')} module.exports = many;`],
    [
      'properties that are read, called and written',
      `${often('length')} const a = [1, 2]; a.length = 1; const o = { length: () => 5 }; module.exports = [a.length, a, o.length()];`,
    ],
    [
      'keys of objects',
      `${often('address')} const address = 3; module.exports = [{ address: 1 }, { 'address': 2 }, { address }, { ['address']: 4 }, { address() {} }.address.name];`,
    ],
    [
      'keys of patterns',
      `${often('address')} const { address: a, ...rest } = { address: 1, b: 2 }; const { address } = { address: 3 }; module.exports = [a, rest, address];`,
    ],
    [
      'parts of classes',
      `${often('address')} class A { address = 1; static address = 2; get value() { return 3; } address2() { return this.address; } } module.exports = [new A(), A.address, new A().value, new A().address2()];`,
    ],
    [
      'cases, types and words',
      `${often('string')} switch (typeof many[0]) { case 'string': module.exports = 'string' in { string: 1 }; }`,
    ],
    [
      'optional chains',
      `${often('value')} const a = undefined; module.exports = [a?.value, a?.value.value, { value: { value: 1 } }?.value.value];`,
    ],
    [
      'texts with quotes, line breaks and other alphabets',
      `${often('a "b" \\ \n\u2028 “c” 🦊')} module.exports = many;`,
    ],
  ])('%s', (_what, script) => {
    const changed = withTexts(script);
    expect(changed).toMatch(/\btext0\b/u);
    expect(resultOf(changed)).toBe(resultOf(script));
  });

  it.each([
    [
      'directives',
      `${often('use strict')} (() => { 'use strict'; module.exports = (function () { return this === undefined; })(); })();`,
    ],
    [
      'the prototype that a literal names',
      `${often('__proto__')} module.exports = Object.keys({ __proto__: { a: 1 }, b: 2 });`,
    ],
    ['constructors', `${often('constructor')} class A { constructor() { this.a = 1; } } module.exports = new A();`],
  ])('but not %s', (_what, script) => {
    expect(resultOf(withTexts(script))).toBe(resultOf(script));
  });

  it('and what is said once stays where it is', () => {
    expect(textsAsParameters(`a.length; 'a text'`)).toEqual({ code: `a.length; 'a text'`, parameters: [] });
  });

  it('and their names are nobody else’s', () => {
    expect(() => textsAsParameters('const text7 = 1;')).toThrow('"text" and a number');
  });
});

describe('a bundle in a function', () => {
  it('says what it said, with globals, long numbers and undefined as parameters, those first that are used most', () => {
    const number = `0x${'f'.repeat(63)}0n`;
    const script = `module.exports = [void 0, void 0, void 0, void 0, Object.keys({ a: 1 }), String(${number} + ${number}), Math.max(1, 2)];`;
    const changed = enclosed(script);
    expect(changed).toMatch(/^\(\(undefined,/u);
    expect(changed).toContain('2n**256n-0x10n');
    expect(resultOf(changed)).toBe(resultOf(script));
  });
});

describe('what webpack puts around the bundle', () => {
  const wrapped = (body: string) =>
    `(() => { const __webpack_require__ = {}; "use strict"; __webpack_require__.r(__webpack_exports__); __webpack_require__.d(__webpack_exports__, {a: () => one, b: () => two}); ${body} })(); module.exports = __webpack_exports__; })();`;

  it('is left out', () => {
    expect(resultOf(unwrapped(`(() => { ${wrapped('const one = 1; const two = 2;').slice(8)}`))).toBe('{"a":1,"b":2}');
  });

  it.each([
    ['of another form', 'module.exports = 1;', 'not wrapped as webpack does it'],
    ['with a void of its own', wrapped('const one = void 0;'), 'void 0'],
  ])('%s is refused', (_what, script, says) => {
    expect(() => unwrapped(script)).toThrow(says);
  });
});
