import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { describeWithDevnet } from '../support/browser/world';
import { accountSteps } from './steps/accounts';
import { controllerSteps } from './steps/controller';
import { dappSteps } from './steps/dapp';
import { dialogSteps } from './steps/dialogs';
import { lifeSteps } from './steps/life';
import { networkSteps } from './steps/network';
import { providerSteps } from './steps/provider';
import { recoverySteps } from './steps/recovery';
import { screenSteps } from './steps/screens';
import { Run } from '../support/metamask/run';

/** The folder of an unpacked extension. */
const FOLDER = process.env['METAMASK_DIR'];

const describeInMetaMask = (name: string, tests: (folder: string) => void): void => {
  if (FOLDER !== undefined && existsSync(join(FOLDER, 'manifest.json')))
    describeWithDevnet(name, () => {
      tests(FOLDER);
    });
  else
    describe.skip(`${name} (skipped: METAMASK_DIR names no unpacked extension; scripts/install-flask.sh downloads one)`, () => {
      it.todo('runs in one wallet');
    });
};

// Ends what hangs. On a busy machine, the wallet takes minutes to open.
jest.setTimeout(2_700_000);

describeInMetaMask('Keystead in MetaMask', (folder) => {
  const run = new Run(folder);
  beforeAll(() => run.start());
  afterEach(async () => {
    if ((globalThis as { hasFailed?: boolean }).hasFailed === true) await run.endFailed();
    expect(run.faults.splice(0)).toEqual([]);
  });
  afterAll(() => run.stop());

  accountSteps(run);
  providerSteps(run);
  dialogSteps(run);
  recoverySteps(run);
  dappSteps(run);
  networkSteps(run);
  controllerSteps(run);
  screenSteps(run);
  lifeSteps(run);
});
