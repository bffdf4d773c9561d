import { type ComponentChildren, type VNode } from 'preact';
import { getAddress, type Hex } from 'viem';

import { shortAddress } from '../model/account-name';
import { localTime } from '../model/local-time';
import { cancelLine } from '../model/recovery';
import { addressFacts, Facts } from './facts';
import { Warning } from './icons';

type Props = {
  /** What the page calls the account, its network and addresses. */
  readonly name: string;
  readonly network: string;
  readonly nameOf: (address: string) => string | undefined;
  /** What no longer controls the account afterwards: "your key". */
  readonly control: string;
  readonly module: Hex;
  readonly newOwners: readonly Hex[];
  /** New owners that are not listed. */
  readonly more?: number;
  /** Seconds since 1970. */
  readonly executeAfter: bigint;
  /** The button that cancels it, and how far that is. */
  readonly children: ComponentChildren;
};

/** A recovery that has begun: what it comes to, from when on, and the way to cancel it. */
export function RecoveryBegun(props: Props): VNode {
  const { name, network, nameOf, control, module, newOwners, more = 0, executeAfter, children } = props;
  const now = BigInt(Math.floor(Date.now() / 1000));
  return (
    <section class="panel" aria-label={`A recovery of ${name} has begun on ${network}, module ${shortAddress(module)}`}>
      <Warning>
        <strong>A recovery of {name} has begun</strong>
      </Warning>
      {children}
      <p>
        <strong>{cancelLine({ newOwners, executeAfter }, now, nameOf)}.</strong>
      </p>
      <p>
        Its guardians are replacing its owners with those below. From {localTime(executeAfter)} on, anyone can finish
        the recovery, and then {control} no longer controls the account. If you asked for this, do nothing. If not,
        cancel it now. The account pays the network fee for that.
      </p>
      <Facts
        facts={[
          ['Network', network],
          ...addressFacts('New owner', newOwners.map(getAddress)),
          ['More new owners', more === 0 ? undefined : String(more)],
          ['Module', <span class="address">{getAddress(module)}</span>],
        ]}
      />
    </section>
  );
}
