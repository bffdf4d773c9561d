import { isServiceUrl, SERVICE_URL_RULE } from './service-url';
import { rule } from '../structs/struct';

/**
 * The URL of a node, bundler or paymaster service: https, or http for a loopback host. It must not have a user name, a
 * fragment, a host in a private network, or a host in an unusual spelling.
 */
export const ServiceUrlStruct = rule<string>(SERVICE_URL_RULE, isServiceUrl);

/** The URL of a block explorer, to which `/tx/<hash>` can be appended: by the same rules, and without a query. */
export const ExplorerUrlStruct = rule<string>(
  'must be an https URL of a public host, without user name, query, fragment or unusual host spelling; http is allowed only for localhost',
  (value) => ServiceUrlStruct.is(value) && !value.includes('?'),
);
