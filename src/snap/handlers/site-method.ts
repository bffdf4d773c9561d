import { type IsOpen, type SiteMethodName, type SiteMethods } from '../../core/methods/sites';
import { type Site } from '../sites/site';
import { type BatchDeps } from '../send/deps';
import { type Tell } from '../wallet/dialogs';
import { type TokenRepository } from '../network/tokens/repository';

/** The dependencies of the methods that sites call. */
export type RpcDeps = BatchDeps & { readonly tell: Tell; readonly tokens: TokenRepository };

/** A method that any web page may call. It runs in turn by itself if it asks the user. */
export type OpenMethod<Result> = (params: unknown, origin: string, deps: RpcDeps) => Promise<Result>;

/** A method for connected sites. */
export type SiteMethod<Result> = (params: unknown, site: Site, deps: RpcDeps) => Promise<Result>;

/** The handler of a method in the table. */
export type RpcMethod<M extends SiteMethodName> =
  IsOpen<M> extends true ? OpenMethod<SiteMethods[M]['result']> : SiteMethod<SiteMethods[M]['result']>;
