import { type Abi, type Address, encodeDeployData, encodeFunctionData, formatUnits, getContractAddress } from 'viem';

import { DELEGATES } from '../../../src/core/erc4337/delegates';
import { delegationCode } from '../../../src/core/eth/authorization';
import { elementsOf } from '../../support/screen-elements';
import { textOf } from '../../support/screen-text';
import { callsOf, recipient, startAccount, statusOf } from '../../support/chain/delegated-account';
import { describeWithPeers } from '../../support/chain/peers';
import { compilePreviewContracts } from '../../support/chain/preview-contracts';
import { must } from '../../support/chain/smart-wallet';
import { startWorld, type World } from '../../support/chain/world';

type Deployed = { readonly address: Address; readonly abi: Abi };
/** How much of each asset an account has, by the words that a screen has for it. */
type Holdings = ReadonlyMap<string, bigint>;

const PERSON = recipient('5');
const UNIT = 10n ** 18n;
/** Decimals of the tokens, by symbol. */
const DECIMALS = { GOLD: 18, USD: 6, FEE: 18, WETH: 18, ETH: 18 } as const;
type Symbol = keyof typeof DECIMALS;

describeWithPeers('what the dialog of a delegated account (EIP-7702) says that it sends and receives', () => {
  let world: World;
  let contracts: Record<'GOLD' | 'USD' | 'FEE' | 'WETH' | 'nft' | 'drainer' | 'coins', Deployed>;
  beforeAll(async () => {
    world = await startWorld();
    const { chain } = world;
    const compiled = compilePreviewContracts();
    const deploy = async (name: string, ...args: readonly unknown[]): Promise<Deployed> => {
      const { abi, bytecode } = compiled[name]!;
      const nonce = BigInt(await chain.getTransactionCount({ address: chain.account.address }));
      const hash = await chain.sendTransaction({ data: encodeDeployData({ abi, bytecode, args }) });
      await chain.waitForTransactionReceipt({ hash });
      return { address: getContractAddress({ from: chain.account.address, nonce }), abi };
    };
    contracts = {
      GOLD: await deploy('TestToken', 'GOLD', DECIMALS.GOLD),
      USD: await deploy('TestToken', 'USD', DECIMALS.USD),
      FEE: await deploy('FeeToken'),
      WETH: await deploy('WETH9'),
      nft: await deploy('TestNft'),
      drainer: await deploy('Drainer'),
      coins: await deploy('Coins'),
    };
  });
  afterAll(async () => {
    await world.stop();
  });

  const call = (name: keyof typeof contracts, functionName: string, args: readonly unknown[] = [], value = 0n) => ({
    to: contracts[name].address,
    data: encodeFunctionData({ abi: contracts[name].abi, functionName, args }),
    value: `0x${value.toString(16)}`,
  });
  const read = (name: keyof typeof contracts, functionName: string, args: readonly unknown[]) =>
    world.chain.readContract({ ...contracts[name], functionName, args });

  /** The NFTs of the present account: one that it has, and one that it can mint. */
  let nfts: readonly [bigint, bigint] = [698n, 699n];

  /** Gives the account assets. */
  async function provide(address: Address): Promise<void> {
    nfts = [nfts[0] + 2n, nfts[1] + 2n];
    for (const { to, data } of [
      call('GOLD', 'mint', [address, 100n * UNIT]),
      call('FEE', 'mint', [address, 100n * UNIT]),
      call('nft', 'mint', [address, nfts[0]]),
    ]) {
      const hash = await world.chain.sendTransaction({ to, data });
      await world.chain.waitForTransactionReceipt({ hash });
    }
  }

  async function holdingsOf(address: Address): Promise<Holdings> {
    const holdings = new Map<string, bigint>([['ETH', await world.chain.getBalance({ address })]]);
    for (const name of ['GOLD', 'USD', 'FEE', 'WETH'] as const)
      holdings.set(name, (await read(name, 'balanceOf', [address])) as bigint);
    for (const id of nfts) {
      const owner = await (read('nft', 'ownerOf', [id]) as Promise<Address>).catch(() => undefined);
      holdings.set(`NFT #${id}`, owner === address ? 1n : 0n);
    }
    return holdings;
  }

  const written = (name: string, amount: bigint): string =>
    name.startsWith('NFT') ? `1 ${name}` : `${formatUnits(amount, DECIMALS[name as Symbol])} ${name}`;

  /** What really changed, as the rows say it: coins that a contract sends back are not taken off what is sent. */
  function changed(before: Holdings, after: Holdings, { fees, sentBack }: { fees: bigint; sentBack: bigint }) {
    const nets = [...after].map(([name, amount]) => ({
      name,
      net: amount - before.get(name)! + (name === 'ETH' ? fees - sentBack : 0n),
    }));
    const rows = (sign: bigint) =>
      nets
        .filter(({ net }) => net * sign > 0n)
        .map(({ name, net }) => written(name, net * sign))
        .sort();
    return { sends: rows(-1n), receives: rows(1n) };
  }

  /** The rows of a screen with a label, without what follows the amount and its symbol. */
  const rowsOf = (content: unknown, label: string): string[] =>
    elementsOf(content)
      .filter(({ type, props }) => type === 'Row' && (props as { label?: unknown }).label === label)
      .map(({ props }) => textOf((props as { children?: unknown }).children).replace(/ (?:\(symbol|of “).*$/u, ''))
      .sort();

  const everything = (address: Address) => [
    call('GOLD', 'transfer', [PERSON, 5n * UNIT]),
    // It keeps a part of what is sent.
    call('FEE', 'transfer', [PERSON, 1_000n]),
    call('WETH', 'deposit', [], UNIT),
    call('USD', 'mint', [address, 9_000_000n]),
    call('nft', 'transferFrom', [address, PERSON, nfts[0]]),
    call('nft', 'mint', [address, nfts[1]]),
  ];
  /** What these do is not in their call data. */
  const hidden = (address: Address) => [
    call('GOLD', 'approve', [contracts.drainer.address, UNIT]),
    call('drainer', 'claim', [contracts.GOLD.address, address, UNIT / 4n]),
    call('coins', 'refundHalf', [], 1_001n),
  ];

  it.each([
    ['user operations', '0.8'],
    ['user operations', '0.9'],
    ['transactions to itself', '0.8'],
    ['transactions to itself', '0.9'],
  ] as const)('is what is mined, the first and the second time, by %s, %s', async (way, version) => {
    const isTransaction = way === 'transactions to itself';
    // A paymaster pays the fees of operations, so that the account's own coins tell what it sends.
    const { keystead, address } = await startAccount(world, {
      entryPointVersion: version,
      ...(isTransaction ? { bundlerUrl: undefined } : { paymasterUrl: world.paymasterUrl }),
    });
    await provide(address);
    /** @returns The rows of the dialog, and the type of the transaction that was mined. */
    const check = async (calls: object, sentBack: bigint) => {
      const before = await holdingsOf(address);
      const request = keystead.dapp('wallet_sendCalls', callsOf(address, { calls }));
      const screen = await request.getInterface();
      await screen.ok();
      const { id } = must((await request).response as never) as { id: string };
      const { status, receipts } = await statusOf(keystead, world.chain, id);
      expect(status).toBe(200);
      const hash = receipts![0]!.transactionHash;
      const { gasUsed, effectiveGasPrice } = await world.chain.getTransactionReceipt({ hash });
      const { type } = await world.chain.getTransaction({ hash });
      const fees = isTransaction ? gasUsed * effectiveGasPrice : 0n;
      const { content } = screen;
      const rows = { sends: rowsOf(content, 'You send'), receives: rowsOf(content, 'You receive') };
      expect(rows).toEqual(changed(before, await holdingsOf(address), { fees, sentBack }));
      return { ...rows, type };
    };

    const all = {
      calls: everything(address),
      sentBack: 0n,
      sends: ['0.000000000000001 FEE', '1 ETH', `1 NFT #${nfts[0]}`, '5 GOLD'],
      receives: [`1 NFT #${nfts[1]}`, '1 WETH', '9 USD'],
    };
    const some = {
      calls: hidden(address),
      sentBack: 500n,
      sends: ['0.000000000000001001 ETH', '0.25 GOLD'],
      receives: [],
    };
    const [first, second] = version === '0.8' ? [all, some] : [some, all];
    const { calls: firstCalls, sentBack: firstSentBack, ...firstRows } = first;
    const { calls: secondCalls, sentBack: secondSentBack, ...secondRows } = second;
    expect(await check(firstCalls, firstSentBack)).toEqual({ ...firstRows, type: 'eip7702' });
    expect((await world.chain.getCode({ address }))?.toLowerCase()).toBe(delegationCode(DELEGATES[version]));
    expect(await check(secondCalls, secondSentBack)).toEqual({ ...secondRows, type: 'eip1559' });
  });
});
