import { type Hex, parseAbi } from 'viem';

import { ENTRY_POINTS } from '../../../src/core/erc4337/entry-points';
import { MODULE_4337, MULTI_SEND_CALL_ONLY, PROXY_FACTORY, SINGLETON } from '../../../src/core/safe/contracts';
import { type OwnerSignature } from '../../../src/core/safe/owners/signatures';
import { type SafeProposal } from '../../../src/core/schemas/safe-proposal';
import { MULTI_SEND } from './contracts';
import { peer } from './peers';
import { CHAIN_ID } from './smart-wallet';

/* The parts of Safe's own SDK that tests compare with (protocol-kit and relay-kit). */

type SafeSignature = { readonly signer: string; readonly data: string; readonly isContractSignature: boolean };

/** An account as protocol-kit reads it. */
export type ProtocolKit = {
  readonly getOwners: () => Promise<string[]>;
  readonly getThreshold: () => Promise<number>;
  readonly getModules: () => Promise<string[]>;
  readonly getFallbackHandler: () => Promise<string>;
  readonly getContractVersion: () => string;
  /** @param hash - Of a message. @returns What the owners sign, with the domain of the account. */
  readonly getSafeMessageHash: (hash: string) => Promise<string>;
  /** @param hash - Of a message. @returns Whether the account accepts the signature (ERC-1271). */
  readonly isValidSignature: (hash: string, signature: string) => Promise<boolean>;
  readonly getSafeProvider: () => {
    readonly getExternalSigner: () => Promise<{ readonly signTypedData: (typedData: object) => Promise<Hex> }>;
  };
};

type SafeOperation = {
  readonly addSignature: (signature: SafeSignature) => void;
  readonly getHash: () => string;
  readonly getSafeOperation: () => object;
  readonly getEIP712Type: () => object;
  readonly getUserOperation: () => { readonly signature: string };
};

type Kit = {
  readonly default: { readonly init: (config: object) => Promise<ProtocolKit> };
  readonly EthSafeSignature: new (signer: string, data: string, isContract: boolean) => SafeSignature;
  readonly buildSignatureBytes: (signatures: readonly SafeSignature[]) => string;
};
type RelayKit = {
  readonly SafeOperationV07: new (operation: object, options: object) => SafeOperation;
};

const protocolKit = (): Kit => peer<Kit>('@safe-global/protocol-kit');

/**
 * @param signer - The private key of an owner who signs with the SDK.
 * @returns An account as protocol-kit opens it.
 */
export const openWithSdk = (safeAddress: Hex, provider: string, signer?: Hex): Promise<ProtocolKit> =>
  protocolKit().default.init({
    provider,
    safeAddress,
    ...(signer && { signer }),
    contractNetworks: {
      [CHAIN_ID.toString()]: {
        safeSingletonAddress: SINGLETON,
        safeProxyFactoryAddress: PROXY_FACTORY,
        multiSendAddress: MULTI_SEND,
        multiSendCallOnlyAddress: MULTI_SEND_CALL_ONLY,
        // The account's own handler, which answers ERC-1271.
        fallbackHandlerAddress: MODULE_4337,
        // Without it, protocol-kit 8.0.7 encodes with an ABI that has the function twice, which viem refuses.
        fallbackHandlerAbi: parseAbi([
          'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4 magicValue)',
        ]),
      },
    },
  });

const forSdk = ({ address, isContract, signature }: OwnerSignature): SafeSignature =>
  new (protocolKit().EthSafeSignature)(address, signature, isContract);

/** @returns The bytes of signatures, as the SDK joins them. */
export const joinedBySdk = (signatures: readonly OwnerSignature[]): string =>
  protocolKit().buildSignatureBytes(signatures.map(forSdk));

/** @returns The operation of a proposal in the SDK, with the proposal's signatures. */
export function operationOfSdk({ operation, validity, signatures }: SafeProposal): SafeOperation {
  const { SafeOperationV07 } = peer<RelayKit>('@safe-global/relay-kit');
  const options = {
    ...{ moduleAddress: MODULE_4337, entryPoint: ENTRY_POINTS['0.7'], chainId: CHAIN_ID },
    ...validity,
  };
  const made = new SafeOperationV07({ ...operation, nonce: operation.nonce.toString() }, options);
  for (const signature of signatures) made.addSignature(forSdk(signature));
  return made;
}

/** @returns The signature of the owner whose key the account was opened with, over the SDK's own typed data. */
export async function signedBySdk(operation: SafeOperation, kit: ProtocolKit): Promise<Hex> {
  const signer = await kit.getSafeProvider().getExternalSigner();
  return signer.signTypedData({
    domain: { chainId: Number(CHAIN_ID), verifyingContract: MODULE_4337 },
    types: operation.getEIP712Type(),
    primaryType: 'SafeOp',
    message: operation.getSafeOperation(),
  });
}
