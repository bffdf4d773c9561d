export {
  InvalidParamsError,
  KeysteadError,
  ServiceFailedError,
  ServiceRefusedError,
  type ServiceError,
} from '../core/errors';
export { type FundsFacts } from '../core/erc4337/failures';
export { type EntryPointVersion } from '../core/erc4337/entry-points';
export { type OperationDomain } from '../core/erc4337/hash';
export { type UserOperation } from '../core/erc4337/user-operation';
export { type Authorization, type SignedAuthorization } from '../core/eth/authorization';
export { type Hex } from '../core/eth/bytes';
export { type Log } from '../core/schemas/receipt';
export { type Checker } from '../core/structs/struct';
export { type GasEstimate } from './bundler';
export { type JsonRpcClient, type JsonRpcOptions } from './json-rpc';
export {
  type KnownUserOperation,
  LibraryBundlerClient as BundlerClient,
  type UserOperationReceipt,
} from './library-bundler';
export { NodeClient } from './node';
export { PaymasterClient, type PaymasterStub } from './paymaster';
export {
  type Added,
  type AddOptions,
  type CatOptions,
  type Content,
  type Entry,
  type OnProgress,
  type Pin,
  StorageClient,
  type StorageClientOptions,
  StorageError,
  type StorageErrorKind,
} from './storage';
export { DagClient, type DagValue } from './storage/dag';
export { type CallOptions, type Query } from './storage/transport';
export { type ImportOptions } from './storage/verified';
