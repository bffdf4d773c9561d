import { type Browser } from 'playwright-core';
import { type Hex } from 'viem';

import { explainTypedData } from '../../src/core/decode/explain/typed-data';
import { explainUserOperation } from '../../src/core/decode/explain/user-operation';
import { type Explanation } from '../../src/core/decode/explanation';
import { ENTRY_POINTS } from '../../src/core/erc4337/entry-points';
import { SIGNER_FACTORY } from '../../src/core/safe/contracts';
import { ownerChangeCall } from '../../src/core/safe/owners/changes';
import { createSignerCall } from '../../src/core/safe/passkey/signer';
import { type Call } from '../../src/core/erc4337/user-operation';
import { cancelRecovery, setGuardians } from '../../src/core/safe/recovery/calls';
import { RECOVERY_MODULES } from '../../src/core/safe/recovery/modules';
import { type TypedData } from '../../src/core/eth/typed-data';
import { type OwnState } from '../../src/core/safe/recovery/own-state';
import { ConfirmSignatureScreen } from '../../src/snap/screens/confirm-signature';
import { SimulatedScreens } from '../../test/support/browser/simulated-screens';
import { ALICE, BOB, ME, NOW, typedData, USDC, VIEW } from '../../test/support/explaining';
import { at, ORDERS } from './orders';
import { Camera, SMALL_PHONE } from './picture';

const CAROL: Hex = '0x66666666666666666666666666666666DEaDbeef';
const KEY: Hex = '0x7777777777777777777777777777777777777777';
const SIGNER: Hex = '0x9999999999999999999999999999999999999999';
const [, , , THREE_DAYS] = RECOVERY_MODULES;
const VERIFIERS: Hex = `0x0100${'00'.repeat(20)}`;

/** What the Keystead page asks a Safe to do, as its dialog explains it. */
function ownChange(calls: readonly Call[], state: Partial<OwnState>): Explanation {
  const operation = {
    sender: ME,
    nonce: 0n,
    initCode: '0x',
    callData: '0x',
    callGasLimit: 90_000n,
    verificationGasLimit: 90_000n,
    preVerificationGas: 50_000n,
    maxFeePerGas: 1_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    paymasterAndData: '0x',
    signature: '0x',
  } as const;
  const facts = {
    domain: { version: '0.7', entryPoint: ENTRY_POINTS['0.7'], chainId: 1n },
    accountTitle: 'Safe 1.4.1',
    ownKey: KEY,
    calls,
    wasPrepared: true,
    funds: undefined,
  } as const;
  const before = { owners: [KEY], threshold: 1n, modules: [], guarded: [], ...state };
  const own = { state: before, otherCode: [], passkeys: [SIGNER] };
  return explainUserOperation(operation, facts, {
    ...VIEW,
    isOwnPage: true,
    node: { name: 'node.example' },
    outcome: { kind: 'changes', changes: { sends: [], receives: [], allows: [], creates: [] } },
    own,
  });
}

function ownChanges(): Readonly<Record<string, Explanation>> {
  if (THREE_DAYS === undefined) throw new Error('There must be a recovery module with a delay of three days.');
  const module = THREE_DAYS.address;
  const current = { owners: [KEY, ALICE], threshold: 1 };
  const state = { owners: current.owners };
  const pending = { newOwners: [CAROL], newThreshold: 1n, executeAfter: NOW + 3n * 86_400n, approvals: 2n };
  const guarded = [{ module, guardians: [ALICE, BOB], threshold: 2n, pending }];
  const nobody = { safe: ME, module, modules: [], owners: [KEY], guardians: [], threshold: 0n };
  return {
    guardians: ownChange(setGuardians({ guardians: [ALICE, BOB, CAROL], threshold: 2n }, nobody), {
      guarded: [{ module, guardians: [], threshold: 0n }],
    }),
    threshold: ownChange([ownerChangeCall(ME, current, { kind: 'threshold', threshold: 2 })], state),
    passkey: ownChange(
      [
        createSignerCall({ factory: SIGNER_FACTORY, point: { x: 1n << 255n, y: 3n << 254n }, verifiers: VERIFIERS }),
        ownerChangeCall(ME, { owners: [KEY], threshold: 1 }, { kind: 'add', owner: SIGNER, threshold: 1 }),
      ],
      {},
    ),
    'cancel-recovery': ownChange([cancelRecovery(module)], { guarded }),
    'owner-replaced': ownChange([ownerChangeCall(ME, current, { kind: 'replace', owner: ALICE, by: BOB })], state),
  };
}

const explained = (data: TypedData): Explanation => explainTypedData(data, VIEW);

/** A delegation (ERC-7710) that may take 10 USDC in each week. */
function delegation(): Explanation {
  const word = (number: bigint): string => number.toString(16).padStart(64, '0');
  const terms = `0x${USDC.slice(2)}${word(10_000_000n)}${word(604_800n)}${word(NOW)}`;
  return explained(
    typedData(
      'Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)Caveat(address enforcer,bytes terms)',
      at('DelegationManager', '0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3'),
      {
        delegate: BOB,
        delegator: ME,
        authority: `0x${'ff'.repeat(32)}`,
        caveats: [{ enforcer: '0x474e3Ae7E169e940607cC624Da8A15Eb120139aB', terms }],
        salt: 1,
      },
    ),
  );
}

/** Takes pictures of own changes, of orders and of a delegation, as the simulated wallet draws them. */
export async function takeTerms(browser: Browser): Promise<void> {
  const page = await browser.newPage();
  const screens = await SimulatedScreens.open(page);
  const camera = new Camera(page, 'terms');
  const take = async (name: string, explanation: Explanation, origin: string, account: string): Promise<void> => {
    const content = ConfirmSignatureScreen({ explanation, account: { name: account, address: ME }, origin });
    await screens.show(content, { width: SMALL_PHONE.width, height: SMALL_PHONE.least });
    await camera.take(name, SMALL_PHONE, 'light');
  };
  for (const [name, explanation] of Object.entries(ownChanges()))
    await take(name, explanation, 'https://keystead.example', 'Safe 1');
  for (const [name, data] of Object.entries(ORDERS))
    await take(name, explained(data), 'https://dapp.example', 'Keystead 1');
  await take('delegation', delegation(), 'https://dapp.example', 'Keystead 1');
  await page.close();
}
