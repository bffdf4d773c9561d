import { type SeverityLevel } from '@metamask/snaps-sdk';
import { type JSXElement } from '@metamask/snaps-sdk/jsx';

import { InvalidParamsError } from '../../core/errors';
import { fromHex, type Hex, lowerCase, toHex } from '../../core/eth/bytes';
import { personalMessageDigest } from '../../core/eth/message';
import { type TypedData, typedDataDigest } from '../../core/eth/typed-data';
import { entryOf } from '../../core/decode/metadata/contract-metadata';
import { explainMessage } from '../../core/decode/explain/message';
import { explainAction } from '../../core/decode/explain/transaction';
import { explainTypedData } from '../../core/decode/explain/typed-data';
import { openLines } from '../../core/decode/open-lines';
import { type Explanation, type Viewpoint } from '../../core/decode/explanation';
import { type ShownInsightRepository } from '../explain/recipients/shown-insights';
import { type TransactionCall, transactionSubject } from '../../core/eth/transaction-call';
import { preview, type PreviewDeps } from '../explain/preview';
import { InsightScreen } from '../screens/insight';
import { chainOfScope } from '../../core/schemas/chain';
import { BytesStruct } from '../../core/structs/hex';
import { readTerms, SignatureInsightStruct, TransactionInsightStruct } from '../../core/schemas/insight';
import { parse } from '../../core/structs/struct';
import { TypedDataStruct } from '../../core/schemas/typed-data';

/** An insight on the wallet's own confirmation. Wallets may ask once more if its severity is `critical`. */
export type Insight = { content: JSXElement; severity?: `${SeverityLevel.Critical}` };

const UNKNOWN_REQUEST: Explanation = {
  title: 'Unknown request',
  changes: [],
  main: [],
  lines: [],
  sections: [],
  warnings: ['Keystead cannot tell what this does.'],
  dangers: [],
};

/** The origin of a site. Requests of the wallet itself have none. */
const originOf = (origin: string | null | undefined): Pick<Viewpoint, 'origin'> =>
  origin === undefined || origin === null || origin === 'metamask' ? {} : { origin };

/** A transaction that the wallet asks the user to confirm. */
export type AskedTransaction = TransactionCall & { readonly chainId: bigint };

/** The dependencies of insights. */
export type InsightDeps = PreviewDeps & {
  /** Seconds since 1970. */
  readonly now: () => bigint;
  /** @returns The names of the user's accounts and networks. */
  readonly names: () => Promise<Pick<Viewpoint, 'names' | 'networks' | 'smartOn'>>;
  /** Takes note of a request while it is explained. If that fails, the request is explained all the same. */
  readonly note?: (request: ExplainedRequest, explaining: Promise<Explanation>) => Promise<void>;
  /** Keeps what an insight into a request of an own account shows. */
  readonly shown?: ShownInsightRepository;
};

/** A request that is explained, and what it is explained with. */
export type ExplainedRequest = {
  readonly view: Pick<Viewpoint, 'signer' | 'origin'>;
  readonly explain: (view: Viewpoint) => Explanation;
  /** What tells the request from others of the account. */
  readonly subject?: string;
  /** What is signed, and its digest. */
  readonly message?: { readonly hash: Hex; readonly data?: TypedData };
  readonly transaction?: AskedTransaction;
};

/** An insight must not block the request, so it never fails. If there is no explanation, it says so. */
async function insight(decode: () => ExplainedRequest, deps: InsightDeps): Promise<Insight> {
  let explanation: Explanation;
  try {
    const request = decode();
    const { explain, view: own, subject } = request;
    const view = { now: deps.now(), contractMetadata: deps.library.descriptions, ...(await deps.names()), ...own };
    const compute = async (): Promise<Explanation> => {
      const explaining = preview(explain(view), view, deps);
      const noting = deps.note?.(request, explaining).catch(() => undefined);
      const [computed] = await Promise.all([explaining, noting]);
      return computed;
    };
    const isOwn = view.names?.[lowerCase(own.signer)] !== undefined;
    explanation =
      subject === undefined || !isOwn || deps.shown === undefined
        ? await compute()
        : await deps.shown.show(own.signer, subject, Number(view.now), compute, openLines);
  } catch (error) {
    const reason = error instanceof InvalidParamsError ? [`The request is malformed. ${error.message}.`] : [];
    explanation = { ...UNKNOWN_REQUEST, warnings: [...UNKNOWN_REQUEST.warnings, ...reason] };
  }
  return {
    content: InsightScreen({ explanation }),
    ...(explanation.dangers.length > 0 && { severity: 'critical' }),
  };
}

/** Explains a transaction of any account of the wallet. */
export const transactionInsight = (request: unknown, deps: InsightDeps): Promise<Insight> =>
  insight(() => {
    const { transaction, chainId, transactionOrigin } = parse(TransactionInsightStruct, request, 'insight');
    const chain = chainOfScope(chainId);
    if (chain === undefined) throw new InvalidParamsError('insight.chainId', 'must name a chain');
    const { from, to, value, data, authorizationList } = transaction;
    const delegates = authorizationList?.map(({ address }) => address) ?? [];
    const action = { to: to ?? null, value: BigInt(value ?? 0), data: data ?? '0x', chainId: chain };
    return {
      view: { signer: from, ...originOf(transactionOrigin) },
      explain: (view) => explainAction(action, view, { delegates, terms: readTerms(transaction) }),
      subject: transactionSubject(action),
      transaction: { from, ...action },
    };
  }, deps);

/** What is signed, and how it is explained. */
type Message = Pick<ExplainedRequest, 'explain' | 'subject' | 'message'>;

function typed(data: unknown): Message {
  const typedData = parse(TypedDataStruct, data, 'typedData');
  // Hashing validates the data. The decoder relies on that.
  const hash = toHex(typedDataDigest(typedData));
  return {
    subject: hash,
    message: { hash, data: typedData },
    explain: (view) => explainTypedData(typedData, view),
  };
}

function personal(data: unknown): Message {
  const message = parse(BytesStruct, data, 'message');
  const hash = toHex(personalMessageDigest(fromHex(message)));
  return { subject: hash, message: { hash }, explain: (view) => explainMessage(message, view) };
}

/** Readers by signing method. Version 3 is version 4 without lists. */
const BY_METHOD: Readonly<Record<string, (data: unknown) => Message>> = {
  personal_sign: personal,
  eth_signTypedData_v3: typed,
  eth_signTypedData_v4: typed,
};

/** Explains a message that any account of the wallet is asked to sign. */
export const signatureInsight = (request: unknown, deps: InsightDeps): Promise<Insight> =>
  insight(() => {
    const { signature, signatureOrigin } = parse(SignatureInsightStruct, request, 'insight');
    const { from, data, signatureMethod } = signature;
    const message = entryOf(BY_METHOD, signatureMethod)?.(data) ?? { explain: () => UNKNOWN_REQUEST };
    return { view: { signer: from, ...originOf(signatureOrigin) }, ...message };
  }, deps);
