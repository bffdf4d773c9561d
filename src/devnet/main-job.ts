import type { KeyringAccount } from '@metamask/keyring-api';
import {
  createTestClient,
  type Hex,
  http,
  parseEther,
  publicActions,
  recoverMessageAddress,
  recoverTypedDataAddress,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem';

import { DEVNET_CHAIN } from './chain/definition';
import { type EmbeddedSnap } from './embedded-snap';

/** Reports a step and its result. */
export type Report = (what: string, result: string) => void;

const RECIPIENT = '0x3535353535353535353535353535353535353535';
const SCOPE = `eip155:${DEVNET_CHAIN.id}`;

type Account = KeyringAccount & { readonly address: Hex };

function mustBe(recovered: Hex, { address }: Account, what: string): void {
  if (recovered.toLowerCase() !== address.toLowerCase())
    throw new Error(`${what} recovers to ${recovered}, not to ${address}`);
}

async function signMessage(snap: EmbeddedSnap, account: Account, report: Report): Promise<void> {
  const message = 'Keystead signs exactly what it was asked.';
  const raw: Hex = `0x${Buffer.from(message).toString('hex')}`;
  const signature = await snap.sign<Hex>(account, 'personal_sign', [raw, account.address]);
  mustBe(await recoverMessageAddress({ message, signature }), account, 'personal_sign');
  report('personal_sign', `${signature.slice(0, 18)}…  viem recovers the account`);
}

async function signTypedData(snap: EmbeddedSnap, account: Account, report: Report): Promise<void> {
  const typedData = {
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'chainId', type: 'uint256' },
      ],
      Mail: [
        { name: 'to', type: 'address' },
        { name: 'contents', type: 'string' },
      ],
    },
    primaryType: 'Mail' as const,
    domain: { name: 'Keystead', chainId: DEVNET_CHAIN.id },
    message: { to: RECIPIENT, contents: 'Hello' },
  };
  // No rule reads a Mail, so the snap shows its values and asks. Here, nobody is there to answer.
  const signature = await snap.sign<Hex>(account, 'eth_signTypedData_v4', [account.address, typedData], {
    scope: SCOPE,
    approve: true,
  });
  mustBe(
    await recoverTypedDataAddress({ ...typedData, signature } as Parameters<typeof recoverTypedDataAddress>[0]),
    account,
    'eth_signTypedData_v4',
  );
  report('eth_signTypedData_v4', `${signature.slice(0, 18)}…  approved for you; viem recovers the account`);
}

const quantity = (value: bigint | number): Hex => `0x${value.toString(16)}`;
const GWEI = 10n ** 9n;

/** The three transaction types, as MetaMask sends them and as viem serializes them. */
const TRANSACTIONS = [
  {
    name: 'legacy',
    type: '0x0',
    json: { gasPrice: quantity(2n * GWEI) },
    viem: { type: 'legacy', gasPrice: 2n * GWEI },
  },
  {
    name: 'EIP-2930',
    type: '0x1',
    json: { gasPrice: quantity(2n * GWEI), accessList: [] },
    viem: { type: 'eip2930', gasPrice: 2n * GWEI, accessList: [] },
  },
  {
    name: 'EIP-1559',
    type: '0x2',
    json: { maxFeePerGas: quantity(2n * GWEI), maxPriorityFeePerGas: quantity(GWEI), accessList: [] },
    viem: { type: 'eip1559', maxFeePerGas: 2n * GWEI, maxPriorityFeePerGas: GWEI },
  },
] as const;

async function sendTransactions(snap: EmbeddedSnap, account: Account, chainUrl: string, report: Report): Promise<void> {
  const chain = createTestClient({ chain: DEVNET_CHAIN, mode: 'anvil', transport: http(chainUrl) }).extend(
    publicActions,
  );
  await chain.setBalance({ address: account.address, value: parseEther('10') });
  for (const [nonce, { name, type, json, viem }] of TRANSACTIONS.entries()) {
    const common = { to: RECIPIENT, value: parseEther('1'), data: '0x', chainId: DEVNET_CHAIN.id } as const;
    const tx = {
      ...json,
      type,
      nonce: quantity(nonce),
      gasLimit: quantity(21_000),
      to: common.to,
      value: quantity(common.value),
      data: common.data,
      chainId: quantity(DEVNET_CHAIN.id),
      from: account.address,
    };
    const { v, r, s } = await snap.sign<{ v: Hex; r: Hex; s: Hex }>(account, 'eth_signTransaction', [tx], {
      scope: SCOPE,
    });
    const signature = type === '0x0' ? { r, s, v: BigInt(v) } : { r, s, yParity: Number(v) };
    const serialized = serializeTransaction(
      { ...common, ...viem, nonce, gas: 21_000n } as TransactionSerializable,
      signature,
    );
    const hash = await chain.sendRawTransaction({ serializedTransaction: serialized });
    const { status, from, blockNumber } = await chain.waitForTransactionReceipt({ hash });
    mustBe(from, account, `the ${name} transaction`);
    if (status !== 'success') throw new Error(`the ${name} transaction ${hash} reverted`);
    report(`eth_signTransaction (${name})`, `${hash.slice(0, 18)}…  mined in block ${blockNumber}`);
  }
}

/**
 * Runs the main flow end to end: creates an account, signs with each method, and has independent code verify the
 * result: viem recovers the signer, and the chain mines the transactions.
 *
 * @throws At the first wrong result.
 */
export async function runMainJob(snap: EmbeddedSnap, chainUrl: string, report: Report): Promise<void> {
  const account = (await snap.createAccount()) as Account;
  report(
    'keyring_createAccount',
    `${account.address}  from the recovery phrase, index ${String(account.options.index)}`,
  );
  await signMessage(snap, account, report);
  await signTypedData(snap, account, report);
  await sendTransactions(snap, account, chainUrl, report);
}
