import { type Explanation, type Viewpoint } from '../../../core/decode/explanation';
import { parse, type Struct } from '../../../core/structs/struct';
import { type AccountPath, namedAccount, type NamedAccount } from './account-path';
import { type OperationSigningContext, type UserOperationContext } from './user-operation-context';

type Named = {
  /** The sender, if the parameters name it. */
  readonly account: NamedAccount | undefined;
};

/** A validated request about a user operation that signs nothing. */
export type UnsignedRequest<Result> = Named & {
  /** @throws {KeysteadError} If the request cannot be run. */
  readonly run: (context: UserOperationContext) => Promise<Result>;
};

/** An operation that was checked against the account and the network. Nothing has been signed yet. */
export type Reviewed<Result> = {
  /** Explains the operation, from the same object that is hashed. */
  readonly explain: (view: Viewpoint) => Explanation;
  readonly sign: () => Promise<Result>;
  /** The hash of the operation. */
  readonly hash: Uint8Array;
};

/** A validated request to sign a user operation. */
export type OperationSigningRequest<Result> = Named & {
  /** @throws {KeysteadError} If the operation cannot be signed. */
  readonly review: (context: OperationSigningContext) => Promise<Reviewed<Result>>;
};

type Definition<Name extends string, Params, Input, Result> = {
  readonly name: Name;
  /** The name of the parameter list, for error messages; `params` if absent. */
  readonly paramsName?: string;
  /** The names of the positional parameters. */
  readonly paramNames: readonly string[];
  readonly params: Struct<Params>;
  readonly decode: (params: Params) => Input;
  readonly result: Struct<Result>;
  /** The path to the account in the parameters, if they name it. */
  readonly account?: AccountPath;
};

/** A method for user operations: JSON in, JSON out. */
export type UserOperationMethod<Name extends string, Request> = {
  readonly name: Name;
  readonly account: AccountPath | undefined;
  /** @throws {InvalidParamsError} If the parameters are invalid; names the field and the rule. */
  readonly decode: (params: unknown) => Request;
};

function define<const Name extends string, Params, Input, Result, Request>(
  {
    name,
    paramsName = 'params',
    paramNames,
    params: paramsStruct,
    decode,
    account,
  }: Definition<Name, Params, Input, Result>,
  requestFor: (input: Input) => Request,
): UserOperationMethod<Name, Named & Request> {
  return {
    name,
    account,
    decode: (params) => {
      const sound = parse(paramsStruct, params, paramsName, paramNames);
      return { ...requestFor(decode(sound)), account: account && namedAccount(account, sound, paramNames) };
    },
  };
}

/**
 * Builds a method that signs nothing.
 *
 * @param method - `run` rejects every invalid request. It may query services.
 */
export const defineUserOperationMethod = <const Name extends string, Params, Input, Output, Result>(
  method: Definition<Name, Params, Input, Result> & {
    readonly run: (context: UserOperationContext, input: Input) => Promise<Output>;
    readonly encode: (output: Output) => Result;
  },
): UserOperationMethod<Name, UnsignedRequest<Result>> =>
  define(method, (input) => ({
    run: async (context: UserOperationContext) =>
      parse(method.result, method.encode(await method.run(context, input)), 'result'),
  }));

/**
 * Builds a method that signs. Review, explanation and signature use the same input object.
 *
 * @param method - `review` rejects every invalid request. It may query services, but changes nothing.
 */
export const defineOperationSigningMethod = <const Name extends string, Params, Input, Result>(
  method: Definition<Name, Params, Input, Result> & {
    readonly review: (context: OperationSigningContext, input: Input) => Promise<Reviewed<Result>>;
  },
): UserOperationMethod<Name, OperationSigningRequest<Result>> =>
  define(method, (input) => ({
    review: async (context: OperationSigningContext) => {
      const reviewed = await method.review(context, input);
      return { ...reviewed, sign: async () => parse(method.result, await reviewed.sign(), 'result') };
    },
  }));
