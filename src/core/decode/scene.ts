import { type WorkBudget } from '../eth/abi';
import { type Findings } from './effects/findings';
import { type Viewpoint } from './explanation';

/** The context in which words are found: the chain of what is signed, what is known, and where to ask for more. */
export type WordScene = {
  readonly view: Viewpoint;
  /** The chain of the object that is signed, where it names one. */
  readonly chainId: bigint | undefined;
  readonly findings: Findings;
};

/** The context of a rule. */
export type Scene = WordScene & { readonly budget: WorkBudget };
