import ts from 'typescript';

import { type Parameter } from './parameter';
import { parsed } from './transformed';

/** Where a script says a text. In the place of a property's name stands a computed one. */
type Place = { readonly start: number; readonly end: number; readonly computed: boolean };

/** Bytes that a minifier's name takes: there are more of them than letters. */
const NAME_BYTES = 2;
/** The shortest key of an object that becomes a computed one: engines make such objects slower. */
const LEAST_KEY = 4;

/** Whether it is a value: neither a directive, nor the name of something. */
const isText = (node: ts.Node): node is ts.StringLiteral =>
  ts.isStringLiteral(node) &&
  !ts.isExpressionStatement(node.parent) &&
  !((ts.isObjectLiteralElement(node.parent) || ts.isClassElement(node.parent)) && node.parent.name === node);

/** Names that mean something else, or nothing, when they are computed. */
const SYNTAX: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/** The name of an object's or a class's part, if it may be a computed one. */
function keyOf(node: ts.Node): ts.Identifier | ts.StringLiteral | undefined {
  let key: ts.Node | undefined;
  if (ts.isBindingElement(node)) key = node.propertyName;
  else if (ts.isPropertyAssignment(node) || ts.isClassElement(node) || ts.isObjectLiteralElement(node)) {
    key = ts.isShorthandPropertyAssignment(node) ? undefined : node.name;
  }
  if (key === undefined || !(ts.isIdentifier(key) || ts.isStringLiteral(key))) return undefined;
  return key.text.length >= LEAST_KEY && !SYNTAX.includes(key.text) ? key : undefined;
}

/** Where the script says each text: as a text, as the name of a property that it reads or calls, or as a key. */
function placesOf(code: string): ReadonlyMap<string, readonly Place[]> {
  const file = parsed(code);
  const places = new Map<string, Place[]>();
  const add = (text: string, place: Place) => {
    const known = places.get(text);
    if (known === undefined) places.set(text, [place]);
    else known.push(place);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.name)) {
      // What stands between is a dot, or a question mark and a dot that stay.
      const start = node.questionDotToken?.end ?? node.expression.end;
      add(node.name.text, { start, end: node.end, computed: true });
    } else if (isText(node)) {
      add(node.text, { start: node.getStart(file), end: node.end, computed: false });
    } else {
      const key = keyOf(node);
      if (key !== undefined) add(key.text, { start: key.getStart(file), end: key.end, computed: true });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return places;
}

/** Bytes saved where a name stands in each place, less those of a parameter and its value. */
const gainOf = (text: string, places: readonly Place[]): number =>
  places.reduce((sum, { start, end, computed }) => sum + end - start - NAME_BYTES - (computed ? 2 : 0), 0) -
  (NAME_BYTES + 1) -
  (JSON.stringify(text).length + 1);

/**
 * Gives names to the texts that a script says often, be it as texts or as names of properties: `a.length` becomes `a[text0]`.
 *
 * @param code - A script.
 * @returns The script, and the parameters that it needs around it.
 * @throws {Error} If the script has such names already.
 */
export function textsAsParameters(code: string): { readonly code: string; readonly parameters: readonly Parameter[] } {
  if (/\btext\d/u.test(code)) throw new Error('The bundle says "text" and a number before its texts get such names.');
  const named = [...placesOf(code)]
    .filter(([text, places]) => gainOf(text, places) > 0)
    .map(([text, places], index) => ({ name: `text${index}`, value: JSON.stringify(text), places }));
  const edits = named
    .flatMap(({ name, places }) => places.map((place) => ({ ...place, name })))
    .sort((a, b) => a.start - b.start);
  let changed = '';
  let at = 0;
  for (const { start, end, computed, name } of edits) {
    changed += code.slice(at, start) + (computed ? `[${name}]` : ` ${name} `);
    at = end;
  }
  return { code: changed + code.slice(at), parameters: named.map(({ name, value }) => ({ name, value })) };
}
