import { type SendDeps } from '../batches/deps';
import { type ConnectDeps } from '../permissions/connect';

/** The dependencies of the methods that sites call. */
export type RpcDeps = SendDeps & ConnectDeps;
