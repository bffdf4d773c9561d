import { type Browser } from 'playwright-core';
import { type Hex } from 'viem';

import { explainTypedData } from '../../src/core/decode/explain/typed-data';
import { explainUserOperation } from '../../src/core/decode/explain/user-operation';
import { type Explanation } from '../../src/core/decode/explanation';
import { ENTRY_POINTS } from '../../src/core/erc4337/entry-points';
import { SIGNER_FACTORY } from '../../src/core/erc4337/safe/contracts';
import { ownerChangeCall } from '../../src/core/erc4337/safe/owners/changes';
import { createSignerCall } from '../../src/core/erc4337/safe/passkey/signer';
import { type Call } from '../../src/core/erc4337/user-operation';
import { cancelRecovery, setGuardians } from '../../src/core/recovery/calls';
import { RECOVERY_MODULES } from '../../src/core/recovery/modules';
import { type OwnState } from '../../src/core/recovery/own-state';
import { ConfirmSignatureScreen } from '../../src/snap/ui/confirm-signature';
import { SimulatedScreens } from '../../test/support/browser/simulated-screens';
import { ALICE, BOB, ME, NOW, typedData, USDC, VIEW } from '../../test/support/explaining';
import { Camera, SMALL_PHONE } from './picture';

const CAROL: Hex = '0x66666666666666666666666666666666DEaDbeef';
const KEY: Hex = '0x7777777777777777777777777777777777777777';
const SIGNER: Hex = '0x9999999999999999999999999999999999999999';
const NOBODY: Hex = `0x${'00'.repeat(20)}`;
const WETH: Hex = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const WORD: Hex = `0x${'00'.repeat(32)}`;
const [, , , THREE_DAYS] = RECOVERY_MODULES;
const SOON = Number(NOW) + 86_400;
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
    place: { version: '0.7', entryPoint: ENTRY_POINTS['0.7'], chainId: 1n },
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

const at = (name: string, verifyingContract: Hex, version = '1') => ({ name, version, chainId: 1, verifyingContract });
const explained = (...parts: Parameters<typeof typedData>): Explanation => explainTypedData(typedData(...parts), VIEW);

const SELLS = { token: USDC, amount: '50000000000' } as const;
const GETS = '16000000000000000000';

/** Typed data of orders, each of which pays somebody else besides or instead. */
const orders = (): Readonly<Record<string, Explanation>> => ({
  seaport: explained(
    'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)',
    at('Seaport', '0x0000000000000068F116a894984e2DB1123eB395', '1.6'),
    {
      offerer: ME,
      zone: NOBODY,
      offer: [{ itemType: 2, token: ALICE, identifierOrCriteria: 1, startAmount: '1', endAmount: '1' }],
      consideration: [
        ['1000000000000000', ME],
        ['50000000000000000000', CAROL],
      ].map(([amount, recipient]) => ({
        itemType: 0,
        token: NOBODY,
        identifierOrCriteria: 0,
        startAmount: amount,
        endAmount: amount,
        recipient,
      })),
      orderType: 0,
      startTime: 0,
      endTime: SOON,
      zoneHash: WORD,
      salt: 1,
      conduitKey: WORD,
      counter: 0,
    },
  ),
  uniswapx: explained(
    'PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,ExclusiveDutchOrder witness)DutchOutput(address token,uint256 startAmount,uint256 endAmount,address recipient)ExclusiveDutchOrder(OrderInfo info,uint256 decayStartTime,uint256 decayEndTime,address exclusiveFiller,uint256 exclusivityOverrideBps,address inputToken,uint256 inputStartAmount,uint256 inputEndAmount,DutchOutput[] outputs)OrderInfo(address reactor,address swapper,uint256 nonce,uint256 deadline,address additionalValidationContract,bytes additionalValidationData)TokenPermissions(address token,uint256 amount)',
    { name: 'Permit2', chainId: 1, verifyingContract: '0x000000000022D473030F116dDEE9F6B43aC78BA3' },
    {
      permitted: SELLS,
      spender: '0x6000da47483062A0D734Ba3dc7576Ce6A0B645C4',
      nonce: 1,
      deadline: SOON,
      witness: {
        info: {
          reactor: '0x6000da47483062A0D734Ba3dc7576Ce6A0B645C4',
          swapper: ME,
          nonce: 1,
          deadline: SOON,
          additionalValidationContract: NOBODY,
          additionalValidationData: '0x',
        },
        decayStartTime: 1,
        decayEndTime: 2,
        exclusiveFiller: NOBODY,
        exclusivityOverrideBps: 0,
        inputToken: USDC,
        inputStartAmount: SELLS.amount,
        inputEndAmount: SELLS.amount,
        outputs: [{ token: WETH, startAmount: '17000000000000000000', endAmount: GETS, recipient: CAROL }],
      },
    },
  ),
  '1inch': explained(
    'Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)',
    at('1inch Aggregation Router', '0x111111125421cA6dc452d289314280a0f8842A65', '6'),
    {
      salt: 1,
      maker: ME,
      receiver: NOBODY,
      makerAsset: USDC,
      takerAsset: WETH,
      makingAmount: SELLS.amount,
      takingAmount: GETS,
      makerTraits: 0,
    },
  ),
  cow: explained(
    'Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)',
    at('Gnosis Protocol', '0x9008D19f58AAbD9eD0D60971565AA8510560ab41', 'v2'),
    {
      sellToken: USDC,
      buyToken: WETH,
      receiver: ME,
      sellAmount: SELLS.amount,
      buyAmount: GETS,
      validTo: SOON,
      appData: WORD,
      feeAmount: 0,
      kind: 'sell',
      partiallyFillable: false,
      sellTokenBalance: 'erc20',
      buyTokenBalance: 'erc20',
    },
  ),
  bebop: explained(
    'SingleOrder(uint64 partner_id,uint256 expiry,address taker_address,address maker_address,uint256 maker_nonce,address taker_token,address maker_token,uint256 taker_amount,uint256 maker_amount,address receiver,uint256 packed_commands)',
    at('BebopSettlement', '0xbbbbbBB520d69a9775E85b458C58c648259FAD5F', '2'),
    {
      partner_id: 0,
      expiry: SOON,
      taker_address: ME,
      maker_address: BOB,
      maker_nonce: 1,
      taker_token: USDC,
      maker_token: WETH,
      taker_amount: SELLS.amount,
      maker_amount: GETS,
      receiver: ME,
      packed_commands: 0,
    },
  ),
});

/** A delegation (ERC-7710) that may take 10 USDC in each week. */
function delegation(): Explanation {
  const word = (number: bigint): string => number.toString(16).padStart(64, '0');
  const terms = `0x${USDC.slice(2)}${word(10_000_000n)}${word(604_800n)}${word(NOW)}`;
  return explained(
    'Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)Caveat(address enforcer,bytes terms)',
    at('DelegationManager', '0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3'),
    {
      delegate: BOB,
      delegator: ME,
      authority: `0x${'ff'.repeat(32)}`,
      caveats: [{ enforcer: '0x474e3Ae7E169e940607cC624Da8A15Eb120139aB', terms }],
      salt: 1,
    },
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
  for (const [name, explanation] of Object.entries(orders()))
    await take(name, explanation, 'https://dapp.example', 'Keystead 1');
  await take('delegation', delegation(), 'https://dapp.example', 'Keystead 1');
  await page.close();
}
