import { type VNode } from 'preact';

import { isSameAddress } from '../../core/eth/address';
import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { lostSheet, saidName, soughtSheet } from '../model/sheet';
import { ButtonLine } from './action-button';
import { Panel } from './panel';
import { Party } from './party';

/** The account for which this browser made a link for guardians, until it is in the wallet: the way back to it. */
export function LostAccount(): VNode | null {
  const { accounts } = useSession();
  const parts = lostSheet.use();
  const sheet = soughtSheet(parts);
  if (sheet === undefined || accounts.some(({ address }) => isSameAddress(address, sheet.safe))) return null;
  return (
    <Panel id="sought" title="Your lost account" class="panel highlight">
      <Party address={sheet.safe} name={saidName(sheet.name)} />
      <p>
        You made a link for its guardians here. <a href={linkTo(...parts)}>See how far the recovery is</a>
      </p>
      <ButtonLine class="small" onClick={() => lostSheet.write([])}>
        Do not show this any more
      </ButtonLine>
    </Panel>
  );
}
