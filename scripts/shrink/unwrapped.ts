/** How webpack wraps the one module that everything is concatenated into: definitions of its own, and exports as getters. */
const WRAPPER =
  /^\(\(\) => \{\s*const __webpack_require__ =.*?"use strict";\s*__webpack_require__\.r\(__webpack_exports__\);\s*__webpack_require__\.d\(__webpack_exports__, \{(?<getters>.*?)\}\);(?<body>.*)\}\)\(\);\s*module\.exports = __webpack_exports__;\s*\}\)\(\);\s*$/su;

/**
 * The bundle without webpack's definitions: everything is defined where its body ends, and what is exported can be said there.
 *
 * @throws {Error} If webpack wrapped it in another way; or if it says `void 0`, which stands for `undefined` after a minifier.
 */
export function unwrapped(code: string): string {
  if (code.includes('void 0')) throw new Error('The bundle says "void 0" before it is minified.');
  const { getters, body } = WRAPPER.exec(code)?.groups ?? {};
  if (getters === undefined || body === undefined) throw new Error('The bundle is not wrapped as webpack does it.');
  return `(() => {${body}module.exports = {${getters.replaceAll('() =>', '')}};})();`;
}
