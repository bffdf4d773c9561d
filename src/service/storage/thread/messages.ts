import type { RunningPart } from '../../part';
import type { MetricsData } from '../../runtime/joined-registry';
import type { StorageServiceConfig } from '../config';

/** What the thread is started with. */
export type ThreadData = { readonly config: StorageServiceConfig; readonly dataDir: string };

/** The questions that the thread answers, with their answers. */
export type Answers = {
  problems: string[];
  metrics: MetricsData;
  /** Resolved once connections close after their responses. */
  leave: null;
  /** Resolved once the service has stopped. */
  stop: null;
};

/** A question to the thread; its answer has the same number. */
export type Question = { readonly number: number; readonly question: keyof Answers };

/** An error, as a message can carry it: structured clones have no classes. */
export type Fault = {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
  /** Of a system error. */
  readonly code?: string | undefined;
  readonly syscall?: string | undefined;
};

/** What the thread sends: first whether it has started, then answers. */
export type FromThread =
  | { readonly is: 'started'; readonly addresses: RunningPart['addresses'] }
  | { readonly is: 'not started'; readonly fault: Fault }
  | { readonly is: 'answer'; readonly number: number; readonly answer: unknown }
  | { readonly is: 'failure'; readonly number: number; readonly fault: Fault };
