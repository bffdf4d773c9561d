import { type Hex } from '../../core/eth/bytes';
import { type Signature } from '../../core/eth/secp256k1';
import { type Explanation, type Viewpoint } from '../../core/decode/types';
import { parse, type Struct } from '../../core/schemas/struct';

/** What a request says about who signs and on which chain; it must agree with the account and the scope. */
export type Subject = {
  /** Every address in the parameters that must be the account's, with the field it stands in. */
  readonly addresses: readonly { readonly field: string; readonly address: Hex }[];
  /** The chain the signature is for, where the parameters name one. */
  readonly chain?: { readonly field: string; readonly chainId: bigint };
};

/** What a method may do: have a digest signed by the account the request is for. */
export type MethodContext = {
  /**
   * @param digest - 32 bytes.
   * @returns The signature, already verified by recovering the account's address from it.
   */
  readonly signDigest: (digest: Uint8Array) => Promise<Signature>;
};

type MethodDefinition<Name extends string, Params, Input, Result> = {
  readonly name: Name;
  /** What each positional parameter is called in refusals. */
  readonly paramNames: readonly string[];
  readonly params: Struct<Params>;
  readonly result: Struct<Result>;
  /** Turns the parameters into what is signed; everything that can be refused is refused here. */
  readonly read: (params: Params) => Input;
  readonly subject: (input: Input) => Subject;
  readonly explain: (input: Input, view: Viewpoint) => Explanation;
  readonly run: (context: MethodContext, input: Input) => Promise<Result>;
};

/** A request whose parameters are valid. Nothing has been signed. */
export type PreparedMethod<Result> = {
  readonly subject: Subject;
  readonly explain: (view: Viewpoint) => Explanation;
  readonly run: (context: MethodContext) => Promise<Result>;
};

/** A method of the table: from the parameters on the wire to a prepared request. */
export type Method<Name extends string, Result> = {
  readonly name: Name;
  /** @throws {InvalidParamsError} Naming the field and the rule. */
  readonly prepare: (params: unknown) => PreparedMethod<Result>;
};

/** Makes a method out of its parts. The input is read once; explaining and running see the same object. */
export function defineMethod<const Name extends string, Params, Input, Result>(
  definition: MethodDefinition<Name, Params, Input, Result>,
): Method<Name, Result> {
  const { name, paramNames, params: paramsStruct, result: resultStruct, read, subject, explain, run } = definition;
  return {
    name,
    prepare: (params) => {
      const input = read(parse(paramsStruct, params, 'params', paramNames));
      return {
        subject: subject(input),
        explain: (view) => explain(input, view),
        run: async (context) => parse(resultStruct, await run(context, input), 'result'),
      };
    },
  };
}
