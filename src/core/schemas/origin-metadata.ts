import { type Infer, matching, object } from '../structs/struct';

/**
 * The claims of a dapp about itself, if MetaMask cannot verify its origin (from platform version 12 on). It is shown as
 * a claim and never used for decisions. MetaMask does not limit the length of these strings.
 */
export const OriginMetadataStruct = object({
  transport: matching('must be a string of at most 100 characters', /^.{0,100}$/su),
  selfReportedOrigin: matching('must be a string of at most 2,048 characters', /^.{0,2048}$/su),
});

export type OriginMetadata = Infer<typeof OriginMetadataStruct>;
