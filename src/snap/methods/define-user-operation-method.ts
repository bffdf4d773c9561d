import { type Hex } from '../../core/eth/bytes';
import { type Explanation } from '../../core/decode/types';
import { parse, type Struct } from '../../core/schemas/struct';
import { type UserOperationContext } from './user-operation-context';

/** An address in the parameters that must be the account's, with the field it stands in. */
type AddressField = { readonly field: string; readonly address: Hex };

/** A request that was checked against the account and the chain. Nothing has been signed. */
export type Reviewed<Result> = {
  /** What the person must be shown before it runs, made from the very object that is hashed. Absent: nothing is signed. */
  readonly explanation?: Explanation;
  readonly run: () => Promise<Result>;
};

type Definition<Name extends string, Params, Input, Result> = {
  readonly name: Name;
  /** What the parameter list is called in refusals. */
  readonly paramsName: string;
  /** What each positional parameter is called. */
  readonly paramNames: readonly string[];
  readonly params: Struct<Params>;
  readonly result: Struct<Result>;
  readonly read: (params: Params) => Input;
  readonly addresses: (input: Input) => readonly AddressField[];
  /** Refuses what can be refused. It may look things up, and changes nothing. */
  readonly review: (context: UserOperationContext, input: Input) => Promise<Reviewed<Result>>;
};

/** A request whose parameters are valid. */
export type PreparedUserOperationMethod<Result> = {
  readonly addresses: readonly AddressField[];
  /** @throws {KeysteadError} Whatever stands against running it. */
  readonly review: (context: UserOperationContext) => Promise<Reviewed<Result>>;
};

/** A method of smart accounts: from the parameters on the wire to a prepared request. */
export type UserOperationMethod<Name extends string, Result> = {
  readonly name: Name;
  /** @throws {InvalidParamsError} Naming the field and the rule. */
  readonly prepare: (params: unknown) => PreparedUserOperationMethod<Result>;
};

/** Makes a method out of its parts. The input is read once; reviewing, showing and running see the same object. */
export function defineUserOperationMethod<const Name extends string, Params, Input, Result>(
  definition: Definition<Name, Params, Input, Result>,
): UserOperationMethod<Name, Result> {
  const {
    name,
    paramsName,
    paramNames,
    params: paramsStruct,
    result: resultStruct,
    read,
    addresses,
    review,
  } = definition;
  return {
    name,
    prepare: (params) => {
      const input = read(parse(paramsStruct, params, paramsName, paramNames));
      return {
        addresses: addresses(input),
        review: async (context) => {
          const reviewed = await review(context, input);
          return { ...reviewed, run: async () => parse(resultStruct, await reviewed.run(), 'result') };
        },
      };
    },
  };
}
