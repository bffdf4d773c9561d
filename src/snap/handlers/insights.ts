import { type SeverityLevel } from '@metamask/snaps-sdk';
import { type JSXElement } from '@metamask/snaps-sdk/jsx';

import { InvalidParamsError } from '../../core/errors';
import { typedDataDigest } from '../../core/eth/typed-data';
import { entryOf } from '../../core/decode/contract-metadata';
import { explainMessage } from '../../core/decode/message';
import { explainAction } from '../../core/decode/transaction';
import { explainTypedData } from '../../core/decode/typed-data';
import { type Explanation, type Viewpoint } from '../../core/decode/types';
import { type Library } from '../contract-metadata/library';
import { InsightScreen } from '../ui/insight';
import { chainOfScope } from '../../core/schemas/chain';
import { BytesStruct } from '../../core/schemas/hex';
import { SignatureInsightStruct, TransactionInsightStruct } from '../../core/schemas/insight';
import { parse } from '../../core/schemas/struct';
import { TypedDataStruct } from '../../core/schemas/typed-data';

/** An insight on the wallet's own confirmation. With severity `critical`, the wallet adds a warning of its own. */
export type Insight = { content: JSXElement; severity?: `${SeverityLevel.Critical}` };

const UNKNOWN_REQUEST: Explanation = {
  title: 'Unknown request',
  lines: [],
  sections: [],
  warnings: ['Keystead cannot tell what this does.'],
  dangers: [],
};

/** The origin of a site. Requests of the wallet itself have none. */
const originOf = (origin: string | null | undefined): Pick<Viewpoint, 'origin'> =>
  origin === undefined || origin === null || origin === 'metamask' ? {} : { origin };

/** An insight must not block the request, so it never fails. If there is no explanation, it says so. */
async function insight(library: Library, explain: () => Explanation): Promise<Insight> {
  let explanation: Explanation;
  try {
    explanation = await library.complete(explain());
  } catch (error) {
    const reason = error instanceof InvalidParamsError ? [`The request is malformed. ${error.message}.`] : [];
    explanation = { ...UNKNOWN_REQUEST, warnings: [...UNKNOWN_REQUEST.warnings, ...reason] };
  }
  return {
    content: InsightScreen({ explanation }),
    ...(explanation.dangers.length > 0 && { severity: 'critical' }),
  };
}

/**
 * Explains a transaction of any account of the wallet.
 *
 * @param now - Seconds since 1970.
 */
export const transactionInsight = (request: unknown, now: bigint, library: Library): Promise<Insight> =>
  insight(library, () => {
    const { transaction, chainId, transactionOrigin } = parse(TransactionInsightStruct, request, 'insight');
    const chain = chainOfScope(chainId);
    if (chain === undefined) throw new InvalidParamsError('insight.chainId', 'must name a chain');
    const { from, to, value, data } = transaction;
    return explainAction(
      { to: to ?? null, value: BigInt(value ?? 0), data: data ?? '0x', chainId: chain },
      { signer: from, now, ...originOf(transactionOrigin) },
    );
  });

function explainTyped(data: unknown, view: Viewpoint): Explanation {
  const typedData = parse(TypedDataStruct, data, 'typedData');
  // Hashing validates the data. The decoder relies on that.
  typedDataDigest(typedData);
  return explainTypedData(typedData, view);
}

/** Explainers by signing method. Version 3 is version 4 without lists. */
const BY_METHOD: Readonly<Record<string, (data: unknown, view: Viewpoint) => Explanation>> = {
  personal_sign: (data, view) => explainMessage(parse(BytesStruct, data, 'message'), view),
  eth_signTypedData_v3: explainTyped,
  eth_signTypedData_v4: explainTyped,
};

/**
 * Explains a message that any account of the wallet is asked to sign.
 *
 * @param now - Seconds since 1970.
 */
export const signatureInsight = (request: unknown, now: bigint, library: Library): Promise<Insight> =>
  insight(library, () => {
    const { signature, signatureOrigin } = parse(SignatureInsightStruct, request, 'insight');
    const { from, data, signatureMethod } = signature;
    const explain = entryOf(BY_METHOD, signatureMethod);
    return explain?.(data, { signer: from, now, ...originOf(signatureOrigin) }) ?? UNKNOWN_REQUEST;
  });
