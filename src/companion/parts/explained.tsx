import { type VNode } from 'preact';

import { type Explanation, type Line, type Section } from '../../core/decode/explanation';
import { Copyable } from './copyable';
import { Facts } from './facts';
import { Warning } from './icons';

const valueOf = (line: Line): VNode => {
  switch (line.kind) {
    case 'address':
      return <span class="address">{line.value}</span>;
    case 'quote':
      return (
        <>
          “{line.value}” <span class="hint">({line.source})</span>
        </>
      );
    case 'text':
      return <>{line.value}</>;
  }
};

const Lines = ({ lines }: { readonly lines: readonly Line[] }): VNode | null =>
  lines.length === 0 ? null : <Facts facts={lines.map((line) => [line.label, valueOf(line)])} />;

const Sections = ({ sections }: { readonly sections: readonly Section[] }): VNode => (
  <>
    {sections.map(({ title, lines, sections: inner }, index) => (
      <div class="item" key={index}>
        <p>
          <strong>{title}</strong>
        </p>
        <Lines lines={lines} />
        <Sections sections={inner} />
      </div>
    ))}
  </>
);

/** Shows what an operation does: its dangers first, then what moves, then every call and detail. */
export const Explained = ({ explanation }: { readonly explanation: Explanation }): VNode => {
  const { title, dangers, warnings, changes, main, network, fee, lines, sections, body } = explanation;
  return (
    <>
      <p>
        <strong>{title}</strong>
      </p>
      {dangers.map(({ text }) => (
        <Warning isDanger key={text}>
          {text}
        </Warning>
      ))}
      {warnings.map((text) => (
        <Warning key={text}>{text}</Warning>
      ))}
      <Lines lines={[...changes, ...main]} />
      {body?.isMessage === true ? <Copyable label={body.label} value={body.text} /> : null}
      <Facts
        facts={[
          ['Network', network],
          ['Network fee', fee],
        ]}
      />
      <Sections sections={sections} />
      <details>
        <summary>All details</summary>
        <Lines lines={lines} />
      </details>
      {body === undefined || body.isMessage === true ? null : (
        <details>
          <summary>{body.label}</summary>
          <p class="address">{body.text}</p>
        </details>
      )}
    </>
  );
};

/** @throws If the operation is dangerous and the person did not confirm that. */
export function assertAccepted({ dangers }: Explanation, isAccepted: boolean): void {
  if (dangers.length > 0 && !isAccepted)
    throw new Error('Read the dangers, and tick that you want it nevertheless. Nothing was signed.');
}

type AcceptanceProps = {
  readonly explanation: Explanation;
  readonly isAccepted: boolean;
  readonly onChange: (isAccepted: boolean) => void;
};

/** The second confirmation, of an operation with dangers. */
export const Acceptance = ({ explanation: { dangers }, isAccepted, onChange }: AcceptanceProps): VNode | null =>
  dangers.length === 0 ? null : (
    <label>
      <input type="checkbox" checked={isAccepted} onChange={({ currentTarget }) => onChange(currentTarget.checked)} /> I
      have read the dangers above, and want it nevertheless
    </label>
  );
