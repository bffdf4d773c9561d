/** The JSON of ERC-7730 descriptors, as far as it is used. It comes from many authors, so everything may be missing. */
export type SourceField = {
  $ref?: string;
  path?: string;
  value?: unknown;
  label?: string;
  format?: string;
  visible?: unknown;
  params?: Record<string, unknown>;
  fields?: SourceField[];
  iteration?: string;
  encryption?: unknown;
};

export type SourceFormat = { intent?: unknown; interpolatedIntent?: string; fields?: SourceField[] };

export type Deployment = { chainId: number; address: string };

export type Source = {
  includes?: string | string[];
  context?: {
    contract?: { deployments?: Deployment[] };
    eip712?: { deployments?: Deployment[]; domain?: Record<string, unknown> };
  };
  metadata?: {
    owner?: string;
    contractName?: string;
    constants?: Record<string, unknown>;
    enums?: Record<string, unknown>;
    maps?: Record<string, unknown>;
  };
  display?: { definitions?: Record<string, SourceField>; formats?: Record<string, SourceFormat> };
};

const mergedFields = (below: readonly SourceField[], above: readonly SourceField[]): SourceField[] => {
  const merged = [...below];
  for (const field of above) {
    // A file may have several fields of one path, for different values.
    const at = below.findIndex(({ path }) => path !== undefined && path === field.path);
    const old = merged[at];
    if (old === undefined) merged.push(field);
    else merged[at] = { ...old, ...field, params: { ...old.params, ...field.params } };
  }
  return merged;
};

/** ERC-7730, "includes": a file overrides what it includes, down to the fields of one format. */
function merge(below: Source, above: Source): Source {
  const formats = { ...below.display?.formats };
  for (const [key, format] of Object.entries(above.display?.formats ?? {})) {
    const old = formats[key];
    formats[key] = { ...old, ...format, fields: mergedFields(old?.fields ?? [], format.fields ?? []) };
  }
  return {
    context: { ...below.context, ...above.context },
    metadata: { ...below.metadata, ...above.metadata },
    display: { definitions: { ...below.display?.definitions, ...above.display?.definitions }, formats },
  };
}

/** @returns The path of an include, relative to the file that includes it. */
function resolvePath(from: string, include: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of include.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/**
 * A descriptor merged with its includes.
 *
 * @throws If a file is missing, or includes itself.
 */
export function withIncludes(files: Readonly<Record<string, Source>>, name: string, above: string[] = []): Source {
  const file = files[name];
  if (file === undefined || above.includes(name)) throw new Error(`the descriptor ${name} cannot be included`);
  const includes = file.includes === undefined ? [] : [file.includes].flat();
  const below = includes
    .map((include) => withIncludes(files, files[include] ? include : resolvePath(name, include), [...above, name]))
    .reduce(merge, {});
  return merge(below, file);
}
