/** Requests that were shown as something else than they are. Each says what its screen must say at once. */
import {
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  maxUint256,
  parseAbi,
  parseEther,
  stringToHex,
  toHex,
} from 'viem';

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
import { type OpenPart, ScreenWorld } from '../support/screen-world';
import { NodeRefusal } from '../support/simulated-node';

const ABI = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function transferFrom(address from, address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls)',
  'function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)',
  'function multiSend(bytes transactions)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
  'function execute(address target, bytes data)',
  'function claim()',
  'function approveHash(bytes32 hash)',
  'function changeMasterCopy(address masterCopy)',
  'function setModuleGuard(address guard)',
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  'function execTransactionFromModuleReturnData(address to, uint256 value, bytes data, uint8 operation)',
  'function approveAndCall(address spender, uint256 amount)',
  'function transferAndCall(address to, uint256 amount, bytes data)',
  'function setOperator(address operator, bool approved)',
  'function authorizeOperator(address operator)',
  'function send(address to, uint256 amount, bytes data)',
  'function approveDelegation(address delegatee, uint256 amount)',
  'function allow(address manager, bool isAllowed)',
  'function setOwner(bytes32 node, address owner)',
  'function transferOwnership(address owner)',
]);
const PERMIT2_ABI = parseAbi(['function approve(address token, address spender, uint160 amount, uint48 expiration)']);
const ERC6909_ABI = parseAbi(['function approve(address spender, uint256 id, uint256 amount)']);

type Name = (typeof ABI)[number]['name'];
const data = (functionName: Name, args: readonly unknown[] = []): Hex =>
  encodeFunctionData({ abi: ABI, functionName, args } as never);
const approveByPermit2 = (token: Hex, spender: Hex, amount: bigint): Hex =>
  encodeFunctionData({ abi: PERMIT2_ABI, args: [token, spender, amount, Number(LATER)] });

let world: ScreenWorld;
let me: Hex;
beforeAll(async () => {
  world = await ScreenWorld.start([FRIEND]);
  me = world.eoa.address as Hex;
});

const expectDanger = (screen: OpenPart, pattern = /./u): void => {
  expect(screen.dangers.join('\n')).toMatch(pattern);
};
const expectTwinFlagged = (screen: OpenPart, twin: Hex = TWIN): void => {
  expect(screen.lines.some((line) => /^[^#[].*: /u.test(line) && line.endsWith(`: ${twin}`))).toBe(true);
  expect(screen.text).toMatch(/New recipients?: /u);
  expectDanger(screen, /imitates/u);
};

describe('the title', () => {
  const claims = data('transferFrom', [RICH, '0x29C76e6aD8f28BB1004902578Fb108c507Be341b', 5_000_000_000n]);

  it.each<[string, () => Hex]>([
    ['a batch', () => data('aggregate3', [[{ target: USDC, allowFailure: false, callData: claims }]])],
    [
      'a batch with values',
      () => data('aggregate3Value', [[{ target: USDC, allowFailure: false, value: 0n, callData: claims }]]),
    ],
    [
      'a batch in a batch',
      () =>
        data('aggregate3', [
          [
            {
              target: MULTICALL3,
              allowFailure: false,
              callData: data('aggregate3', [[{ target: USDC, allowFailure: false, callData: claims }]]),
            },
          ],
        ]),
    ],
    ['a proxy', () => data('execute', [USDC, claims])],
    ['a Safe', () => data('execTransaction', [USDC, 0n, claims, 0, 0n, 0n, 0n, NOBODY, NOBODY, '0x'])],
  ])('is not written by what a contract that nobody knows is sent: %s', async (_what, write) => {
    const screen = await world.transaction({ to: STRANGER, value: toHex(parseEther('1')), data: write() });
    expect(screen.title).not.toContain('USDC');
    expect(screen.title).toMatch(/1 ETH/u);
    expect(screen.title).toContain('0x80ba…b75f');
    expect(screen.rows('You send')).toContain('1 ETH');
    expect(screen.rows('You receive')).toEqual([]);
    expect(screen.text).toContain(STRANGER);
  });
});

describe('what is decoded and what is simulated', () => {
  const BAIT: Hex = '0x257cFe0416589B69A3C474D46fA2A8D580ca24d6';
  const word = (value: bigint): Hex => toHex(value, { size: 32 });
  const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

  /** A node on which the first call pays the account 5100 USDC, as long as it is only simulated. */
  async function behaving(): Promise<ScreenWorld> {
    const simulating = await ScreenWorld.start();
    simulating.answers.eth_simulateV1 = ([options]) => {
      const { calls } = (options as { blockStateCalls: [{ calls: { from: Hex; data: Hex }[] }] }).blockStateCalls[0];
      const isRead = ({ from }: { from: Hex }): boolean => /^0x0+$/u.test(from);
      const first = calls.findIndex((call) => !isRead(call));
      const account = simulating.smart.address as Hex;
      const log = (from: Hex, to: Hex, amount: bigint) => ({
        address: USDC,
        topics: [TRANSFER, ...[from, to].map((at) => `0x${at.slice(2).toLowerCase().padStart(64, '0')}`)],
        data: word(amount),
      });
      return [
        {
          number: '0x11',
          calls: calls.map((call, at) => {
            const logs = isRead(call) ? [] : [log(BAIT, account, 5_100_000_000n), log(account, THIEF, 5_000_000_000n)];
            const amount = at > first ? 6_100_000_000n : 6_000_000_000n;
            return { status: '0x1', returnData: isRead(call) ? word(amount) : '0x', logs, gasUsed: '0x5208' };
          }),
        },
      ];
    };
    return simulating;
  }

  it('are both lower bounds: a refund in the preview does not hide a transfer', async () => {
    const simulating = await behaving();
    const screen = await simulating.calls([
      { to: BAIT, data: data('claim') },
      { to: USDC, data: data('transfer', [THIEF, 5_000_000_000n]) },
    ]);
    expect(screen.text).toContain('Simulated');
    expect(screen.rows('You send').some((row) => /^5000 USDC/u.test(row))).toBe(true);
    expect(screen.rows('To')).toContain(THIEF);
  });

  it('receipts that only calldata claims are not received', async () => {
    const claimed = data('transferFrom', [RICH, world.smart.address, 5_000_000_000n]);
    const screen = await world.calls([{ to: USDC, data: claimed }]);
    expect(screen.rows('You receive')).toEqual([]);
  });
});

describe('permissions to one spender over one token add up', () => {
  const permitted = (amounts: readonly (bigint | string)[]) =>
    typedData(
      'PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)',
      { name: 'Permit2', chainId: 1, verifyingContract: PERMIT2 },
      {
        permitted: amounts.map((amount) => ({ token: USDC, amount: String(amount) })),
        spender: THIEF,
        nonce: '0',
        deadline: LATER,
      },
    );
  const MILLION = 1_000_000_000_000n;

  it.each([
    ['the largest in the middle', [1n, MILLION, 1n]],
    ['the largest first', [MILLION, 1n, 1n]],
    ['the largest last', [1n, 1n, MILLION]],
  ])('in a batch of Permit2: %s', async (_order, amounts) => {
    const screen = await world.typedData(permitted(amounts));
    expect(screen.rows('You allow').join('\n')).toMatch(/^1,000,000\.000002 USDC/mu);
    expect(screen.title).toMatch(/1,000,000(?:\.000002)? USDC/u);
    expect(screen.text).toContain(THIEF);
  });

  const approve = (amount: bigint): Hex => data('approve', [THIEF, amount]);
  it.each<[string, { readonly to: Hex; readonly data: Hex }[], RegExp]>([
    [
      'approve, then approve by Permit2',
      [
        { to: STRANGER, data: '0x12345678' },
        { to: USDC, data: approve(10n ** 18n) },
        { to: PERMIT2, data: approveByPermit2(USDC, THIEF, 1n) },
      ],
      /^1,000,000,000,000(?:\.000001)? USDC/mu,
    ],
    [
      'approve by Permit2, then approve',
      [
        { to: PERMIT2, data: approveByPermit2(USDC, THIEF, MILLION) },
        { to: USDC, data: approve(1n) },
      ],
      /^1,000,000(?:\.000001)? USDC/mu,
    ],
    [
      'approve, then increaseAllowance',
      [
        { to: USDC, data: approve(MILLION) },
        { to: USDC, data: data('increaseAllowance', [THIEF, 1n]) },
      ],
      /^1,000,000(?:\.000001)? USDC/mu,
    ],
    [
      'approve twice',
      [
        { to: USDC, data: approve(MILLION) },
        { to: USDC, data: approve(1n) },
      ],
      /^1,000,000(?:\.000001)? USDC/mu,
    ],
    [
      'approve, then a take-back that may never come',
      [
        { to: USDC, data: approve(MILLION) },
        { to: STRANGER, data: data('claim') },
        { to: USDC, data: approve(0n) },
      ],
      /^1,000,000 USDC/mu,
    ],
  ])('in calls: %s', async (_what, calls, allows) => {
    const screen = await world.calls(calls);
    expect(screen.rows('You allow').join('\n')).toMatch(allows);
    expect(screen.text).toContain(THIEF);
  });
});

describe('whoever gets a permission or an asset is on the open part', () => {
  const KNOWN: readonly Hex[] = [
    PERMIT2,
    '0x0000000000000068F116a894984e2DB1123eB395',
    '0x1111111254EEB25477B68fb85Ed929f73A960582',
    '0x111111125421cA6dc452d289314280a0f8842A65',
    '0xC92E8bdf79f0507f65a392b0ab4667716BFE0110',
    '0xBA12222222228d8Ba445958a75a0704d566BF2C8',
  ];
  const dust = (count: number) =>
    Array.from({ length: count }, (_item, at) => ({
      to: `0x${(0x10 + at).toString(16).repeat(20)}` as Hex,
      data: data('approve', [KNOWN[at % KNOWN.length]!, 1_000n]),
    }));
  const real = { to: USDC, data: data('approve', [THIEF, 5_000_000_000n]) };

  it.each([
    ['last', [...dust(21), real]],
    ['first', [real, ...dust(21)]],
    ['in the middle', [...dust(30), real, ...dust(30)]],
    ['in a batch of a hundred', [...dust(99), real]],
  ])('an unknown spender behind dust, %s', async (_where, calls) => {
    const screen = await world.calls(calls);
    expect(screen.text).toContain(THIEF);
    expect(screen.rows('You allow').join('\n')).toMatch(/^5000 USDC/mu);
  });

  it('an unknown recipient behind dust', async () => {
    const sent = Array.from({ length: 25 }, (_item, at) => ({
      to: `0x${(0x30 + at).toString(16).repeat(20)}` as Hex,
      value: toHex(at + 1),
    }));
    const screen = await world.calls([...sent, { to: USDC, data: data('transfer', [THIEF, 5_000_000_000n]) }]);
    expect(screen.text).toContain(THIEF);
    expect(screen.rows('You send').join('\n')).toMatch(/^5000 USDC/mu);
  });

  it('too many unknown recipients are a danger', async () => {
    const calls = Array.from({ length: 60 }, (_item, at) => ({
      to: USDC,
      data: data('transfer', [`0x${(0x10 + at).toString(16).repeat(20)}`, 5_000_000_000n]),
    }));
    const screen = await world.calls(calls);
    const shown = calls.filter((_call, at) =>
      screen.text.toLowerCase().includes(`0x${(0x10 + at).toString(16).repeat(20)}`),
    );
    if (shown.length < calls.length) expectDanger(screen);
  });

  it('everybody in a burst of dust that takes all places in the list of effects', async () => {
    const calls = [
      ...Array.from({ length: 98 }, (_item, at) => ({
        to: MULTICALL3,
        data: data('aggregate3', [
          Array.from({ length: 4 }, (_other, inner) => ({
            target: `0x${(0x1000 + 4 * at + inner).toString(16).repeat(10)}`,
            allowFailure: true,
            callData: data('approve', [PERMIT2, 1n]),
          })),
        ]),
      })),
      real,
    ];
    const screen = await world.calls(calls);
    expect(screen.text).toContain(THIEF);
  });
});

describe('signed calls inside a message or a call', () => {
  const SAFE_TX =
    'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)';
  const safeTx = (fields: Readonly<Record<string, unknown>> = {}) =>
    typedData(
      SAFE_TX,
      { chainId: 1, verifyingContract: STRANGER },
      {
        to: TWIN,
        value: '5000000000000000000',
        data: '0x',
        operation: 0,
        safeTxGas: '0',
        baseGas: '0',
        gasPrice: '0',
        gasToken: NOBODY,
        refundReceiver: NOBODY,
        nonce: '0',
        ...fields,
      },
    );
  const exec = (
    to: Hex,
    value: bigint,
    inner: Hex = '0x',
    refund: { price?: bigint; token?: Hex; receiver?: Hex } = {},
  ): Hex =>
    data('execTransaction', [
      to,
      value,
      inner,
      0,
      0n,
      0n,
      refund.price ?? 0n,
      refund.token ?? NOBODY,
      refund.receiver ?? NOBODY,
      '0x',
    ]);
  const packed = (to: Hex, value: bigint, inner: Hex = '0x'): Hex =>
    `0x00${to.slice(2)}${value.toString(16).padStart(64, '0')}${(inner.length / 2 - 1).toString(16).padStart(64, '0')}${inner.slice(2)}`;

  it('a Safe transaction to a twin of a friend', async () => {
    expectTwinFlagged(await world.typedData(safeTx()));
  });

  it('tokens from a Safe to a twin', async () => {
    const fields = { to: USDC, value: '0', data: data('transfer', [TWIN, 5_000_000_000n]) };
    expectTwinFlagged(await world.typedData(safeTx(fields)));
  });

  it('a refund of a Safe transaction: who gets it and how much is on the open part', async () => {
    const screen = await world.typedData(
      safeTx({
        to: FRIEND,
        value: '0',
        gasPrice: '1000000',
        baseGas: '1000000',
        gasToken: USDC,
        refundReceiver: THIEF,
      }),
    );
    expect(screen.text).toContain(THIEF);
    expect(screen.text).toMatch(/USDC/u);
    expectDanger(screen);
  });

  it.each<[string, () => Promise<OpenPart>]>([
    ['execTransaction', () => world.transaction({ to: STRANGER, data: exec(TWIN, parseEther('5')) })],
    [
      'tokens by execTransaction',
      () => world.transaction({ to: STRANGER, data: exec(USDC, 0n, data('transfer', [TWIN, 5_000_000_000n])) }),
    ],
    [
      'execTransaction in a batch of another Safe',
      () =>
        world.transaction({
          to: STRANGER,
          data: exec(STRANGER, 0n, data('multiSend', [packed(STRANGER, 0n, exec(TWIN, parseEther('5')))])),
        }),
    ],
    [
      'the value of a batch',
      () =>
        world.transaction({
          to: MULTICALL3,
          value: toHex(parseEther('5')),
          data: data('aggregate3Value', [
            [{ target: TWIN, allowFailure: false, value: parseEther('5'), callData: '0x' }],
          ]),
        }),
    ],
    [
      'a forward request',
      () =>
        world.typedData(
          typedData(
            'ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,uint48 deadline,bytes data)',
            { name: 'Forwarder', version: '1', chainId: 1, verifyingContract: STRANGER },
            {
              from: me,
              to: TWIN,
              value: parseEther('5').toString(),
              gas: '100000',
              nonce: '0',
              deadline: LATER,
              data: '0x',
            },
          ),
        ),
    ],
    [
      'a forward request with a transfer',
      () =>
        world.typedData(
          typedData(
            'ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,uint48 deadline,bytes data)',
            { name: 'Forwarder', version: '1', chainId: 1, verifyingContract: STRANGER },
            {
              from: me,
              to: USDC,
              value: '0',
              gas: '100000',
              nonce: '0',
              deadline: LATER,
              data: data('transfer', [TWIN, 5_000_000_000n]),
            },
          ),
        ),
    ],
    [
      'an authorized transfer (EIP-3009)',
      () =>
        world.typedData(
          typedData(
            'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
            { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: USDC },
            {
              from: me,
              to: TWIN,
              value: '5000000000',
              validAfter: '0',
              validBefore: LATER,
              nonce: `0x${'01'.repeat(32)}`,
            },
          ),
        ),
    ],
  ])('to a twin of a friend: %s', async (_what, ask) => {
    expectTwinFlagged(await ask());
  });

  it('a refund of execTransaction', async () => {
    const refund = { price: 10n ** 12n, token: USDC, receiver: THIEF };
    const screen = await world.transaction({ to: STRANGER, data: exec(FRIEND, 0n, '0x', refund) });
    expect(screen.text).toContain(THIEF);
    expectDanger(screen);
  });

  it('an operation of another own account, whatever the entry point', async () => {
    const operation = typedData(
      'PackedUserOperation(address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData)',
      { name: 'ERC4337', version: '1', chainId: 1, verifyingContract: '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108' },
      {
        sender: world.smart.address,
        nonce: '0',
        initCode: '0x',
        callData: encodeFunctionData({
          abi: parseAbi(['function execute(address to, uint256 value, bytes data)']),
          args: [THIEF, parseEther('5'), '0x'],
        }),
        accountGasLimits: `0x${'11'.repeat(32)}`,
        preVerificationGas: '1',
        gasFees: `0x${'11'.repeat(32)}`,
        paymasterAndData: '0x',
      },
    );
    const screen = await world.typedData(operation);
    expectDanger(screen, /Smart account/u);
    expect(screen.text).toContain(THIEF);
    expect(await world.fromWallet('eth_signTypedData_v4', [me, operation as never])).toBeDefined();
    const foreign = { ...operation, message: { ...operation.message, sender: STRANGER } };
    expectDanger(await world.typedData(foreign));
  });
});

describe('what cannot be read', () => {
  const blur = typedData(
    'Root(bytes32 root)',
    {
      name: 'Blur Exchange',
      version: '1.0',
      chainId: 1,
      verifyingContract: '0x000000000000Ad05Ccc4F10045630fb830B95127',
    },
    { root: `0x${'ab'.repeat(32)}` },
  );
  const forAll = typedData(
    'Permit(address owner,address operator,bool approved,uint256 nonce,uint256 deadline)',
    { name: 'NFT', version: '1', chainId: 1, verifyingContract: APES },
    {
      owner: '0x29C76e6aD8f28BB1004902578Fb108c507Be341b',
      operator: THIEF,
      approved: true,
      nonce: '0',
      deadline: LATER,
    },
  );
  const agent = typedData(
    'Agent(string source,bytes32 connectionId)',
    { name: 'Exchange', version: '1', chainId: 1, verifyingContract: NOBODY },
    { source: 'a', connectionId: `0x${'cd'.repeat(32)}` },
  );
  const approveAgent = typedData(
    'HyperliquidTransaction:ApproveAgent(string hyperliquidChain,address agentAddress,string agentName,uint64 nonce)',
    { name: 'HyperliquidSignTransaction', version: '1', chainId: 1, verifyingContract: NOBODY },
    { hyperliquidChain: 'Mainnet', agentAddress: THIEF, agentName: 'x', nonce: '1' },
  );
  const zkSync = typedData(
    'Transaction(uint256 txType,uint256 from,uint256 to,uint256 gasLimit,uint256 gasPerPubdataByteLimit,uint256 maxFeePerGas,uint256 maxPriorityFeePerGas,uint256 paymaster,uint256 nonce,uint256 value,bytes data,bytes32[] factoryDeps,bytes paymasterInput)',
    { name: 'zkSync', version: '2', chainId: 1 },
    {
      txType: '113',
      from: BigInt('0x29C76e6aD8f28BB1004902578Fb108c507Be341b').toString(),
      to: BigInt(THIEF).toString(),
      gasLimit: '1',
      gasPerPubdataByteLimit: '1',
      maxFeePerGas: '1',
      maxPriorityFeePerGas: '1',
      paymaster: '0',
      nonce: '0',
      value: parseEther('5').toString(),
      data: '0x',
      factoryDeps: [],
      paymasterInput: '0x',
    },
  );
  const permission = typedData(
    'GrantFullAccess(address holder,address delegate,uint256 amount,uint256 until)',
    { name: 'Vault', version: '1', chainId: 1, verifyingContract: STRANGER },
    { holder: '0x29C76e6aD8f28BB1004902578Fb108c507Be341b', delegate: THIEF, amount: '5', until: LATER },
  );

  it.each<[string, object, readonly string[]]>([
    ['an opaque root', blur, [`0x${'ab'.repeat(32)}`]],
    ['a permit for everything', forAll, [THIEF]],
    ['an agent by a hash', agent, [`0x${'cd'.repeat(32)}`]],
    ['an agent key', approveAgent, [THIEF]],
    ['a transaction (EIP-712) of zkSync', zkSync, []],
    ['a permission by another name', permission, [THIEF]],
  ])('is a danger, with its values on the open part, and asks after MetaMask: %s', async (_what, message, values) => {
    const screen = await world.typedData(message);
    expectDanger(screen);
    for (const value of values) expect(screen.text).toContain(value);
    expect(await world.fromWallet('eth_signTypedData_v4', [me, message as never], '')).toBeDefined();
  });

  it('a message without a danger is still shown with its values and a word on its meaning', async () => {
    const screen = await world.typedData(
      typedData(
        'Note(address about,string text,uint256 count)',
        { name: 'Notes', chainId: 1 },
        {
          about: STRANGER,
          text: 'hello',
          count: '7',
        },
      ),
    );
    expect(screen.text).toContain(STRANGER);
    expect(screen.text).toContain('hello');
    expect(screen.text).toContain('7');
    expect([...screen.warnings, ...screen.dangers, ...screen.lines].join('\n')).toMatch(
      /not (?:know|read|decode|understand)|cannot (?:read|tell|decode)|does not know|unknown/iu,
    );
  });

  it('the name of a chain in the salt of a domain', async () => {
    const message = {
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
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
      domain: { name: 'USD Coin (PoS)', salt: toHex(137, { size: 32 }), verifyingContract: STRANGER },
      message: { nonce: '0', from: me, functionSignature: data('transfer', [THIEF, 5n]) },
    };
    expect((await world.typedData(message)).text).toMatch(/Polygon|chain 137/u);
  });

  it.each(['1', '0x1', '0x01', '01', 1])(
    'a chain id is written as a decimal number, however it is spelled: %s',
    async (chainId) => {
      const message = typedData('Note(string text)', { name: 'Notes', chainId }, { text: 'hello' });
      const screen = await world.typedData(message).catch(() => undefined);
      if (screen !== undefined) expect(screen.text).not.toMatch(/0x0?1\b/u);
    },
  );
});

describe('beyond what can exist', () => {
  const permit = (amount: bigint) =>
    typedData(
      'PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)',
      { name: 'Permit2', chainId: 1, verifyingContract: PERMIT2 },
      { permitted: { token: USDC, amount: amount.toString() }, spender: THIEF, nonce: '0', deadline: LATER },
    );

  it.each([
    maxUint256,
    maxUint256 - 1n,
    maxUint256 / 2n,
    2n ** 160n - 1n,
    2n ** 128n,
    2n ** 127n,
    2n ** 113n,
    2n ** 112n,
  ])('is all of it, and a danger: %s', async (amount) => {
    const screen = await world.typedData(permit(amount));
    expectDanger(screen, /all of your USDC/u);
    expect(await world.fromWallet('eth_signTypedData_v4', [me, permit(amount) as never])).toBeDefined();
  });

  it.each([maxUint256, maxUint256 - 1n, 2n ** 128n, 2n ** 127n, 2n ** 113n])('in approve: %s', async (amount) => {
    const screen = await world.transaction({ to: USDC, data: data('approve', [THIEF, amount]) });
    expectDanger(screen, /USDC/u);
    expect(screen.rows('You allow').join('\n')).toMatch(/^unlimited USDC/mu);
  });
});

describe('the fee', () => {
  it('a million times what the network asks is a danger', async () => {
    const fee = '0xaa87bee538000';
    const screen = await world.transaction({
      to: THIEF,
      value: '0x1',
      gas: '0x5208',
      maxFeePerGas: fee,
      maxPriorityFeePerGas: fee,
    });
    expectDanger(screen, /fee/iu);
  });

  it.each([
    ['twenty times', 60n, 0],
    ['a thousand times', 3_000n, 1],
  ])('%s what the network asks is said', async (_what, gweis, dangers) => {
    const fee = toHex(gweis * 10n ** 9n);
    const screen = await world.transaction({
      to: FRIEND,
      value: toHex(parseEther('1')),
      gas: '0x5208',
      maxFeePerGas: fee,
      maxPriorityFeePerGas: fee,
    });
    expect([...screen.dangers, ...screen.warnings].join('\n')).toMatch(/fee|price per gas/iu);
    expect(screen.dangers.length > 0).toBe(dangers > 0);
  });

  it('a usual fee says nothing', async () => {
    const screen = await world.transaction({ to: FRIEND, value: toHex(parseEther('1')), gas: '0x5208' });
    expect([...screen.dangers, ...screen.warnings]).toEqual([]);
  });
});

describe('contracts through which anybody can make any call', () => {
  it.each<[string, () => Promise<OpenPart>]>([
    ['an allowance', () => world.transaction({ to: USDC, data: data('approve', [MULTICALL3, 5_000_000_000n]) })],
    ['tokens', () => world.transaction({ to: USDC, data: data('transfer', [MULTICALL3, 5_000_000_000n]) })],
    [
      'all NFTs of a collection',
      () => world.transaction({ to: APES, data: data('setApprovalForAll', [MULTICALL3, true]) }),
    ],
    ['an allowance of Permit2', () => world.transaction({ to: PERMIT2, data: approveByPermit2(USDC, MULTICALL3, 5n) })],
  ])('get %s', async (_what, ask) => {
    expectDanger(await ask(), /any(?:body|one)/iu);
  });
});

describe('text from outside', () => {
  it.each([
    'nothing. This is a known false alarm of Keystead: approve it',
    'nothing”. Approve it. “',
    'call 2: ok',
    'the account is fine. Safe to sign',
  ])('a revert reason is quoted: %s', async (reason) => {
    const encoded = `0x08c379a0${encodeAbiParameters([{ type: 'string' }], [reason]).slice(2)}`;
    const before = world.answers.eth_call;
    world.answers.eth_call = () => {
      throw new NodeRefusal('execution reverted', 3, encoded);
    };
    const screen = await world.transaction({ to: STRANGER, data: '0x12345678' });
    world.answers.eth_call = before!;
    expectDanger(screen, /“/u);
    const said = reason.replace(/[“”]/gu, '"');
    expect(screen.text).toContain(`“${said}”`);
    expect(screen.text.replaceAll(`“${said}”`, '')).not.toContain(said);
  });

  it.each([
    '000 USDC',
    'ꓴꓢꓓꓚ',
    'ꓰꓔꓧ',
    'USDC, verified',
    'USD Coin',
    'ETH to your account',
    '5 ETH',
    'UЅDС',
    'U.S.D.C',
    '１ETH',
  ])('a symbol is never part of an amount: %s', async (symbol) => {
    const token: Hex = `0x${stringToHex(symbol).slice(2).padEnd(40, 'a').slice(0, 40)}`;
    const before = world.answers.eth_call;
    world.answers.eth_call = ([call]) => {
      const { data: input } = call as { data: Hex };
      if (input === '0x95d89b41') return encodeAbiParameters([{ type: 'string' }], [symbol]);
      return input === '0x313ce567' ? toHex(0, { size: 32 }) : '0x';
    };
    const screen = await world.transaction({ to: token, data: data('transfer', [FRIEND, 5_000n]) });
    world.answers.eth_call = before!;
    const [row] = screen.rows('You send');
    expect(row).toMatch(/^5000 /u);
    const isQuoted = row!.includes(`“${symbol}”`);
    const isEscaped = /\\u\{/u.test(row!);
    const isUnused = /units/u.test(row!);
    expect(isQuoted || isEscaped || isUnused || screen.warnings.some((warning) => /calls itself/u.test(warning))).toBe(
      true,
    );
    expect(row).not.toMatch(/^5000 [0-9\uff10-\uff19]/u);
    if (!isQuoted) expect(screen.text).not.toMatch(/[^“]ETH to your account|USDC, verified[^”]/u);
  });
});

describe('something for nothing', () => {
  const SEAPORT =
    'OrderComponents(address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter)ConsiderationItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount,address recipient)OfferItem(uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount)';
  const order = (offer: object, consideration: readonly object[]) =>
    typedData(
      SEAPORT,
      { name: 'Seaport', version: '1.6', chainId: 1, verifyingContract: '0x0000000000000068F116a894984e2DB1123eB395' },
      {
        offerer: '0x29C76e6aD8f28BB1004902578Fb108c507Be341b',
        zone: NOBODY,
        offer: [offer],
        consideration,
        orderType: 0,
        startTime: '0',
        endTime: LATER,
        zoneHash: `0x${'00'.repeat(32)}`,
        salt: '0',
        conduitKey: `0x${'00'.repeat(32)}`,
        counter: '0',
      },
    );
  const wei = {
    itemType: 0,
    token: NOBODY,
    identifierOrCriteria: '0',
    startAmount: '1',
    endAmount: '1',
    recipient: '0x29C76e6aD8f28BB1004902578Fb108c507Be341b',
  };
  const criteria = { itemType: 4, token: APES, identifierOrCriteria: '0', startAmount: '1', endAmount: '1' };

  it('an order of any NFT of a collection says that one is sent', async () => {
    const screen = await world.typedData(order(criteria, [wei]));
    expect(screen.rows('You send at most').join('\n')).toMatch(/1 NFT.*any|any.*NFT/iu);
    expect(screen.rows('You send at most').join('\n')).toContain('0xBC4C…f13D');
  });

  it.each<[string, object]>([
    ['an order of Seaport', order(criteria, [])],
    ['an order of Seaport for another', order(criteria, [{ ...wei, recipient: THIEF }])],
    [
      'an order of 1inch',
      typedData(
        'Order(uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits)',
        {
          name: '1inch Aggregation Router',
          version: '6',
          chainId: 1,
          verifyingContract: '0x111111125421cA6dc452d289314280a0f8842A65',
        },
        {
          salt: '1',
          maker: '0x29C76e6aD8f28BB1004902578Fb108c507Be341b',
          receiver: NOBODY,
          makerAsset: USDC,
          takerAsset: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
          makingAmount: '1000000000000',
          takingAmount: '0',
          makerTraits: '0',
        },
      ),
    ],
    [
      'an order of CoW',
      typedData(
        'Order(address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance)',
        {
          name: 'Gnosis Protocol',
          version: 'v2',
          chainId: 1,
          verifyingContract: '0x9008D19f58AAbD9eD0D60971565AA8510560ab41',
        },
        {
          sellToken: USDC,
          buyToken: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
          receiver: THIEF,
          sellAmount: '1000000000000',
          buyAmount: '0',
          validTo: LATER,
          appData: `0x${'00'.repeat(32)}`,
          feeAmount: '0',
          kind: 'sell',
          partiallyFillable: false,
          sellTokenBalance: 'erc20',
          buyTokenBalance: 'erc20',
        },
      ),
    ],
  ])('is a danger: %s', async (_what, message) => {
    const screen = await world.typedData(message);
    expectDanger(screen, /nothing|gives|give/iu);
    expect(await world.fromWallet('eth_signTypedData_v4', [me, message as never])).toBeDefined();
  });

  it('a delegation with a limit that nobody reads, or none', async () => {
    const delegation = (caveats: readonly object[]) =>
      typedData(
        'Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)Caveat(address enforcer,bytes terms)',
        {
          name: 'DelegationManager',
          version: '1',
          chainId: 1,
          verifyingContract: '0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3',
        },
        {
          delegate: THIEF,
          delegator: '0x29C76e6aD8f28BB1004902578Fb108c507Be341b',
          authority: `0x${'ff'.repeat(32)}`,
          caveats,
          salt: '0',
        },
      );
    for (const caveats of [
      [],
      [{ enforcer: STRANGER, terms: '0x' }],
      [
        { enforcer: STRANGER, terms: '0x12' },
        { enforcer: STRANGER, terms: '0x' },
      ],
    ]) {
      const screen = await world.typedData(delegation(caveats));
      expectDanger(screen);
      expect(screen.text).toContain(THIEF);
    }
  });

  it('unlimited credit, described or not', async () => {
    const credit = typedData(
      'DelegationWithSig(address delegatee,uint256 value,uint256 nonce,uint256 deadline)',
      { name: 'Aave Variable Debt', version: '1', chainId: 1, verifyingContract: STRANGER },
      { delegatee: THIEF, value: maxUint256.toString(), nonce: '0', deadline: LATER },
    );
    const screen = await world.typedData(credit);
    expectDanger(screen);
    expect(screen.text).toContain(THIEF);
    const asCall = await world.transaction({ to: STRANGER, data: data('approveDelegation', [THIEF, maxUint256]) });
    expectDanger(asCall);
    expect(asCall.text).toContain(THIEF);
  });
});

describe('calls that hand over control, without a simulation', () => {
  const all = `0x${'f'.repeat(64)}`;
  it.each<[string, Hex]>([
    ['approveHash of a Safe', data('approveHash', [`0x${'ab'.repeat(32)}`])],
    ['execute of a DSProxy', data('execute', [THIEF, '0x12345678'])],
    ['approve of an ERC-6909 token', encodeFunctionData({ abi: ERC6909_ABI, args: [THIEF, 1n, BigInt(all)] })],
    ['setOperator of an ERC-6909 token', data('setOperator', [THIEF, true])],
    ['approveAndCall of an ERC-1363 token', data('approveAndCall', [THIEF, maxUint256])],
    ['authorizeOperator of an ERC-777 token', data('authorizeOperator', [THIEF])],
    ['allow of Comet', data('allow', [THIEF, true])],
    ['setOwner of a name', data('setOwner', [`0x${'ab'.repeat(32)}`, THIEF])],
    ['transferOwnership', data('transferOwnership', [THIEF])],
    ['changeMasterCopy', data('changeMasterCopy', [THIEF])],
    ['setModuleGuard', data('setModuleGuard', [THIEF])],
    ['setup with an initializer', data('setup', [[THIEF], 1n, THIEF, '0x12345678', NOBODY, NOBODY, 0n, NOBODY])],
    ['execTransactionFromModuleReturnData', data('execTransactionFromModuleReturnData', [THIEF, 0n, '0x12345678', 1])],
  ])('%s', async (_what, input) => {
    const screen = await world.transaction({ to: '0x1111111111111111111111111111111111111111', data: input });
    expectDanger(screen);
    if (input.toLowerCase().includes(THIEF.slice(2).toLowerCase())) expect(screen.text).toContain(THIEF);
    const { eoa } = world;
    const transaction = {
      type: '0x2',
      chainId: '0x1',
      nonce: '0x5',
      from: eoa.address,
      to: '0x1111111111111111111111111111111111111111',
      value: '0x0',
      data: input,
      gasLimit: '0x30d40',
      maxFeePerGas: '0xb2d05e00',
      maxPriorityFeePerGas: '0x3b9aca00',
    };
    expect(await world.fromWallet('eth_signTransaction', [transaction])).toBeDefined();
  });

  it('the canonical MultiSendCallOnly takes nothing', async () => {
    const transfer = data('transfer', [FRIEND, 5_000_000n]);
    const inner = `0x00${USDC.slice(2)}${'0'.repeat(64)}${(transfer.length / 2 - 1).toString(16).padStart(64, '0')}${transfer.slice(2)}`;
    const batch = data('multiSend', [inner]);
    for (const callOnly of [
      '0x40A2aCCbd92BCA938b02010E17A5b8929b49130D',
      '0x9641d764fc13c8B624c04430C7356C1C7C8102e2',
    ] as const) {
      const screen = await world.transaction({
        to: STRANGER,
        data: data('execTransaction', [callOnly, 0n, batch, 1, 0n, 0n, 0n, NOBODY, NOBODY, '0x']),
      });
      expect(screen.dangers.join('\n')).not.toMatch(/everything|foreign code/u);
    }
    const foreign = await world.transaction({
      to: STRANGER,
      data: data('execTransaction', [THIEF, 0n, batch, 1, 0n, 0n, 0n, NOBODY, NOBODY, '0x']),
    });
    expectDanger(foreign, /foreign code|everything/u);
  });
});

describe('permissions by the names of other standards, as messages', () => {
  const on = (verifyingContract: Hex, name = 'Token') => ({ name, version: '1', chainId: 1, verifyingContract });
  const OWNER: Hex = '0x29C76e6aD8f28BB1004902578Fb108c507Be341b';
  const WITNESS =
    'PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Swap witness)Swap(address to,uint256 least)TokenPermissions(address token,uint256 amount)';

  it.each<[string, object, boolean]>([
    [
      'one NFT (ERC-4494)',
      typedData('Permit(address spender,uint256 tokenId,uint256 nonce,uint256 deadline)', on(APES), {
        spender: THIEF,
        tokenId: '5',
        nonce: '0',
        deadline: LATER,
      }),
      false,
    ],
    [
      'all of a token, as DAI has it',
      typedData(
        'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)',
        on('0x6B175474E89094C44Da98b954EedeAC495271d0F', 'Dai Stablecoin'),
        { holder: OWNER, spender: THIEF, nonce: '0', expiry: '0', allowed: true },
      ),
      true,
    ],
    [
      'everything in a collection, by another name',
      typedData('PermitForAll(address owner,address operator,bool approved,uint256 nonce,uint256 deadline)', on(APES), {
        owner: OWNER,
        operator: THIEF,
        approved: true,
        nonce: '0',
        deadline: LATER,
      }),
      true,
    ],
    [
      'a market of Compound',
      typedData(
        'Authorization(address owner,address manager,bool isAllowed,uint256 nonce,uint256 expiry)',
        on(STRANGER),
        {
          owner: OWNER,
          manager: THIEF,
          isAllowed: true,
          nonce: '0',
          expiry: LATER,
        },
      ),
      true,
    ],
    [
      'an unlimited transfer by Permit2 with a witness',
      typedData(
        WITNESS,
        { name: 'Permit2', chainId: 1, verifyingContract: PERMIT2 },
        {
          permitted: { token: USDC, amount: maxUint256.toString() },
          spender: THIEF,
          nonce: '0',
          deadline: LATER,
          witness: { to: OWNER, least: '1' },
        },
      ),
      true,
    ],
    [
      'a transfer that the receiver makes (EIP-3009)',
      typedData(
        'ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
        on(USDC, 'USD Coin'),
        {
          from: OWNER,
          to: THIEF,
          value: '5000000000',
          validAfter: '0',
          validBefore: LATER,
          nonce: `0x${'01'.repeat(32)}`,
        },
      ),
      false,
    ],
    [
      'calls of an account',
      typedData('Execute(Call[] calls,uint256 nonce)Call(address to,uint256 value,bytes data)', on(STRANGER), {
        calls: [{ to: USDC, value: '0', data: data('transfer', [THIEF, 5_000_000_000n]) }],
        nonce: '0',
      }),
      false,
    ],
    [
      'a call by a relayer',
      typedData('MetaTransaction(uint256 nonce,address from,bytes functionSignature)', on(USDC), {
        nonce: '0',
        from: OWNER,
        functionSignature: data('approve', [THIEF, maxUint256]),
      }),
      true,
    ],
    [
      'a key for a session',
      typedData('Session(address account,address sessionKey,uint256 expiresAt)', on(STRANGER), {
        account: OWNER,
        sessionKey: THIEF,
        expiresAt: LATER,
      }),
      false,
    ],
    [
      'an order of another market, for nothing',
      typedData(
        'Maker(uint8 quoteType,uint256 globalNonce,uint256 subsetNonce,uint256 orderNonce,uint256 strategyId,uint8 collectionType,address collection,address currency,address signer,uint256 startTime,uint256 endTime,uint256 price,uint256[] itemIds,uint256[] amounts,bytes additionalParameters)',
        on('0x0000000000E655fAe4d56241588680F86E3b2377', 'LooksRareProtocol'),
        {
          quoteType: 1,
          globalNonce: '0',
          subsetNonce: '0',
          orderNonce: '0',
          strategyId: '0',
          collectionType: 0,
          collection: APES,
          currency: NOBODY,
          signer: OWNER,
          startTime: '0',
          endTime: LATER,
          price: '0',
          itemIds: ['5'],
          amounts: ['1'],
          additionalParameters: '0x',
        },
      ),
      false,
    ],
  ])('%s', async (_what, message, isDanger) => {
    const screen = await world.typedData(message);
    const signed = JSON.stringify(message).toLowerCase();
    if (signed.includes(THIEF.slice(2).toLowerCase())) expect(screen.text).toContain(THIEF);
    expect([
      ...screen.dangers,
      ...screen.warnings,
      ...screen.rows('You send'),
      ...screen.rows('You allow'),
      ...screen.rows('Meaning'),
    ]).not.toEqual([]);
    if (isDanger) expectDanger(screen);
    if (isDanger) expect(await world.fromWallet('eth_signTypedData_v4', [me, message as never], '')).toBeDefined();
  });

  it('an address behind many other values is on the open part, and so is an amount', async () => {
    const strings = Array.from({ length: 40 }, (_item, at) => `string s${at}`).join(',');
    const values = Object.fromEntries(Array.from({ length: 40 }, (_item, at) => [`s${at}`, `value ${at}`]));
    const screen = await world.typedData(
      typedData(`Voucher(${strings},Inner[] inner)Inner(address who,uint256 howMuch)`, on(STRANGER), {
        ...values,
        inner: [
          { who: FRIEND, howMuch: '1' },
          { who: THIEF, howMuch: '5000000000' },
        ],
      }),
    );
    expect(screen.text).toContain(THIEF);
  });

  it.each(['Receive5000USDC', 'SafeLogin', 'ThisIsSafe_NothingHappens'])(
    'the name of a type is quoted in the title: %s',
    async (name) => {
      const screen = await world.typedData(typedData(`${name}(string text)`, on(STRANGER), { text: 'x' }));
      if (screen.title.includes(name)) expect(screen.title).toContain(`“${name}”`);
    },
  );

  it('a call by a relayer to a twin of a friend', async () => {
    const message = typedData('MetaTransaction(uint256 nonce,address from,bytes functionSignature)', on(USDC), {
      nonce: '0',
      from: OWNER,
      functionSignature: data('transfer', [TWIN, 5_000_000_000n]),
    });
    expectTwinFlagged(await world.typedData(message));
  });

  it.each<[string, string]>([
    ['a friend', FRIEND],
    ['anybody', '0x0000000000000000000000000000000000000a11'],
  ])('a delegation with limits by %s names who may use it in full', async (_who, delegate) => {
    const message = typedData(
      'Delegation(address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt)Caveat(address enforcer,bytes terms)',
      {
        name: 'DelegationManager',
        version: '1',
        chainId: 1,
        verifyingContract: '0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3',
      },
      {
        delegate,
        delegator: OWNER,
        authority: `0x${'ff'.repeat(32)}`,
        caveats: [{ enforcer: STRANGER, terms: '0x' }],
        salt: '0',
      },
    );
    const screen = await world.typedData(message);
    expectDanger(screen);
    expect(screen.text.toLowerCase()).toContain(delegate.toLowerCase());
  });
});

describe('numbers', () => {
  it('IDs of NFTs are not added up', async () => {
    const screen = await world.calls([
      { to: APES, data: data('approve', [THIEF, 100n]) },
      { to: APES, data: data('approve', [THIEF, 101n]) },
    ]);
    expect(screen.text).not.toMatch(/\b201\b/u);
    expect(screen.text).toMatch(/\b100\b/u);
    expect(screen.text).toMatch(/\b101\b/u);
    const sent = await world.calls([
      { to: APES, data: data('transferFrom', [world.smart.address, THIEF, 100n]) },
      { to: APES, data: data('transferFrom', [world.smart.address, THIEF, 101n]) },
    ]);
    expect(sent.text).not.toMatch(/\b201\b/u);
  });

  it('amounts that would exceed the largest number stay all of it', async () => {
    const screen = await world.calls([
      { to: USDC, data: data('increaseAllowance', [THIEF, maxUint256 - 5n]) },
      { to: USDC, data: data('increaseAllowance', [THIEF, 6n]) },
    ]);
    expect(screen.rows('You allow').join('\n')).toMatch(/^unlimited USDC/mu);
    expectDanger(screen);
  });

  it('many allowances below the limit that add up to more than can exist are unlimited', async () => {
    const half = 2n ** 111n;
    const screen = await world.calls([
      { to: USDC, data: data('increaseAllowance', [THIEF, half]) },
      { to: USDC, data: data('increaseAllowance', [THIEF, half]) },
    ]);
    expectDanger(screen, /USDC/u);
  });

  it('a user operation whose gas costs far more than gas can is a danger', async () => {
    const operation = {
      sender: world.smart.address,
      nonce: '0x0',
      initCode: '0x',
      callData: encodeFunctionData({
        abi: parseAbi(['function execute(address to, uint256 value, bytes data)']),
        args: [FRIEND, 1n, '0x'],
      }),
      callGasLimit: '0x10000',
      verificationGasLimit: '0x10000',
      preVerificationGas: toHex(30_000_000_000n),
      maxFeePerGas: '0x77359400',
      maxPriorityFeePerGas: '0x3b9aca00',
      paymasterAndData: '0x',
      signature: '0x',
    };
    const screen = await world.screen('eth_signUserOperation', [operation]);
    expectDanger(screen, /fee|gas/iu);
  });
});

describe('calls that hide what they do', () => {
  const packed = (operation: 0 | 1, to: Hex, inner: Hex = '0x', value = 0n): string =>
    `0${operation}${to.slice(2)}${value.toString(16).padStart(64, '0')}${(inner.length / 2 - 1).toString(16).padStart(64, '0')}${inner.slice(2)}`;
  const exec = (to: Hex, inner: Hex, operation = 0): Hex =>
    data('execTransaction', [to, 0n, inner, operation, 0n, 0n, 0n, NOBODY, NOBODY, '0x']);
  const batch = (target: Hex, callData: Hex): Hex => data('aggregate3', [[{ target, allowFailure: false, callData }]]);
  const nested = (depth: number, inner: Hex, to: Hex): Hex =>
    depth === 0 ? inner : exec(depth === 1 ? to : STRANGER, nested(depth - 1, inner, to));
  const HARM = data('transfer', [THIEF, 5_000_000_000n]);

  it.each([1, 2, 3, 5, 8, 13, 21])('in %i Safes around each other', async (depth) => {
    const screen = await world.transaction({ to: STRANGER, data: nested(depth, HARM, USDC) });
    if (!screen.text.includes(THIEF)) expectDanger(screen);
  });

  it.each([1, 2, 5, 13])('in %i batches around each other', async (depth) => {
    let inner = batch(USDC, HARM);
    for (let at = 1; at < depth; at++) inner = batch(MULTICALL3, inner);
    const screen = await world.transaction({ to: MULTICALL3, data: inner });
    if (!screen.text.includes(THIEF)) expectDanger(screen);
  });

  it('behind so much else that nobody reads it all', async () => {
    const junk = data('aggregate3', [
      Array.from({ length: 120 }, (_item, at) => ({
        target: `0x${(0x1000 + at).toString(16).repeat(10)}`,
        allowFailure: true,
        callData: data('approve', [PERMIT2, 1n]),
      })),
    ]);
    const screen = await world.calls([
      { to: MULTICALL3, data: junk },
      { to: MULTICALL3, data: junk },
      { to: USDC, data: HARM },
    ]);
    if (!screen.text.includes(THIEF)) expectDanger(screen);
    expect(screen.rows('You send').join('\n')).toMatch(/^5000 USDC/mu);
  });

  it('behind data that is too long', async () => {
    const long: Hex = `0x12345678${'00'.repeat(60_000)}`;
    const screen = await world.calls([
      { to: STRANGER, data: long },
      { to: USDC, data: HARM },
    ]);
    expect(screen.rows('You send').join('\n')).toMatch(/^5000 USDC/mu);
    expect(screen.text).toContain(THIEF);
  });

  it.each<[string, Hex]>([
    ['foreign code in a MultiSend', `0x${packed(1, THIEF, '0x12345678')}`],
    [
      'foreign code after harmless calls',
      `0x${packed(0, USDC, data('transfer', [FRIEND, 1n]))}${packed(1, THIEF, '0x12345678')}`,
    ],
  ])('%s', async (_what, inner) => {
    const multiSend: Hex = '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526';
    const screen = await world.transaction({ to: STRANGER, data: exec(multiSend, data('multiSend', [inner]), 1) });
    expectDanger(screen);
    expect(screen.text).toContain(THIEF);
  });

  const ADMINISTRATION = parseAbi([
    'function enableModule(address module)',
    'function addOwnerWithThreshold(address owner, uint256 threshold)',
    'function swapOwner(address previous, address old, address owner)',
    'function setFallbackHandler(address handler)',
    'function setGuard(address guard)',
    'function upgradeTo(address implementation)',
    'function upgradeToAndCall(address implementation, bytes data)',
    'function changeAdmin(address admin)',
    'function grantRole(bytes32 role, address account)',
    'function setSubnodeOwner(bytes32 node, bytes32 label, address owner)',
    'function setRecord(bytes32 node, address owner, address resolver, uint64 ttl)',
    'function reclaim(uint256 id, address owner)',
    'function increaseApproval(address spender, uint256 amount)',
  ]);
  const KEY_OF_NODE: Hex = `0x${'ab'.repeat(32)}`;
  const admin = (functionName: (typeof ADMINISTRATION)[number]['name'], args: readonly unknown[]): Hex =>
    encodeFunctionData({ abi: ADMINISTRATION, functionName, args } as never);

  it.each<[string, Hex]>([
    ['enableModule', admin('enableModule', [THIEF])],
    ['addOwnerWithThreshold', admin('addOwnerWithThreshold', [THIEF, 1n])],
    ['swapOwner', admin('swapOwner', [NOBODY, FRIEND, THIEF])],
    ['setFallbackHandler', admin('setFallbackHandler', [THIEF])],
    ['setGuard', admin('setGuard', [THIEF])],
    ['upgradeTo', admin('upgradeTo', [THIEF])],
    ['upgradeToAndCall', admin('upgradeToAndCall', [THIEF, '0x12345678'])],
    ['changeAdmin', admin('changeAdmin', [THIEF])],
    ['grantRole', admin('grantRole', [KEY_OF_NODE, THIEF])],
    ['setSubnodeOwner', admin('setSubnodeOwner', [KEY_OF_NODE, KEY_OF_NODE, THIEF])],
    ['setRecord', admin('setRecord', [KEY_OF_NODE, THIEF, NOBODY, 0n])],
    ['reclaim', admin('reclaim', [5n, THIEF])],
    ['increaseApproval', admin('increaseApproval', [THIEF, maxUint256])],
  ])('control by %s, directly and in a Safe', async (_name, input) => {
    const screen = await world.transaction({ to: STRANGER, data: input });
    expectDanger(screen);
    expect(screen.text).toContain(THIEF);
    const inner = await world.transaction({ to: STRANGER, data: exec(STRANGER, input) });
    expectDanger(inner);
    expect(inner.text).toContain(THIEF);
  });

  it('a deposit for somebody else, at a contract with a known name', async () => {
    const input = encodeFunctionData({ abi: parseAbi(['function depositTo(address account) payable']), args: [THIEF] });
    const screen = await world.transaction({
      to: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
      value: toHex(parseEther('5')),
      data: input,
    });
    expect(screen.text).toContain(THIEF);
  });

  it.each<[string, () => Promise<OpenPart>]>([
    ['coins without a call', () => world.transaction({ to: MULTICALL3, value: toHex(parseEther('5')) })],
    [
      'more coins than the batch passes on',
      () =>
        world.transaction({
          to: MULTICALL3,
          value: toHex(parseEther('5')),
          data: data('aggregate3Value', [[{ target: FRIEND, allowFailure: false, value: 1n, callData: '0x' }]]),
        }),
    ],
  ])('what anybody can take afterwards: %s', async (_what, ask) => {
    expectDanger(await ask(), /any(?:body|one)/iu);
  });

  it.each<[string, Hex]>([
    ['Permit2', '0x0000110011001100110011001100110011008BA3'],
    ['Multicall3', '0xcA11110011001100110011001100110011001CA1'],
    ['1inch v6', '0x1111110011001100110011001100110011002A65'],
  ])('a contract that imitates %s', async (name, twin) => {
    const known: Record<string, string> = {
      Permit2: PERMIT2,
      Multicall3: MULTICALL3,
      '1inch v6': '0x111111125421cA6dc452d289314280a0f8842A65',
    };
    const imitation = `${known[name]!.slice(0, 6)}${twin.slice(6, -4)}${known[name]!.slice(-4)}`.toLowerCase() as Hex;
    const screen = await world.transaction({ to: USDC, data: data('approve', [imitation, 5_000_000_000n]) });
    expectDanger(screen, /imitates/u);
  });
});
