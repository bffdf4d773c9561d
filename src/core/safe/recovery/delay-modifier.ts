import { uint256 } from '../../eth/abi';
import { isSameAddress } from '../../eth/address';
import { type Hex, lowerCase } from '../../eth/bytes';
import { BytesStruct } from '../../structs/hex';
import { askContract, type ReadAt, wordsCall } from './answer';

/** The contracts whose code the proxies of Zodiac's Delay modifier run (zodiac's list of mastercopies). */
const MASTERCOPIES: readonly { readonly version: string; readonly address: Hex; readonly isWeak?: true }[] = [
  { version: '1.0.0', address: '0xD62129BF40CD1694b3d9D9847367783a1A4d5cB4' },
  { version: '1.0.1', address: '0xd54895B1121A2eE3f37b502F507631FA1331BED6' },
  { version: '1.1.0', address: '0x01F8cabB808D7dE0dF4202D4B60C8310d2f1339b', isWeak: true },
  { version: '1.1.0', address: '0x4A97E65188A950Dd4b0f21F9b5434dAeE0BBF9f5', isWeak: true },
  { version: '1.1.1', address: '0x824175b945838d127c1ca83cbce11d8e44f6df01' },
  { version: '2.0.0', address: '0x66C985001328Db254F27C8A037Ebb409a5d669C2' },
];

/** A minimal proxy (EIP-1167), with the address of the code that it runs. */
const MINIMAL_PROXY = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3$/u;

/** `txCooldown()` */
const GET_COOLDOWN = '0xdcafac09';

/** Zodiac's Delay modifier: Safe{Wallet} sets up its account recovery with it. */
export type DelayModifier = {
  readonly version: string;
  /** The version accepts forged signatures (1.1.0, found in 2026). */
  readonly isWeak: boolean;
  /** Seconds between a request and the moment from which anyone can carry it out. */
  readonly cooldown: bigint;
};

/**
 * Recognizes a module of a Safe as Zodiac's Delay modifier, by the code that it runs.
 *
 * @returns undefined for any other module.
 * @throws {ServiceFailedError} If the node's answer is malformed.
 */
export async function readDelayModifier(module: Hex, at: ReadAt): Promise<DelayModifier | undefined> {
  const code = lowerCase(await at.node.ask('eth_getCode', [module, at.block], BytesStruct));
  const runs = MINIMAL_PROXY.exec(code)?.[1];
  const found = MASTERCOPIES.find(({ address }) => isSameAddress(address, runs === undefined ? module : `0x${runs}`));
  if (found === undefined) return undefined;
  const answer = await askContract(module, wordsCall(GET_COOLDOWN), { returns: [uint256], field: 'cooldown' }, at);
  return { version: found.version, isWeak: found.isWeak === true, cooldown: answer[0] };
}
