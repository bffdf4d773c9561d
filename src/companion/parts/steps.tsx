import { type VNode } from 'preact';

import { Icon } from './icons';

type Props = {
  readonly label: string;
  readonly steps: readonly string[];
  /** The index of the current step; the number of steps if all are done. */
  readonly current: number;
};

/** Shows how far along something is: the steps that are done, the current one, and those to come. */
export const Steps = ({ label, steps, current }: Props): VNode => (
  <ol class="steps" aria-label={label}>
    {steps.map((step, index) => (
      <li
        key={step}
        class={index < current ? 'done' : index === current ? 'current' : ''}
        {...(index === current && { 'aria-current': 'step' as const })}
      >
        <span class="bullet" aria-hidden="true">
          {index < current ? <Icon name="done" /> : index + 1}
        </span>
        <span>
          {step}
          <span class="visually-hidden">{index < current ? ', done' : ''}</span>
        </span>
      </li>
    ))}
  </ol>
);

/** The way from an empty browser to an account. */
export const ONBOARDING = ['Connect a wallet', 'Set up a network', 'Create an account'] as const;

export const OnboardingSteps = ({ current }: { readonly current: number }): VNode => (
  <div class="onboarding">
    <p class="hint">
      Step {current + 1} of {ONBOARDING.length}
    </p>
    <Steps label="Getting started" steps={ONBOARDING} current={current} />
  </div>
);
