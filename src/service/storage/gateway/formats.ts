import { mediaParameter } from '../http/media-type';
import { GatewayError } from './errors';

/** How a CAR file is written; its order is always depth first. */
type CarForm = { readonly format: 'car'; readonly dups: boolean };
/** What a request asks for. */
export type Form = { readonly format: 'raw' } | CarForm;

const TYPES = { raw: 'application/vnd.ipld.raw', car: 'application/vnd.ipld.car' } as const;
const CAR_PARAMETERS = ['version', 'order', 'dups'] as const;
type CarParameters = Partial<Record<(typeof CAR_PARAMETERS)[number], string | undefined>>;

const SERVED = `this gateway serves ${TYPES.raw} (format=raw) and ${TYPES.car} (format=car), which a client can verify`;
const isFormat = (name: string): name is Form['format'] => Object.hasOwn(TYPES, name);

/** The media type of a response. */
export const contentType = (form: Form): string =>
  form.format === 'raw' ? TYPES.raw : `${TYPES.car}; version=1; order=dfs; dups=${form.dups ? 'y' : 'n'}`;

/** The query parameters that ask for the same form. */
export const formQuery = (form: Form): string =>
  form.format === 'raw' ? 'format=raw' : `format=car&car-version=1&car-order=dfs&car-dups=${form.dups ? 'y' : 'n'}`;

type Accepted = { readonly format: Form['format']; readonly quality: number; readonly parameters: CarParameters };

/** The types of an `Accept` header that are served, the preferred first. */
function acceptedBy(header: string): Accepted[] {
  const accepted = header.split(',').flatMap((range): Accepted[] => {
    const [type = ''] = range.split(';', 1);
    const format = (['raw', 'car'] as const).find((each) => TYPES[each] === type.trim().toLowerCase());
    if (format === undefined) return [];
    const parameters = Object.fromEntries(
      CAR_PARAMETERS.map((name) => [name, mediaParameter(range.trim(), name)?.toLowerCase()]),
    );
    const quality = Number(mediaParameter(range.trim(), 'q') ?? 1);
    return quality > 0 ? [{ format, quality, parameters }] : [];
  });
  return accepted.sort((one, other) => other.quality - one.quality);
}

/** Why a CAR file cannot be written like this; undefined if it can. */
function faultIn({ version = '1', order = 'dfs', dups = 'n' }: CarParameters): string | undefined {
  if (version !== '1') return 'the CAR version must be 1';
  // Any order will do for `unk`.
  if (order !== 'dfs' && order !== 'unk') return 'the CAR order must be dfs or unk';
  return dups === 'y' || dups === 'n' ? undefined : 'the CAR dups must be y or n';
}

/**
 * Chooses the form of a response. `format` and the `car-…` parameters of the query go before the header.
 *
 * @param query - The query of the request.
 * @param accept - The `Accept` header, if there is one.
 * @throws {GatewayError} 400 without either or for CAR parameters that are not served, 406 for other formats.
 * @see https://specs.ipfs.tech/http-gateways/trustless-gateway/
 */
export function chooseForm(query: URLSearchParams, accept: string | undefined): Form {
  const named = query.get('format');
  if (named !== null && !isFormat(named)) throw new GatewayError(406, SERVED);
  const accepted = acceptedBy(accept ?? '').filter(({ format }) => named === null || format === named);
  if (named === null && accept === undefined) throw new GatewayError(400, `name a format: ${SERVED}`);
  const [first] = accepted;
  const format = named ?? first?.format;
  if (format === undefined) throw new GatewayError(406, SERVED);
  if (format === 'raw') return { format };
  const asked = Object.fromEntries(
    CAR_PARAMETERS.flatMap((name) => {
      const value = query.get(`car-${name}`);
      return value === null ? [] : [[name, value]];
    }),
  ) as CarParameters;
  const offers = accepted
    .filter((each) => each.format === 'car')
    .map(({ parameters }) => ({ ...parameters, ...asked }));
  const choices: readonly CarParameters[] = offers.length > 0 ? offers : [asked];
  const chosen = choices.find((choice) => faultIn(choice) === undefined);
  if (chosen === undefined) throw new GatewayError(400, faultIn(choices[0] ?? {}) ?? '');
  return { format, dups: chosen.dups === 'y' };
}
