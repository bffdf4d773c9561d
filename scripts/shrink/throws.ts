import ts from 'typescript';

import { type Parameter } from './parameter';
import { transformed } from './transformed';

const { factory } = ts;

/** The function that throws everything that is thrown new, as a parameter of the bundle. */
export const THROWER: Parameter = {
  name: 'throwNew',
  value: '(thrown,...parameters)=>{throw new thrown(...parameters)}',
};

/**
 * Writes `throw new X(…)` as a call of {@link THROWER}: a call is an expression, and needs no statement around it.
 *
 * @param code - A script.
 * @throws {Error} If it says the function's name already.
 */
export function throwsAsCalls(code: string): string {
  if (code.includes(THROWER.name)) throw new Error(`The bundle says "${THROWER.name}" before anything throws by it.`);
  return transformed(code, (node) => {
    if (!ts.isThrowStatement(node) || !ts.isNewExpression(node.expression)) return node;
    const { expression, arguments: parameters = [] } = node.expression;
    const thrower = factory.createIdentifier(THROWER.name);
    return factory.createExpressionStatement(
      factory.createCallExpression(thrower, undefined, [expression, ...parameters]),
    );
  });
}
