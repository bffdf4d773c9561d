import { type FormPart, FORM, multipart } from './multipart';
import { type RawAnswer, rawRequest } from './raw-http';
import { type TestService } from './service';

/** Sends a command with an optional body. */
export const post = (service: TestService, path: string, headers: Record<string, string> = {}, body?: Buffer) =>
  rawRequest(service.port, { path: `/api/v0/${path}`, headers, ...(body === undefined ? {} : { body }) });
/** Sends a command with a form made of the parts. */
export const send = (service: TestService, path: string, ...parts: FormPart[]) =>
  post(service, path, FORM, multipart(...parts));
/** The error message of a response. */
export const message = (answer: RawAnswer): string =>
  answer.trailers['X-Stream-Error'] ?? (JSON.parse(answer.body.toString()) as { Message: string }).Message;

/** Expects the service to answer and to report no problems. */
export async function expectWell(service: TestService): Promise<void> {
  expect((await post(service, 'version')).status).toBe(200);
  expect(await service.problems()).toEqual([]);
  expect(service.warnings).toEqual([]);
}

/** The head of a request, exactly as it is sent. */
export const head = (path: string, headers: readonly string[] = []) =>
  [`POST /api/v0/${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
/** The header of a request with a form. */
export const FORM_LINE = `Content-Type: ${FORM['Content-Type']}`;
