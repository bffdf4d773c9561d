import { inOrder } from '../../clients/in-order';
import { type NodeClient } from '../../clients/node';
import { MODULE_4337, SINGLETON } from '../../core/erc4337/safe/contracts';
import { InvalidParamsError, ServiceRefusedError } from '../../core/errors';
import { type Hex } from '../../core/eth/bytes';
import { wordsCall } from '../../core/recovery/answer';

/** Functions of Safe 1.4.1: `isOwner(address)`, `getThreshold()`, `isModuleEnabled(address)`. */
const IS_OWNER = '0x2f54bf6e';
const GET_THRESHOLD = '0xe75235b8';
const IS_MODULE_ENABLED = '0x2d9ad53d';

/** Where a Safe's proxy keeps the address of its code. */
const CODE_SLOT: Hex = `0x${'00'.repeat(32)}`;

/**
 * Checks that an account is a Safe which this owner's key alone controls, through the module for ERC-4337.
 *
 * @throws {InvalidParamsError} If it is another account, or needs other signatures.
 * @throws {ServiceFailedError} If the node does not respond correctly.
 */
export async function assertControls(owner: Hex, address: Hex, node: NodeClient): Promise<void> {
  const wrong = (rule: string): InvalidParamsError => new InvalidParamsError('options.address', rule);
  const ask = (data: Hex) =>
    node.callForWord(address, data, 'what a Safe returns').catch((error: unknown) => {
      if (error instanceof ServiceRefusedError) return 0n;
      throw error;
    });
  if ((await node.storageAt(address, CODE_SLOT)) !== BigInt(SINGLETON))
    throw wrong('must be a Safe 1.4.1 that is deployed on this network');
  const [isOwner, threshold, isEnabled] = await inOrder([
    ask(wordsCall(IS_OWNER, owner)),
    ask(GET_THRESHOLD),
    ask(wordsCall(IS_MODULE_ENABLED, MODULE_4337)),
  ]);
  if (isOwner !== 1n)
    throw wrong('must be a Safe that has the key of this index as an owner. Has the recovery been finished?');
  if (threshold !== 1n) throw wrong('must be a Safe that needs one signature');
  if (isEnabled !== 1n) throw wrong('must be a Safe with the module for user operations (ERC-4337)');
}
