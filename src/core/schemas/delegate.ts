import { DELEGATE_VERSIONS } from '../erc4337/delegates';
import { AddressStruct } from './address';
import { ChainNameStruct, ChainReferenceStruct } from './chain';
import { bytesStruct } from '../structs/hex';
import { enums, type Infer, object } from '../structs/struct';

/** The parameters of `keystead_addDelegate` and `keystead_removeDelegate`. */
export const DelegateParamsStruct = object({ chainId: ChainReferenceStruct, address: AddressStruct });

/** A delegate that the person added for one network. */
export const AddedDelegateStruct = object({
  chainId: ChainNameStruct,
  address: AddressStruct,
  entryPointVersion: enums(DELEGATE_VERSIONS),
  /** Of its runtime code when it was added. */
  codeHash: bytesStruct(32),
});

/** A delegate that the person added for one network, as {@link AddedDelegateStruct} checks it. */
export type AddedDelegate = Infer<typeof AddedDelegateStruct>;
