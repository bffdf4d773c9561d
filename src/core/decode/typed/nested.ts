import { encodeType, type TypedDataTypes } from '../../eth/typed-data';
import { address } from '../lines';
import { addressOf, structOf, type TypedRule, uintOf } from './rule';

/** In ERC-7739 and its drafts: the message, and behind it what makes the domain of the account. */
const TYPED_DATA_SIGN = /^TypedDataSign\((\S+) contents,[^)]*,uint256 chainId,address verifyingContract,/u;

/** The type of the message inside; undefined where there is none. */
const contentsType = (types: TypedDataTypes, primaryType: string): string | undefined =>
  TYPED_DATA_SIGN.exec(encodeType(types, primaryType))?.[1];

/**
 * ERC-7739: what the owner of a smart account signs in place of a message, so that no other account takes it. The domain
 * is the message's own.
 */
export const NESTED_RULE: TypedRule = {
  type: (types, primaryType) => Object.hasOwn(types, contentsType(types, primaryType) ?? ''),
  read: (message, { view: { chainId }, findings }, types, primaryType) => {
    if (chainId !== undefined && uintOf(message, 'chainId') !== chainId) findings.danger('chain-mismatch');
    return {
      title: 'Have a smart account sign what is inside',
      lines: [address('Account', addressOf(message, 'verifyingContract'))],
      contents: { primaryType: contentsType(types, primaryType) ?? '', message: structOf(message, 'contents') },
    };
  },
};
