/** The tabs of this page in one browser, by what they tell each other. */
const CHANNEL = 'keystead.changes';

export type Tabs = {
  /** Tells the other tabs that the accounts, networks or activity of the snap changed. */
  readonly tell: () => void;
  /** Stops listening. */
  readonly close: () => void;
};

/**
 * Listens to the other tabs.
 *
 * @param onChange - Called when another tab says that something changed, and when this tab becomes visible, because
 *   the snap changes without any tab too.
 */
export function watchTabs(onChange: () => void): Tabs {
  const channel = new BroadcastChannel(CHANNEL);
  const whenVisible = (): void => {
    if (!document.hidden) onChange();
  };
  channel.addEventListener('message', onChange);
  document.addEventListener('visibilitychange', whenVisible);
  return {
    tell: () => channel.postMessage('changed'),
    close: () => {
      channel.close();
      document.removeEventListener('visibilitychange', whenVisible);
    },
  };
}
