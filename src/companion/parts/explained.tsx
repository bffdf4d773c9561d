import { type VNode } from 'preact';

import { type Explanation, type Line, type Section } from '../../core/decode/explanation';
import { Facts } from './facts';
import { Icon } from './icons';

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

/** What a request does: its dangers first, then what moves, then every call and detail. */
export const Explained = ({ explanation }: { readonly explanation: Explanation }): VNode => {
  const { title, dangers, warnings, changes, main, network, fee, lines, sections } = explanation;
  return (
    <>
      <p>
        <strong>{title}</strong>
      </p>
      {[...dangers.map(({ text }) => text), ...warnings].map((text) => (
        <p class="warning" key={text}>
          <Icon name="warning" />
          <span>{text}</span>
        </p>
      ))}
      <Lines lines={[...changes, ...main]} />
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
    </>
  );
};
