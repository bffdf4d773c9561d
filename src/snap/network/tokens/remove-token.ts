import { type OwnMethods } from '../../../core/methods/own';
import { AddressStruct } from '../../../core/schemas/address';
import { chainIdOf, ChainReferenceStruct } from '../../../core/schemas/chain';
import { object, parse, type Struct } from '../../../core/structs/struct';
import { type TokenRepository } from './repository';

const TokenStruct: Struct<OwnMethods['keystead_removeToken']['params']> = object({
  chainId: ChainReferenceStruct,
  address: AddressStruct,
});

/** `keystead_removeToken`: stops watching a token. It asks nothing, because nothing is lost. */
export async function removeToken(params: unknown, { tokens }: { readonly tokens: TokenRepository }): Promise<null> {
  const { chainId, address } = parse(TokenStruct, params, 'params');
  await tokens.remove(chainIdOf(chainId), address);
  return null;
}
