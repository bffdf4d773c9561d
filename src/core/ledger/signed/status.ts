import { encodeFunctionData } from 'viem/utils';

import { type Hex } from '../../eth/bytes';
import { MAX_UINT256 } from '../../eth/units';
import { PERMIT2 } from '../../simulation/asset-logs';
import { PERMIT2_ABI } from '../abi';
import { type ChainState, type Read } from '../chain-state';
import { COW_ABI, DELEGATION_ABI, INCH_ABI, PERMIT2_ONCE_ABI, PERMIT_ABI, SEAPORT_ABI } from './abi';
import { isExpired } from './expiry';
import { type Form, formOf } from './form';
import { boundBy, type Kept } from './kept';

/**
 * What a node says of a signature.
 *
 * - `counts`: others can use it, all of it or a part.
 * - `gone`: it was used or cancelled.
 * - `expired`: its end is before the node's latest block.
 * - `unknown`: Keystead does not know how to ask, or the contract does not answer.
 */
export type Status = 'counts' | 'gone' | 'expired' | 'unknown';

/** Answers of a contract as numbers: undefined for each that it did not give. */
type Answers = readonly (readonly bigint[] | undefined)[];

/** Where the nonce of a one-time transfer is in Permit2's map. */
export const placeInBitmap = (nonce: bigint): { readonly word: bigint; readonly mask: bigint } => ({
  word: nonce >> 8n,
  mask: 1n << (nonce & 0xffn),
});

const FORTY_BITS = (1n << 40n) - 1n;

/** What the traits of an order of 1inch say of how it is invalidated. */
function inchInvalidation(traits: bigint): {
  readonly isBit: boolean;
  readonly nonce: bigint;
  readonly series: bigint;
  readonly hasEpoch: boolean;
} {
  const has = (bit: bigint): boolean => ((traits >> bit) & 1n) === 1n;
  return {
    // No partial fills, or not several of them.
    isBit: has(255n) || !has(254n),
    nonce: (traits >> 120n) & FORTY_BITS,
    series: (traits >> 160n) & FORTY_BITS,
    hasEpoch: has(250n),
  };
}

/** The calls that say whether a signature was used or cancelled. */
function readsOf(form: Form, account: Hex): readonly Read[] {
  switch (form.kind) {
    case 'permit':
      return [
        { to: form.token, data: encodeFunctionData({ abi: PERMIT_ABI, functionName: 'nonces', args: [account] }) },
      ];
    case 'transfer':
      return [
        {
          to: form.token,
          data: encodeFunctionData({
            abi: PERMIT_ABI,
            functionName: 'authorizationState',
            args: [account, form.nonce],
          }),
        },
      ];
    case 'permit2':
      return form.pairs.map(({ token, spender }) => ({
        to: PERMIT2,
        data: encodeFunctionData({ abi: PERMIT2_ABI, functionName: 'allowance', args: [account, token, spender] }),
      }));
    case 'permit2-once': {
      const { word } = placeInBitmap(form.nonce);
      const data = encodeFunctionData({ abi: PERMIT2_ONCE_ABI, functionName: 'nonceBitmap', args: [account, word] });
      return [{ to: PERMIT2, data }];
    }
    case 'seaport':
      return [
        {
          to: form.contract,
          data: encodeFunctionData({ abi: SEAPORT_ABI, functionName: 'getCounter', args: [account] }),
        },
        ...form.orders.map(({ hash }) => ({
          to: form.contract,
          data: encodeFunctionData({ abi: SEAPORT_ABI, functionName: 'getOrderStatus', args: [hash] }),
        })),
      ];
    case 'cow':
      return [
        {
          to: form.contract,
          data: encodeFunctionData({ abi: COW_ABI, functionName: 'filledAmount', args: [form.uid] }),
        },
      ];
    case '1inch': {
      const { isBit, nonce, series, hasEpoch } = inchInvalidation(form.traits);
      const to = form.contract;
      const filled: Read = {
        to,
        data: isBit
          ? encodeFunctionData({ abi: INCH_ABI, functionName: 'bitInvalidatorForOrder', args: [account, nonce >> 8n] })
          : encodeFunctionData({
              abi: INCH_ABI,
              functionName: 'rawRemainingInvalidatorForOrder',
              args: [account, form.hash],
            }),
      };
      const epoch = encodeFunctionData({ abi: INCH_ABI, functionName: 'epoch', args: [account, series] });
      return [filled, ...(hasEpoch ? [{ to, data: epoch }] : [])];
    }
    case 'delegation':
      return [
        {
          to: form.manager,
          data: encodeFunctionData({ abi: DELEGATION_ABI, functionName: 'disabledDelegations', args: [form.hash] }),
        },
        ...form.nonces.map(({ enforcer }) => ({
          to: enforcer,
          data: encodeFunctionData({
            abi: DELEGATION_ABI,
            functionName: 'currentNonce',
            args: [form.manager, account],
          }),
        })),
      ];
    case 'next':
      return [{ to: form.to, data: form.data }];
    case 'authorization':
      return [];
  }
}

const wordsIn = (answer: Hex | undefined): readonly bigint[] | undefined => {
  const words = answer?.slice(2).match(/.{64}/gu);
  return words?.map((word) => BigInt(`0x${word}`));
};

/** @returns Whether a signature was used or cancelled; undefined if the answers do not say. */
function isGone(form: Form, answers: Answers): boolean | undefined {
  const [first, ...rest] = answers;
  const [value = 0n] = first ?? [];
  if (form.kind === 'permit2') {
    // A batch fails as a whole. A nonce that is not reached yet may be reached.
    const each = form.pairs.map(({ nonce }, at) => {
      const now = answers[at]?.[2];
      return now === undefined ? undefined : now > nonce;
    });
    return each.includes(true) ? true : each.includes(undefined) ? undefined : false;
  }
  if (first === undefined) return undefined;
  switch (form.kind) {
    case 'permit':
    case 'next':
      return value > form.nonce;
    case 'transfer':
      return value !== 0n;
    case 'permit2-once':
      return (value & placeInBitmap(form.nonce).mask) !== 0n;
    case 'seaport': {
      const each = form.orders.map(({ counter }, at) => {
        // One that is not reached yet may be reached.
        if (counter < value) return true;
        // An answer that is too short has no size.
        const [, isCancelled = 0n, filled = 0n, size] = rest[at] ?? [];
        if (size === undefined) return undefined;
        return isCancelled !== 0n || (size > 0n && filled >= size);
      });
      return each.includes(false) ? false : each.includes(undefined) ? undefined : true;
    }
    case 'cow':
      return value >= form.amount;
    case '1inch': {
      const { isBit, nonce, hasEpoch } = inchInvalidation(form.traits);
      const epoch = rest[0]?.[0];
      if (isBit ? ((value >> (nonce & 0xffn)) & 1n) === 1n : value === MAX_UINT256) return true;
      if (hasEpoch && epoch === undefined) return undefined;
      return epoch !== undefined && epoch > nonce;
    }
    case 'delegation': {
      if (value !== 0n) return true;
      const each = form.nonces.map(({ nonce }, at) => {
        const now = rest[at]?.[0];
        return now === undefined ? undefined : now > nonce;
      });
      return each.includes(true) ? true : each.includes(undefined) ? undefined : false;
    }
    case 'authorization':
      return undefined;
  }
}

/**
 * Asks the network at one block whether signatures of an account were used or cancelled.
 *
 * @param kept - Of one account, which count on this network. A Safe's are asked about that Safe.
 * @returns In the order of the signatures. A node can be wrong or lie, so this is its word and no more.
 */
export async function statusesAt(kept: readonly Kept[], account: Hex, state: ChainState): Promise<readonly Status[]> {
  const forms = kept.map(formOf);
  const reads = kept.map((one, at) => {
    const form = forms[at];
    return form === undefined ? [] : readsOf(form, boundBy(one));
  });
  const all = reads.flat();
  const answers = all.length === 0 ? [] : [...(await state.calls(all))];
  const isAuthorized = forms.some((form) => form?.kind === 'authorization');
  const nonce = isAuthorized ? await state.nonce(account) : 0n;
  return kept.map((one, at) => {
    const own = answers.splice(0, reads[at]?.length).map(wordsIn);
    const form = forms[at];
    if (isExpired(one, state.time)) return 'expired';
    if (form === undefined) return 'unknown';
    const gone = form.kind === 'authorization' ? nonce > form.nonce : isGone(form, own);
    return gone === undefined ? 'unknown' : gone ? 'gone' : 'counts';
  });
}
