import { type GenericSnapElement, Link, Text } from '@metamask/snaps-sdk/jsx';

import { type Call } from '../../../core/erc4337/user-operation';
import { explorerLink, networkOf } from '../../../core/networks/network';
import { type ChainName, chainIdOf } from '../../../core/schemas/chain';
import { AddressRow, CopyRow } from '../parts';

/** Where a contract's page of an explorer sends calls. */
const WRITE = '#writeContract';

/** Calls for the person to copy into a transaction of their account, and the pages that send them. */
export const callRows = (
  calls: readonly Pick<Call, 'to' | 'data'>[],
  why: string,
  chainId: ChainName | undefined,
): GenericSnapElement[] => [
  <Text>{`${why}, send ${calls.length === 1 ? 'this' : 'these'} from the account, with no value:`}</Text>,
  ...calls.flatMap(({ to, data }) => {
    const page = chainId && explorerLink(networkOf(chainIdOf(chainId)), 'address', to);
    return [
      <AddressRow label="To" address={to} />,
      <CopyRow label="Data" hex={data} />,
      ...(page === undefined
        ? []
        : [
            <Text>
              <Link href={`${page}${WRITE}`}>{`Send it on ${new URL(page).host}`}</Link>
            </Text>,
          ]),
    ];
  }),
];
