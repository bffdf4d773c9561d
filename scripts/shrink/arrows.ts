import ts from 'typescript';

import { parsed, transformed } from './transformed';

const { factory } = ts;

/** Whether `this`, `arguments` or `new.target` in the node is that of the function around it. */
function usesItsOwn(node: ts.Node): boolean {
  if (node.kind === ts.SyntaxKind.ThisKeyword || ts.isMetaProperty(node)) return true;
  if (ts.isIdentifier(node) && node.text === 'arguments') return true;
  if (ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node)) return false;
  return ts.forEachChild(node, usesItsOwn) ?? false;
}

const isAssignment = ({ kind }: ts.BinaryOperatorToken): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

const bare = (node: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(node) ? bare(node.expression) : node;

/** What is constructed must be seen: a function that is reached through a property would be an arrow function by then. */
function assertSeen({ expression }: ts.NewExpression): void {
  if (!ts.isIdentifier(bare(expression)))
    throw new Error(`The bundle makes a "new ${expression.getText()}": give what is made a name of its own first.`);
}

/** What a name that is constructed or written to may stand in. */
const isAround = (node: ts.Node): boolean =>
  ts.isParenthesizedExpression(node) ||
  ts.isArrayLiteralExpression(node) ||
  ts.isObjectLiteralExpression(node) ||
  ts.isObjectLiteralElement(node) ||
  ts.isSpreadElement(node);

/** Names that something constructs, extends, writes to, or declares twice: no matter where, and of which scope. */
function namesToLeave(code: string): ReadonlySet<string> {
  const names = new Set<string>();
  /** In parentheses, or in a pattern that values are taken apart by, too. */
  const leave = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text);
    else if (isAround(node)) ts.forEachChild(node, leave);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node)) assertSeen(node);
    if (ts.isNewExpression(node) || ts.isExpressionWithTypeArguments(node)) leave(node.expression);
    if (ts.isBinaryExpression(node)) {
      if (isAssignment(node.operatorToken)) leave(node.left);
      if (node.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword) leave(node.right);
    }
    if (ts.isForInStatement(node) || ts.isForOfStatement(node)) leave(node.initializer);
    if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) leave(node.operand);
    if (ts.isBlock(node) || ts.isSourceFile(node)) {
      const declared = node.statements.filter(ts.isFunctionDeclaration).map(({ name }) => name?.text ?? '');
      declared.filter((name, index) => declared.indexOf(name) !== index).forEach((name) => names.add(name));
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed(code));
  return names;
}

/**
 * Writes function declarations as constants that hold arrow functions, where they begin to be known: at the head of their
 * block. Minifiers make one declaration of all of them, and leave out the braces and the `return` of many.
 *
 * Left as they are: generators, and functions that are constructors or use a `this` or `arguments` of their own.
 *
 * @param code - A script of which nothing looks at a function's `prototype`, or changes a declared function.
 * @throws {Error} If it constructs what has no name of its own.
 */
export function functionsAsArrows(code: string): string {
  const left = namesToLeave(code);
  const asConstant = (node: ts.Statement): ts.VariableDeclaration | undefined => {
    if (!ts.isFunctionDeclaration(node) || node.asteriskToken !== undefined) return undefined;
    const { name, body, modifiers, parameters } = node;
    if (name === undefined || body === undefined || left.has(name.text)) return undefined;
    if ([...parameters, body].some(usesItsOwn)) return undefined;
    const arrow = factory.createArrowFunction(
      modifiers?.filter(ts.isModifier),
      undefined,
      parameters,
      undefined,
      factory.createToken(ts.SyntaxKind.EqualsGreaterThanToken),
      body,
    );
    return factory.createVariableDeclaration(name, undefined, undefined, arrow);
  };
  return transformed(code, (node) => {
    if (!ts.isBlock(node)) return node;
    const constants = node.statements.flatMap((statement) => asConstant(statement) ?? []);
    if (constants.length === 0) return node;
    const head = factory.createVariableStatement(
      undefined,
      factory.createVariableDeclarationList(constants, ts.NodeFlags.Const),
    );
    return factory.updateBlock(node, [
      head,
      ...node.statements.filter((statement) => asConstant(statement) === undefined),
    ]);
  });
}
