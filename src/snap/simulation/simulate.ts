import { type NodeClient } from '../../clients/node';
import { type Outcome, type Simulation } from '../../core/decode/outcome';
export const simulate = (_simulation: Simulation, _node: Pick<NodeClient, 'ask'>): Promise<Outcome> =>
  Promise.resolve({ kind: 'unknown', why: 'stub' });
