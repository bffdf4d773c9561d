export {
  InvalidParamsError,
  KeysteadError,
  ServiceFailedError,
  ServiceRefusedError,
  type ServiceError,
} from '../core/errors';
export { type GasEstimate, type UserOperationReceipt } from './bundler';
export { type JsonRpcOptions } from './json-rpc';
export { type KnownUserOperation, LibraryBundlerClient as BundlerClient } from './library-bundler';
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
