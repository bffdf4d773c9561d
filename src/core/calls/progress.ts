/**
 * How far calls or a signature that leaves the wallet have come. Every screen, the page, the activity and
 * `wallet_getCallsStatus` take their words from here.
 *
 * - `asked`: the person has not answered yet.
 * - `approved`: signed, but not given to the network yet.
 * - `handed-over`: the service took it.
 * - `seen`: the network shows it, and has not included it yet.
 * - `included`: it is in a block, and did what it should.
 * - `failed`: it did not, in part or at all, or can no longer be included.
 * - `unknown`: the network was asked, and does not show what became of it.
 */
export type ProgressState = 'asked' | 'approved' | 'handed-over' | 'seen' | 'included' | 'failed' | 'unknown';

/**
 * Which states follow which. Blocks may be reorganized, so what was final can be open again; nothing that was given
 * out becomes something that was not.
 */
export const TRANSITIONS: Readonly<Record<ProgressState, readonly ProgressState[]>> = {
  asked: ['approved', 'handed-over', 'seen', 'included', 'failed', 'unknown'],
  approved: ['handed-over', 'seen', 'included', 'failed', 'unknown'],
  'handed-over': ['seen', 'included', 'failed', 'unknown'],
  seen: ['included', 'failed', 'unknown'],
  included: ['seen', 'failed', 'unknown'],
  failed: ['seen', 'included', 'unknown'],
  unknown: ['seen', 'included', 'failed'],
};

/** @returns Whether something can come from one state to another. Staying in a state is always possible. */
export const canBecome = (from: ProgressState, to: ProgressState): boolean =>
  from === to || TRANSITIONS[from].includes(to);

/** The status codes of EIP-5792: pending, confirmed, never included, reverted, partially reverted. */
export const CALLS_STATUSES = [100, 200, 400, 500, 600] as const;
export type CallsStatusCode = (typeof CALLS_STATUSES)[number];

/**
 * A remark on the status:
 *
 * - `not-found`: pending, and the network neither has it nor used its nonce.
 * - `nonce-used`: pending, although the nonce is used: the network has not shown by what.
 * - `replaced`: never included, because the network has shown that something else used the nonce.
 * - `cancelled`: never included, because the person cancelled it, and the network included that instead.
 * - `no-answer`: the node did not answer when the status was looked up last.
 * - `no-network`: the network is no longer set up, so the status cannot be looked up.
 */
export const REMARKS = ['not-found', 'nonce-used', 'replaced', 'cancelled', 'no-answer', 'no-network'] as const;
export type Remark = (typeof REMARKS)[number];

/** What is known of calls that the person approved. */
export type ProgressFacts = {
  readonly status: CallsStatusCode;
  readonly remark?: Remark;
  /** The service did not answer when they were sent, or sending was interrupted. */
  readonly isUnclear?: boolean;
  /** The network showed them when it was asked last. */
  readonly isSeen?: boolean;
  /** Other owners of the account have to sign first. */
  readonly isWaiting?: boolean;
};

export type Progress = {
  readonly state: ProgressState;
  /** One to three words, for a row in a list. */
  readonly badge: string;
  /** A sentence or two. For `unknown`, they say what was tried. */
  readonly text: string;
  readonly tone: 'success' | 'error' | 'wait';
};

/** What each state is called, where nothing more is known. */
export const PROGRESS: Readonly<Record<ProgressState, Progress>> = {
  asked: {
    state: 'asked',
    badge: 'Waiting for you',
    text: 'Waiting for you to approve or reject it.',
    tone: 'wait',
  },
  approved: { state: 'approved', badge: 'Approved', text: 'Approved, and not sent yet.', tone: 'wait' },
  'handed-over': {
    state: 'handed-over',
    badge: 'Sent',
    text: 'Sent. The network has not shown it yet.',
    tone: 'wait',
  },
  seen: {
    state: 'seen',
    badge: 'Pending',
    text: 'Pending. The network has it, and has not included it yet.',
    tone: 'wait',
  },
  included: { state: 'included', badge: 'Confirmed', text: 'Confirmed.', tone: 'success' },
  failed: {
    state: 'failed',
    badge: 'Failed',
    text: 'Failed: it was included but reverted, so nothing was done. The network fee may still be charged.',
    tone: 'error',
  },
  unknown: {
    state: 'unknown',
    badge: 'Unknown',
    text: 'Unknown. It may still be carried out.',
    tone: 'wait',
  },
};

/** The heading of a screen about something that is `unknown`. */
export const UNKNOWN_TITLE = 'Unknown whether it was sent';

const WAITING: Progress = {
  state: 'approved',
  badge: 'Waiting for signatures',
  text: 'Waiting for the signatures of other owners. Nothing is sent until they have signed.',
  tone: 'wait',
};

const NOT_INCLUDED = { ...PROGRESS.failed, badge: 'Not included' } as const;

const FINAL: Readonly<Record<Exclude<CallsStatusCode, 100>, Progress>> = {
  200: PROGRESS.included,
  400: { ...NOT_INCLUDED, text: 'Not included, and can no longer be.' },
  500: PROGRESS.failed,
  600: { ...PROGRESS.failed, badge: 'Partly failed', text: 'Partly failed: some of the calls were not carried out.' },
};

/** What was tried to find out what became of something. */
const TRIED: Readonly<Record<Remark, string>> = {
  'not-found':
    'The network was asked for it, for its receipt and for its nonce: it does not have it, and the nonce is not used.',
  'nonce-used':
    'Its nonce is used, but the network does not show by what. Before you send it again, check the recipients.',
  'no-answer': 'The node was asked, and does not answer.',
  'no-network': 'The network is no longer set up in Keystead, so it cannot be asked.',
  replaced: 'Something else used its nonce, so it can no longer be.',
  cancelled: 'You cancelled it.',
};

const NO_ANSWER_THEN = 'There was no answer when it was sent, so it may still be carried out.';

/** @returns How far calls have come, in words. */
export function progressOf({ status, remark, isUnclear, isSeen, isWaiting }: ProgressFacts): Progress {
  if (status !== 100) {
    const final = FINAL[status];
    if (remark === 'cancelled')
      return { ...NOT_INCLUDED, badge: 'Cancelled', text: 'Cancelled. It was not carried out.' };
    return remark === 'replaced' ? { ...final, text: `Not included. ${TRIED.replaced}` } : final;
  }
  if (isWaiting === true) return WAITING;
  if (remark === undefined && isUnclear !== true) return PROGRESS[isSeen === true ? 'seen' : 'handed-over'];
  if (remark === undefined && isSeen === true) return PROGRESS.seen;
  const tried = [isUnclear === true ? NO_ANSWER_THEN : undefined, remark && TRIED[remark]];
  return { ...PROGRESS.unknown, text: ['Unknown.', ...tried.filter((each) => each !== undefined)].join(' ') };
}
