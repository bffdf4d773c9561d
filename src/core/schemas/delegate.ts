import { DELEGATE_VERSIONS } from '../erc4337/delegates';
import { AddressStruct } from './address';
import { ChainNameStruct, ChainReferenceStruct } from './chain';
import { bytesStruct } from './hex';
import { enums, type Infer, object } from './struct';

/**
 * The parameters of `keystead_addDelegate` and `keystead_removeDelegate`.
 *
 * @example
 * ```ts
 * const address = '0xe6Cae83BdE06E4c305530e199D7217f42808555B';
 * DelegateParamsStruct.is({ chainId: 'eip155:1', address }); // => true
 * DelegateParamsStruct.is({ address }); // => false
 * ```
 */
export const DelegateParamsStruct = object({ chainId: ChainReferenceStruct, address: AddressStruct });

/**
 * A delegate that the person added for one network.
 *
 * @example
 * ```ts
 * const address = '0xe6Cae83BdE06E4c305530e199D7217f42808555B';
 * const codeHash = `0x${'11'.repeat(32)}`;
 * AddedDelegateStruct.is({ chainId: 'eip155:1', address, entryPointVersion: '0.8', codeHash }); // => true
 * AddedDelegateStruct.is({ chainId: 'eip155:1', address, entryPointVersion: '0.7', codeHash }); // => false
 * ```
 */
export const AddedDelegateStruct = object({
  chainId: ChainNameStruct,
  address: AddressStruct,
  entryPointVersion: enums(DELEGATE_VERSIONS),
  /** Of its runtime code when it was added. */
  codeHash: bytesStruct(32),
});

/**
 * A delegate that the person added for one network, as {@link AddedDelegateStruct} checks it.
 *
 * @example
 * ```ts
 * const added: AddedDelegate = {
 *   chainId: 'eip155:1', address: '0xe6Cae83BdE06E4c305530e199D7217f42808555B', entryPointVersion: '0.8',
 *   codeHash: `0x${'11'.repeat(32)}` };
 * AddedDelegateStruct.is(added); // => true
 * ```
 */
export type AddedDelegate = Infer<typeof AddedDelegateStruct>;
