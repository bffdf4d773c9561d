import { type VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';

import { dayWords } from '../../core/decode/words/time';
import { type Recoverable } from '../../core/safe/recovery/situation';
import { drills, guardianDrill, lastDrill } from '../model/drills';
import { ABSENT, shareable } from '../model/recovery-proposal';
import { wholeLink } from '../model/route';
import { sheetOf, sheetParts, sheetText } from '../model/sheet';
import { type Account, type Chain } from '../model/types';
import { numberOf } from '../model/units';
import { networkOfChain } from '../model/network';
import { useNames } from '../model/use-names';
import { Facts } from './facts';
import { QrCode } from './qr-code';
import { ShareLink } from './share-link';

type Props = { readonly account: Account; readonly chain: Chain; readonly found: Recoverable };

/** What to keep for the day on which the phrase is lost: to save as a file or to print. */
export function RecoverySheet({ account, chain, found }: Props): VNode {
  const called = useNames();
  const services = { rpcUrl: shareable(chain.rpcUrl), bundlerUrl: shareable(chain.bundlerUrl) };
  const sheet = sheetOf(account, chain, services, found, called);
  const link = wholeLink(...sheetParts(sheet));
  const text = sheetText(sheet, networkOfChain(chain), link, found);
  const file = useMemo(() => URL.createObjectURL(new Blob([text])), [text]);
  useEffect(() => () => URL.revokeObjectURL(file), [file]);
  return (
    <details>
      <summary>Sheet for the day on which the phrase is lost</summary>
      <div class="sheet">
        <pre>{text}</pre>
        <QrCode
          text={link}
          // The network names the guardians, too.
          short={wholeLink(...sheetParts({ ...sheet, guardians: [] }))}
          label="QR code of the link in the sheet"
        />
      </div>
      <div class="actions">
        <a class="button" href={file} download={`recovery-${account.name}.txt`}>
          Save the sheet
        </a>
        <button type="button" onClick={() => print()}>
          Print the sheet
        </button>
      </div>
    </details>
  );
}

/** For the guardians: a link to a practice run, and when each last took one. */
export function PracticeRuns({ account, chain, found: { module, state } }: Props): VNode {
  const called = useNames();
  const done = drills.use();
  const chainId = numberOf(chain.chainId);
  const parts = [String(chainId), account.address, module.address, account.name, shareable(chain.rpcUrl) ?? ABSENT];
  const when = (guardian: string): string => {
    const at = lastDrill(done, guardianDrill(chainId, account.address, guardian));
    return at === undefined ? 'never' : dayWords(BigInt(at));
  };
  return (
    <details>
      <summary>Practice runs</summary>
      <p>
        Send your guardians this link once a year. It shows them what will be asked one day, and has them sign a message
        that confirms nothing and moves nothing. They send you a link back: open it in this browser.
      </p>
      <ShareLink label="Link to the practice run" parts={['practice', ...parts]} />
      <Facts
        facts={state.guardians.map((guardian) => [called(guardian) ?? guardian, `Last practice: ${when(guardian)}`])}
      />
    </details>
  );
}
