import { ServiceFailedError, ServiceRefusedError } from '../../core/errors';
import { type ChainConfiguration } from '../../core/schemas/chain-configuration';
import { type OperationChain, type Sponsor } from '../network/operation-chain';

/** A paymaster service chosen by the site (ERC-7677), instead of the configured one. */
export type SiteSponsor = {
  readonly url: string;
  readonly context?: Readonly<Record<string, unknown>>;
  /** Whether the calls are sent without it if it does not sponsor them. */
  readonly isOptional: boolean;
};

/** An optional paymaster service does not sponsor the calls. Nothing was shown or sent. */
export class OptionalSponsorError extends Error {}

/** The field in which the site names its paymaster service. */
const FIELD = 'capabilities.paymasterService.url';

/** The configuration of a network with the site's paymaster service. */
export function sponsoredBy(configuration: ChainConfiguration, sponsor: SiteSponsor | undefined): ChainConfiguration {
  if (sponsor === undefined) return configuration;
  const { paymasterContext: _configured, ...rest } = configuration;
  return { ...rest, paymasterUrl: sponsor.url, ...(sponsor.context && { paymasterContext: sponsor.context }) };
}

/** Makes the errors of the site's paymaster service name the site's parameter. */
function named({ stubData, data }: Sponsor, isOptional: boolean): Sponsor {
  const rethrow = (error: unknown): never => {
    const isRefused = error instanceof ServiceRefusedError;
    if (!isRefused && !(error instanceof ServiceFailedError)) throw error;
    if (isOptional) throw new OptionalSponsorError();
    if (isRefused) throw new ServiceRefusedError(error.message.replace('paymasterUrl', FIELD), error.error);
    throw new ServiceFailedError(`${FIELD}: ${error.message}`);
  };
  return {
    stubData: (operation) => stubData(operation).catch(rethrow),
    data: (operation) => data(operation).catch(rethrow),
  };
}

/** The network of an operation whose errors name the site's paymaster service. */
export function namingSponsor(chain: OperationChain, site: SiteSponsor | undefined): OperationChain {
  const { sponsor } = chain;
  return site === undefined || sponsor === undefined ? chain : { ...chain, sponsor: named(sponsor, site.isOptional) };
}
