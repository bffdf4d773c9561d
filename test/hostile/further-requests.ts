/**
 * Deceiving requests of the kinds in screens.test.ts, with other standards, nesting, units, thresholds and spellings.
 */
import { encodeAbiParameters, encodeFunctionData, type Hex, maxUint256, parseAbi, parseEther, toHex } from 'viem';

import { typedData } from '../support/explaining';
import {
  APES,
  FRIEND,
  LATER,
  MULTICALL3,
  NOBODY,
  PERMIT2,
  RICH,
  STRANGER,
  THIEF,
  TWIN,
  USDC,
} from '../support/hostile/cast';
import { type OpenPart, type ScreenWorld } from '../support/screen-world';

const DAI: Hex = '0x6B175474E89094C44Da98b954EedeAC495271d0F';
const UNISWAP_MULTICALL: Hex = '0x1F98415757620B543A52E61c46B32eB19261F984';
/** Begin and end like Permit2, and like the contract of Safe that only makes calls. */
const TWIN_OF_PERMIT2: Hex = '0x0000010101010101010101010101010101018ba3';
/** A contract of its own for each answer, because answers are remembered. */
const contract = (number: number): Hex =>
  `0x80ba8414f0b37280e0f2e0e3069c412ce25b${number.toString(16).padStart(4, '0')}`;
const SAFE: Hex = '0x5afe00000000000000000000000000000000c0de';
const MANY = 5_000_000_000n;
const ME: Hex = '0x29C76e6aD8f28BB1004902578Fb108c507Be341b';

const ABI = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
  'function decreaseAllowance(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
  'function safeTransferFrom(address from, address to, uint256 id)',
  'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
  'function aggregate((address target, bytes callData)[] calls)',
  'function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)',
  'function multiSend(bytes transactions)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
  'function enableModule(address module)',
  'function transferAndCall(address to, uint256 amount, bytes data)',
  'function approveAndCall(address spender, uint256 amount, bytes data)',
  'function authorizeOperator(address operator)',
  'function execute(bytes32 mode, bytes calls)',
  'function withdraw(uint256 amount)',
  'function multicall(bytes[] data)',
]);
const ERC6909 = parseAbi(['function transfer(address to, uint256 id, uint256 amount)']);
const PERMIT2_ABI = parseAbi(['function approve(address token, address spender, uint160 amount, uint48 expiration)']);

type Name = (typeof ABI)[number]['name'];
const data = (functionName: Name, args: readonly unknown[] = []): Hex =>
  encodeFunctionData({ abi: ABI, functionName, args } as never);
const packed = (calls: readonly (readonly [operation: number, to: Hex, value: bigint, data: Hex])[]): Hex =>
  `0x${calls.map(([operation, to, value, call]) => `${operation.toString(16).padStart(2, '0')}${to.slice(2)}${value.toString(16).padStart(64, '0')}${((call.length - 2) / 2).toString(16).padStart(64, '0')}${call.slice(2)}`).join('')}`;

/** A token that answers as its contract chooses; undefined for a call that fails. */
const answering = (answers: Readonly<Record<string, Hex>>) => (world: ScreenWorld) => {
  const before = world.answers.eth_call!;
  world.answers.eth_call = (params) => {
    const { data: input } = params[0] as { data: Hex };
    return answers[input.slice(0, 10)] ?? before(params);
  };
  return () => {
    world.answers.eth_call = before;
  };
};
const word = (value: bigint): Hex => toHex(value, { size: 32 });
const symbol = (text: string): Hex => encodeAbiParameters([{ type: 'string' }], [text]);
const token = (text: string, decimals = 6n, supply?: bigint): Readonly<Record<string, Hex>> => ({
  '0x95d89b41': symbol(text),
  '0x313ce567': word(decimals),
  ...(supply !== undefined && { '0x18160ddd': word(supply) }),
});
const COLLECTION: Readonly<Record<string, Hex>> = { '0x95d89b41': symbol('NFTS'), '0x01ffc9a7': word(1n) };

export type Further = {
  readonly name: string;
  readonly ask: (world: ScreenWorld) => Promise<OpenPart>;
  /** What the open part must say. */
  readonly says: readonly (string | RegExp)[];
  /** What a danger must say; no danger may appear if it is null. */
  readonly danger?: RegExp | null;
  readonly title?: RegExp;
  readonly not?: RegExp;
  /** The message, if it is one that also has to be asked about after MetaMask. */
  readonly message?: object;
  /** A message that Keystead can read and finds no danger in, so it is not asked about again. */
  readonly isPlain?: true;
  readonly prepare?: (world: ScreenWorld) => () => void;
};

const call = (
  name: string,
  fields: Readonly<Record<string, string>>,
  more: Omit<Further, 'name' | 'ask'>,
): Further => ({
  name,
  ask: (world) => world.transaction(fields),
  ...more,
});
const calls = (
  name: string,
  made: readonly { readonly to: Hex; readonly data?: Hex; readonly value?: Hex }[],
  more: Omit<Further, 'name' | 'ask'>,
): Further => ({ name, ask: (world) => world.calls(made), ...more });
const message = (name: string, signed: object, more: Omit<Further, 'name' | 'ask' | 'message'>): Further => ({
  name,
  ask: (world) => world.typedData(signed),
  message: signed,
  ...more,
});
const on = (verifyingContract: Hex, name = 'App') => ({ name, version: '1', chainId: 1, verifyingContract });
const SAFE_TX =
  'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)';
const safeTx = (fields: object) =>
  typedData(
    SAFE_TX,
    { chainId: 1, verifyingContract: SAFE },
    {
      to: STRANGER,
      value: '0',
      data: '0x',
      operation: 0,
      safeTxGas: '0',
      baseGas: '0',
      gasPrice: '0',
      gasToken: NOBODY,
      refundReceiver: NOBODY,
      nonce: '1',
      ...fields,
    },
  );
const exec = (to: Hex, value: bigint, inner: Hex, operation = 0): Hex =>
  data('execTransaction', [to, value, inner, operation, 0n, 0n, 0n, NOBODY, NOBODY, '0x']);

const TITLES: readonly Further[] = [
  call(
    'a token that calls itself USDC claims a transfer to the account, for 1 ETH',
    { to: contract(1), value: toHex(parseEther('1')), data: data('transferFrom', [RICH, ME, MANY]) },
    {
      prepare: answering(token('USDC')),
      title: /1 ETH/u,
      not: /^# .*USDC/mu,
      says: [/You send: 1 ETH/u, /To: 0x80bA/iu],
    },
  ),
  call(
    'the same without coins',
    { to: contract(2), data: data('transferFrom', [RICH, ME, MANY]) },
    { prepare: answering(token('USDC')), not: /^# .*5000/mu, says: [/0x80[bB][aA]…/u] },
  ),
  call(
    'a contract that calls itself ETH pays out',
    { to: contract(3), data: data('withdraw', [parseEther('5')]) },
    { prepare: answering(token('ETH', 18n)), not: /^# Withdraw 5 ETH/mu, says: [/0x80[bB][aA]…/u] },
  ),
  call(
    'transfers between others, and coins for the contract',
    { to: STRANGER, value: toHex(parseEther('2')), data: data('transferFrom', [RICH, THIEF, MANY]) },
    { title: /2 ETH/u, not: /^# Move/mu, says: [/You send: 2 ETH/u] },
  ),
];

const SUMS: readonly Further[] = [
  calls(
    'a permission that a later call lowers',
    [
      { to: USDC, data: data('approve', [THIEF, MANY]) },
      { to: USDC, data: data('decreaseAllowance', [THIEF, MANY - 1n]) },
    ],
    { says: [/You allow: 5000 USDC/u, THIEF] },
  ),
  calls(
    'a permission that a later call takes back',
    [
      { to: USDC, data: data('approve', [THIEF, MANY]) },
      { to: USDC.toLowerCase() as Hex, data: data('approve', [THIEF.toLowerCase(), 0n]) },
    ],
    { title: /5000 USDC/u, says: [/You allow: 5000 USDC/u, THIEF] },
  ),
  calls(
    'three permissions of three functions, spelled differently',
    [
      { to: USDC.toLowerCase() as Hex, data: data('approve', [THIEF, MANY]) },
      { to: USDC, data: data('increaseAllowance', [THIEF.toLowerCase(), MANY]) },
      { to: USDC, data: data('approveAndCall', [THIEF, MANY, '0x12']) },
    ],
    { says: [/You allow: 15,000 USDC/u] },
  ),
  calls(
    'permissions of Permit2 that add up to more than can exist',
    [1, 2, 3].map(() => ({
      to: PERMIT2,
      data: encodeFunctionData({ abi: PERMIT2_ABI, args: [USDC, THIEF, 2n ** 111n, Number(LATER)] }),
    })),
    { danger: /all of your USDC/u, says: [/You allow: unlimited USDC/u] },
  ),
];

const ORDER: readonly Further[] = [
  message(
    'a batch of Permit2 with 29 pieces of dust before what matters',
    typedData(
      'PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)',
      { name: 'Permit2', chainId: 1, verifyingContract: PERMIT2 },
      {
        details: [
          ...Array.from({ length: 29 }, (_, at) => ({
            token: `0x${(at + 1).toString(16).padStart(2, '0').repeat(20)}`,
            amount: '1',
            expiration: LATER,
            nonce: '0',
          })),
          { token: USDC, amount: MANY.toString(), expiration: LATER, nonce: '0' },
        ],
        spender: THIEF,
        sigDeadline: LATER,
      },
    ),
    { title: /5000 USDC/u, says: [/You allow: 5000 USDC/u, THIEF], isPlain: true },
  ),
  message(
    'a message that names 70 addresses, so that nobody sees the last',
    typedData('Notice(address[] friends,address last,uint256 amount)', on(STRANGER), {
      friends: Array.from({ length: 69 }, (_, at) => `0x${(at + 16).toString(16).repeat(20)}`),
      last: THIEF,
      amount: '5',
    }),
    { danger: /./u, says: [] },
  ),
];

const INSIDE: readonly Further[] = [
  message(
    'a batch in a Safe transaction that sends to a twin, third',
    safeTx({
      to: '0x9641d764fc13c8B624c04430C7356C1C7C8102e2',
      operation: 1,
      data: data('multiSend', [
        packed([
          [0, FRIEND, 1n, '0x'],
          [0, USDC, 0n, data('transfer', [FRIEND, 1n])],
          [0, USDC, 0n, data('transfer', [TWIN, MANY])],
        ]),
      ]),
    }),
    { danger: /imitates/u, says: [TWIN, /5000 USDC/u] },
  ),
  message('code that a Safe runs, of a twin', safeTx({ to: TWIN, operation: 1, data: '0x8d80ff0a' }), {
    danger: /imitates/u,
    says: [TWIN],
  }),
  message('a module of a Safe that is a twin', safeTx({ to: SAFE, data: data('enableModule', [TWIN]) }), {
    danger: /imitates/u,
    says: [TWIN],
  }),
  message('a call to a twin that nobody can read, by a Safe', safeTx({ to: TWIN, data: '0x12345678' }), {
    danger: /imitates/u,
    says: [TWIN],
  }),
  call(
    'coins for a twin through Multicall3',
    {
      to: MULTICALL3,
      value: toHex(parseEther('5')),
      data: data('aggregate3Value', [[{ target: TWIN, allowFailure: true, value: parseEther('5'), callData: '0x' }]]),
    },
    { danger: /imitates/u, says: [TWIN, /5 ETH/u] },
  ),
  call(
    'an NFT for a twin',
    { to: APES, data: data('safeTransferFrom', [ME, TWIN, 5n]) },
    { danger: /imitates/u, says: [TWIN] },
  ),
  call(
    'several kinds of tokens for a twin (ERC-1155)',
    { to: APES, data: data('safeBatchTransferFrom', [ME, TWIN, [1n, 2n], [3n, 4n], '0x']) },
    { danger: /imitates/u, says: [TWIN] },
  ),
  call(
    'tokens of ERC-6909 for a twin',
    { to: STRANGER, data: encodeFunctionData({ abi: ERC6909, args: [TWIN, 1n, 5n] }) },
    { danger: /imitates/u, says: [TWIN] },
  ),
  call(
    'tokens for a twin that is called with data (ERC-1363)',
    { to: USDC, data: data('transferAndCall', [TWIN, MANY, '0x1234']) },
    { danger: /imitates/u, says: [TWIN, /You send: 5000 USDC/u] },
  ),
  call(
    'a spender that is a twin of Permit2',
    { to: USDC, data: data('approve', [TWIN_OF_PERMIT2, MANY]) },
    { danger: /imitates 0x000000000022D473030F116dDEE9F6B43aC78BA3, which is Permit2/u, says: [] },
  ),
  call(
    'a Safe in a Safe that lets a stranger spend',
    { to: SAFE, data: exec(SAFE, 0n, exec(USDC, 0n, data('approve', [THIEF, maxUint256]))) },
    { danger: /./u, says: [THIEF] },
  ),
  call(
    'a batch of ERC-7821 of an account that is not the own one',
    {
      to: STRANGER,
      data: data('execute', [
        `0x01${'00'.repeat(31)}`,
        encodeAbiParameters(
          [
            {
              type: 'tuple[]',
              components: [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes' }],
            },
          ],
          [[[USDC, 0n, data('transfer', [TWIN, MANY])]] as never],
        ),
      ]),
    },
    { danger: /imitates/u, says: [TWIN], title: /0x80ba…b75f/u },
  ),
];

const UNREAD: readonly Further[] = [
  message(
    'a permission with a signed number',
    typedData('Permit(address spender,int256 amount)', on(USDC), {
      spender: THIEF,
      amount: (2n ** 255n - 1n).toString(),
    }),
    { danger: /unlimited/u, says: [THIEF] },
  ),
  message(
    'a permission with a number written as text',
    typedData('Consent(string who,string amount)', on(USDC), { who: THIEF, amount: maxUint256.toString() }),
    { danger: /unlimited/u, says: [THIEF] },
  ),
  message(
    'a withdrawal to an address that is a text',
    typedData('Withdraw(string destination,string amount,uint64 time)', on(NOBODY), {
      destination: TWIN.toLowerCase(),
      amount: '5000',
      time: '1',
    }),
    { danger: /imitates/u, says: [TWIN] },
  ),
  message(
    'a recipient as a word, as bridges have it',
    typedData('Burn(uint256 amount,bytes32 mintRecipient,uint32 domain)', on(STRANGER), {
      amount: '5000',
      mintRecipient: `0x${'00'.repeat(12)}${TWIN.slice(2)}`,
      domain: 6,
    }),
    { danger: /imitates/u, says: [TWIN] },
  ),
  message(
    'a recipient as a number',
    typedData('Exit(uint256 amount,uint256 recipient)', on(STRANGER), {
      amount: '5000',
      recipient: BigInt(TWIN).toString(),
    }),
    { danger: /imitates/u, says: [TWIN] },
  ),
  message(
    'a recipient with its chain before it (CAIP-10)',
    typedData('Exit(string to,uint256 amount)', on(STRANGER), { to: `eip155:10:${TWIN}`, amount: '5' }),
    { danger: /imitates/u, says: [TWIN] },
  ),
  message(
    'a permission in Spanish, unlimited',
    typedData('Permiso(address gastador,uint256 importe,uint256 hasta)', on(USDC), {
      gastador: THIEF,
      importe: maxUint256.toString(),
      hasta: LATER,
    }),
    { danger: /unlimited/u, says: [THIEF] },
  ),
  message(
    'a signer that an exchange links to the account',
    typedData('LinkSigner(bytes32 sender,bytes32 signer,uint64 nonce)', on(STRANGER, 'Exchange'), {
      sender: `${ME}${'00'.repeat(12)}`,
      signer: `0x${'00'.repeat(12)}${THIEF.slice(2)}`,
      nonce: '1',
    }),
    { danger: /act for your account/u, says: [THIEF] },
  ),
  message(
    'a key that is registered for trading',
    typedData('RegisterKey(bytes publicKey,uint256 index)', on(STRANGER, 'Exchange'), {
      publicKey: `0x04${'ab'.repeat(64)}`,
      index: '1',
    }),
    { danger: /act for your account/u, says: [] },
  ),
  message(
    'a new owner by name',
    typedData('Handover(address newOwner,uint256 nonce)', on(STRANGER), { newOwner: THIEF, nonce: '1' }),
    { danger: /./u, says: [THIEF] },
  ),
  ...(
    [
      ['a list of hashes', 'Batch(bytes32[] leaves)', { leaves: [`0x${'ab'.repeat(32)}`, `0x${'cd'.repeat(32)}`] }],
      ['a hash as bytes', 'Approve(bytes orders)', { orders: `0x${'ab'.repeat(32)}` }],
      ['a hash as a number', 'Approve(uint256 orders)', { orders: BigInt(`0x${'ab'.repeat(32)}`).toString() }],
      ['a hash as text', 'Approve(string orders)', { orders: 'ab'.repeat(32) }],
      [
        'a hash with a time',
        'Intent(bytes32 intentHash,uint256 deadline)',
        { intentHash: `0x${'ab'.repeat(32)}`, deadline: LATER },
      ],
    ] as const
  ).map(([name, type, values]) => message(name, typedData(type, on(STRANGER), values), { danger: /hash/u, says: [] })),
  message(
    'a hash in the wrapper of a smart account (ERC-7739)',
    typedData(
      'TypedDataSign(Root contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)Root(bytes32 root)',
      on(STRANGER, 'Market'),
      {
        contents: { root: `0x${'ab'.repeat(32)}` },
        name: 'Safe',
        version: '1',
        chainId: 1,
        verifyingContract: SAFE,
        salt: `0x${'00'.repeat(32)}`,
      },
    ),
    { danger: /hash/u, says: ['ab'.repeat(32)] },
  ),
  ...(
    [
      [
        'by its calls',
        'Intent(address eoa,bytes executionData,uint256 nonce)',
        { eoa: RICH, executionData: '0x1234', nonce: '1' },
      ],
      [
        'by a hash of its calls',
        'Run(address wallet,bytes32 callsHash)',
        { wallet: RICH, callsHash: `0x${'ab'.repeat(32)}` },
      ],
      ['with calls in bytes', 'Op(address smartAccount,bytes callsData)', { smartAccount: RICH, callsData: '0x1234' }],
    ] as const
  ).map(([name, type, values]) =>
    message(`an operation of another account, ${name}`, typedData(type, on(STRANGER), values), {
      danger: /operation|hash/u,
      says: [RICH],
    }),
  ),
  message(
    'a chain in the salt that is not that of the domain',
    {
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'chainId', type: 'uint256' },
          { name: 'salt', type: 'bytes32' },
          { name: 'verifyingContract', type: 'address' },
        ],
        MetaTransaction: [
          { name: 'nonce', type: 'uint256' },
          { name: 'from', type: 'address' },
          { name: 'functionSignature', type: 'bytes' },
        ],
      },
      primaryType: 'MetaTransaction',
      domain: { name: 'Token', chainId: 1, salt: word(137n), verifyingContract: USDC },
      message: { nonce: '0', from: ME, functionSignature: data('transfer', [THIEF, 5n]) },
    },
    { danger: /Polygon/u, says: [] },
  ),
];

const THRESHOLDS: readonly Further[] = [
  call(
    'one more than the total supply, where the contract tells it',
    { to: contract(4), data: data('approve', [THIEF, 1_000_001n]) },
    {
      prepare: answering(token('TOK', 0n, 1_000_000n)),
      danger: /all of your TOK/u,
      says: [/You allow: unlimited TOK/u],
    },
  ),
  call(
    'no more than the total supply',
    { to: contract(5), data: data('approve', [FRIEND, 1_000_000n]) },
    { prepare: answering(token('TOK', 0n, 1_000_000n)), danger: null, says: [/You allow: 1,000,000 TOK/u] },
  ),
  call(
    'a collection, as its interface says: the ID of one NFT, however large, is no amount',
    { to: contract(6), data: data('approve', [FRIEND, 2n ** 255n + 7n]) },
    {
      prepare: answering(COLLECTION),
      danger: null,
      title: /Let .* move NFT #/u,
      says: [/You allow: 1 NFT #/u],
      not: /units/u,
    },
  ),
  call(
    'NFT 0 of a collection, as its interface says',
    { to: contract(7), data: data('approve', [THIEF, 0n]) },
    {
      prepare: answering(COLLECTION),
      title: /Let .* move NFT #0/u,
      says: [/You allow: 1 NFT #0/u, THIEF],
      not: /Take back|Revoke/u,
    },
  ),
  call(
    'a transfer of an NFT by the function of tokens',
    { to: contract(8), data: data('transferFrom', [ME, THIEF, 77n]) },
    { prepare: answering(COLLECTION), title: /Send NFT #77/u, says: [/You send: 1 NFT #77/u, THIEF], not: /units/u },
  ),
  call(
    'a token that says it is a collection, with decimals: still an amount',
    { to: contract(9), data: data('approve', [THIEF, maxUint256]) },
    {
      prepare: answering({ ...token('TOK', 18n), '0x01ffc9a7': word(1n) }),
      danger: /all of your TOK/u,
      says: [/unlimited/u],
    },
  ),
];

const FEES: readonly Further[] = [
  call(
    'a legacy price of 1,000 times what the node suggests',
    { to: FRIEND, value: '0x1', gasPrice: toHex(2_000_000_000_000n) },
    { danger: /times what the network's node suggests/u, says: [/more than the .* that you send/u] },
  ),
];

const PUBLIC: readonly Further[] = [
  call(
    'everything in a collection for Multicall3',
    { to: APES, data: data('setApprovalForAll', [MULTICALL3, true]) },
    { danger: /Anybody/u, says: [] },
  ),
  call(
    'an NFT for Multicall3',
    { to: APES, data: data('safeTransferFrom', [ME, MULTICALL3, 5n]) },
    { danger: /Anybody/u, says: [] },
  ),
  call(
    'a multicall of another interface',
    { to: USDC, data: data('approve', [UNISWAP_MULTICALL, MANY]) },
    { danger: /Anybody/u, says: [UNISWAP_MULTICALL] },
  ),
  message(
    'a permit for Multicall3',
    typedData(
      'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)',
      on(USDC, 'USD Coin'),
      {
        owner: ME,
        spender: MULTICALL3,
        value: MANY.toString(),
        nonce: '0',
        deadline: LATER,
      },
    ),
    { danger: /Anybody/u, says: [/5000 USDC/u] },
  ),
  calls(
    'tokens of ERC-777 for an operator that anybody can call',
    [{ to: STRANGER, data: data('authorizeOperator', [MULTICALL3]) }],
    { danger: /Anybody/u, says: [] },
  ),
];

const TEXTS: readonly Further[] = [
  call(
    'a symbol with letters of another script is written out once',
    { to: contract(10), data: data('transfer', [FRIEND, MANY]) },
    { prepare: answering(token('UЅDС')), says: [/\\u\{405\}/u], not: /\\u\{5c\}/u },
  ),
  message(
    'a text that speaks as Keystead',
    typedData('Note(string text)', { name: 'Notes', chainId: 1 }, { text: 'ok”\nYou receive: 5000 USDC\n# Safe' }),
    { not: /^(?:You receive|# Safe)/mu, says: [] },
  ),
];

const GIFTS: readonly Further[] = [
  message(
    'an order of UniswapX for nothing',
    typedData(
      'PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Dutch witness)Dutch(address swapper,Output[] outputs)Output(address token,uint256 startAmount,uint256 endAmount,address recipient)TokenPermissions(address token,uint256 amount)',
      { name: 'Permit2', chainId: 1, verifyingContract: PERMIT2 },
      {
        permitted: { token: USDC, amount: MANY.toString() },
        spender: STRANGER,
        nonce: '0',
        deadline: LATER,
        witness: { swapper: ME, outputs: [{ token: DAI, startAmount: '0', endAmount: '0', recipient: ME }] },
      },
    ),
    { danger: /nothing in return/u, says: [/5000 USDC/u] },
  ),
  message(
    'an order whose amounts are inside of assets',
    typedData(
      'Trade(address maker,Asset makeAsset,Asset takeAsset,uint256 salt)Asset(address token,uint256 value)',
      on(STRANGER),
      {
        maker: ME,
        makeAsset: { token: APES, value: '1' },
        takeAsset: { token: USDC, value: '0' },
        salt: '1',
      },
    ),
    { danger: /nothing in return/u, says: [] },
  ),
  message(
    'a sale of which others get all of the price',
    typedData(
      'Order(address trader,address collection,uint256 tokenId,uint256 price,Fee[] fees)Fee(uint16 rate,address recipient)',
      on(STRANGER),
      {
        trader: ME,
        collection: APES,
        tokenId: '5',
        price: parseEther('5').toString(),
        fees: [{ rate: 10_000, recipient: THIEF }],
      },
    ),
    { danger: /nothing in return/u, says: [THIEF] },
  ),
  message(
    'a listing with a price of nothing, by another name',
    typedData('Listing(address nft,uint256 tokenId,uint256 askPrice)', on(STRANGER), {
      nft: APES,
      tokenId: '5',
      askPrice: '0',
    }),
    { danger: /nothing in return/u, says: [] },
  ),
];

export const FURTHER: Readonly<Record<string, readonly Further[]>> = {
  'the title': TITLES,
  'permissions add up': SUMS,
  'order and dust': ORDER,
  'signed calls inside': INSIDE,
  'what cannot be read': UNREAD,
  'beyond what can exist': THRESHOLDS,
  'the fee': FEES,
  'contracts that anybody can use': PUBLIC,
  'text from outside': TEXTS,
  'something for nothing': GIFTS,
};
