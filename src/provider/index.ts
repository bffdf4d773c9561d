export { announceKeystead, type Announced } from './announce';
export {
  type Call,
  type Capabilities,
  type ChainSettings,
  type GasLimits,
  type Intent,
  type Permission,
  type TransactionParams,
  type TypedData,
  type UserOperation,
} from '../core/methods/types';
export { type KeysteadMethods, type MethodParams, type MethodResult } from './method-table';
export { type Node } from './nodes';
export { type KeysteadOptions } from './options';
export { createKeysteadProvider } from './provider';
export { ProviderRpcError } from './rpc-error';
export {
  type AnnouncedProvider,
  type Eip1193Provider,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type KeysteadProvider,
  type ProviderEvent,
  type ProviderEvents,
  type ProviderInfo,
  type RequestArguments,
} from './types';
export { findSnapWallets, type SnapOfWallet, type SnapWallet } from './wallets';
