import { type VNode } from 'preact';
import { useState } from 'preact/hooks';

import { linkTo } from '../model/route';
import { useSession } from '../model/session';
import { isNetworkSetUp } from '../model/set-up';
import { ButtonLine } from './action-button';
import { CreateAccount } from './create-account';
import { Panel } from './panel';
import { SetUp } from './set-up';
import { OnboardingSteps } from './steps';

/** The second and third step of getting started: a network, then an account. */
export function Onboarding(): VNode {
  const { chains, devnet } = useSession();
  const [isSkipped, setSkipped] = useState(false);
  const hasNetwork = chains.length > 0 && (devnet === undefined || isNetworkSetUp(devnet, chains));
  const isAtNetwork = !hasNetwork && !isSkipped;
  return (
    <>
      <OnboardingSteps current={isAtNetwork ? 1 : 2} />
      {/* Its outcome stays when the next step opens. */}
      {isSkipped ? null : <SetUp />}
      {isAtNetwork ? (
        <>
          {devnet === undefined ? (
            <Panel id="add-network" title="Add a network" class="panel highlight">
              <p>Keystead reads and sends through a node and a bundler that you choose.</p>
              <div class="actions">
                <a class="button main" href={linkTo('settings')}>
                  Add a network
                </a>
              </div>
            </Panel>
          ) : null}
          <ButtonLine class="quiet" onClick={() => setSkipped(true)}>
            Skip this step
          </ButtonLine>
        </>
      ) : (
        <>
          <CreateAccount />
          <p class="hint">
            Have accounts already? <a href={linkTo('add-account')}>Recover, import or open them</a>, or{' '}
            <a href={linkTo('backup')}>restore a backup</a>.
          </p>
        </>
      )}
      <p class="hint">
        Lost your recovery phrase? <a href={linkTo('recovery')}>Have your guardians recover your Safe</a>.
      </p>
    </>
  );
}
