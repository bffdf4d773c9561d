import { type VNode } from 'preact';
import { useEffect, useId, useReducer } from 'preact/hooks';

import { type Interfaces } from '../interfaces';
import { type UserInput } from '../wallet';
import { DISPLAY_COMPONENTS } from './snap-components';
import { FORM_COMPONENTS } from './snap-form-components';
import { ComponentsContext, SnapNode } from './snap-node';
import { type Surface, SurfaceContext } from './surface';

const COMPONENTS = { ...DISPLAY_COMPONENTS, ...FORM_COMPONENTS };

type Props = {
  readonly id: string;
  readonly interfaces: Interfaces;
  readonly onInput: (id: string, event: UserInput) => Promise<void>;
};

/** An interface of a snap. It renders again when the snap or the person changes it. */
export function SnapInterface({ id, interfaces, onInput }: Props): VNode {
  const prefix = useId();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => interfaces.watch(() => redraw(undefined)), [interfaces]);
  const { content, state } = interfaces.get(id);
  const surface: Surface = {
    id,
    prefix,
    state,
    setField: (form, name, value) => interfaces.setField(id, form, name, value),
    send: (event) => {
      // The snap must show its own errors after input; the page stays as it is.
      onInput(id, event).catch((error: unknown) => console.warn('The snap failed to handle the input.', error));
    },
  };
  return (
    <SurfaceContext.Provider value={surface}>
      <ComponentsContext.Provider value={COMPONENTS}>
        <div class="interface">
          <SnapNode>{content}</SnapNode>
        </div>
      </ComponentsContext.Provider>
    </SurfaceContext.Provider>
  );
}
