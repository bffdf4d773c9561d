import { type Explanation, type Viewpoint } from '../../../core/decode/explanation';
import { type Hex } from '../../../core/eth/bytes';
import { type Signature } from '../../../core/eth/secp256k1';
import { type TypedData } from '../../../core/eth/typed-data';
import { parse, type Struct } from '../../../core/structs/struct';
import { type AccountPath, namedAccount, type NamedAccount } from './account-path';

/** The chain in the parameters, and the field that contains it. */
export type NamedChain = { readonly field: string; readonly chainId: bigint };

/** A contract whose code an account is to run (EIP-7702), and the field that names it. */
export type NamedDelegate = { readonly field: string; readonly address: Hex };

/**
 * Signs a digest with the key of the request's account.
 *
 * @param digest - The 32-byte digest.
 * @returns The signature, verified by recovering the public key.
 */
export type SignDigest = (digest: Uint8Array) => Promise<Signature>;

/** A validated signature request. Nothing has been signed yet. */
export type SigningRequest<Signed> = {
  /** Undefined for a request from inside the snap, which has already chosen the account. */
  readonly account?: NamedAccount;
  readonly chain?: NamedChain | undefined;
  /** Contracts verify the signature. They may ask the account's code instead of recovering the signer (ERC-1271). */
  readonly isForContracts?: boolean;
  /** The typed data that is signed, and its digest. */
  readonly typed?: { readonly data: TypedData; readonly hash: Hex };
  /** The bytes that are signed, if they are a message. */
  readonly message?: Hex;
  /** Each must be one that accounts may delegate to. */
  readonly delegates: readonly NamedDelegate[];
  /** Explains the request to the user, from the same object that is hashed. */
  readonly explain: (view: Viewpoint) => Explanation;
  readonly sign: (signDigest: SignDigest) => Promise<Signed>;
  /** What tells it from other requests of the account, as an insight does. Nothing from inside the snap has one. */
  readonly subject?: () => string;
  /** The hash under which the network knows what was signed, if it can be sent as it is. */
  hash?(signed: Signed): Hex;
};

type Definition<Name extends string, Params, Input, Signed, Result> = {
  readonly name: Name;
  /** The names of the positional parameters, for error messages. */
  readonly paramNames: readonly string[];
  readonly params: Struct<Params>;
  readonly result: Struct<Result>;
  /** The path to the account in the parameters. */
  readonly account: AccountPath;
  /** The chain in the input, if it names one. */
  readonly chain?: (input: Input) => NamedChain | undefined;
  /** Whether contracts verify the signature. */
  readonly isForContracts?: (input: Input) => boolean;
  /** The typed data in the input, and its digest. */
  readonly typed?: (input: Input) => { readonly data: TypedData; readonly hash: Hex };
  /** The bytes in the input, if they are a message. */
  readonly message?: (input: Input) => Hex;
  /** The delegates in the input, if there are any. */
  readonly delegates?: (input: Input) => readonly NamedDelegate[];
  /** Converts the parameters to the input that is signed. Rejects every invalid request. */
  readonly decode: (params: Params) => Input;
  readonly explain: (input: Input, view: Viewpoint) => Explanation;
  /** What tells a request from others of the account, as an insight into it does. */
  readonly subject: (input: Input) => string;
  readonly sign: (input: Input, signDigest: SignDigest) => Promise<Signed>;
  readonly encode: (signed: Signed, input: Input) => Result;
  /** The hash under which the network knows what was signed, if it can be sent as it is. */
  readonly hash?: (result: Result, input: Input) => Hex;
};

/** A method of externally owned accounts. */
export type Method<Name extends string, Input, Signed, Result> = {
  readonly name: Name;
  readonly account: AccountPath;
  /**
   * A request as a dapp or the wallet sends it: JSON in, JSON out.
   *
   * @throws {InvalidParamsError} If the parameters are invalid; names the field and the rule.
   */
  readonly decode: (params: unknown) => SigningRequest<Result>;
  /** The same request from inside the snap, with typed input and output. */
  readonly request: (input: Input) => SigningRequest<Signed>;
};

/** Builds a method from its definition. `explain` and `sign` receive the same input object. */
export function defineMethod<const Name extends string, Params, Input, Signed, Result>({
  name,
  paramNames,
  params: paramsStruct,
  result: resultStruct,
  decode,
  account,
  chain,
  isForContracts,
  typed,
  message,
  delegates,
  explain,
  subject,
  sign,
  encode,
  hash,
}: Definition<Name, Params, Input, Signed, Result>): Method<Name, Input, Signed, Result> {
  const request = (input: Input): Omit<SigningRequest<Signed>, 'hash'> => ({
    chain: chain?.(input),
    isForContracts: isForContracts?.(input) === true,
    ...(typed && { typed: typed(input) }),
    ...(message && { message: message(input) }),
    delegates: delegates?.(input) ?? [],
    explain: (view) => explain(input, view),
    subject: () => subject(input),
    sign: (signDigest) => sign(input, signDigest),
  });
  return {
    name,
    account,
    request,
    decode: (params) => {
      const sound = parse(paramsStruct, params, 'params', paramNames);
      const input = decode(sound);
      const inside = request(input);
      return {
        ...inside,
        account: namedAccount(account, sound, paramNames),
        sign: async (signDigest) => parse(resultStruct, encode(await inside.sign(signDigest), input), 'result'),
        ...(hash && { hash: (result) => hash(result, input) }),
      };
    },
  };
}
