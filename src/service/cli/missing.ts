import { archiveDir, holdsSegments } from '../chain/archive/catalog';
import type { NetworkConfig } from '../chain/config';
import type { CommonOptions } from './command';
import type { ServiceConfig } from './config';

/** The network of the sample that the program brings. */
export const SAMPLE_NETWORK = 'mainnet';

/** The options that make another command use the same data and configuration. */
const sameOptions = ({ dataDir, config }: CommonOptions): string =>
  [...(dataDir === undefined ? [] : ['--data-dir', dataDir]), ...(config === undefined ? [] : ['--config', config])]
    .map((option) => ` ${option}`)
    .join('');

function missingOf({ name, archive, upstream }: NetworkConfig, dataDir: string, options: string): string | undefined {
  if (upstream !== undefined) return undefined;
  if (!archive) return `${name}: has no archive and no node (networks[].upstream), so it answers no look-ups.`;
  if (holdsSegments(archiveDir(dataDir, name)))
    return `${name}: has no node (networks[].upstream), so it only answers uncle look-ups from its archive.`;
  const program = 'keystead archive import';
  const commands = [
    `${program} PATH --network ${name}${options}`,
    ...(name === SAMPLE_NETWORK ? [`${program} --sample${options}`] : []),
  ];
  return `${name}: has no archive and no node (networks[].upstream), so it answers no look-ups yet. To add an archive: ${commands.join(', or to try it out: ')}`;
}

/**
 * The things that a service cannot do yet for lack of a key, an archive or a node.
 *
 * @param dataDir - The folder with the archives.
 * @param hasKey - Whether there is a key.
 * @returns A sentence for the key, and one for each network that lacks something.
 */
export const missingParts = (
  { networks }: ServiceConfig,
  dataDir: string,
  options: CommonOptions,
  hasKey = true,
): string[] => [
  ...(hasKey ? [] : [`keys: there are none yet. To create the first one: keystead keys create${sameOptions(options)}`]),
  ...networks.flatMap((network) => missingOf(network, dataDir, sameOptions(options)) ?? []),
];
