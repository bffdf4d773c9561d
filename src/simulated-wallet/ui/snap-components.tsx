import { type SnapComponent, SnapNode } from './snap-node';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const oneOf = <T extends string>(value: unknown, values: readonly T[], otherwise: T): T =>
  values.includes(value as T) ? (value as T) : otherwise;

const TONES = ['info', 'success', 'warning', 'danger'] as const;
const MARKS: Readonly<Record<(typeof TONES)[number], string>> = {
  info: 'Note',
  success: 'Done',
  warning: 'Warning',
  danger: 'Danger',
};

function copy(value: string): void {
  void navigator.clipboard.writeText(value);
}

/** The components that display something. Text is never parsed as markup. */
export const DISPLAY_COMPONENTS: Readonly<Record<string, SnapComponent>> = {
  Address: ({ address }) => <code class="address">{text(address).replace(/^eip155:\d+:/u, '')}</code>,
  Avatar: () => null,
  Banner: ({ title, severity, children }) => {
    const tone = oneOf(severity, TONES, 'info');
    return (
      <div class={`banner ${tone}`} role={tone === 'danger' ? 'alert' : 'note'}>
        <strong>
          <span class="visually-hidden">{MARKS[tone]}: </span>
          {text(title)}
        </strong>
        <SnapNode>{children}</SnapNode>
      </div>
    );
  },
  Bold: ({ children }) => (
    <b>
      <SnapNode>{children}</SnapNode>
    </b>
  ),
  Box: ({ direction, children }) => (
    <div class={direction === 'horizontal' ? 'box horizontal' : 'box'}>
      <SnapNode>{children}</SnapNode>
    </div>
  ),
  Card: ({ title, description, value, extra }) => (
    <div class="row">
      <span>
        {text(title)} <small>{text(description)}</small>
      </span>
      <span>
        {text(value)} <small>{text(extra)}</small>
      </span>
    </div>
  ),
  CollapsibleSection: ({ label, isExpanded, children }) => (
    <details class="section" open={isExpanded === true}>
      <summary>{text(label)}</summary>
      <SnapNode>{children}</SnapNode>
    </details>
  ),
  Container: ({ children }) => (
    <div class="container">
      <SnapNode>{children}</SnapNode>
    </div>
  ),
  Copyable: ({ value }) => (
    <div class="copyable">
      <pre tabIndex={0}>{text(value)}</pre>
      <button type="button" class="small" onClick={() => copy(text(value))}>
        Copy
      </button>
    </div>
  ),
  Divider: () => <hr />,
  Footer: ({ children }) => (
    <div class="footer">
      <SnapNode>{children}</SnapNode>
    </div>
  ),
  // Always one level below the dialog's title, whatever size the snap requests.
  Heading: ({ size, children }) => (
    <h3 class={oneOf(size, ['sm', 'md', 'lg'], 'sm')}>
      <SnapNode>{children}</SnapNode>
    </h3>
  ),
  Icon: () => null,
  Image: ({ src, alt }) => <img alt={text(alt)} src={`data:image/svg+xml,${encodeURIComponent(text(src))}`} />,
  Italic: ({ children }) => (
    <i>
      <SnapNode>{children}</SnapNode>
    </i>
  ),
  Link: ({ href, children }) => (
    <a href={/^(?:https|mailto):/u.test(text(href)) ? text(href) : '#'} target="_blank" rel="noreferrer">
      <SnapNode>{children}</SnapNode>
    </a>
  ),
  Row: ({ label, variant, children }) => (
    <div class={`row ${oneOf(variant, ['default', 'warning', 'critical'], 'default')}`}>
      <span class="label">{text(label)}</span>
      <div class="value">
        <SnapNode>{children}</SnapNode>
      </div>
    </div>
  ),
  Section: ({ children }) => (
    <div class="section">
      <SnapNode>{children}</SnapNode>
    </div>
  ),
  Skeleton: () => <span class="skeleton" />,
  Spinner: () => <span role="status">Working…</span>,
  Text: ({ color, children }) => (
    <p class={`text ${oneOf(color, ['default', 'alternative', 'muted', 'error', 'success', 'warning'], 'default')}`}>
      <SnapNode>{children}</SnapNode>
    </p>
  ),
  Tooltip: ({ children }) => <SnapNode>{children}</SnapNode>,
  Value: ({ value, extra }) => (
    <span>
      {text(value)} <small>{text(extra)}</small>
    </span>
  ),
};
