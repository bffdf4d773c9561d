import { type AbiParameter } from 'viem';
import { formatAbiParams } from 'viem/utils';

/** Splits at commas outside parentheses. */
function splitTop(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= list.length; at++) {
    if (list[at] === '(') depth++;
    else if (list[at] === ')') depth--;
    else if (at === list.length || (list[at] === ',' && depth === 0)) {
      parts.push(list.slice(start, at).trim());
      start = at + 1;
    }
  }
  return parts.filter((part) => part !== '');
}

const CANONICAL: Readonly<Record<string, string>> = { uint: 'uint256', int: 'int256' };

function parameter(written: string): AbiParameter {
  const close = written.lastIndexOf(')');
  const [, type = '', suffix = '', name = ''] =
    /^([^[\s]*)((?:\[\d*\])*)\s*(?:(?:calldata|memory)\s+)?(\S*)$/u.exec(
      close === -1 ? written : `tuple${written.slice(close + 1)}`,
    ) ?? [];
  if (type === '') throw new Error(`not a parameter: ${written}`);
  return {
    name,
    type: `${CANONICAL[type] ?? type}${suffix}`,
    ...(close !== -1 && { components: splitTop(written.slice(1, close)).map(parameter) }),
  };
}

/** Parses a function as written in the keys of ERC-7730: with parameter names. */
export function parseSignature(written: string): { name: string; inputs: AbiParameter[] } {
  const open = written.indexOf('(');
  const close = written.lastIndexOf(')');
  if (open <= 0 || close === -1) throw new Error(`not a function: ${written}`);
  return { name: written.slice(0, open).trim(), inputs: splitTop(written.slice(open + 1, close)).map(parameter) };
}

/** @returns The text whose hash is the selector. */
export const canonical = (name: string, inputs: readonly AbiParameter[]): string =>
  `${name}(${formatAbiParams(inputs)})`;
