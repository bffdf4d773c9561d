import { type ComponentChildren, type VNode } from 'preact';

/** Outlines on a grid of 24 units. */
const PATHS = {
  home: 'M4 11.5 12 4l8 7.5M6 10v9h4.5v-5h3v5H18v-9',
  send: 'M4.5 12h14M12.5 6l6 6-6 6',
  receive: 'M12 4.5v13M6 12l6 6 6-6M5 20.5h14',
  activity: 'M12 7.5V12l3 2M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0Z',
  connections: 'M9.5 14.5 14.5 9.5M11 7l1.6-1.6a4 4 0 0 1 5.7 5.7L16.7 12.7M13 17l-1.6 1.6a4 4 0 0 1-5.7-5.7L7.3 11.3',
  settings:
    'M4 7.5h9M17 7.5h3M13 7.5a2 2 0 1 0 4 0 2 2 0 1 0-4 0M4 16.5h3M11 16.5h9M7 16.5a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
  developer: 'M9 8l-4.5 4L9 16M15 8l4.5 4L15 16',
  copy: 'M9 9h10v11H9zM5.5 15.5H5V4h10v1.5',
  done: 'M5 12.5 10 17.5 19.5 7',
  plus: 'M12 5v14M5 12h14',
  faucet: 'M12 4.5c3.5 4 5.5 6.8 5.5 9.5a5.5 5.5 0 0 1-11 0c0-2.7 2-5.5 5.5-9.5Z',
  sign: 'M4.5 19.5h15M6 15.5l1-3.5 8-8 2.5 2.5-8 8L6 15.5Z',
  warning: 'M12 4.5 20.5 19h-17L12 4.5ZM12 10v4M12 16.4v.2',
  close: 'M6 6l12 12M18 6 6 18',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon: the text next to it says what it is. */
export const Icon = ({ name }: { readonly name: IconName }): VNode => (
  <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
);

type WarningProps = {
  readonly isDanger?: boolean;
  readonly role?: 'alert' | 'status';
  readonly children: ComponentChildren;
};

/** A warning with its icon. */
export const Warning = ({ isDanger = false, role, children }: WarningProps): VNode => (
  <p class={isDanger ? 'warning danger' : 'warning'} {...(role && { role })}>
    <Icon name="warning" /> {isDanger ? <strong>{children}</strong> : <span>{children}</span>}
  </p>
);
