import { type IsOpen, type SiteMethodName, type SiteMethods } from '../../../core/methods/sites';
import { type TokenRepository } from '../../network/tokens/repository';
import { type RequestQueue } from '../request-queue';
import { type Site, type SiteDeps } from '../site';

/** What the methods of this room take; those that send take more. */
export type SiteMethodDeps = SiteDeps & { readonly requests: RequestQueue; readonly tokens: TokenRepository };

/** The parameters of a method in the table. What a struct accepts must fit them, or its method does not compile. */
export type ParamsOf<M extends SiteMethodName> = SiteMethods[M]['params'];

/** A method that any web page may call. It runs in turn by itself if it asks the user. */
export type OpenMethod<Result, Deps = SiteMethodDeps> = (
  params: unknown,
  origin: string,
  deps: Deps,
) => Promise<Result>;

/** A method for connected sites. */
export type SiteMethod<Result, Deps = SiteMethodDeps> = (params: unknown, site: Site, deps: Deps) => Promise<Result>;

/** The handler of a method in the table. */
export type RpcMethod<M extends SiteMethodName, Deps = SiteMethodDeps> =
  IsOpen<M> extends true ? OpenMethod<SiteMethods[M]['result'], Deps> : SiteMethod<SiteMethods[M]['result'], Deps>;
