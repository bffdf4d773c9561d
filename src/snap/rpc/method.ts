import { type Site, siteOf } from '../permissions/site';
import { type BatchDeps } from '../batches/deps';
import { type Tell } from '../platform/dialogs';
import { type TokenRepository } from '../tokens/repository';

/** The dependencies of the methods that sites call. */
export type RpcDeps = BatchDeps & { readonly tell: Tell; readonly tokens: TokenRepository };

/** A method that sites call. */
export type RpcMethod<Result = unknown> = (params: unknown, origin: string, deps: RpcDeps) => Promise<Result>;

type SiteMethod<Result> = (params: unknown, site: Site, deps: RpcDeps) => Promise<Result>;

/** A method for connected sites that does not ask the user. */
export const forConnected =
  <Result>(method: SiteMethod<Result>): RpcMethod<Result> =>
  async (params, origin, deps) =>
    method(params, await siteOf(origin, deps), deps);

/**
 * A method for connected sites that may ask the user. Requests of one site run one at a time, until the user has
 * approved them. The connection is read again when the request's turn comes, because earlier requests may have changed
 * it.
 */
export const inTurn =
  <Result>(method: SiteMethod<Result>): RpcMethod<Result> =>
  async (params, origin, deps) => {
    await siteOf(origin, deps);
    return deps.requests.run(origin, async (onApproved) =>
      method(params, await siteOf(origin, deps), { ...deps, onApproved }),
    );
  };
