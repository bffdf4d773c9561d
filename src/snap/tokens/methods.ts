import { type Json } from '@metamask/snaps-sdk';

import { AddressStruct } from '../../core/schemas/address';
import { chainIdOf, ChainReferenceStruct } from '../../core/schemas/chain';
import { object, parse } from '../../core/schemas/struct';
import { type TokenRepository } from './repository';

type TokenDeps = { readonly tokens: TokenRepository };

const TokenStruct = object({ chainId: ChainReferenceStruct, address: AddressStruct });

/** `keystead_getTokens`: the watched tokens, with what their contracts said of themselves when they were added. */
const getTokens = (_params: unknown, { tokens }: TokenDeps) => tokens.list();

/** `keystead_removeToken`: stops watching a token. It asks nothing, because nothing is lost. */
async function removeToken(params: unknown, { tokens }: TokenDeps): Promise<null> {
  const { chainId, address } = parse(TokenStruct, params, 'params');
  await tokens.remove(chainIdOf(chainId), address);
  return null;
}

/** The methods for watched tokens of the wallet and of a companion page. */
export const TOKEN_METHODS = { keystead_getTokens: getTokens, keystead_removeToken: removeToken } as const;

/** @returns Whether the table has this method. Only own properties count. */
export const isTokenMethod = (name: string): name is keyof typeof TOKEN_METHODS => Object.hasOwn(TOKEN_METHODS, name);

/** Runs a method for watched tokens. */
export const answerTokenMethod = async (
  name: keyof typeof TOKEN_METHODS,
  params: unknown,
  deps: TokenDeps,
): Promise<Json> => (await TOKEN_METHODS[name](params, deps)) as Json;
