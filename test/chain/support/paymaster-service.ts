import { type Address, concat, encodeAbiParameters, type Hex, keccak256, numberToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';

import { type AccountVersion, ENTRY_POINTS } from '../../../src/erc4337/entry-points';
import { type LocalServer, reply, serveJsonRpc } from '../../helpers/json-rpc-server';

/** The sponsor's key: only this service has it. */
const SPONSOR = privateKeyToAccount(`0x${'5a'.repeat(32)}`);
export const SPONSOR_ADDRESS = SPONSOR.address;

/** Seconds since 1970, far away: the development chain's clock may be ahead of ours. */
const VALID_UNTIL = 0xffff_ffff;

type Asked = {
  readonly sender: Address;
  readonly nonce: Hex;
  readonly callData: Hex;
  readonly initCode?: Hex;
  readonly factory?: Address;
  readonly factoryData?: Hex;
};

const initCodeOf = ({ initCode, factory, factoryData }: Asked): Hex =>
  initCode ?? (factory === undefined ? '0x' : concat([factory, factoryData ?? '0x']));

/** What the test paymaster's `approvalOf` computes. */
const approvalOf = (asked: Asked, paymaster: Address): Hex =>
  keccak256(
    encodeAbiParameters(
      (['address', 'uint256', 'bytes32', 'bytes32', 'uint48', 'uint256', 'address'] as const).map((type) => ({ type })),
      [
        asked.sender,
        BigInt(asked.nonce),
        keccak256(initCodeOf(asked)),
        keccak256(asked.callData),
        VALID_UNTIL,
        BigInt(foundry.id),
        paymaster,
      ] as never,
    ),
  );

const withSignature = (signature: Hex): Hex => concat([numberToHex(VALID_UNTIL, { size: 6 }), signature]);

const STUB_SIGNATURE: Hex = `0x${'7a'.repeat(64)}1c`;

/**
 * A paymaster service (ERC-7677) for the test paymasters. It sponsors everything but what comes with the
 * context `{ refuse: true }`, and leaves the paymaster's verification gas to the bundler's estimate.
 */
export async function startPaymasterService(
  paymasters: Readonly<Record<AccountVersion, Address>>,
): Promise<LocalServer> {
  const versions = Object.keys(paymasters) as AccountVersion[];
  return serveJsonRpc(async ({ id, method, params }, response) => {
    const [asked, entryPoint, , context] = params as [Asked, Address, Hex, { refuse?: boolean }];
    if (context.refuse === true) {
      reply(response, { id, error: { code: -32002, message: 'the budget of this policy is spent' } });
      return;
    }
    const version = versions.find((name) => ENTRY_POINTS[name].toLowerCase() === entryPoint.toLowerCase());
    if (version === undefined) throw new Error(`no paymaster for ${entryPoint}`);
    const paymaster = paymasters[version];
    const isStub = method === 'pm_getPaymasterStubData';
    const signature = isStub ? STUB_SIGNATURE : await SPONSOR.sign({ hash: approvalOf(asked, paymaster) });
    const paymasterData = withSignature(signature);
    const result =
      version === '0.6'
        ? { paymasterAndData: concat([paymaster, paymasterData]) }
        : { paymaster, paymasterData, ...(isStub && { paymasterPostOpGasLimit: '0x1' }) };
    reply(response, { id, result });
  });
}
