import fc from 'fast-check';
import { encodeFunctionData, type Hex, hexToNumber, parseAbi, slice } from 'viem';

import { DEPLOYER } from '../anvil-rpc';
import { typedData } from '../../explaining';
import { amount, DAY, type Market, text } from './market';
import {
  ACCOUNT,
  APES,
  compiledContract,
  FILLER,
  type Markets,
  type Moment,
  OTHER,
  type Placed,
  SERVICE,
  WETH,
  WORD,
  ZERO,
} from './world';

const EXCHANGE: Hex = '0x000000000000Ad05Ccc4F10045630fb830B95127';
/** The policy of the market's fixed prices. */
const POLICY: Hex = '0x00000000006411739DA1c40B106F8511de5D1FAC';

const ORDER =
  'address trader; uint8 side; address matchingPolicy; address collection; uint256 tokenId; uint256 amount; address paymentToken; uint256 price; uint256 listingTime; uint256 expirationTime; Fee[] fees; uint256 salt; bytes extraParams;';
const TYPE = `Order(${ORDER.slice(0, -1).replaceAll('; ', ',')},uint256 nonce)Fee(uint16 rate,address recipient)`;
const ABI = parseAbi([
  'struct Fee { uint16 rate; address recipient; }',
  `struct Order { ${ORDER} }`,
  'struct Input { Order order; uint8 v; bytes32 r; bytes32 s; bytes extraSignature; uint8 signatureVersion; uint256 blockNumber; }',
  'function execute(Input sell, Input buy) payable',
  'function initialize(uint256 chainId, address weth, address delegate, address policies, address oracle, uint256 range)',
  'function approveContract(address)',
  'function addPolicy(address)',
]);

/** Where the compiler leaves room for the address of a library. */
const LIBRARY = /__\$[0-9a-f]{34}\$__/gu;

async function deploy({ deploy: deployed, place, send, approve }: Markets): Promise<void> {
  const delegate = await deployed(compiledContract('ExecutionDelegate'));
  const policies = await deployed(compiledContract('PolicyManager'));
  await place(POLICY, compiledContract('StandardPolicyERC721'));
  const { abi, bytecode } = compiledContract('BlurExchange');
  const library = (await deployed(compiledContract('MerkleVerifier'))).slice(2);
  await place(EXCHANGE, { abi, bytecode: bytecode.replaceAll(LIBRARY, library) as Hex });
  const call = (to: Hex, functionName: string, args: readonly unknown[]) =>
    send(DEPLOYER, { to, data: encodeFunctionData({ abi: ABI, functionName, args } as never) });
  await call(EXCHANGE, 'initialize', [1n, WETH, delegate, policies, OTHER, 5n]);
  await call(delegate, 'approveContract', [EXCHANGE]);
  await call(policies, 'addPolicy', [POLICY]);
  for (const party of [ACCOUNT, FILLER]) await approve(party, delegate);
}

type Terms = {
  readonly price: bigint;
  readonly rates: readonly number[];
  readonly isSale: boolean;
  readonly isCoin: boolean;
};

function placed({ price, rates, isSale, isCoin }: Terms, { now, serial }: Moment): Placed {
  const isPaidInCoins = isSale && isCoin;
  const order = {
    trader: ACCOUNT,
    side: isSale ? 1 : 0,
    matchingPolicy: POLICY,
    collection: APES,
    tokenId: serial,
    amount: 1n,
    paymentToken: isPaidInCoins ? ZERO : WETH,
    price,
    listingTime: now - DAY,
    expirationTime: now + DAY,
    fees: isSale ? rates.map((rate) => ({ rate, recipient: SERVICE })) : [],
    salt: serial,
    extraParams: '0x' as Hex,
  };
  const unsigned = { v: 27, r: WORD, s: WORD, extraSignature: '0x', signatureVersion: 0, blockNumber: 0n } as const;
  // Whoever sends the transaction signs nothing.
  const other = {
    ...unsigned,
    order: { ...order, trader: FILLER, side: isSale ? 0 : 1, listingTime: now - 2n, fees: [] },
  };
  return {
    data: typedData(
      TYPE,
      { name: 'Blur Exchange', version: '1.0', chainId: 1, verifyingContract: EXCHANGE },
      text({ ...order, nonce: 0n }),
    ),
    fill: (signature) => {
      const own = {
        ...unsigned,
        order,
        v: hexToNumber(slice(signature, 64)),
        r: slice(signature, 0, 32),
        s: slice(signature, 32, 64),
      };
      return {
        to: EXCHANGE,
        value: isPaidInCoins ? price : 0n,
        data: encodeFunctionData({ abi: ABI, functionName: 'execute', args: isSale ? [own, other] : [other, own] }),
      };
    },
    ape: { id: serial, holder: isSale ? ACCOUNT : FILLER },
  };
}

/** Blur 1. */
export const BLUR_MARKET: Market = {
  name: 'Blur',
  contract: 'BlurExchange',
  deploy,
  orders: fc
    .record({
      price: amount,
      rates: fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 2 }),
      isSale: fc.boolean(),
      isCoin: fc.boolean(),
    })
    .map((terms) => (moment: Moment) => placed(terms, moment)),
};
