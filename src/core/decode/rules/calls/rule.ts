import { type AbiParameter } from 'viem';

import { type AbiType, decode, type Misfit, signatureOf, type ValuesOf } from '../../../eth/abi';
import { type Hex } from '../../../eth/bytes';
import { type SignedValue } from '../../completeness/signed-value';
import { type Effect } from '../../effects/effect';
import { type Line } from '../../explanation';
import { type Scene } from '../../scene';
import { undecodedLine } from '../../words/lines';

/** One contract call: of the request itself, or inside another call. */
export type ContractCall = {
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

/** A decoded call. */
export type Reading = {
  /** The function in words: the heading of the call, and the screen's title where no effect gives one. */
  readonly title: string;
  /** Whom the call is about, for the screen's title, where that is not the contract called. */
  readonly about?: Hex;
  readonly effects?: readonly Effect[];
  /** Arguments that the effects do not contain, in rows; `effects` are written first, unless `isListed`. */
  readonly lines?: readonly Line[];
  /** The lines contain the effects. */
  readonly isListed?: true;
  /** The calls that this one makes. */
  readonly calls?: readonly ContractCall[];
  /** No rule and no description fits the call. */
  readonly isUnknown?: true;
  /** Words that somebody published about the call, in quotation marks, for the title of a screen. */
  readonly quotedAs?: string;
  /** The name of the function in the words of others, for the open part of the screen. */
  readonly claims?: readonly SignedValue[];
  /** A description of this very contract explains the call. */
  readonly isDescribed?: true;
  /** The function's parameters, with the names of whoever described them. Default of a rule: those of its signature. */
  readonly inputs?: readonly AbiParameter[];
};

/** A rule that decodes the calls of one function. See {@link rule}. */
export type CallRule = {
  /** 8 hex digits. */
  readonly selector: string;
  /** The signature that the selector is the hash of. */
  readonly signature: string;
  /** @returns The decoded call, or why it could not be decoded. */
  readonly read: (call: ContractCall, scene: Scene) => Reading | Misfit;
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
 * @param explain - From the arguments to what the call does. It returns `undefined` if they contradict each other.
 */
export function rule<const Types extends readonly AbiType<unknown>[]>(
  selector: string,
  name: string,
  types: Types,
  explain: (args: ValuesOf<Types>, call: ContractCall, scene: Scene) => Reading | undefined,
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
      return { ...reading, lines: [...(reading.lines ?? []), ...extraData(args, types)] };
    },
  };
}
