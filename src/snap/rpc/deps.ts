import { type SendDeps } from '../batches/deps';
import { type ConnectDeps } from '../permissions/connect';

/** What the methods that sites call work with. */
export type RpcDeps = SendDeps & ConnectDeps;
