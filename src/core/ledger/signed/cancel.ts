import { encodeFunctionData } from 'viem/utils';

import { type Call } from '../../erc4337/user-operation';
import { type Hex } from '../../eth/bytes';
import { type TypedData } from '../../eth/typed-data';
import { PERMIT2 } from '../../simulation/asset-logs';
import { PERMIT2_ABI } from '../abi';
import { COW_ABI, DELEGATION_ABI, INCH_ABI, PERMIT2_ONCE_ABI, PERMIT_ABI, SEAPORT_ABI } from './abi';
import { type Form, formOf } from './form';
import { type Kept } from './kept';
import { placeInBitmap } from './status';

/**
 * What cancels a signature.
 *
 * - `calls`: calls of the account.
 * - `signature`: another signature, which the account gives and then sends: a permit with the same nonce that allows
 *   nothing, or the cancellation of a transfer.
 * - `transaction`: any transaction of the account that uses its next nonce.
 * - `none`: nothing that Keystead can do; `why` is a sentence.
 */
export type Cancellation =
  | { readonly kind: 'calls'; readonly calls: readonly Call[] }
  | { readonly kind: 'signature'; readonly data: TypedData; readonly callOf: (signature: Hex) => Call }
  | { readonly kind: 'transaction' }
  | { readonly kind: 'none'; readonly why: string };

/** Permit2 raises a nonce by no more at once. */
const MAX_STEP = 65_535n;

const call = (to: Hex, data: Hex): Cancellation => ({ kind: 'calls', calls: [{ to, value: 0n, data }] });

/** The parts of a signature of 65 bytes, as contracts take them. */
const partsOf = (signature: Hex): readonly [r: Hex, s: Hex, v: number] => [
  `0x${signature.slice(2, 66)}`,
  `0x${signature.slice(66, 130)}`,
  Number(`0x${signature.slice(130, 132)}`),
];

/** The nonce is used up by a permit that allows nothing, since an approval of 0 leaves it as it is. */
function emptyPermit({ token, isDai, nonce, data }: Extract<Form, { kind: 'permit' }>): Cancellation {
  const { message } = data;
  const spender = message.spender as Hex;
  const empty = { ...message, ...(isDai ? { allowed: false } : { value: '0' }) };
  return {
    kind: 'signature',
    data: { ...data, message: empty },
    callOf: (signature) => {
      const [r, s, v] = partsOf(signature);
      const encoded = isDai
        ? encodeFunctionData({
            abi: PERMIT_ABI,
            functionName: 'permit',
            args: [message.holder as Hex, spender, nonce, BigInt(message.expiry as string), false, v, r, s],
          })
        : encodeFunctionData({
            abi: PERMIT_ABI,
            functionName: 'permit',
            args: [message.owner as Hex, spender, 0n, BigInt(message.deadline as string), v, r, s],
          });
      return { to: token, value: 0n, data: encoded };
    },
  };
}

/** ERC-3009: the token takes a cancellation that the account signs. */
function cancelledTransfer({ token, nonce, data }: Extract<Form, { kind: 'transfer' }>): Cancellation {
  const authorizer = data.message.from as Hex;
  const members = [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ];
  return {
    kind: 'signature',
    data: {
      types: { EIP712Domain: data.types.EIP712Domain ?? [], CancelAuthorization: members },
      primaryType: 'CancelAuthorization',
      domain: data.domain,
      message: { authorizer, nonce },
    },
    callOf: (signature) => {
      const [r, s, v] = partsOf(signature);
      const args = [authorizer, nonce, v, r, s] as const;
      return {
        to: token,
        value: 0n,
        data: encodeFunctionData({ abi: PERMIT_ABI, functionName: 'cancelAuthorization', args }),
      };
    },
  };
}

function cancellationIn(form: Form): Cancellation {
  switch (form.kind) {
    case 'permit':
      return emptyPermit(form);
    case 'permit2': {
      // A batch fails as a whole, so the first pair is enough.
      const [pair] = form.pairs;
      if (pair === undefined) return { kind: 'none', why: 'It names no token.' };
      const { token, spender, nonce } = pair;
      if (nonce >= MAX_STEP)
        return {
          kind: 'none',
          why: 'Its nonce is too high for Keystead to skip it. Take back what the token lets Permit2 take.',
        };
      return call(
        PERMIT2,
        encodeFunctionData({
          abi: PERMIT2_ABI,
          functionName: 'invalidateNonces',
          args: [token, spender, Number(nonce + 1n)],
        }),
      );
    }
    case 'permit2-once': {
      const { word, mask } = placeInBitmap(form.nonce);
      return call(
        PERMIT2,
        encodeFunctionData({ abi: PERMIT2_ONCE_ABI, functionName: 'invalidateUnorderedNonces', args: [word, mask] }),
      );
    }
    case 'seaport':
      return call(
        form.contract,
        encodeFunctionData({
          abi: SEAPORT_ABI,
          functionName: 'cancel',
          // The members of a struct are encoded by name, and numbers may be written as text.
          args: [form.orders.map(({ order }) => order) as never],
        }),
      );
    case 'cow':
      return call(
        form.contract,
        encodeFunctionData({ abi: COW_ABI, functionName: 'invalidateOrder', args: [form.uid] }),
      );
    case '1inch':
      return call(
        form.contract,
        encodeFunctionData({ abi: INCH_ABI, functionName: 'cancelOrder', args: [form.traits, form.hash] }),
      );
    case 'delegation': {
      const caveats = form.delegation.caveats as readonly Readonly<Record<string, unknown>>[];
      const delegation = {
        ...form.delegation,
        caveats: caveats.map((caveat) => ({ ...caveat, args: '0x' })),
        signature: '0x',
      };
      return call(
        form.manager,
        encodeFunctionData({ abi: DELEGATION_ABI, functionName: 'disableDelegation', args: [delegation as never] }),
      );
    }
    case 'next':
      return { kind: 'none', why: 'Another transaction of that account with the same nonce takes its place.' };
    case 'transfer':
      return cancelledTransfer(form);
    case 'authorization':
      return { kind: 'transaction' };
  }
}

/** @returns What cancels a signature on its network, if the account that it is for does it. */
export function cancellationOf(kept: Kept): Cancellation {
  const form = formOf(kept);
  return form === undefined
    ? {
        kind: 'none',
        why:
          kept.data === undefined
            ? 'Keystead does not know how to cancel it.'
            : 'Keystead does not know how this contract cancels it. Take back what the contract may take from the account.',
      }
    : cancellationIn(form);
}
