import { keccak_256 as keccak256 } from '@noble/hashes/sha3.js';

import { inOrder } from '../../../clients/in-order';
import { type NodeClient } from '../../../clients/node';
import { DELEGATE_VERSIONS, type DelegateVersion } from '../../../core/erc4337/delegates';
import { ENTRY_POINTS } from '../../../core/erc4337/entry-points';
import { BATCH_08 } from '../../../core/erc4337/simple-account/batches';
import { InvalidParamsError, ServiceRefusedError } from '../../../core/errors';
import { delegateIn, delegationCode } from '../../../core/eth/authorization';
import { fromHex, type Hex, toHex } from '../../../core/eth/bytes';
import { chainIdOf } from '../../../core/schemas/chain';
import { type ChainConfiguration } from '../../../core/schemas/chain-configuration';
import { BytesStruct } from '../../../core/structs/hex';
import { servicesOf } from '../../network/services';
import { outcomeOfRefusal } from '../../../simulation/failure';

/** The facts about the code of a delegate. */
export type CheckedDelegate = {
  readonly version: DelegateVersion;
  readonly codeHash: Hex;
  /** bytes */
  readonly size: number;
};

/** The selector of `entryPoint()`. */
export const ENTRY_POINT = '0xb0d691fe';

/** An account that the check delegates, only within a call, and a stranger to it. */
const SOME_ACCOUNT: Hex = '0x00000000000000000000000000000000000000a1';
const STRANGER: Hex = '0x00000000000000000000000000000000000000a2';

/** @returns The hash of code, as EXTCODEHASH computes it. */
export const hashOfCode = (code: Hex): Hex => toHex(keccak256(fromHex(code)));

/** @returns Whether an account with this delegate lets a sender execute calls. */
const mayExecute = (node: NodeClient, delegate: Hex, from: Hex): Promise<boolean> =>
  node
    .ask(
      'eth_call',
      [
        { from, to: SOME_ACCOUNT, data: BATCH_08.encode([]) },
        'latest',
        { [SOME_ACCOUNT]: { code: delegationCode(delegate) } },
      ],
      BytesStruct,
    )
    .then(
      () => true,
      (error: unknown) => {
        // An error of the node itself says nothing about the contract.
        if (error instanceof ServiceRefusedError && outcomeOfRefusal(error).kind === 'reverts') return false;
        throw error;
      },
    );

/**
 * Checks the code of a contract that accounts are to delegate to: that it exists, which entry point it accepts, that it
 * executes a batch for the account itself, and that it executes none for a stranger.
 *
 * @param field - The name of the contract in error messages.
 * @throws {InvalidParamsError} If a check fails.
 * @throws {ServiceFailedError} If the node does not respond, or serves another chain.
 */
export async function checkDelegate(
  configuration: ChainConfiguration,
  delegate: Hex,
  field: string,
): Promise<CheckedDelegate> {
  const { node } = servicesOf(configuration);
  const [, code] = await inOrder([node.assertChain(chainIdOf(configuration.chainId)), node.code(delegate)]);
  if (code === '0x') throw new InvalidParamsError(field, 'must be a contract; there is no code on this network');
  if (delegateIn(code) !== undefined)
    throw new InvalidParamsError(field, 'must be a contract, and not an account that is itself upgraded');
  const word = await node.callForWord(delegate, ENTRY_POINT, 'its entry point').catch(() => undefined);
  const version = DELEGATE_VERSIONS.find((one) => word === BigInt(ENTRY_POINTS[one]));
  if (version === undefined)
    throw new InvalidParamsError(
      field,
      `must be an account contract for entry point ${DELEGATE_VERSIONS.join(' or ')}, as its function entryPoint() says`,
    );
  if (!(await mayExecute(node, delegate, SOME_ACCOUNT)))
    throw new InvalidParamsError(
      field,
      'must make several calls at once for the account itself, as SimpleAccount 0.8 does',
    );
  if (await mayExecute(node, delegate, STRANGER))
    throw new InvalidParamsError(field, 'must not execute calls for strangers; this contract does');
  return { version, codeHash: hashOfCode(code), size: (code.length - 2) / 2 };
}
