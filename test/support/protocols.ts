import { type Hex } from '../../src/core/eth/bytes';
import { type TypedData, type TypedDataTypes } from '../../src/core/eth/typed-data';
import { ALICE, BOB, ME, NOW, typedData, typesOf, USDC } from './explaining';

const SOON = Number(NOW) + 3600;

/**
 * Adds a value for every member that a message leaves out. Many members do not matter to how a message is decoded.
 */
function filled(
  types: TypedDataTypes,
  type: string,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    (types[type] ?? []).map(({ name, type: member }) => [name, given[name] ?? defaultOf(types, member)]),
  );
}

function defaultOf(types: TypedDataTypes, type: string): unknown {
  if (type.endsWith('[]')) return [defaultOf(types, type.slice(0, -2))];
  if (type in types) return filled(types, type, {});
  if (type === 'address') return ALICE;
  if (type === 'bool') return false;
  if (type === 'string') return 'text';
  if (type === 'bytes') return '0x';
  return type.startsWith('bytes') ? `0x${'11'.repeat(Number(type.slice(5)))}` : '1';
}

export type Protocol = {
  readonly name: string;
  /** encodeType (EIP-712) of the message in the protocol's contracts. */
  readonly type: string;
  readonly domain: Readonly<Record<string, unknown>>;
  readonly message: Readonly<Record<string, unknown>>;
  /** Texts that must be on the screen. */
  readonly says: readonly string[];
  readonly dangers?: readonly string[];
};

const at = (name: string, verifyingContract: Hex, chainId = 1, version = '1') => ({
  name,
  version,
  chainId,
  verifyingContract,
});

const PERMIT = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)';
const permit = { owner: ME, spender: BOB, value: '5500000', nonce: 0, deadline: SOON };
const PERMIT2 = at('Permit2', '0x000000000022D473030F116dDEE9F6B43aC78BA3');
const DETAILS = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)';
const UNISWAPX =
  'PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,ExclusiveDutchOrder witness)' +
  'DutchOutput(address token,uint256 startAmount,uint256 endAmount,address recipient)' +
  'ExclusiveDutchOrder(OrderInfo info,uint256 decayStartTime,uint256 decayEndTime,address exclusiveFiller,uint256 exclusivityOverrideBps,address inputToken,uint256 inputStartAmount,uint256 inputEndAmount,DutchOutput[] outputs)' +
  'OrderInfo(address reactor,address swapper,uint256 nonce,uint256 deadline,address additionalValidationContract,bytes additionalValidationData)' +
  'TokenPermissions(address token,uint256 amount)';
const SEAPORT =
  'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)' +
  'ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)' +
  'OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)';
const SAFE =
  'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)';
const WETH: Hex = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const APE: Hex = '0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D';

/**
 * Messages of real protocols, with their types, domains and contracts. No rule of ours covers those after the line:
 * they are listed value by value.
 */
export const PROTOCOLS: readonly Protocol[] = [
  { name: 'USDC permit', type: PERMIT, domain: at('USD Coin', USDC, 1, '2'), message: permit, says: ['5.5 USDC'] },
  {
    name: 'stETH permit',
    type: PERMIT,
    domain: at('Liquid staked Ether 2.0', '0xae7ab96520DE3A18E5e111B5EaAb095312D7fE84', 1, '2'),
    message: { ...permit, value: '1500000000000000000' },
    says: ['1.5 stETH'],
  },
  {
    name: 'UNI permit',
    type: PERMIT,
    domain: { name: 'Uniswap', chainId: 1, verifyingContract: '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984' },
    message: permit,
    says: ['0.0000000000055 UNI'],
  },
  {
    name: 'DAI permit',
    type: 'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)',
    domain: at('Dai Stablecoin', '0x6B175474E89094C44Da98b954EedeAC495271d0F'),
    message: { holder: ME, spender: BOB, nonce: 1, expiry: SOON, allowed: true },
    says: ['Amount: unlimited'],
    dangers: ['unlimited-approval'],
  },
  {
    name: 'Uniswap v3 position permit',
    type: 'Permit(address spender,uint256 tokenId,uint256 nonce,uint256 deadline)',
    domain: at('Uniswap V3 Positions NFT-V1', '0xC36442b4a4522E871399CD717aBDD847Ab11FE88'),
    message: { spender: BOB, tokenId: 77, deadline: SOON },
    says: ['Token ID: 77'],
  },
  {
    name: 'Uniswap Permit2, single',
    type: `PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${DETAILS}`,
    domain: PERMIT2,
    message: {
      details: { token: USDC, amount: ((1n << 160n) - 1n).toString(), expiration: SOON, nonce: 0 },
      spender: BOB,
      sigDeadline: SOON,
    },
    says: ['Amount: unlimited', 'Approval expires: 2026-01-01 01:00:00 UTC'],
    dangers: ['unlimited-approval'],
  },
  {
    name: 'Uniswap Permit2, batch',
    type: `PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${DETAILS}`,
    domain: PERMIT2,
    message: {
      details: [{ token: USDC, amount: '5500000', expiration: SOON, nonce: 0 }],
      spender: BOB,
      sigDeadline: SOON,
    },
    says: ['5.5 USDC'],
  },
  {
    name: 'UniswapX order',
    type: UNISWAPX,
    domain: PERMIT2,
    message: { permitted: { token: USDC, amount: '5500000' }, spender: BOB, nonce: 1, deadline: SOON },
    says: ['Maximum amount: 5.5 USDC', 'witness.inputToken'],
  },
  {
    name: 'USDC transfer by signature',
    type: 'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
    domain: at('USD Coin', USDC, 1, '2'),
    message: { from: ME, to: BOB, value: '5500000', validAfter: 0, validBefore: SOON },
    says: ['Send tokens by signature', '5.5 USDC'],
  },
  {
    name: 'OpenSea (Seaport) listing',
    type: SEAPORT,
    domain: at('Seaport', '0x0000000000000068F116a894984e2DB1123eB395', 1, '1.6'),
    message: {
      offerer: ME,
      offer: [{ itemType: 2, token: APE, identifierOrCriteria: 7, startAmount: '1', endAmount: '1' }],
      consideration: [],
      endTime: SOON,
    },
    says: ['Place an order', 'You send at most: 1 NFT #7 of', 'You receive at least: nothing'],
    dangers: ['nothing-in-return'],
  },
  {
    name: 'Safe transaction',
    type: SAFE,
    domain: { chainId: 1, verifyingContract: '0x8675B754342754A30A2AeF474D114d8460bca19b' },
    message: { to: BOB, value: '1000000000000000000', data: '0x', operation: 1, gasPrice: '0', nonce: 4 },
    says: ['Approve a Safe transaction', '1 ETH'],
    dangers: ['delegatecall'],
  },
  {
    name: 'Rarible meta transaction',
    type: 'MetaTransaction(uint256 nonce,address from,bytes functionSignature)',
    domain: at('Rarible', '0x7f19564c35c681099c0C857a7141836CF7EdAA53', 137),
    message: {
      nonce: 1,
      from: ME,
      functionSignature: `0xa22cb465${BOB.slice(2).toLowerCase().padStart(64, '0')}${'1'.padStart(64, '0')}`,
    },
    says: ['Approve full access'],
    dangers: ['approval-for-all'],
  },
  {
    name: 'Entry point 0.8 user operation',
    type: 'PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)',
    domain: at('ERC4337', '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108'),
    message: { sender: ALICE, callData: '0xdeadbeef' },
    says: ['Approve a user operation', 'Not decoded: 4 bytes'],
    dangers: ['foreign-operation'],
  },
  // ------------------------------------------------------------------------------------------------
  {
    name: '1inch order',
    type: 'Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)',
    domain: at('1inch Aggregation Router', '0x111111125421cA6dc452d289314280a0f8842A65', 1, '6'),
    message: {
      maker: ME,
      receiver: ME,
      makerAsset: USDC,
      takerAsset: WETH,
      makingAmount: '5500000',
      takingAmount: '2000000000000000',
    },
    says: ['You send at most: 5.5 USDC'],
  },
  {
    name: 'Velora (ParaSwap) Delta order',
    type: 'Order(address owner,address beneficiary,address srcToken,address destToken,uint256 srcAmount,uint256 destAmount,uint256 expectedAmount,uint256 deadline,uint8 kind,uint256 nonce,uint256 partnerAndFee,bytes permit,bytes metadata,Bridge bridge)Bridge(bytes4 protocolSelector,uint256 destinationChainId,address outputToken,int8 scalingFactor,bytes protocolData)',
    domain: at('Velora', '0x0000000000bbF5c5Fd284e657F01Bd000933C96D'),
    message: {
      owner: ME,
      beneficiary: ME,
      srcToken: USDC,
      destToken: WETH,
      srcAmount: '5500000',
      destAmount: '2000000000000000',
    },
    says: ['You send at most: 5.5 USDC', 'bridge.protocolSelector: 0x11111111'],
  },
  {
    name: 'Rarible order',
    type: 'Order(address maker,Asset makeAsset,address taker,Asset takeAsset,uint256 salt,uint256 start,uint256 end,bytes4 dataType,bytes data)Asset(AssetType assetType,uint256 value)AssetType(bytes4 assetClass,bytes data)',
    domain: at('Rarible', '0x9757F2d2b135150BBeb65308D4a91804107cd8D6', 1, '2'),
    message: { maker: ME },
    says: ['makeAsset.assetType.assetClass'],
  },
  {
    name: 'Hyperliquid withdrawal',
    type: 'HyperliquidTransaction:Withdraw(string hyperliquidChain,string destination,string amount,uint64 time)',
    domain: at('HyperliquidSignTransaction', '0x0000000000000000000000000000000000000000', 42161),
    message: { hyperliquidChain: 'Mainnet', destination: BOB, amount: '5.5', time: '1767225600000' },
    says: ['amount: 5.5'],
  },
  {
    name: 'Lens follow',
    type: 'Follow(uint256 followerProfileId,uint256[] idsOfProfilesToFollow,uint256[] followTokenIds,bytes[] datas,uint256 nonce,uint256 deadline)',
    domain: at('Lens Protocol Profiles', '0xDb46d1Dc155634FbC732f92E853b10B288AD5a1d', 137, '2'),
    message: { idsOfProfilesToFollow: ['12', '1043'], deadline: SOON },
    says: ['idsOfProfilesToFollow[1]: 1043'],
  },
  {
    name: 'Tally: a vote in a governor',
    type: 'Ballot(uint256 proposalId,uint8 support)',
    domain: at('ENS Governor', '0x323A76393544d5ecca80cd6ef2A560C6a395b7E3'),
    message: { proposalId: '42', support: 1 },
    says: ['proposalId: 42'],
  },
  {
    name: 'UNI: delegation of votes',
    type: 'Delegation(address delegatee,uint256 nonce,uint256 expiry)',
    domain: { name: 'Uniswap', chainId: 1, verifyingContract: '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984' },
    message: { delegatee: BOB, expiry: SOON },
    says: [`delegatee: ${BOB}`],
  },
  {
    name: 'DeGate withdrawal',
    type: 'Withdrawal(address owner,uint32 accountID,uint32 tokenID,uint248 amount,uint32 feeTokenID,uint96 maxFee,address to,uint248 minGas,uint32 validUntil,uint32 storageID)',
    domain: at('DeGate Protocol', '0xe63602a9B3DFE983187525AC985Fec4F57B24eD5', 1, '3.0.1'),
    message: { owner: ME, to: BOB, amount: '77' },
    says: ['amount: 77'],
  },
  {
    name: 'SmartCredit loan request',
    type: 'LoanRequest(address collateralAddress,uint256 initialCollateralAmount,uint256 loanAmount,bytes32 loanId,uint64 loanInterestRate,uint64 loanTerm,address underlyingAddress)',
    domain: at('Credit Line', '0x72e9D9038cE484EE986FEa183f8d8Df93f9aDA13', 1, '1.0.0'),
    message: { loanAmount: '77' },
    says: ['loanAmount: 77'],
  },
  {
    name: 'Lombard fee approval',
    type: 'feeApproval(uint256 chainId,uint256 fee,uint256 expiry)',
    domain: at('Lombard Staked Bitcoin', '0x8236a87084f8B84306f72007F36F2618A5634494'),
    message: { fee: '77' },
    says: ['fee: 77'],
  },
  {
    name: 'Rarible lazy mint',
    type: 'Mint721(uint256 tokenId,string tokenURI,Part[] creators,Part[] royalties)Part(address account,uint96 value)',
    domain: at('Rarible', '0xc9154424B823b10579895cCBE442d41b9Abd96Ed', 1, '2'),
    message: { tokenURI: '/ipfs/Qm' },
    says: ['creators[0].value: 1', 'tokenURI: /ipfs/Qm'],
  },
];

export const dataOf = ({ type, domain, message }: Protocol): TypedData => {
  const types = typesOf(type);
  return typedData(type, domain, filled(types, type.slice(0, type.indexOf('(')), message));
};
