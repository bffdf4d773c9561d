import { expect } from '@jest/globals';
import { type Json } from '@metamask/snaps-sdk';
import { encodeFunctionData, maxUint256, parseAbi } from 'viem';

import { BOB, ME, transaction, USDC } from '../../support/explaining';
import { useEmptiedSnap } from '../../support/wallet/emptied';
import { SnapInProcess } from '../../support/wallet/in-process';
import { installKeystead } from '../../support/wallet/installed';
import { WalletDouble } from '../../support/wallet/wallet-double';
import { textOf } from '../../support/screen-text';

const KEY = '0x4af1bceebf7f3634ec3cff8a2c38e51178d5d4ce585c52d6043e5e2cc3418bb0';
const ALWAYS = { settings: { confirmSignatures: 'always' } } as const;
const NEVER = { settings: { confirmSignatures: 'never' } } as const;

const start = useEmptiedSnap(installKeystead);

/** Aave's pool on Ethereum, which the registry describes. */
const POOL = '0x87870bca3f3fd6335c3f4ce8392d69350b4fa4e2';
const REPAY = encodeFunctionData({
  abi: parseAbi(['function repay(address,uint256,uint256,address)']),
  args: [USDC, 5_500_000n, 2n, BOB],
});
/** The Morpho bundler, whose descriptor locates its inner calls. */
const BUNDLER = '0x6566194141eefa99af43bb5aa71460ca2dc90245';
const APPROVE = encodeFunctionData({ abi: parseAbi(['function approve(address,uint256)']), args: [BOB, maxUint256] });
const BUNDLE = encodeFunctionData({
  abi: parseAbi(['function multicall((address,bytes,uint256,bool,bytes32)[])']),
  args: [[[USDC, APPROVE, 0n, false, `0x${'00'.repeat(32)}`]]],
});

/**
 * A snap that has read none of its files yet, with an imported account. Records which files of descriptors it reads.
 */
async function recording() {
  const read: unknown[] = [];
  const wallet = new WalletDouble();
  wallet.onRequest = ({ method, params }) => {
    if (method !== 'snap_getFile') return;
    const { path } = params as { path: string };
    if (path.startsWith('contract-metadata/')) read.push(path);
  };
  const snap = new SnapInProcess(wallet, 'built');
  const { id } = (await snap.keyring('keyring_createAccount', { options: { privateKey: KEY } })) as { id: string };
  const sign = (method: string, params: unknown) => snap.submit(id, method, params as Json);
  return { read, sign };
}

const shown = (content: Parameters<typeof textOf>[0]): string => textOf(content).replace(/\s+/gu, ' ');

describe('a call that the ERC-7730 registry describes', () => {
  it('is shown with its words in quotation marks and our values; either answer is respected', async () => {
    const { create, submit } = await start(ALWAYS);
    const { id } = await create({ privateKey: KEY });
    const refused = submit(id, 'eth_signTransaction', [transaction({ to: POOL, data: REPAY })] as never);
    const screen = await refused.getInterface();
    const text = shown(screen.content);
    for (const part of [
      'Call described in the ERC-7730 registry',
      'Intent (quoted: the ERC-7730 registry) “Repay loan”',
      'Author (quoted: the ERC-7730 registry) “Aave DAO”',
      '“Amount to repay” 5.5 USDC',
      '“Interest rate mode” “variable” (2)',
      `“For debt holder” ${BOB}`,
    ])
      expect(text).toContain(part);
    await screen.cancel();
    expect((await refused).response.error).toMatchObject({ code: 4001 });
    const approved = submit(id, 'eth_signTransaction', [transaction({ to: POOL, data: REPAY })] as never);
    await (await approved.getInterface()).ok();
    expect((await approved).response.error).toBeUndefined();
  });

  it('is decoded recursively: a danger inside makes the snap ask', async () => {
    const { create, submit } = await start(NEVER);
    const { id } = await create({ privateKey: KEY });
    const request = submit(id, 'eth_signTransaction', [transaction({ to: BUNDLER, data: BUNDLE })] as never);
    const { content, cancel } = await request.getInterface();
    expect(shown(content)).toContain(
      'This lets 0x742d…f44e spend all USDC that the calling account holds, now and in the future.',
    );
    expect(shown(content)).toContain('1.1 Approve spending');
    await cancel();
    expect((await request).response.error).toMatchObject({ code: 4001 });
  });
});

describe('the files of the snap', () => {
  it('are not read if they are not needed', async () => {
    const { read, sign } = await recording();
    const data = {
      types: { EIP712Domain: [{ name: 'chainId', type: 'uint256' }], Odd: [{ name: 'a', type: 'uint256' }] },
      primaryType: 'Odd',
      domain: { chainId: 1 },
      message: { a: 1 },
    };
    for (const [method, params] of [
      ['personal_sign', ['0x68656c6c6f', ME]],
      ['eth_signTypedData_v4', [ME, data]],
      ['eth_signTransaction', [transaction({ to: BOB })]],
      ['eth_signTransaction', [transaction({ data: APPROVE.replace(/f{64}$/u, `${'0'.repeat(63)}1`) })]],
    ] as const)
      expect(await sign(method, params)).toMatchObject({ pending: false });
    expect(read).toEqual([]);
  });

  it('are read one by one, as they are needed', async () => {
    const { read, sign } = await recording();
    expect(await sign('eth_signTransaction', [transaction({ to: POOL, data: REPAY })])).toMatchObject({
      pending: false,
    });
    expect(await sign('eth_signTransaction', [transaction({ to: POOL, data: REPAY })])).toMatchObject({
      pending: false,
    });
    expect(read).toEqual(['contract-metadata/5.json']);
  });
});
