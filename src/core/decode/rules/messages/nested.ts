import { encodeType, type TypedDataTypes } from '../../../eth/typed-data';
import { address } from '../../words/lines';
import { addressOf, structOf, type TypedRule, uintOf } from './rule';

/** ERC-7739 and its drafts: the message, followed by the fields of the account's domain. */
const TYPED_DATA_SIGN = /^TypedDataSign\((\S+) contents,[^)]*,uint256 chainId,address verifyingContract,/u;

/** The type of the wrapped message; undefined if there is none. */
const contentsType = (types: TypedDataTypes, primaryType: string): string | undefined =>
  TYPED_DATA_SIGN.exec(encodeType(types, primaryType))?.[1];

/**
 * ERC-7739: the owner of a smart account signs this wrapper instead of the message, so that no other account accepts
 * the signature. The domain is that of the message.
 */
export const NESTED_RULE: TypedRule = {
  type: (types, primaryType) => Object.hasOwn(types, contentsType(types, primaryType) ?? ''),
  read: (message, { view: { chainId: ofRequest } }, types, primaryType) => {
    const named = uintOf(message, 'chainId');
    return {
      title: 'Sign as a smart account',
      effects: ofRequest !== undefined && named !== ofRequest ? [{ kind: 'network', named, ofRequest }] : [],
      lines: [address('Account', addressOf(message, 'verifyingContract'))],
      contents: { primaryType: contentsType(types, primaryType) ?? '', message: structOf(message, 'contents') },
    };
  },
};
