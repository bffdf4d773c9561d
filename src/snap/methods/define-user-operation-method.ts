import { type Explanation, type Viewpoint } from '../../core/decode/explanation';
import { parse, type Struct } from '../../core/schemas/struct';
import { type AccountPath, namedAccount, type NamedAccount } from './account-path';
import { type UserOperationContext } from './user-operation-context';

/** A request that was checked against the account and the network. Nothing has been signed yet. */
export type Reviewed<Result> = {
  /** Explains the request before running, from the same object that is hashed. Absent if nothing is signed. */
  readonly explain?: (view: Viewpoint) => Explanation;
  readonly run: () => Promise<Result>;
  /** The hash of the operation that is signed. */
  readonly hash?: Uint8Array;
};

/** A validated request for a smart account. */
export type UserOperationRequest<Result> = {
  /** The sender, if the parameters name it. */
  readonly account?: NamedAccount;
  /** @throws {KeysteadError} If the request cannot be run. */
  readonly review: (context: UserOperationContext) => Promise<Reviewed<Result>>;
};

type Definition<Name extends string, Params, Input, Output, Result> = {
  readonly name: Name;
  /** The name of the parameter list, for error messages. */
  readonly paramsName: string;
  /** The names of the positional parameters. */
  readonly paramNames: readonly string[];
  readonly params: Struct<Params>;
  readonly result: Struct<Result>;
  readonly decode: (params: Params) => Input;
  /** The path to the account in the parameters, if they name it. */
  readonly account?: AccountPath;
  /** Rejects every invalid request. May query services, but changes nothing. */
  readonly review: (context: UserOperationContext, input: Input) => Promise<Reviewed<Output>>;
  readonly encode: (output: Output) => Result;
};

/** A method of smart accounts: JSON in, JSON out. */
export type UserOperationMethod<Name extends string, Result> = {
  readonly name: Name;
  readonly account?: AccountPath;
  /** @throws {InvalidParamsError} If the parameters are invalid; names the field and the rule. */
  readonly decode: (params: unknown) => UserOperationRequest<Result>;
};

/** Builds a method from its definition. Review, explanation and execution use the same input object. */
export function defineUserOperationMethod<const Name extends string, Params, Input, Output, Result>({
  name,
  paramsName,
  paramNames,
  params: paramsStruct,
  result: resultStruct,
  decode,
  account,
  review,
  encode,
}: Definition<Name, Params, Input, Output, Result>): UserOperationMethod<Name, Result> {
  return {
    name,
    ...(account !== undefined && { account }),
    decode: (params) => {
      const sound = parse(paramsStruct, params, paramsName, paramNames);
      const input = decode(sound);
      return {
        ...(account !== undefined && { account: namedAccount(account, sound, paramNames) }),
        review: async (context) => {
          const { explain, run, hash } = await review(context, input);
          return {
            ...(explain !== undefined && { explain }),
            ...(hash !== undefined && { hash }),
            run: async () => parse(resultStruct, encode(await run()), 'result'),
          };
        },
      };
    },
  };
}
