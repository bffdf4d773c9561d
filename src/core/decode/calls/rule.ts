import { type Hex } from '../../eth/bytes';
import { type AbiType, decode, type Misfit, signatureOf, type ValuesOf, type WorkBudget } from '../../eth/abi';
import { type Findings } from '../dangers';
import { unreadLine } from '../lines';
import { type Line, type Viewpoint } from '../types';

/** One call of a contract, at the top or inside another call. */
export type Call = {
  readonly to: Hex;
  /** Who makes it, where that is known. */
  readonly from?: Hex;
  /** wei; undefined where the calling contract decides. */
  readonly value?: bigint;
  /** Lower-case hex digits without 0x. */
  readonly data: string;
  /** The code at `to` runs as the calling account itself. */
  readonly delegate?: boolean;
};

/** What a rule understood of a call. */
export type Reading = {
  readonly title: string;
  readonly lines: readonly Line[];
  /** The calls that this one makes. */
  readonly calls?: readonly Call[];
};

/** What a rule may know and tell besides its reading. */
export type Scene = {
  readonly view: Viewpoint;
  /** The chain of the object that is signed, where it names one. */
  readonly chainId: bigint | undefined;
  readonly findings: Findings;
  readonly budget: WorkBudget;
};

export type CallRule = {
  /** 8 hex digits. */
  readonly selector: string;
  /** What the selector is the hash of. */
  readonly signature: string;
  /** @returns The reading, or why there is none. */
  readonly read: (call: Call, scene: Scene) => Reading | Misfit;
};

/** A contract ignores bytes behind its arguments; some dapps mark their calls there. */
function appended(args: string, types: readonly AbiType<unknown>[]): Line[] {
  if (types.some(({ dynamic }) => dynamic)) return [];
  return unreadLine('Behind the arguments', args.slice(64 * types.reduce((sum, { words }) => sum + words, 0)));
}

/**
 * A rule for one function.
 *
 * @param selector - 8 hex digits: the start of the hash of the signature.
 * @param types - The function's parameters, in order.
 * @param explain - Turns the arguments into a reading. `undefined` says that they do not fit after all.
 */
export function rule<const Types extends readonly AbiType<unknown>[]>(
  selector: string,
  name: string,
  types: Types,
  explain: (args: ValuesOf<Types>, call: Call, scene: Scene) => Reading | undefined,
): CallRule {
  return {
    selector,
    signature: signatureOf(name, types),
    read: (call, scene) => {
      const args = call.data.slice(8);
      const decoded = decode(types, args, scene.budget);
      if ('misfit' in decoded) return decoded.misfit;
      const reading = explain(decoded.values, call, scene);
      if (reading === undefined) return 'mismatch';
      return { ...reading, lines: [...reading.lines, ...appended(args, types)] };
    },
  };
}
