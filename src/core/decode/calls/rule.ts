import { type Hex } from '../../eth/bytes';
import { type AbiType, decode, type Misfit, signatureOf, type ValuesOf, type WorkBudget } from '../../eth/abi';
import { type Findings } from '../dangers';
import { undecodedLine } from '../lines';
import { type Line, type Viewpoint } from '../types';

/**
 * One contract call: of the request itself, or inside another call.
 *
 * @example
 * ```ts
 * const deposit: Call = { to: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', value: 10n ** 18n, data: 'd0e30db0' };
 * ```
 */
export type Call = {
  readonly to: Hex;
  /** The account that makes it, where known. */
  readonly from?: Hex;
  /** wei; undefined where the calling contract sets it. */
  readonly value?: bigint;
  /** Lower-case hex digits without 0x. */
  readonly data: string;
  /** The code at `to` runs as the calling account itself. */
  readonly delegate?: boolean;
};

/**
 * A decoded call.
 *
 * @example
 * ```ts
 * const reading: Reading = { title: 'Wrap 1 ETH', lines: [{ kind: 'text', label: 'Token', value: 'WETH' }] };
 * ```
 */
export type Reading = {
  readonly title: string;
  /** One sentence on what it does, if there is a better one than the title with the contract. */
  readonly summary?: string;
  readonly lines: readonly Line[];
  /** The calls that this one makes. */
  readonly calls?: readonly Call[];
};

/**
 * The context of a rule, and where it reports findings.
 *
 * @example
 * ```ts
 * import { Findings } from '../dangers';
 * const view = { signer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', now: 1_767_225_600n } as const;
 * const scene: Scene = { view, chainId: 1n, findings: new Findings(), budget: { words: 100 } };
 * ```
 */
export type Scene = {
  readonly view: Viewpoint;
  /** The chain of the object that is signed, where it names one. */
  readonly chainId: bigint | undefined;
  readonly findings: Findings;
  readonly budget: WorkBudget;
};

/**
 * How the calls of one function are decoded. See {@link rule}.
 *
 * @example
 * ```ts
 * import { uint256 } from '../../eth/abi';
 * const burn: CallRule = rule('42966c68', 'burn', [uint256], ([amount]) => ({ title: `Burn ${amount}`, lines: [] }));
 * burn.signature; // => 'burn(uint256)'
 * ```
 */
export type CallRule = {
  /** 8 hex digits. */
  readonly selector: string;
  /** The signature that the selector is the hash of. */
  readonly signature: string;
  /** @returns The decoded call, or why it could not be decoded. */
  readonly read: (call: Call, scene: Scene) => Reading | Misfit;
};

/** Contracts ignore bytes after their arguments. Some apps use them to tag their calls. */
function extraData(args: string, types: readonly AbiType<unknown>[]): Line[] {
  if (types.some(({ dynamic }) => dynamic)) return [];
  return undecodedLine('Extra data', args.slice(64 * types.reduce((sum, { words }) => sum + words, 0)));
}

/**
 * A rule for one function.
 *
 * @param selector - 8 hex digits: the start of the hash of the signature.
 * @param types - The function's parameters, in order.
 * @param explain - Explains the arguments. It returns `undefined` if they contradict each other.
 *
 * @example
 * ```ts
 * import { uint256 } from '../../eth/abi';
 * import { Findings } from '../dangers';
 * const burn = rule('42966c68', 'burn', [uint256], ([amount]) => ({ title: `Burn ${amount}`, lines: [] }));
 * const view = { signer: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', now: 1_767_225_600n } as const;
 * const scene = { view, chainId: 1n, findings: new Findings(), budget: { words: 100 } };
 * const data = `42966c68${'2a'.padStart(64, '0')}`;
 * burn.read({ to: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', data }, scene); // => { title: 'Burn 42', lines: [] }
 * ```
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
      return { ...reading, lines: [...reading.lines, ...extraData(args, types)] };
    },
  };
}
