import { type Extent } from '../content/visited';
import { GatewayError } from './errors';

/** An inclusive range of the bytes of a file; negative numbers count from its end. `to` is undefined for its end. */
type ByteRange = { readonly from: number; readonly to: number | undefined };

/** Which blocks below the end of a path a CAR file has. */
export type Scope =
  | { readonly name: 'block' }
  | { readonly name: 'all' }
  | { readonly name: 'entity'; readonly bytes: ByteRange | undefined };

const RANGE = /^(-?\d{1,15}):(-?\d{1,15}|\*)$/;

/**
 * Reads `dag-scope` and `entity-bytes`, which implies the scope `entity`.
 *
 * @throws {GatewayError} 400 if either is malformed.
 */
export function readScope(query: URLSearchParams): Scope {
  const name = query.get('dag-scope') ?? 'all';
  if (name !== 'block' && name !== 'entity' && name !== 'all')
    throw new GatewayError(400, 'dag-scope must be block, entity or all');
  const range = query.get('entity-bytes');
  if (range === null) return name === 'entity' ? { name, bytes: undefined } : { name };
  const [, from, to] = RANGE.exec(range) ?? [];
  if (from === undefined || to === undefined)
    throw new GatewayError(400, 'entity-bytes must be from:to, two whole numbers; to may be *');
  return { name: 'entity', bytes: { from: Number(from), to: to === '*' ? undefined : Number(to) } };
}

/**
 * The extent of a range in a file of `size` bytes, as far as the file has it.
 *
 * @returns Undefined if the range is empty.
 * @throws {GatewayError} 400 if it lies outside the file.
 */
export function extentOf({ from, to }: ByteRange, size: number): Extent | undefined {
  const absolute = (offset: number) => (offset < 0 ? size + offset : offset);
  const first = absolute(from);
  const end = to === undefined ? size : absolute(to) + 1;
  if (size === 0) return undefined;
  if (first >= size || end <= 0)
    throw new GatewayError(400, `entity-bytes is outside the file, which has ${size} bytes`);
  if (end <= first) return undefined;
  return { from: Math.max(0, first), end: Math.min(size, end) };
}
