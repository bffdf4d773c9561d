import { isSpeaker, speechless } from '.';

/** What webpack tells a loader of the module at hand. */
type Module = { readonly resourcePath: string };

/** A loader of webpack that takes the texts out of modules that say much. */
export default function takeTextsOut(this: Module, code: string): string {
  return isSpeaker(this.resourcePath) ? speechless(this.resourcePath, code) : code;
}
