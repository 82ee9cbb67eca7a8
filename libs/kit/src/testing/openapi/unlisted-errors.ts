// Watches the answers of a service in tests and finds errors that its reference does not list.
import type { App } from '../../http/app.ts';
import { transportErrors } from '../../http/errors.ts';
import { listErrorCodes, type Reference } from '../../http/openapi/reference.ts';

const isTransport = (code: string) => Object.hasOwn(transportErrors, code);

/**
 * Watches the error answers of the app. Returns a function that lists the errors that are missing in the
 * reference, each with the correction.
 */
export function watchUnlistedErrors(app: App, reference: Reference): () => string[] {
  const found = new Set<string>();
  app.addHook('onSend', async (request, reply, payload) => {
    const { schema, url } = request.routeOptions;
    const { hide, tags, ...route } = schema ?? {};
    // Routes that are not in the document are ignored, because they have no reference.
    if (reply.statusCode < 400 || hide || !tags || !url || typeof payload !== 'string') return;
    if (!String(reply.getHeader('content-type')).startsWith('application/json')) return;
    const { code } = JSON.parse(payload) as { code?: string };
    if (code === undefined || isTransport(code)) return;
    const path = url.replace(/:(\w+)/g, '{$1}');
    const operation = `${request.method === 'HEAD' ? 'GET' : request.method} ${path}`;
    const security = (route.security ?? []).flatMap((each) => Object.keys(each));
    const hasParameters = route.params !== undefined || route.querystring !== undefined;
    const traits = { security, hasParameters, hasBody: route.body !== undefined };
    if (!listErrorCodes(operation, traits, reference).includes(code)) {
      found.add(`${operation} answered ${code}: list it in reference/errors-by-operation.ts`);
    }
  });
  return () => [...found];
}
