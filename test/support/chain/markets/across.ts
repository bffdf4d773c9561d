import fc from 'fast-check';
import {
  type Abi,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hex,
  keccak256,
  pad,
  parseAbi,
  toHex,
} from 'viem';

import { DEPLOYER } from '../anvil-rpc';
import { typedData } from '../../explaining';
import { amount, DAY, type Market, payee, text } from './market';
import {
  ACCOUNT,
  type Artifact,
  FILLER,
  marketFile,
  type Markets,
  type Moment,
  type Placed,
  USDC,
  WETH,
  ZERO,
} from './world';
import { PERMIT2, placePermit2 } from './uniswapx';

const SETTLER: Hex = '0x4afb570AC68BfFc26Bb02FdA3D801728B0f93C9E';
const artifact = (path: string): Artifact =>
  JSON.parse(marketFile(`@across-protocol/contracts@4.1.12/artifacts/${path}`)) as Artifact;

const DATA =
  'address inputToken,uint256 inputAmount,address outputToken,uint256 outputAmount,uint256 destinationChainId,bytes32 recipient,address exclusiveRelayer,uint256 depositNonce,uint32 exclusivityPeriod,bytes message';
const ORDER =
  'address originSettler,address user,uint256 nonce,uint256 originChainId,uint32 openDeadline,uint32 fillDeadline,bytes32 orderDataType';
const TYPE = `PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,GaslessCrossChainOrder witness)AcrossOrderData(${DATA})GaslessCrossChainOrder(${ORDER},AcrossOrderData orderData)TokenPermissions(address token,uint256 amount)`;
const ABI = parseAbi([
  `struct Order { ${ORDER.replaceAll(',', '; ')}; bytes orderData; }`,
  'struct Relay { bytes32 depositor; bytes32 recipient; bytes32 exclusiveRelayer; bytes32 inputToken; bytes32 outputToken; uint256 inputAmount; uint256 outputAmount; uint256 originChainId; uint256 depositId; uint32 fillDeadline; uint32 exclusivityDeadline; bytes message; }',
  'function initialize(uint32 firstId, address recipient)',
  'function setDestinationSettler(uint256 chainId, address settler)',
  'function openFor(Order order, bytes signature, bytes fillerData)',
  'function fillRelay(Relay relay, uint256 repaymentChainId, bytes32 repaymentAddress)',
] as never) as Abi;
const encoded = (functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: ABI, functionName, args });

const word = (address: Hex): Hex => pad(address).toLowerCase() as Hex;
const LOGIC: Hex = '0xac4055ac4055ac4055ac4055ac4055ac4055ac40';
let pool: Hex = ZERO;

async function deploy(markets: Markets): Promise<void> {
  const { deploy: deployed, place, send, approve } = markets;
  await placePermit2(markets);
  // The package has it without the optimizer, larger than a contract can be. Quotes may be an hour old.
  await place(LOGIC, artifact('contracts/Ethereum_SpokePool.sol/Ethereum_SpokePool.json'), [WETH, 3_600, 2n * DAY]);
  pool = await deployed(artifact('@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol/ERC1967Proxy.json'), [
    LOGIC,
    encoded('initialize', [0, FILLER]),
  ]);
  await place(SETTLER, artifact('contracts/erc7683/AcrossOriginSettler.sol/AcrossOriginSettler.json'), [
    pool,
    PERMIT2,
    DAY,
  ]);
  await send(DEPLOYER, { to: SETTLER, data: encoded('setDestinationSettler', [1n, SETTLER]) });
  await approve(ACCOUNT, PERMIT2);
  await approve(FILLER, pool);
}

type Terms = { readonly give: bigint; readonly get: bigint; readonly to: Hex };

function placed({ give, get, to }: Terms, { now, serial }: Moment): Placed {
  const end = now + DAY;
  const orderData = {
    inputToken: WETH,
    inputAmount: give,
    outputToken: USDC,
    outputAmount: get,
    // What is given on one network is got on the same one, so that both can be seen.
    destinationChainId: 1n,
    recipient: word(to),
    exclusiveRelayer: ZERO,
    depositNonce: serial,
    exclusivityPeriod: 0,
    message: '0x' as Hex,
  };
  const order = {
    originSettler: SETTLER,
    user: ACCOUNT,
    nonce: serial,
    originChainId: 1n,
    openDeadline: Number(end),
    fillDeadline: Number(end),
    orderDataType: keccak256(toHex(`AcrossOrderData(${DATA})`)),
  };
  const members = DATA.split(',').map((member) => {
    const [type = '', name = ''] = member.split(' ');
    return { type, name };
  });
  return {
    data: typedData(
      TYPE,
      { name: 'Permit2', chainId: 1, verifyingContract: PERMIT2 },
      text({
        permitted: { token: WETH, amount: give },
        spender: SETTLER,
        nonce: serial,
        deadline: end,
        witness: { ...order, orderData },
      }),
    ),
    open: (signature) => ({
      to: SETTLER,
      value: 0n,
      data: encoded('openFor', [
        { ...order, orderData: encodeAbiParameters([{ type: 'tuple', components: members }], [orderData]) },
        signature,
        encodeAbiParameters([{ type: 'address' }], [ZERO]),
      ]),
    }),
    fill: () => ({
      to: pool,
      value: 0n,
      data: encoded('fillRelay', [
        {
          depositor: word(ACCOUNT),
          recipient: word(to),
          exclusiveRelayer: word(ZERO),
          inputToken: word(WETH),
          outputToken: word(USDC),
          inputAmount: give,
          outputAmount: get,
          originChainId: 1n,
          depositId: BigInt(
            keccak256(encodePacked(['address', 'bytes32', 'uint256'], [SETTLER, word(ACCOUNT), serial])),
          ),
          fillDeadline: Number(end),
          exclusivityDeadline: 0,
          message: '0x',
        },
        1n,
        word(FILLER),
      ]),
    }),
  };
}

/** Across (ERC-7683): an order is opened where it is paid, and filled where it pays. */
export const ACROSS_MARKET: Market = {
  name: 'Across',
  deploy,
  orders: fc.record({ give: amount, get: amount, to: payee }).map((terms) => (moment: Moment) => placed(terms, moment)),
};
