import { type VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

type View<Props> = (props: Props) => VNode | null;

/** A view of which the code is loaded when it is first shown. */
export function lazy<Props extends object>(load: () => Promise<View<Props>>): View<Props> {
  let loaded: View<Props> | undefined;
  return function Lazy(props) {
    const [view, setView] = useState<{ readonly shown: View<Props> } | 'failed' | undefined>(
      loaded && { shown: loaded },
    );
    useEffect(() => {
      load().then(
        (shown) => {
          loaded = shown;
          setView({ shown });
        },
        () => setView('failed'),
      );
    }, []);
    if (view === undefined)
      return (
        <p class="status" role="status">
          Loading…
        </p>
      );
    if (view === 'failed')
      return (
        <p class="status error" role="status">
          This part of the page did not load. Reload the page to try again.
        </p>
      );
    const { shown: Shown } = view;
    return <Shown {...props} />;
  };
}
