import { type SendDeps } from '../batches/deps';
import { type ConnectDeps } from '../permissions/connect';
import { type Tell } from '../platform/dialogs';
import { type TokenRepository } from '../tokens/repository';

/** The dependencies of the methods that sites call. */
export type RpcDeps = SendDeps &
  ConnectDeps & {
    readonly tell: Tell;
    readonly tokens: TokenRepository;
  };
