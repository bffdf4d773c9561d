import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

import { ARCHIVE, FOLDER, openArchive, PIN } from '../../../../scripts/contract-metadata/archive';
import { descriptorsIn, REFUSED, REGISTRY } from '../../../../scripts/contract-metadata/registry';
import { compiled } from '../../../support/contract-metadata';

const archive = readFileSync(ARCHIVE);
const text = brotliDecompressSync(archive).toString();

describe('the archive of the ERC-7730 registry', () => {
  it('is refused if a letter in it is another one', () => {
    const changed = brotliCompressSync(text.replace('Recipient', 'recipient'), {
      params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MIN_QUALITY },
    });
    expect(() => openArchive(changed, PIN.sha256)).toThrow(
      new RegExp(`^the registry's archive has the SHA-256 [0-9a-f]{64}, pin.json says ${PIN.sha256}$`, 'u'),
    );
    expect(Object.keys(openArchive(archive, PIN.sha256))).toHaveLength(622);
  });

  it('is what its pin says, with its licence', () => {
    expect(createHash('sha256').update(text).digest('hex')).toBe(PIN.sha256);
    expect(PIN.commit).toMatch(/^[0-9a-f]{40}$/u);
    expect(readFileSync(join(FOLDER, 'LICENSE'), 'utf8')).toContain('CC0 1.0 Universal');
  });

  it('is read as a whole', () => {
    expect(REFUSED).toEqual([]);
    expect(Object.keys(REGISTRY)).toHaveLength(365);
    expect({ formats: compiled.formats, unsupported: compiled.unsupported }).toEqual({
      formats: 1311,
      unsupported: [],
    });
  });
});

describe('a descriptor', () => {
  const schemas = {
    'specs/erc7730-v1.schema.json': '{"version":"1.0.0"}',
    'specs/erc7730-v2.schema.json': '{"version":"2.0.0"}',
    'specs/erc7730-v2.1.schema.json': '{"version":"2.1.0-rc.1"}',
    'specs/erc7730-v3-next.schema.json': '{"version":"3.0.0-next"}',
    // The name of the file is no version.
    'specs/erc7730-v2.2.schema.json': '{"version":"4.0.0"}',
    'specs/erc7730-v20.schema.json': '{"version":"20.0.0"}',
  };
  const read = (schema: object) =>
    descriptorsIn({ ...schemas, 'registry/a/calldata-a.json': JSON.stringify({ ...schema, display: {} }) });

  it.each([
    ['1', { $schema: '../../specs/erc7730-v1.schema.json' }, 'erc7730-v1.schema.json is of version 1.0.0'],
    [
      '3',
      { $schema: '../../specs/erc7730-v3-next.schema.json' },
      'erc7730-v3-next.schema.json is of version 3.0.0-next',
    ],
    [
      '4 by its schema',
      { $schema: '../../specs/erc7730-v2.2.schema.json' },
      'erc7730-v2.2.schema.json is of version 4.0.0',
    ],
    ['20', { $schema: '../../specs/erc7730-v20.schema.json' }, 'erc7730-v20.schema.json is of version 20.0.0'],
    ['an unknown schema', { $schema: 'https://example.org/other.json' }, 'other.json is of version unknown'],
    ['no schema', {}, 'undefined is of version unknown'],
  ])('of version %s is refused', (_version, schema, why) => {
    expect(read(schema)).toEqual({
      files: {},
      refused: [`registry/a/calldata-a.json: $schema ${why}, only 2 is read`],
    });
  });

  it('of version 2, or of a later minor one, is read', () => {
    for (const schema of ['erc7730-v2.schema.json', 'erc7730-v2.1.schema.json'])
      for (const place of ['../../specs', 'https://eips.ethereum.org/assets/eip-7730'])
        expect(Object.keys(read({ $schema: `${place}/${schema}` }).files)).toEqual(['registry/a/calldata-a.json']);
  });
});
