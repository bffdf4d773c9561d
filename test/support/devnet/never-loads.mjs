import * as module from 'node:module';

/**
 * The devnet's own code never finishes loading: what happens until then can be looked at for as long as it takes. Not
 * by a hook that never answers: some versions of Node wait for that without doing anything else.
 */
function resolve(specifier, context, next) {
  if (!/^\.\/devnet(?:\.\w+)?$/u.test(specifier)) return next(specifier, context);
  const never = 'await new Promise((resolve) => setTimeout(resolve, 2 ** 31 - 1));';
  return { url: `data:text/javascript,${encodeURIComponent(never)}`, shortCircuit: true };
}

// Node 20 has only the older of the two, which later versions warn of.
if (module.registerHooks) module.registerHooks({ resolve });
else module.register(`data:text/javascript,${encodeURIComponent(`export ${String(resolve)}`)}`);
