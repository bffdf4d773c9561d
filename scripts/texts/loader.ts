import { speechless } from '.';

/** What webpack tells a loader: of the module at hand, and what it was given. */
type Context = { readonly resourcePath: string; readonly getOptions: () => { readonly folder: string } };

/** A loader of webpack that takes the texts out of modules that say much. Its option: the folder of the build. */
export default function takeTextsOut(this: Context, code: string): string {
  return speechless(this.resourcePath, code, this.getOptions().folder);
}
