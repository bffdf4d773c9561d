import { type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';

import { confirmRecovery } from '../../src/core/safe/recovery/calls';
import { devnetOf } from '../screenshots/devnet';
import { sendAs } from './people';

/** The guardian of a Safe is deceived: a recovery to a stranger begins. */
export async function attack(url: string, safe: Hex, guardian: Hex): Promise<void> {
  const { recoveryModule } = await devnetOf(url);
  if (recoveryModule === undefined) throw new Error('The devnet has no recovery module.');
  const newOwners = [privateKeyToAddress(generatePrivateKey())];
  const { to, data } = confirmRecovery(recoveryModule.address, safe, { newOwners, newThreshold: 1n }, { begin: true });
  await sendAs(url, guardian, to, data);
}
