import { knownChanges } from '../effects/changes';
import { simulatedTitle } from '../effects/title';
import { type WordScene } from '../scene';

/**
 * The title that a preview gives a request whose meaning is otherwise unknown.
 *
 * @returns Undefined if there is none, or if a site chose the node: that node says what its owner likes.
 */
export const previewTitle = (scene: WordScene, changes = knownChanges(scene)): string | undefined =>
  scene.view.node?.addedBy === undefined ? simulatedTitle(changes, scene) : undefined;
